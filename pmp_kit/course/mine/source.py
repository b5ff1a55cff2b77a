"""The source of a function of a notebook, with the imports, functions and constants that it uses."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import math
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

UNNAMED = "numpy", "numpy.typing", "jax.typing"
"""Modules with functions and type aliases that do not name their module."""
Sources = dict[str, str]
"""Name -> the statement that defines it, or "" if mine.py defines it already."""


class Problem(Exception):
    """A function cannot be kept or loaded. The message is a sentence for the reader without its full stop."""


def collect(function: Callable, name: str) -> Sources:
    """Return the statements that define a function and all that it uses, in an order in which they can be executed.

    Args:
        function: a function of the notebook.
        name: what it is called in the result.

    Raises:
        Problem: the source of something is not known.
    """
    found: Sources = {}
    _define(found, name, function)
    return found


def home(thing: Any, name: str) -> tuple[str, str]:
    """Return from where a function, a class or a type alias can be imported.

    Args:
        thing: of the notebook or of an installed module.
        name: what it is called in the notebook.

    Returns:
        The installed module and the name in it, or "" and "" for what the notebook defines.
    """
    own, parts = getattr(thing, "__name__", name), (getattr(thing, "__module__", None) or "").split(".")
    packages = [".".join(parts[:length]) for length in range(1, len(parts))]
    for candidate in sorted((".".join(parts), *packages, *UNNAMED), key=_private):
        for known in (own, name):
            if candidate not in ("", "__main__", "mine") and getattr(sys.modules.get(candidate), known, None) is thing:
                return candidate, known
    return "", ""


def _private(module: str) -> bool:
    """Return whether the name of a module says that it may change, as in scipy.special._logsumexp."""
    return any(part.startswith("_") for part in module.split("."))


def names_used(source: str) -> set[str]:
    """Return the names that a source takes from the notebook or from Python, as Python itself looks them up."""
    codes, names = [compile(source, "<mine>", "exec", dont_inherit=True)], set[str]()
    while codes:
        code = codes.pop()
        loads = (step for step in dis.get_instructions(code) if step.opname.startswith("LOAD_"))
        names |= {step.argval for step in loads if step.opname.endswith(("GLOBAL", "GLOBALS", "NAME"))}
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return {one for one in names if not one.startswith("__")}


def statement(thing: Any, name: str) -> str:
    """Return the statement that defines a function of the notebook under this name.

    Raises:
        Problem: it was not defined with `def` or `name = lambda ...` at the outer level of a cell.
    """
    code = getattr(inspect.unwrap(thing), "__code__", None)
    if code is not None and code.co_freevars:
        raise Problem(f"{name} is defined inside another function. Define it at the outer level of a cell")
    if inspect.ismethod(thing):
        raise Problem(f"{name} is a method. Define it with def at the outer level of a cell")
    try:
        text = textwrap.dedent(inspect.getsource(thing)).rstrip()
        (node,) = ast.parse(text).body
    except (OSError, TypeError, SyntaxError, ValueError):
        raise Problem(f"the source of {name} was not found. Define it with def in a cell of its own") from None
    if wrapped_later(thing, len(getattr(node, "decorator_list", []))):
        raise Problem(f"{name} was changed after its definition, as by jax.vmap. Write a def that does this inside")
    if isinstance(node, ast.FunctionDef) and node.name == name:
        return text
    if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]:
        return text
    raise Problem(f"{name} is not defined with def. Define it with def in a cell of its own")


def wrapped_later(thing: Any, decorators: int) -> bool:
    """Return whether a function has more wrappers than decorators, apart from `jax.jit`, which changes no result."""
    wrappers = []
    while hasattr(thing, "__wrapped__"):
        wrappers.append(thing)
        thing = thing.__wrapped__
    later = wrappers[: max(len(wrappers) - decorators, 0)]
    return any(type(one).__name__ != "PjitFunction" for one in later)


def _define(found: Sources, name: str, thing: Any) -> None:
    """Add a function under the name that it is used by, which can differ from its own."""
    own = getattr(inspect.unwrap(thing), "__name__", "")
    if not own.isidentifier() or own == name:
        _add(found, name, thing)
    else:
        _add(found, own, thing)
        if name in found:
            raise Problem(f"it uses something else that is called {name}. Rename that")
        found[name] = f"{name} = {own}"


def _add(found: Sources, name: str, thing: Any) -> None:
    """Add the definition of a function, after what it uses."""
    if getattr(thing, "__module__", None) == "mine":
        found[name] = ""
        return
    text = found[name] = statement(thing, name)
    names = inspect.unwrap(thing).__globals__
    for other in sorted(names_used(text) - found.keys()):
        if other in names and other not in found and not _builtin(names[other], other):
            _add_used(found, other, names)
    found[name] = found.pop(name)  # behind the names that it uses


def _builtin(thing: Any, name: str) -> bool:
    """Return whether a name has Python's own meaning. IPython wraps `open`, so the wrapper counts too."""
    return hasattr(builtins, name) and inspect.unwrap(thing) is getattr(builtins, name)


def _add_used(found: Sources, name: str, names: Mapping[str, Any]) -> None:
    """Add the statement that defines a name which a function uses."""
    thing = names[name]
    if isinstance(thing, types.ModuleType):
        found[name] = f"import {thing.__name__}" + _alias(thing.__name__, name)
    elif written := _written(thing):
        found[name] = f"{name} = {written}"
    elif all(place := home(thing, name)):
        found[name] = f"from {place[0]} import {place[1]}" + _alias(place[1], name)
    elif isinstance(thing, type):
        raise Problem(f"it uses the class {name} of the notebook. Write functions instead")
    elif typing.get_origin(thing) is not None:
        raise Problem(f"it uses the type alias {name} of the notebook. Leave it out of the annotations")
    elif callable(thing):
        _define(found, name, thing)
    else:
        raise Problem(f"it uses {name} of the notebook, of type {type(thing).__name__}. Create it inside the function")


def _alias(own: str, name: str) -> str:
    return "" if own == name else f" as {name}"


def _written(thing: Any) -> str:
    """Return an expression for a value, or "" if it cannot be written out."""
    if isinstance(thing, float) and not math.isfinite(thing):
        return f'float("{thing}")'
    try:
        return repr(thing) if ast.literal_eval(repr(thing)) == thing else ""
    except (ValueError, SyntaxError, TypeError):
        return ""
