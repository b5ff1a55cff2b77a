"""Memory: the bytes of arrays before they are computed, and the free memory of the machine."""

import os
import pathlib
from collections.abc import Callable
from functools import lru_cache, partial

import jax

from . import remember


@remember.for_these_objects
def bytes_of(function: Callable, *arguments, **static) -> int:
    """Return the bytes of the arrays that a function would return. It is traced and not run."""
    leaves, structure = jax.tree.flatten(arguments)
    return _bytes(function, tuple(static.items()), structure, tuple(map(jax.typeof, leaves)))


@lru_cache(maxsize=1024)
def _bytes(function: Callable, static: tuple, structure, types: tuple) -> int:
    """The same for the types of the leaves of other objects. The cache saves the trace, about 2 ms."""
    result = jax.eval_shape(partial(function, **dict(static)), *jax.tree.unflatten(structure, types))
    return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(result))


def available(listing: str = "/proc/meminfo") -> int:
    """Return `unused` memory in bytes, plus that of files which Linux keeps in memory and gives up at need.

    Reading the listing takes 30 microseconds, too long for each call of `trace`.
    """
    path = pathlib.Path(listing)
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return unused()


def unused() -> int:
    """Return the unused memory in bytes, or 2 GB (the limit on Binder) if the system does not report it."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2 * 10**9


def check_samples(number: int, variables: int) -> None:
    """Raise ValueError unless two copies of the states of all samples fit in the free memory."""
    advice = "draw them in parts with pk.stream"
    _check(4 * number * variables, "num_samples: expected samples", f"{number} of {variables} variables", advice)


def check_trace(need: int, rows: int, number: int) -> None:
    """Raise ValueError unless two copies of a trace of `need` bytes fit in the free memory."""
    advice = "use a larger `every`, fewer samples, or observe less"
    _check(need, "num_sweeps: expected a trace", f"{rows + 1} rows of {number} samples", advice)


def _check(need: int, expected: str, got: str, advice: str) -> None:
    if 2 * need <= unused():
        return
    free = available()
    if 2 * need > free:
        raise ValueError(
            f"{expected} within {free / 1e9:.1f} GB of free memory, got {got}, {2 * need / 1e9:.1f} GB; {advice}"
        )
