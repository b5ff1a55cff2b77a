"""The folder listing is the concept list: imports point down only, and importing the kit stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pmp_kit"

# From bottom to top. A module imports from strictly lower rows only (a folder counts as one module).
LAYERS = [
    ["validate", "plot", "devices", "signatures"],
    ["variables", "noise", "progress", "chunks", "datasets", "metrics", "record", "storage"],
    ["planes"],
    ["factors"],
    ["unaries"],
    ["graph"],
    ["models", "exact", "blocks", "moments"],
    ["solvers"],
    ["samplers"],
    ["observe", "results"],
    ["loops"],
    ["run"],
    ["ascent", "kernel"],
    ["learn", "measures", "pseudo_likelihood"],
    ["__init__"],
    ["experiments"],
    ["bench", "explore", "train_digits"],
    ["guard"],
]
RANK = {module: rank for rank, modules in enumerate(LAYERS) for module in modules}
WIDGETS = {"ipywidgets", "anywidget"}
SLOW_TO_IMPORT = {"scipy", "matplotlib", "optax", "sklearn", "pooch", "PIL", "IPython"} | WIDGETS
SLOW_TO_IMPORT |= {"arviz_stats", "arviz_base", "xarray", "pandas"}


def python_files(*folders: str) -> list[Path]:
    """Return the Python files in folders of the project."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def layer(path: Path) -> str:
    """Return the module or folder of pmp_kit that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def resolve(node: ast.ImportFrom, path: Path) -> str:
    """Return the absolute dotted name that a `from ... import` names."""
    if not node.level:
        return node.module or ""
    folder = (path.parent, *path.parent.parents)[node.level - 1]
    package = ".".join(folder.relative_to(ROOT).parts)
    return f"{package}.{node.module}" if node.module else package


def imported(path: Path) -> set[str]:
    """Return the dotted names that a file imports, at whatever depth of its code."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = resolve(node, path)
            names |= {f"pmp_kit.{alias.name}" for alias in node.names} if module == "pmp_kit" else {module}
    return names


def own_layers(path: Path) -> set[str]:
    """Return the layers of pmp_kit that a file imports from, its own left out; the package itself is `__init__`."""
    parts = [name.split(".") for name in imported(path) if name.split(".")[0] == "pmp_kit"]
    tops = {part[1] if len(part) > 1 else "__init__" for part in parts}
    return {top if top in RANK or (PACKAGE / f"{top}.py").exists() else "__init__" for top in tops} - {layer(path)}


@pytest.mark.parametrize("path", python_files("pmp_kit"), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path):
    here = layer(path)
    assert here in RANK, f"{here} is new: say in LAYERS where it belongs"
    for other in own_layers(path):
        assert RANK[other] < RANK[here], f"{path.name} ({here}) imports {other}, which is not below it"


def test_only_explorers_import_widgets():
    guilty = [str(path) for path in python_files("pmp_kit") if layer(path) != "explore" and tops(path) & WIDGETS]
    assert not guilty


def test_plot_knows_neither_jax_nor_widgets():
    assert not tops(PACKAGE / "plot.py") & (WIDGETS | {"jax", "jaxlib", "equinox"})


def tops(path: Path) -> set[str]:
    """Return the top-level packages that a file imports."""
    return {name.split(".")[0] for name in imported(path)}


def test_importing_the_kit_is_light():
    code = (
        "import sys, jax, jaxlib, equinox, jaxtyping, numpy; before = set(sys.modules); import pmp_kit;"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before});"
        "from jax._src import xla_bridge; assert not xla_bridge.backends_are_initialized(), 'a backend was started'"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert not set(result.stdout.split()) & SLOW_TO_IMPORT


def test_files_are_short():
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in python_files("pmp_kit", ".ci")
    }
    assert not {path: length for path, length in lengths.items() if length > 250}


def test_functions_are_short():
    long = {}
    for path in python_files("pmp_kit", ".ci"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if lines > 45:
                    long[f"{path.relative_to(ROOT)}: {node.name}"] = lines
    assert not long


def test_explorers_are_short():
    kinds = {"Explorer", "ComparingExplorer", "PaintedExplorer"}
    lengths = {
        node.name: node.end_lineno - node.lineno + 1
        for path in python_files("pmp_kit/course/explore")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and kinds & {getattr(base, "id", "") for base in node.bases}
    }
    assert len(lengths) > len(kinds)
    assert not {name: lines for name, lines in lengths.items() if lines > 120}
