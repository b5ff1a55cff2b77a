"""The free memory of the machine, with and without a listing of the system, and what must fit in it."""

import os

import pytest

from pmp_kit.engine import memory


def test_memory_that_the_system_gives_up_at_need_is_free(tmp_path):
    listing = tmp_path / "meminfo"
    listing.write_text("MemTotal:       20 kB\nMemFree:        3 kB\nMemAvailable:   7 kB\n")
    assert memory.available(str(listing)) == 7 * 1024


def test_without_a_listing_the_unused_memory_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sysconf", {"SC_AVPHYS_PAGES": 3, "SC_PAGE_SIZE": 4096}.get)
    empty = tmp_path / "meminfo"
    empty.write_text("MemFree:        3 kB\n")
    for listing in (empty, tmp_path / "absent"):
        assert memory.available(str(listing)) == 3 * 4096


def test_a_system_without_numbers_has_the_memory_of_binder(monkeypatch):
    monkeypatch.delattr(os, "sysconf")
    assert memory.unused() == 2 * 10**9


def test_two_copies_must_fit_in_the_free_memory(monkeypatch):
    """The results on the device, and their copy on the host."""
    for name in ("unused", "available"):
        monkeypatch.setattr(memory, name, lambda: 1000)
    memory.check_trace(500, rows=1, number=1)
    memory.check_samples(25, variables=5)
    with pytest.raises(ValueError, match="num_sweeps: expected a trace within"):
        memory.check_trace(501, rows=1, number=1)
    with pytest.raises(ValueError, match="num_samples: expected samples within"):
        memory.check_samples(26, variables=5)
