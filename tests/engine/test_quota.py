"""The cores of a container with a quota, read from fake folders of control groups."""

import os

import pytest

from pmp_kit.engine import quota

V1 = {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}
HALF = {"cpu/job/cpu.cfs_quota_us": "150000", "cpu/job/cpu.cfs_period_us": "100000"}


@pytest.mark.parametrize(
    ("listing", "files", "expected"),
    [
        (None, {}, 8),
        ("0::/", {"cpu.max": "max 100000"}, 8),
        ("0::/", {"cpu.max": "150000 100000"}, 2),
        ("0::/host/name", {"cpu.max": "300000 100000"}, 3),  # the container's own group is its root
        ("0::/a/b", {"a/b/cpu.max": "max 100000", "a/cpu.max": "400000 100000", "cpu.max": "max 100000"}, 4),
        ("2:cpuacct,cpu:/job\n1:memory:/job", V1 | HALF, 2),
    ],
)
def test_a_containers_quota_is_read(listing, files, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    texts = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    texts |= {"proc/self/cgroup": listing} if listing else {}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    assert quota.cores(str(tmp_path)) == expected
