"""Every factor type against enumeration in float64: messages of several sweeps, to 1e-12.

Where a constraint is hard, infinite numbers are compared as 100.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import each_slowly, graph_of
from oracle import joint_scores, joint_states, max_product

import pmp_kit as pk
from pmp_kit.run import clamped_unaries

TIGHT = 1e-12


def random_unaries(variables, seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=c, scale=2) for c in variables.cardinalities]


SWEEPS = 6
CERTAIN = 100.0


def two_scores(odds):
    return np.array([-max(odds, 0.0), min(odds, 0.0)])


def certain(scores):
    """Scores minus that of the first state, or of the best state if the first is excluded, clipped to 100."""
    return np.clip(scores - scores.max(), -CERTAIN, 0.0)


@jax.jit
def library_beliefs(graph, solver, evidence):
    """Beliefs before the first and after each of six sweeps, (SWEEPS + 1, planes, n, copies)."""
    unaries = clamped_unaries(graph, evidence)

    def sweep(state, _):
        return solver.sweep(graph, unaries, state), graph.beliefs(unaries, state.messages)

    last, rows = jax.lax.scan(sweep, solver.init(graph, unaries), length=SWEEPS)
    return jnp.concatenate([rows, graph.beliefs(unaries, last.messages)[None]])


def max_product_solver(damping, start="neutral"):
    return pk.MaxProduct(damping, start, keep_best=False, tolerance=0.0)


def assert_same_beliefs(variables, ours, truth, tolerance=TIGHT):
    for row, beliefs in zip(ours, truth, strict=True):
        for i, scores in enumerate(beliefs):
            got = two_scores(row[0, i]) if variables.num_planes == 1 else row[: len(scores), i]
            assert_same_scores(got, scores, tolerance)


def assert_same_scores(got, truth, tolerance=TIGHT):
    """Scores count up to a constant, and as certain beyond 100."""
    assert not np.isnan(got).any()
    assert not np.isnan(truth).any()
    np.testing.assert_allclose(certain(got), certain(truth), rtol=tolerance, atol=tolerance)


def evidence_rows(example):
    """All ways to clamp one variable that leave some state possible."""
    sizes = example.variables.cardinalities
    every, scores = joint_states(sizes), joint_scores([np.zeros(c) for c in sizes], example.tables)
    possible = every[scores > -np.inf]
    return [(i, c) for i, size in enumerate(sizes) for c in range(size) if (possible[:, i] == c).any()]


@pytest.mark.parametrize(("damping", "start"), [(0.0, "zero"), (0.5, "neutral")])
@each_slowly()
def test_messages_equal_enumeration(example, damping, start):
    free = np.full((example.variables.count, 1), pk.FREE)
    for seed in range(2):
        unaries = random_unaries(example.variables, seed)
        ours = library_beliefs(graph_of(example, unaries), max_product_solver(damping, start), free)
        truth = max_product(unaries, example.tables, SWEEPS, damping, start == "neutral")
        assert_same_beliefs(example.variables, np.asarray(ours)[..., 0], truth)


@each_slowly()
def test_messages_of_clamped_variables_equal_enumeration(example):
    """One copy for each clamp, all in one batch."""
    variables, unaries = example.variables, random_unaries(example.variables, 7)
    clamps = evidence_rows(example)
    evidence = np.full((variables.count, len(clamps)), pk.FREE)
    for copy, (i, state) in enumerate(clamps):
        evidence[i, copy] = state
    ours = np.asarray(library_beliefs(graph_of(example, unaries), max_product_solver(0.5), evidence))
    for copy, (i, state) in enumerate(clamps):
        fixed = [u.copy() for u in unaries]
        fixed[i][np.arange(len(fixed[i])) != state] = -np.inf
        truth = max_product(fixed, example.tables, SWEEPS, 0.5)
        assert_same_beliefs(variables, ours[..., copy], truth)
