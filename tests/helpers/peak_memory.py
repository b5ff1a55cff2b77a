"""The peak memory of a process, measured by itself."""

import inspect


def peak_megabytes() -> float:
    """The most memory in MB that this process had.

    On Linux, getrusage begins at what the parent had when it started this process, so that a small process of a large
    parent looks large.
    """
    import pathlib
    import resource
    import sys

    status = pathlib.Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024  # bytes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


SOURCE = inspect.getsource(peak_megabytes)
"""For processes that cannot import this file."""
