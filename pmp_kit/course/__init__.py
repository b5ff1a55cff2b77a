"""What only the course needs: data sets, pictures, explorers, exercises and the experiments of the paper."""

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
