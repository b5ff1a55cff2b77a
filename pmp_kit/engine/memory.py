"""Memory: the bytes of arrays before they are computed, and the free memory of the machine or the container."""

import math
import os
import pathlib
from collections.abc import Callable
from functools import lru_cache, partial

import jax

from . import identity_cache

SMALL = 2**24
"""Bytes (16 MB) up to which nothing is checked: reading the files of the system takes a fraction of a millisecond."""
CONTAINER = (
    ("", "memory.max", "memory.current", "inactive_file"),  # control groups, version 2
    ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),  # version 1
)
"""Folder and files in which Linux reports the limit of a container and its use, and the line of files in memory.

Binder gives a container 2 GB of a machine that reports much more. Beyond the limit it ends the kernel.
"""


@identity_cache.by_identity
def bytes_of(function: Callable, *arguments, **static) -> int:
    """Return the bytes of the arrays that a function would return. It is traced and not run."""
    leaves, structure = jax.tree.flatten(arguments)
    return _bytes(function, tuple(static.items()), structure, tuple(map(jax.typeof, leaves)))


@lru_cache(maxsize=1024)
def _bytes(function: Callable, static: tuple, structure, types: tuple) -> int:
    """The same for the types of the leaves of other objects. The cache saves the trace, about 2 ms."""
    result = jax.eval_shape(partial(function, **dict(static)), *jax.tree.unflatten(structure, types))
    return sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(result))


def available(root: str = "/") -> float:
    """Return the free memory in bytes, at most what is left of a container's limit; infinity if nothing reports it.

    It contains that of files which Linux keeps in memory and gives up at need. Where only the size of the memory is
    reported (macOS), it is this size.
    """
    system = _numbers(pathlib.Path(root, "proc/meminfo"))
    free = [1024 * system["MemAvailable:"]] if "MemAvailable:" in system else _physical()
    for folder, limit, used, files in CONTAINER:
        place = pathlib.Path(root, "sys/fs/cgroup", folder)
        most, taken = (_numbers(place / name).get("") for name in (limit, used))
        if most is not None and taken is not None:
            free.append(most - taken + _numbers(place / "memory.stat").get(files, 0))
    return min(free, default=math.inf)


def _numbers(path: pathlib.Path) -> dict[str, int]:
    """Return the numbers of a system file by the word before them, "" for a number alone; {} if there is no file."""
    try:
        rows = [line.split() for line in path.read_text().splitlines()]
    except OSError:
        return {}
    rows = [["", *row] if len(row) == 1 else row for row in rows]
    return {row[0]: int(row[1]) for row in rows if row and row[1].isdecimal()}


def _physical() -> list[int]:
    """Return the size of the memory in bytes as a list, which is empty if the system does not report it (Windows)."""
    try:
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, ValueError, OSError):
        return []


def check_samples(number: int, variables: int) -> None:
    """Raise ValueError unless two copies of the states of all samples fit in the free memory."""
    advice = "draw them in parts with pk.stream"
    _check(4 * number * variables, "num_samples: expected samples", f"{number} of {variables} variables", advice)


def check_trace(need: int, rows: int, number: int) -> None:
    """Raise ValueError unless two copies of a trace of `need` bytes fit in the free memory."""
    advice = "use a larger `every`, fewer samples, or observe less"
    _check(need, "num_sweeps: expected a trace", f"{rows + 1} rows of {number} samples", advice)


def _check(need: int, expected: str, got: str, advice: str) -> None:
    if need <= SMALL:
        return
    free = available()
    if 2 * need > free:
        raise ValueError(
            f"{expected} within {free / 1e9:.1f} GB of free memory, got {got}, {2 * need / 1e9:.1f} GB; {advice}"
        )
