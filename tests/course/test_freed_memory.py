"""On a page, arrays of NumPy use the memory of freed ones again, without page faults; an import changes nothing."""

import os
import subprocess
import sys

import pytest

FAULTS = """
import resource
import numpy as np
{before}

def faults():
    first = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    arrays = [np.ones(400_000) for _ in range(3)]  # 3.2 MB each
    del arrays
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - first

print([faults() for _ in range(5)][-1])
"""


def faults(before: str) -> float:
    """Return the page faults of each round in a process of its own."""
    done = subprocess.run([sys.executable, "-c", FAULTS.format(before=before)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


@pytest.mark.skipif(
    not hasattr(os, "confstr") or "glibc" not in (os.confstr("CS_GNU_LIBC_VERSION") or ""), reason="glibc's memory"
)
def test_freed_arrays_are_used_again():
    assert faults("from pmp_kit.course.explore import guard; guard._use_freed_memory_again()") < 100
    assert faults("import pmp_kit.course") > 1000
