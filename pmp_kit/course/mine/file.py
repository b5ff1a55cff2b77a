"""The file mine.py: reading it, and putting definitions into it without losing what a reader wrote there."""

from __future__ import annotations

import ast
import builtins
import types
from pathlib import Path

from ...engine.files import replacing
from .source import Problem, Sources, names_used

NAME, OLD = "mine.py", "mine_old.py"
HEAD = '"""Functions that you wrote in the exercises of the course. A passed check writes its function here."""\n'
OLD_HEAD = '"""Versions of functions that newer ones replaced in mine.py, the newest last."""\n'


def read(path: Path) -> str:
    """Return the text of a file without a byte order mark, "" if there is none.

    Raises:
        Problem: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path.name} cannot be read ({type(error).__name__}: {error})") from None


def run(text: str, path: Path) -> types.ModuleType:
    """Execute the text of mine.py and return it as a module, which is not in sys.modules.

    Raises:
        Problem: it raises an exception.
    """
    module = types.ModuleType("mine")
    module.__file__ = str(path)
    try:
        exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        raise Problem(f"{path.name} cannot be imported ({_where(error, path)}). Correct it, or rename it") from None
    return module


def definitions(text: str) -> Sources:
    """Return name -> the statement that defines it, for a text that Python can read.

    Raises:
        Problem: Python cannot read it.
    """
    lines = text.split("\n")
    return {name: "\n".join(lines[first - 1 : last]) for name, (first, last) in _places(text).items()}


def put(sources: Sources, name: str, folder: Path) -> None:
    """Write definitions into mine.py. A replaced version goes to the end of mine_old.py.

    Args:
        sources: what `source.collect` returned.
        name: the function that is kept; the others are what it uses.
        folder: of the file.

    Raises:
        Problem: the file cannot be read or written, or the definitions contradict others in it.
    """
    path = folder / NAME
    text = read(path)
    old = definitions(text)
    if lacking := [one for one, source in sources.items() if not source and one not in old]:
        raise Problem(f"it uses {lacking[0]}, which is not in {NAME}. Run the check of {lacking[0]} again")
    new = {one: source for one, source in sources.items() if source and source != old.get(one)}
    own = {one for one in old if hasattr(builtins, one)}
    if hidden := [one for source in new.values() for one in names_used(source) & own - sources.keys()]:
        raise Problem(f"{NAME} defines {hidden[0]}, and {name} uses Python's {hidden[0]}. Rename the one in {NAME}")
    for one in {one for one in new if one in old or hasattr(builtins, one)} - {name}:
        users = [user for user in old.keys() - sources.keys() if one in names_used(old[user])]
        if users:
            raise Problem(f"{users[0]} of {NAME} uses another {one}. Rename the one that {name} uses")
    if not new:
        return
    merged = _merged(text or HEAD, new)
    if not definitions(merged).keys() >= old.keys():
        raise Problem(f"{NAME} has several statements on one line. Put each on a line of its own")
    try:
        run(merged, path)
    except Problem:
        run(text, path)  # says the right line if the mistake was there before
        raise
    if read(path) != text:  # another kernel has written it in the meantime
        return put(sources, name, folder)
    replaced = [old[one] for one in new if one in old]
    _write(folder / OLD, _with_old(read(folder / OLD), replaced))
    _write(path, merged)


def _places(text: str) -> dict[str, tuple[int, int]]:
    """Return name -> the first and the last line of the statement that defines it."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError) as error:
        raise Problem(
            f"Python cannot read {NAME} ({_where(error, Path(NAME))}). Correct the file, or rename it"
        ) from None
    places = {}
    for node in body:
        decorators = [one.lineno for one in getattr(node, "decorator_list", [])]
        place = min([node.lineno, *decorators]), node.end_lineno or node.lineno
        places |= dict.fromkeys(_names(node), place)
    return places


def _names(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [one.asname or one.name.partition(".")[0] for one in node.names]
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _merged(text: str, new: Sources) -> str:
    """Return the text without the old versions, with new imports after its docstring and the rest at the end."""
    places, lines = _places(text), text.split("\n")  # other separators end no line of Python
    dropped = {number for one in new if one in places for number in range(places[one][0], places[one][1] + 1)}
    body = ast.parse(text).body
    has_head = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    head = (body[0].end_lineno or 1) if has_head else 0
    futures = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    head = max([head, *(node.end_lineno or 1 for node in futures)])  # Python wants these before other imports
    imports = [source for source in new.values() if source.startswith(("import ", "from "))]
    rest = [source for source in new.values() if source not in imports]
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        after_gap = not line and (not kept or number - 1 in dropped)
        if after_gap and number > head:
            dropped.add(number)
        elif number > head and number not in dropped:
            kept.append(line)
    spaced = ["\n".join([*lines[:head], "", *imports, *kept]).rstrip(), *rest]
    return "\n\n\n".join(spaced) + "\n"


def _with_old(text: str, replaced: list[str]) -> str:
    """Return the text of mine_old.py with the replaced versions that it does not have yet."""
    there = f"{text.rstrip()}\n\n\n"
    more = [source for source in replaced if f"\n\n\n{source}\n\n\n" not in there]
    return "\n\n\n".join([(text or OLD_HEAD).rstrip(), *more]) + "\n" if more else text


def _write(path: Path, text: str) -> None:
    """Write a file, which changes only after the new text is complete. Without a text nothing is written."""
    if not text:
        return
    try:
        with replacing(path) as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise Problem(f"{path.name} cannot be written ({type(error).__name__}: {error.strerror or error})") from None


def _where(error: BaseException, path: Path) -> str:
    """Return the type, the line in the file and the words of an exception."""
    line, trace = getattr(error, "lineno", None), error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    words = str(error.msg if isinstance(error, SyntaxError) else error)
    return f"{type(error).__name__} in line {line}: {words}" if line else f"{type(error).__name__}: {words}"
