"""Time for all messages of one factor on this machine: by trying every configuration, and by the formula."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float

import pmp_kit as pk

from ...experiments.speed import timing
from . import compute

TRIED = (4, 8, 12, 15)
"""Numbers of variables of the factors whose configurations are all tried."""
FORMULA = (16, 256, 4096)
TIMES = 5
"""Runs of each; the fastest one counts."""


class Curve(NamedTuple):
    """Milliseconds for all messages of one factor, at each number of variables."""

    variables: tuple[int, ...]
    milliseconds: Float[np.ndarray, " sizes"]


@functools.cache
def measured() -> tuple[Curve, Curve]:
    """Measure all messages of "exactly half are on": by trying every configuration, and by the formula. Once."""
    draw = np.random.default_rng(0)
    tried = [_tried(draw.normal(0.0, 2.0, n)) for n in TRIED]
    return Curve(TRIED, np.array(tried)), Curve(FORMULA, np.array([_formula(n) for n in FORMULA]))


def _tried(incoming: np.ndarray) -> float:
    compute.configurations(len(incoming))
    return 1e3 * timing.fastest(compute.by_trying_all, "exactly k", incoming, len(incoming) // 2, 0.0, 0, times=TIMES)


def _formula(n: int) -> float:
    factor = pk.ExactlyK(np.arange(n), n // 2)  # pyright: ignore[reportCallIssue]
    respond = jax.jit(lambda factor, incoming: factor.respond(incoming))
    incoming = jax.random.normal(jax.random.key(0), (1, n, 1))
    respond(factor, incoming).block_until_ready()
    return 1e3 * timing.fastest(lambda: respond(factor, incoming).block_until_ready(), times=TIMES)
