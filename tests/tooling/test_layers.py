"""Modules import only from lower layers and never in cycles, and importing the kit is fast."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pmp_kit"

# The layers from bottom to top. An entry is a file, or a folder for all of its files that are not listed separately.
# A file may import from lower rows, and from its own folder in its own row.
LAYERS = [
    ["engine"],
    ["variables", "noise", "storage", "measures.mmd"],
    ["factors"],
    ["unaries"],
    ["graph"],
    ["search.tables", "search.order"],
    ["search.elimination"],
    ["models", "exact", "learning.data", "samplers.colouring"],
    ["learning.moments"],
    ["solvers"],
    ["samplers"],
    ["samplers.observe", "results"],
    ["run", "measures.chains"],
    ["batches", "search"],
    ["sample"],
    ["kernel", "learning", "tuning", "until"],
    ["measures", "testing", "convert"],
    ["__init__"],
    ["course"],
    ["course.datasets", "course.mine", "course.pages", "course.plot", "course.pretrained"],
    ["course.experiments", "course.train_digits"],
    ["course.explore"],
    ["course.exercises"],
]
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
OWN_DEPENDENCIES = {"jax", "jaxlib", "numpy", "equinox", "jaxtyping", "optax", "scipy", "tqdm"}
DIAGNOSTICS = {"arviz_stats", "arviz_base", "xarray"}
WIDGETS = {"ipywidgets", "anywidget"}
SLOW_TO_IMPORT = {"scipy", "matplotlib", "optax", "sklearn", "pooch", "PIL", "IPython"} | WIDGETS
SLOW_TO_IMPORT |= {"arviz_stats", "arviz_base", "xarray", "pandas"}


def python_files(*folders: str) -> list[Path]:
    """Return the Python files in folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def module(path: Path) -> str:
    """Return the dotted name of a file below pmp_kit; `__init__` for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


FILES = {module(path): path for path in python_files("pmp_kit")}


def running(path: Path) -> Iterator[ast.AST]:
    """Return the nodes of a file's code without the parts that only type checkers read (`if TYPE_CHECKING:`)."""
    left: list[ast.AST] = [ast.parse(path.read_text())]
    while left:
        yield (node := left.pop())
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            left += ast.iter_child_nodes(node)


def resolve(node: ast.ImportFrom, path: Path) -> str:
    """Return the absolute dotted name that a `from ... import` names."""
    if not node.level:
        return node.module or ""
    folder = (path.parent, *path.parent.parents)[node.level - 1]
    package = ".".join(folder.relative_to(ROOT).parts)
    return f"{package}.{node.module}" if node.module else package


def tops(path: Path) -> set[str]:
    """Return the top-level packages that a file imports."""
    names = set()
    for node in running(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(resolve(node, path))
    return {name.split(".")[0] for name in names}


def imported_modules(path: Path) -> set[str]:
    """Return the files of pmp_kit that a file imports, at whatever depth of its code, as dotted names below pmp_kit."""
    found = set()
    for node in running(path):
        if isinstance(node, ast.Import):
            names = {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {(resolve(node, path), alias.name) for alias in node.names}
        else:
            continue
        for base, name in names:
            if base.split(".")[0] == "pmp_kit":
                below = base.removeprefix("pmp_kit").lstrip(".")
                whole = f"{below}.{name}".strip(".")
                found.add(whole if whole in FILES else below or "__init__")
    return found - {module(path)}


def room(name: str) -> str:
    """Return the row's entry that a module belongs to."""
    while name not in RANK:
        assert "." in name, f"{name} is new: say in LAYERS where it belongs"
        name = name.rpartition(".")[0]
    return name


def test_imports_point_down():
    wrong = []
    for name, path in FILES.items():
        here = room(name)
        others = {room(other) for other in imported_modules(path)} - {here}
        wrong += [f"{name} ({here}) imports {other}" for other in others if RANK[other] >= RANK[here]]
    assert not wrong


def test_no_imports_go_in_circles():
    left = {name: imported_modules(path) for name, path in FILES.items()}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"these import each other, or what does: {sorted(left)}"


def test_the_library_needs_its_own_dependencies_alone():
    for name, path in FILES.items():
        if not name.startswith("course"):
            others = tops(path) - {"pmp_kit"} - set(sys.stdlib_module_names) - OWN_DEPENDENCIES - DIAGNOSTICS
            assert not others, f"{name} imports {others}, of the course"


def test_importing_the_kit_is_light():
    code = (
        "import sys, jax, jaxlib, equinox, jaxtyping, numpy; before = set(sys.modules); import pmp_kit;"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before});"
        "jax.config.update('jax_num_cpu_devices', 2)"  # JAX refuses it once a backend is started
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert not set(result.stdout.split()) & SLOW_TO_IMPORT
