"""Properties of random factor graphs of mixed types, up to 12 variables, against enumeration in float64."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracle import joint_scores, joint_states, log_partition
from random_graphs import FORESTS, WITH_LOOPS, Model, grown, with_loops

import pmp_kit as pk

TIGHT = 1e-12
SEEDS = st.integers(0, 2**32 - 1)
few = settings(
    max_examples=15, deadline=None, derandomize=True, database=None, phases=[Phase.generate]
)  # a seed has no smaller one


class Case:
    """A random model with loops, its table of joint scores, and a state that it allows."""

    def __init__(self, recipe, seed):
        self.rng = np.random.default_rng(seed)
        self.model, self.planted = with_loops(recipe, self.rng)
        self.graph, self.scores, self.every = tabulated(self.model)

    def evidence(self):
        """The planted state of about a third of the variables: flat, and by block name."""
        known = np.where(self.rng.random(self.planted.size) < 0.3, self.planted, pk.FREE)
        return known, self.graph.variables.unflatten(known)


def tabulated(model: Model):
    """The graph, the scores of all joint states by enumeration, and those states."""
    return model.graph(), joint_scores(model.unaries, model.tables()), joint_states([len(u) for u in model.unaries])


def marginals_of(scores, every, sizes):
    """p(x_i = c) for each variable, from the table."""
    p = np.exp(scores - log_partition(scores))
    return [np.bincount(every[:, i], weights=p, minlength=c) for i, c in enumerate(sizes)]


def listed(variables, marginals):
    """The library's marginals as a list over variables."""
    return [row for name in variables.names for row in np.asarray(marginals[name])]


def assert_same_marginals(ours, truth, tolerance=TIGHT):
    for one, other in zip(ours, truth, strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def agreeing(every, known):
    """Which joint states agree with flat evidence."""
    return ((known == pk.FREE) | (every == known)).all(1)


@few
@given(st.sampled_from(WITH_LOOPS), SEEDS)
def test_score_and_log_partition_equal_the_table(recipe, seed):
    case = Case(recipe, seed)
    np.testing.assert_allclose(pk.exact.log_weights(case.graph), case.scores, rtol=TIGHT, atol=TIGHT)
    np.testing.assert_allclose(pk.exact.log_partition(case.graph), log_partition(case.scores), rtol=TIGHT)
    truth = marginals_of(case.scores, case.every, case.graph.variables.cardinalities)
    assert_same_marginals(listed(case.graph.variables, pk.exact.marginals(case.graph)), truth)


@few
@given(st.sampled_from(WITH_LOOPS), SEEDS)
def test_evidence_equals_conditioning(recipe, seed):
    case = Case(recipe, seed)
    known, evidence = case.evidence()
    agrees = agreeing(case.every, known)
    left, states = case.scores[agrees], case.every[agrees]
    np.testing.assert_allclose(pk.exact.log_partition(case.graph, evidence), log_partition(left), rtol=TIGHT)
    truth = marginals_of(left, states, case.graph.variables.cardinalities)
    assert_same_marginals(listed(case.graph.variables, pk.exact.marginals(case.graph, evidence)), truth)
    best = pk.solve(case.graph, pk.Exhaustive(), evidence=evidence)
    np.testing.assert_allclose(best.score, left.max(), rtol=TIGHT)
    np.testing.assert_array_equal(case.graph.variables.flatten(best.states), states[left.argmax()])


@pytest.mark.slow
@few
@given(st.sampled_from(WITH_LOOPS), SEEDS)
def test_renaming_variables_renames_the_answer(recipe, seed):
    """Exact marginals, and those of twelve sweeps of sum-product, which loops make wrong but not dependent on names."""
    case = Case(recipe, seed)
    sizes = case.graph.variables.cardinalities
    new_ids = np.concatenate([case.rng.permutation(np.flatnonzero(sizes == c)) for c in np.unique(sizes)])
    renamed = case.model.renamed(new_ids).graph()
    for solve in (pk.exact.marginals, twelve_sweeps):
        before, after = (listed(case.graph.variables, solve(graph)) for graph in (case.graph, renamed))
        assert_same_marginals([after[i] for i in new_ids], before, 1e-9)


def twelve_sweeps(graph):
    return pk.solve(graph, pk.SumProduct(tolerance=0.0), num_sweeps=12).marginals


@pytest.mark.slow
@few
@given(st.sampled_from(WITH_LOOPS), SEEDS, st.integers(0, 60))
def test_the_best_decode_is_never_worse_than_the_last(recipe, seed, num_sweeps):
    """Scores are -inf where a hard constraint is broken, so differences may not exist: only the order counts."""
    case = Case(recipe, seed)
    last, best = (
        pk.solve(case.graph, pk.MaxProduct(keep_best=keep, tolerance=0.0), num_sweeps=num_sweeps)
        for keep in (False, True)
    )
    assert last.score <= best.score
    assert best.score <= case.scores.max() + 1e-9
    for solved in (last, best):
        found = (case.every == case.graph.variables.flatten(solved.states)).all(1)
        np.testing.assert_allclose(solved.score, case.scores[found][0], rtol=TIGHT, atol=TIGHT)


@pytest.mark.slow
@few
@given(st.sampled_from(FORESTS), SEEDS, st.booleans())
def test_forests_are_exact_with_and_without_evidence(recipe, seed, observed):
    """Undamped, after as many sweeps as factors; one variable is observed or none."""
    rng = np.random.default_rng(seed)
    model = grown(recipe, rng)
    graph, scores, every = tabulated(model)
    known = np.full(graph.variables.count, pk.FREE)
    if observed:
        i = int(rng.integers(known.size))
        known[i] = rng.integers(len(model.unaries[i]))
    agrees = agreeing(every, known)
    evidence, left, states = graph.variables.unflatten(known), scores[agrees], every[agrees]
    solver = pk.MaxProduct(0.0, keep_best=False, tolerance=0.0)
    solved = pk.solve(graph, solver, num_sweeps=12, evidence=evidence)
    np.testing.assert_array_equal(graph.variables.flatten(solved.states), states[left.argmax()])
    np.testing.assert_allclose(solved.score, left.max(), rtol=TIGHT)
    soft = pk.solve(graph, pk.SumProduct(damping=0.0, tolerance=0.0), num_sweeps=12, evidence=evidence)
    truth = marginals_of(left, states, graph.variables.cardinalities)
    assert_same_marginals(listed(graph.variables, soft.marginals), truth, 1e-9)
