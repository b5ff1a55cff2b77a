"""After ten thousand events on each explorer, nothing has failed, the picture is right, and memory has not grown."""

import jax
import numpy as np
import pytest
from explorers import EXPLORERS

from benchmarks import child
from course.explore.test_explorers import drag
from pmp_kit.course import explore
from trust.tally import GROWTH, attempt

EVENTS, WARM = 10_000, 2_000
MOST_GROWTH = 5.0
"""Largest allowed memory growth in MB from the last warm-up event to the last event."""


@pytest.mark.skipif(not child.STATUS.exists(), reason="memory is read where Linux has it")
@pytest.mark.parametrize("name", EXPLORERS)
def test_events_on_explorers(name):
    soak(name, EXPLORERS[name].make_small(), WARM, EVENTS - WARM)


def soak(name, explorer, warm: int, events: int) -> None:
    """Send random events to an explorer. The first ones are a warm-up."""
    errors = []

    def call():
        drag(explorer, warm, 0, errors)
        before = child.in_use()
        drag(explorer, events, 1, errors)
        GROWTH[name] = (child.in_use() - before) / 1e3
        return GROWTH[name]

    def right(growth):
        assert not errors
        explore.assert_no_failures()
        again = explorer.compute(explorer.params())
        assert jax.tree.all(jax.tree.map(np.array_equal, again, explorer.state))
        assert growth <= MOST_GROWTH, f"{growth:.1f} MB more after {events} events"

    attempt("events_on_explorers", call, right)
