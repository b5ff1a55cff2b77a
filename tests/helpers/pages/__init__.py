"""What tests compare of pages that `make page` began: a file for each, with the word of the page as its name."""

import importlib
import pkgutil

PAGES = {found.name: importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)}
"""Word of a page -> its module, with `expected`, `SETTINGS`, `FAULTS`, `start`, `claim` and `ANSWER`."""
