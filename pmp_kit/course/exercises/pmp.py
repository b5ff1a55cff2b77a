"""Exercise on the sampler: write perturb-and-max-product."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..mine import reference
from .cases import Case, judge
from .grids import Tiles
from .messages import message, one_by_one, soft_message
from .picture import Picture
from .spins import States
from .verdict import Mistake, Verdict, call, kept

SIDE, SAMPLES = 3, 25


def _problems() -> dict[str, tuple[np.ndarray, np.ndarray, int, float]]:
    """Return the arguments of `pmp`, from the smallest problem to the largest."""
    draw, spins = np.random.default_rng(0), np.arange(SIDE**2).reshape(SIDE, SIDE)
    weight = np.zeros((SIDE**2, SIDE**2))
    for axis in (1, 0):  # a torus with random couplings, on which the common mistakes differ
        weight[spins, np.roll(spins, -1, axis)] = draw.normal(0.0, 3.0, spins.shape)
    weight = weight + weight.T
    unaries = draw.normal(-weight.sum(0) / 4, 0.5, (SAMPLES, SIDE**2))
    two, three = np.array([[0.0, 2.0], [2.0, 0.0]]), -2.0 * (1.0 - np.eye(3))
    return {
        "two spins without a sweep": (np.array([[1.0, -0.75]]), two, 0, 0.0),
        "two spins after one sweep": (np.array([[1.0, -0.75]]), two, 1, 0.0),
        "three spins after two sweeps": (np.array([[1.5, 1.0, 0.25]]), three, 2, 0.25),
        "25 samples of nine spins after nine sweeps": (unaries, weight, 9, 0.6),
        "25 samples of nine spins": (unaries, weight, 5, 0.25),
    }


def _without_cavity(unaries, weight, messages):
    return message((unaries + messages.sum(axis=1))[..., None], weight)


def _soft(unaries, weight, messages):
    return soft_message((unaries + messages.sum(axis=1))[..., None] - messages.swapaxes(1, 2), weight)


def _best_so_far(unaries, weight, beliefs: list[np.ndarray]) -> np.ndarray:
    """Return the decoded states with the highest score of each sample, of the beliefs of all sweeps."""
    states = np.array([belief > 0 for belief in beliefs], float)
    scores = (states * (unaries + states @ weight / 2)).sum(-1)
    return states[scores.argmax(0), range(len(unaries))]


def _mistakes(unaries: np.ndarray, weight: np.ndarray, num_sweeps: int, damping: float) -> list[Mistake]:
    """Common wrong states, each with its explanation."""

    def damped(unaries, weight, messages):
        return damping * messages + (1 - damping) * reference.update(unaries, weight, messages)

    def one_by_one_damped(unaries, weight, messages):
        return one_by_one(unaries, weight, messages, damped)

    def beliefs(update=reference.update, keep=damping, sweeps=num_sweeps, start: np.ndarray | float = 0.0, axis=1):
        messages = np.zeros((*unaries.shape, len(weight))) + start
        for _ in range(sweeps):
            messages = keep * messages + (1 - keep) * update(unaries, weight, messages)
        return unaries + messages.sum(axis=axis)

    all_sweeps = [beliefs(sweeps=sweeps) for sweeps in range(num_sweeps + 1)]
    right, swapped, undamped = all_sweeps[-1], beliefs(keep=1 - damping), beliefs(keep=0.0)
    answers = {
        "The states are exchanged. State 1 has a positive belief.": right <= 0,
        "The states are -1 and 1. This model has the states 0 and 1.": np.sign(right),
        "These are the beliefs. The decoded state is 1 where the belief is positive.": right,
        "The damping is on the wrong side. damping is the share of the OLD messages that is kept.": swapped > 0,
        "The messages are not damped. Keep the share damping of the old messages.": undamped > 0,
        "The messages are replaced one after the other. Compute all new messages from the old ones.": (
            beliefs(one_by_one_damped, keep=0.0) > 0
        ),
        "The message from i to j includes the message from j. Subtract messages[s, j, i] first.": (
            beliefs(_without_cavity) > 0
        ),
        "You used log(1 + exp(.)). Use the maximum, max(0, .).": beliefs(_soft) > 0,
        "You decode the unaries alone. Add the sum of the incoming messages, messages.sum(axis=1).": unaries > 0,
        "You decode the messages alone. Add the unaries.": right - unaries > 0,
        "You sum the outgoing messages when you decode. Sum the incoming ones.": beliefs(axis=2) > 0,
        "The messages start at weight / 2. Start them at 0.": beliefs(start=weight / 2) > 0,
        "These are probabilities. The decoded state is 1 where the belief is positive.": 1 / (1 + np.exp(-right)),
        "These are the best states so far. Algorithm 1 returns those after the last sweep.": (
            _best_so_far(unaries, weight, all_sweeps)
        ),
        "There is one sweep too few.": all_sweeps[max(num_sweeps - 1, 0)] > 0,
        "There is one sweep too many.": beliefs(sweeps=num_sweeps + 1) > 0,
        "There is only one sweep. Repeat it num_sweeps times.": beliefs(sweeps=1) > 0,
    }
    return [Mistake(value, message) for message, value in answers.items()]


def _draw_states(given: np.ndarray, expected: np.ndarray, differs: np.ndarray, title: str) -> Picture:
    """Draw the states of one sample as spins, those of many samples as small grids."""
    if len(given) == 1:
        return States(given[0], expected[0], differs[0], title)
    mine, right = ((values > 0.5).astype(int).reshape(-1, SIDE, SIDE) for values in (given, expected))
    return Tiles(mine, right, np.asarray(differs.any(1)), title)


def check_pmp(pmp: Callable) -> Verdict:
    """Check perturb-and-max-product for a {0,1} Ising model and unaries that are perturbed already (Algorithm 1).

    A function that passes is written to mine.py.

    Args:
        pmp: pmp(unaries (S, n), weight (n, n), num_sweeps, damping) -> states (S, n), 0 or 1. The messages start at 0.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = [Case(name, problem, reference.pmp(*problem).astype(float)) for name, problem in _problems().items()]
    last = cases[-1]
    cases[-1] = last._replace(mistakes=_mistakes(*last.arguments))
    praise = "All states agree. The function runs in explorers: pass it as sampler=pmp."
    verdict = judge(pmp, cases, ("unaries", "weight", "num_sweeps", "damping"), _draw_states, praise=praise)
    if not verdict and verdict.picture is not None and _differs_for_equal_rows(pmp, *last.arguments):
        message = "Equal rows of unaries give different states. The unaries contain the noise already."
        return verdict._replace(message=message)
    return kept(verdict, pmp, "pmp")


def _differs_for_equal_rows(pmp: Callable, unaries: np.ndarray, *others) -> bool:
    """Return whether samples with the same unaries differ, in one call or in two."""
    equal = np.broadcast_to(unaries[0], unaries.shape).copy()
    first, second = call(pmp, equal, *others), call(pmp, equal, *others)
    if isinstance(first, Verdict) or isinstance(second, Verdict):
        return False
    return not all(np.array_equal(row, first[0], equal_nan=True) for row in (*first, *second))
