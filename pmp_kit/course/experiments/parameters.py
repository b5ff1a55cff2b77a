"""The parameters of a page of the paper's shelf, which a reader can change in the page's cell of parameters."""

import operator

PROFILES = ("quick", "paper")


def check_parameters(profile, seed) -> None:
    """Check the profile and the seed of a page.

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
