"""The search of `solve` within a budget: exact where the structure allows it, else the best of several members."""

import itertools
import time
from collections.abc import Iterator
from typing import NamedTuple

import jax
import numpy as np

from ..engine.progress import bar, tell
from ..graph import FactorGraph
from ..solvers import MPLP
from . import members
from .best import Best
from .order import OutOfTime
from .tables import in_one_group

TURN = 0.2
"""The part of the budget that a turn of a member takes."""
LEAST = 1.0
"""Seconds that are left, at least, when a member begins that compiles."""
END = object()
"""What `next` returns of a member that has ended."""


class Found(NamedTuple):
    """The best configuration (n,) of one problem, who found it, and whether it is proved to be the best one."""

    states: np.ndarray
    found_by: str
    proved: bool
    bound: float
    """An upper bound of the best score, in nats; inf if none is known."""
    interrupted: bool


def search(graph: FactorGraph, evidence: np.ndarray, seconds: float) -> Found:
    """Return the best configuration that is found within some seconds, and a compilation.

    Ctrl-C returns what is found so far, if it is possible; otherwise KeyboardInterrupt is raised.

    Args:
        graph: the model.
        evidence: flat evidence (n,).
        seconds: the budget.
    """
    interrupted = False
    with bar(seconds, "solving") as shown:
        best = Best(graph, evidence, seconds, shown)
        try:
            _run(best)
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            if not np.isfinite(best.score):
                raise
            interrupted = True
            tell(f"solve: interrupted after {time.monotonic() - best.begin:.1f} s; returning the best states so far.")
    return Found(best.states, best.found_by, best.proved, best.bound, interrupted)


def search_each(graph: FactorGraph, evidence: np.ndarray, seconds: float) -> list[Found]:
    """Return what is found for each row of evidence (N, n). The rows share the budget; Ctrl-C ends it for the rest."""
    end, found, interrupted = time.monotonic() + seconds, [], False
    for number, row in enumerate(np.asarray(evidence)):
        left = 0.0 if interrupted else max(0.0, end - time.monotonic())
        found.append(search(graph, row, left / (len(evidence) - number)))
        interrupted |= found[-1].interrupted
    return found


def _run(best: Best) -> None:
    """Let the members search until the time is over or a proof is found."""
    best.tabulate()
    for exact in (members.eliminate, members.cut):
        exact(best)
        if best.proved:
            return
    best.graph = in_one_group(best.graph)
    begun, longest = [], LEAST
    for one in itertools.cycle(_searches(best)):
        if one not in begun:
            if begun and best.left() < longest:
                continue  # it would compile, probably for as long as those before it
            begun.append(one)
        end = time.monotonic() + TURN * best.seconds
        while time.monotonic() < end or not best.started():
            begin = time.monotonic()
            if next(one, END) is END:
                break
            longest = max(longest, time.monotonic() - begin)
            if best.proved or (best.left() < 0 and best.started()):
                return
        if best.left() < 0:
            return


def _searches(best: Best) -> list[Iterator[None]]:
    """Return the members in the order of their turns: first what compiles nothing."""
    graph, key = best.graph, jax.random.key(0)
    conditioning = members.condition(best, np.random.default_rng(0))
    passing, annealing = members.pass_messages(best, key), members.anneal(best, key)
    first = [passing] if best.problem is None else [conditioning, passing]
    try:
        MPLP().check(graph)
    except ValueError:  # not pairwise
        return [*first, annealing]
    return [*first, members.bounded(best), annealing]
