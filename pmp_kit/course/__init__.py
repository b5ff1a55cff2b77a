"""What only the course needs: data sets, pictures, explorers, exercises and the experiments of the paper."""

from importlib.util import find_spec

import numpy as np

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

# Linux takes back the memory of freed arrays, and the next arrays wait for thousands of page faults. glibc keeps arrays
# up to the size of the largest one that it has freed, at most 32 MB. This one is never touched, so it costs nothing.
# A sampler in NumPy needs a third of the time, and pictures of bounds three quarters.
np.empty(30 * 2**20, np.uint8)
