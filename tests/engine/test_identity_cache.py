"""Results are remembered for objects, and never given for a new object in the place of an old one."""

from pmp_kit.engine import identity_cache


class Thing:
    """An object that is equal to all others."""

    def __eq__(self, other):
        return True

    __hash__ = None


def counting():
    """Return a function that is remembered, and the list of its calls."""
    calls = []

    @identity_cache.by_identity
    def count(*things, number=0):
        calls.append(len(things))
        return len(calls)

    return count, calls


def test_a_new_object_in_the_place_of_an_old_one():
    count, _ = counting()
    same_places = 0
    for _ in range(1000):
        one = Thing()
        first, place = count(one), id(one)
        del one
        new = Thing()
        same_places += id(new) == place
        assert count(new) != first
    assert same_places > 0
