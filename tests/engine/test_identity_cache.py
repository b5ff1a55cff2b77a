"""Results are remembered for objects, not for equal objects, and do not keep objects alive."""

import weakref

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


def test_the_same_objects_are_computed_once():
    count, calls = counting()
    one, other = Thing(), Thing()
    assert [count(one), count(one), count(other), count(one, other), count(other, one)] == [1, 1, 2, 3, 4]
    assert [count(one), count(other, one)] == [1, 4]
    assert calls == [1, 1, 2, 2]
    assert [count(one, number=1), count(one, number=2), count(one, number=1), count(one)] == [5, 6, 5, 1]


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


def test_objects_are_not_kept_alive():
    count, _ = counting()
    one = Thing()
    gone = weakref.ref(one)
    count(one)
    del one
    assert gone() is None


def test_objects_without_weak_references():
    count, calls = counting()
    assert [count((1, 2)), count((1, 2))] == [1, 2]
    assert len(calls) == 2


def test_it_forgets(monkeypatch):
    monkeypatch.setattr(identity_cache, "MOST", 3)
    count, calls = counting()
    things = [Thing() for _ in range(4)]
    for thing in (*things, things[0], things[3]):
        count(thing)
    assert len(calls) == 5  # the fourth made it forget the others
