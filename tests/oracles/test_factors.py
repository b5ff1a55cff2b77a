"""Every factor type against enumeration in float64: messages, score, conditionals (PAPER.md AC1: 1e-12).

Where a constraint is hard, infinite numbers are compared as 100: the library stops at 1,000, which counts as certain.
"""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from factor_examples import examples
from one_update import certain, enumerated, possible_cases, two_scores, updated
from oracle import joint_scores, joint_states, log_sum, max_product
from pmp_kit import planes

EXAMPLES = examples()
TIGHT = 1e-12
BESIDE_CERTAIN = 1e-11
"""Rounding of numbers from which a certain message, 1,000, was subtracted."""


def named(example):
    return example.name


def random_unaries(variables, seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=c, scale=2) for c in variables.cardinalities]


def graph_of(example, unaries):
    table = np.zeros((example.variables.count, example.variables.num_states))
    for row, scores in zip(table, unaries, strict=True):
        row[: len(scores)] = scores
    return pk.FactorGraph(example.variables, [example.factor], table)


def library_beliefs(graph, sweeps, damping, start, evidence=None, copies=1):
    """Beliefs before the first and after each sweep, (sweeps + 1, copies, ...)."""
    sampler = pk.PMP(damping, start, keep_best=False, tolerance=0.0, noise=pk.Gumbel(0.0))
    return pk.trace(
        jax.random.key(0), graph, sampler, num_sweeps=sweeps, observe=pk.observe.beliefs, evidence=evidence,
        num_samples=copies,
    ).values  # fmt: skip


def assert_same_beliefs(variables, ours, truth, tolerance=TIGHT):
    for row, beliefs in zip(ours, truth, strict=True):
        for i, scores in enumerate(beliefs):
            got = two_scores(row.reshape(-1)[i]) if variables.num_planes == 1 else row[: len(scores), i]
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


@pytest.mark.parametrize("start", ["neutral", "zero"])
@pytest.mark.parametrize("damping", [0.0, 0.5])
@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_messages_equal_enumeration(example, damping, start):
    for seed in range(3):
        unaries = random_unaries(example.variables, seed)
        ours = library_beliefs(graph_of(example, unaries), 6, damping, start)[:, 0]
        truth = max_product(unaries, example.tables, 6, damping, start == "neutral")
        assert_same_beliefs(example.variables, ours, truth)


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_messages_of_clamped_variables_equal_enumeration(example):
    variables, unaries = example.variables, random_unaries(example.variables, 7)
    clamps = evidence_rows(example)
    evidence = np.full((len(clamps), variables.count), pk.FREE)
    for row, (i, state) in zip(evidence, clamps, strict=True):
        row[i] = state
    named = variables.unflatten(evidence)
    ours = library_beliefs(graph_of(example, unaries), 4, 0.5, "neutral", named, len(clamps))
    for copy, (i, state) in enumerate(clamps):
        fixed = [u.copy() for u in unaries]
        fixed[i][np.arange(len(fixed[i])) != state] = -np.inf
        assert_same_beliefs(variables, ours[:, copy], max_product(fixed, example.tables, 4, 0.5), BESIDE_CERTAIN)


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_score_equals_enumeration(example):
    """The scores of all joint states in one call."""
    unaries = random_unaries(example.variables, 1)
    truth = joint_scores(unaries, example.tables)
    np.testing.assert_allclose(pk.exact.log_weights(graph_of(example, unaries)), truth, rtol=TIGHT, atol=TIGHT)


@jax.jit
def fields_of_each(graph, states):
    """Log-conditionals of each variable, alone in a block padded with n: (n, planes, M)."""
    count = graph.variables.count
    blocks = jnp.stack([jnp.arange(count, dtype=jnp.int32), jnp.full(count, count, jnp.int32)], axis=1)
    states = planes.from_states(states, graph.variables.num_planes, jnp.float64)
    unaries = jnp.broadcast_to(graph.planes()[..., None], states.shape)
    fields = jax.lax.map(lambda block: graph.conditional(states, unaries, *block), (blocks, graph.locate(blocks)))
    return fields[:, :, 0]


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_conditional_equals_enumeration(example):
    unaries, sizes = random_unaries(example.variables, 2), example.variables.cardinalities
    every = joint_states(sizes)
    scores = dict(zip(map(tuple, every.tolist()), joint_scores(unaries, example.tables), strict=True))
    fields = np.asarray(fields_of_each(graph_of(example, unaries), every.T))
    for i, field in enumerate(fields):
        for number, x in enumerate(every.tolist()):
            truth = np.array([scores[(*x[:i], c, *x[i + 1 :])] for c in range(sizes[i])])
            got = field[:, number]
            got = np.array([0.0, got[0]]) if len(got) == 1 else got[: sizes[i]]
            if truth.max() > -np.inf:
                assert_same_scores(got, truth)


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_couples_finds_exactly_the_pairs_that_share_a_table(example):
    scopes = [ids for ids, table in example.tables if np.abs(table).max() > 0]
    joined = {frozenset(pair) for ids in scopes for pair in itertools.combinations(ids, 2)}
    for i in range(example.variables.count):
        for j in range(i):
            members = np.zeros(example.variables.count, bool)
            members[[i, j]] = True
            assert example.factor.couples(members) == (frozenset((i, j)) in joined)


@pytest.mark.parametrize("kind", ["random", "ties", "certain"])
@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_one_update_equals_enumeration(example, kind):
    cases = possible_cases(example, kind)
    for ours, sent in zip(updated(example, cases), cases, strict=True):
        assert_same_beliefs(example.variables, [ours], [enumerated(example, sent, np.max)])


SOFT = [e for e in EXAMPLES if type(e.factor).soft_update is not pk.factors.AbstractFactor.soft_update]


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("kind", ["random", "ties", "certain"])
@pytest.mark.parametrize("example", SOFT, ids=named)
def test_one_soft_update_equals_enumeration(example, kind, temperature):
    def reduce(scores, axis):
        return temperature * log_sum(scores / temperature, axis)

    cases = possible_cases(example, kind)
    for ours, sent in zip(updated(example, cases, temperature), cases, strict=True):
        assert_same_beliefs(example.variables, [ours], [enumerated(example, sent, reduce)], BESIDE_CERTAIN)
