"""The parameters of a page of the paper's shelf, which a reader can change in the page's cell of parameters."""

import operator
import os

from ...engine import progress
from .ledger import FOLDER

PROFILES = ("quick", "paper")


def check_parameters(profile, seed) -> None:
    """Check the profile and the seed of a page, and say if a long run stores nothing.

    Raises: ValueError if the profile is not one of PROFILES, or the seed is not an integer of at least 0.
    """
    where = "set it in the cell below the imports"
    if profile not in PROFILES:
        raise ValueError(f"profile: expected {' or '.join(map(repr, PROFILES))}, got {profile!r}; {where}")
    try:
        low = operator.index(seed) < 0
    except TypeError:
        low = True
    if low:
        raise ValueError(f"seed: expected an integer, at least 0, got {seed!r}; {where}")
    if profile == "paper" and FOLDER not in os.environ:
        progress.tell(
            "This run stores nothing, so after an interruption it starts over. In a terminal, make reproduce stores "
            "the finished pieces (see the end of this page). To store them here, set the environment variable "
            f"{FOLDER} to a folder."
        )
