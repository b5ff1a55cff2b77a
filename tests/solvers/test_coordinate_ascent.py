"""Coordinate ascent: the negative control of Appendix B.4."""

import jax
import numpy as np
import pytest
from pair_models import glass

import pmp_kit as pk
from pmp_kit.solvers.coordinate_ascent import improve

KEY = jax.random.key(0)


def test_a_pass_copies_the_states_once_and_not_in_each_step():
    """Otherwise the time of a pass grows with the square of the number of variables."""
    n = 777
    ring = pk.FactorGraph(pk.Variables(x=pk.Binary(n)), [pk.Edges([[i, (i + 1) % n] for i in range(n)], 1.0)])
    states = np.zeros((1, n, 1), np.float32)
    program = jax.jit(improve).lower(ring, states, states).compile().as_text()
    assert sum(f"f32[1,{n},1]" in line and " copy(" in line for line in program.splitlines()) <= 1


@pytest.mark.slow
def test_coordinate_ascent_is_fast_and_poor():
    """It stops within a few sweeps, at states that max-product improves on (Appendix B.4)."""
    model = glass(0, 14)
    drawn = pk.sample(KEY, model, pk.PerturbAndMAP(pk.CoordinateAscent()), num_samples=50, num_sweeps=100)
    assert (drawn.sweeps < 15).all()
    ascent, product = (
        pk.trace(
            KEY, model, pk.PerturbAndMAP(solver), num_sweeps=100, every=100, num_samples=50,
            observe=pk.observe.perturbed_score,
        ).values[-1].mean()
        for solver in (pk.CoordinateAscent(), pk.MaxProduct())
    )  # fmt: skip
    assert product > ascent + 1.0
