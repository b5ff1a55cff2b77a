"""The free memory of the machine, with and without a listing of the system."""

import os

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
