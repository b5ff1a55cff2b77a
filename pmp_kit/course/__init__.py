"""What only the course needs: data sets, pictures, explorers, exercises and the experiments of the paper."""

import ctypes
import sys
from importlib.util import find_spec

_PACKAGES = {
    "anywidget": "anywidget",
    "ipywidgets": "ipywidgets",
    "matplotlib": "matplotlib",
    "PIL": "pillow",
    "pooch": "pooch",
    "sklearn": "scikit-learn",
}
"""What the library works without, by the name to import and the name to install."""

_missing = [package for module, package in _PACKAGES.items() if find_spec(module) is None]
if _missing:
    raise ModuleNotFoundError(
        f"pmp_kit.course: expected {', '.join(_missing)}, found the library alone; "
        'install the course with: pip install "pmp_kit[course]"'
    )

_OPTIONS = {"M_MMAP_THRESHOLD": (-3, 2**25), "M_TRIM_THRESHOLD": (-1, 2**24), "M_ARENA_MAX": (-8, 2)}
"""Options of glibc's memory, by name: number and value."""


def _use_freed_memory_again() -> None:
    """Let NumPy use 16 MB of freed arrays again, where Python runs on glibc.

    Otherwise Linux takes this memory back, and the next arrays wait for thousands of page faults: a sampler in NumPy
    needs three times as long. New threads share two pools of memory, so that those of explorers keep little each.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for number, value in _OPTIONS.values():
            mallopt(number, value)


_use_freed_memory_again()
