"""How busy the machine is, for limits of time that are those of an idle one."""

import os

from pmp_kit.engine import quota


def busy() -> float:
    """Return how many times longer than on an idle machine a process may take now: the load of a core, at least 1."""
    return max(1.0, os.getloadavg()[0] / quota.cores())
