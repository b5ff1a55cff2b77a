"""The free memory of machines and containers, and what must fit in it."""

import math
import os

import pytest

from pmp_kit.engine import memory


def system(root, files):
    """Write files, a dict path -> text, below a folder, and return the folder."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return str(root)


MACHINE = {
    "proc/meminfo": "MemTotal:       20 kB\nMemFree:        3 kB\nMemAvailable:   7 kB\nHugePages_Total:       0\n"
}


def test_memory_that_the_system_gives_up_at_need_is_free(tmp_path):
    assert memory.available(system(tmp_path, MACHINE)) == 7 * 1024


@pytest.mark.parametrize(
    "files",
    [
        {"memory.max": "5000\n", "memory.current": "3500\n", "memory.stat": "anon 900\ninactive_file 500\n"},
        {
            "memory/memory.limit_in_bytes": "5000\n",
            "memory/memory.usage_in_bytes": "3500\n",
            "memory/memory.stat": "inactive_file 7\ntotal_inactive_file 500\n",
        },
    ],
    ids=["version 2", "version 1"],
)
def test_a_container_has_what_is_left_of_its_limit(tmp_path, files):
    groups = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    assert memory.available(system(tmp_path, MACHINE | groups)) == 5000 - 3500 + 500


def test_a_system_without_numbers_has_no_limit(tmp_path, monkeypatch):
    """It had 2 GB, so 1.1 GB of samples were refused on every Mac."""
    monkeypatch.delattr(os, "sysconf")
    assert memory.available(str(tmp_path)) == math.inf


def test_two_copies_must_fit_in_the_free_memory(monkeypatch):
    """The results on the device, and their copy on the host."""
    monkeypatch.setattr(memory, "available", lambda: 1000)
    monkeypatch.setattr(memory, "SMALL", 0)
    memory.check_trace(500, rows=1, number=1)
    memory.check_samples(25, variables=5)
    with pytest.raises(ValueError, match="num_sweeps: expected a trace within"):
        memory.check_trace(501, rows=1, number=1)
    with pytest.raises(ValueError, match="num_samples: expected samples within"):
        memory.check_samples(26, variables=5)
