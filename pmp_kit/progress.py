"""Progress bars for long work: shown to people in notebooks and terminals, never in logs."""

import os
import sys

from tqdm.auto import tqdm

DELAY = 1.0
"""Seconds before a bar appears: short work shows none."""


def wanted() -> bool:
    """Whether somebody watches: a live kernel or a terminal, not CI and not a headless run of a notebook.

    Set the environment variable PMP_KIT_PROGRESS to 0 or 1 to decide it yourself.
    """
    choice = os.environ.get("PMP_KIT_PROGRESS")
    if choice is not None:
        return choice != "0"
    if os.environ.get("CI"):
        return False
    return "ipykernel" in sys.modules or sys.stderr.isatty()


def bar(total: int, description: str):
    """A bar that counts to `total`; a context manager with `.update(n)`."""
    return tqdm(total=total, desc=description, disable=not wanted(), delay=DELAY, leave=False)
