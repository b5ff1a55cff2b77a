"""The CPU cores that a process may use: those of its affinity, or fewer if its container has a quota.

This file imports the standard library alone, because `make` loads it without the package.
"""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def cores(root: str = "/") -> int:
    """Return the number of CPU cores that this process may use.

    Args:
        root: the folder that contains proc and sys; tests give another one.

    Returns:
        The cores of the process's affinity, and at most its container's quota (a share of a core counts as a core).
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min([available, *map(quota, groups(Path(root)))])))


def groups(root: Path) -> Iterator[Path]:
    """Return the folders of the control groups that limit this process, from its own to the outermost."""
    mounted, listing = root / "sys/fs/cgroup", root / "proc/self/cgroup"
    lines = listing.read_text().splitlines() if listing.exists() else []
    for line in ["0::/", "0:cpu:/", *lines]:  # in a container, a name may be that of the host: the first two are tried
        _, controllers, name = line.split(":", 2)
        if controllers == "" or "cpu" in controllers.split(","):
            top = mounted / (controllers and "cpu")  # version 2 has one tree of groups, version 1 one a controller
            yield from (top / str(group).lstrip("/") for group in [PurePosixPath(name), *PurePosixPath(name).parents])


def quota(group: Path) -> float:
    """Return the cores that a control group grants, or infinity if it sets no quota."""
    for files in (["cpu.max"], ["cpu.cfs_quota_us", "cpu.cfs_period_us"]):  # versions 2 and 1 of control groups
        if all((group / file).is_file() for file in files):
            granted, period = " ".join((group / file).read_text() for file in files).split()
            return int(granted) / int(period) if granted not in ("max", "-1") else math.inf
    return math.inf
