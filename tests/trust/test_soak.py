"""After ten thousand events on each explorer, nothing has failed, the picture is right, and memory has not grown."""

import jax
import numpy as np
import pytest
from explorers import EXPLORERS

from benchmarks import child
from pmp_kit.course.explore import failure_list

WARM, EVENTS, READINGS = 2_000, 1_000, 8
"""The number of events before the first reading of memory and before each reading, and the number of readings."""
BRUSH = object()
MOST_GROWTH = 3.0
"""Largest allowed memory growth in MB from the lowest reading of the first half to the lowest of the second half.

A single reading can be 8 MB higher, because the allocator keeps freed pages between small blocks that are in use.
"""


@pytest.mark.skipif(not child.STATUS.exists(), reason="memory is read where Linux has it")
@pytest.mark.parametrize("name", EXPLORERS)
def test_events_on_explorers(name):
    """Random events; the first ones are a warm-up."""
    explorer = EXPLORERS[name].make_small()

    def reading(seed: int) -> float:
        drag(explorer, EVENTS, seed)
        rest(explorer)
        return child.in_use() / 1e3

    drag(explorer, WARM, 0)
    readings = [reading(seed) for seed in range(1, READINGS + 1)]
    if grown(readings) > MOST_GROWTH:  # a leak goes on, and luck does not
        readings += [reading(seed) for seed in range(READINGS + 1, 2 * READINGS + 1)]
    failure_list.assert_no_failures()
    again = explorer.compute(explorer.params)
    assert jax.tree.all(jax.tree.map(np.array_equal, again, explorer.state))
    assert grown(readings) <= MOST_GROWTH, f"{grown(readings):.1f} MB more after {READINGS * EVENTS} events"


def drag(explorer, count: int, seed: int) -> None:
    """Move random controls to random values, press random buttons, and paint at random."""
    draw, painted = np.random.default_rng(seed), explorer.picture.painted
    others = [*getattr(explorer, "_buttons", ()), *([] if painted is None else [BRUSH])]
    ways = [*explorer.controls.values(), *others]
    for _ in range(count):
        way = ways[draw.integers(len(ways))]
        if way is BRUSH:
            stroke = draw.choice([0, 1, 2], len(painted)).astype(np.uint8)
            explorer.picture.set_state({"painted": memoryview(stroke.tobytes())})
        elif isinstance(way, str):
            explorer.press(way)
        elif hasattr(way, "index"):
            way.index = int(draw.integers(len(way.options)))
        elif hasattr(way, "step"):
            way.value = way.min + draw.integers(round((way.max - way.min) / way.step) + 1) * way.step
        else:
            way.value = bool(draw.integers(2))


def rest(explorer) -> None:
    """Pause a job in a thread of its own, which changes the state, and wait for its end."""
    if hasattr(explorer, "job"):
        if explorer.job.running:
            explorer.press("start")
        explorer.job.join()


def grown(readings: list[float]) -> float:
    """Return by how many MB the lowest reading of the second half is above the lowest of the first half."""
    half = len(readings) // 2
    return min(readings[half:]) - min(readings[:half])
