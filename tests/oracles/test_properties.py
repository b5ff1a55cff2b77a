"""Random models of many factor types at once against enumeration in float64."""

import numpy as np
from factor_examples import count_table, hard_table, pair_table
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from oracle import joint_scores, joint_states, log_partition

import pmp_kit as pk

TIGHT = 1e-12
SEEDS = st.integers(0, 2**32 - 1)
few = settings(
    max_examples=15, deadline=None, derandomize=True, database=None, phases=[Phase.generate]
)  # a seed has no smaller one


class Case:
    """A random model of seven variables with two states and two with three, and its table of joint scores.

    All x = 0 is allowed. Without loops, some of the factors are left out.
    """

    def __init__(self, seed, loops=True):
        self.rng = rng = np.random.default_rng(seed)
        self.variables = pk.Variables(x=pk.Binary(7), y=pk.Categorical(2, states=3))
        x, y = rng.permutation(7), 7 + rng.permutation(2)
        weight, counts = rng.normal(size=2, scale=2), rng.normal(size=4, scale=2)
        table, triple, potts = rng.normal(size=(2, 3)), rng.normal(size=(3, 2, 3)), rng.normal()
        parts = [
            (pk.Edges(x[[[0, 1], [1, 2]]], weight), [(x[[i, i + 1]], pair_table(weight[i])) for i in (0, 1)]),
            (pk.CountPotential(x[[2, 3, 4]], counts), [(x[[2, 3, 4]], count_table(3, counts))]),
            (pk.Or(x[[0, 5]], x[6]), [(x[[0, 5, 6]], hard_table(3, lambda a, b, c: max(a, b) == c))]),
            (pk.EdgeTables([[x[4], y[0]]], table), [((x[4], y[0]), table)]),
            (pk.Potts([y], potts, states=3), [(y, potts * np.eye(3))]),
        ]  # fmt: skip
        if loops:
            parts += [
                (pk.AtMostK(x[[1, 3, 5, 6]], 2), [(x[[1, 3, 5, 6]], hard_table(4, lambda *a: sum(a) <= 2))]),
                (pk.Parity(x[[0, 2, 4]]), [(x[[0, 2, 4]], hard_table(3, lambda *a: sum(a) % 2 == 0))]),
                (pk.NWise([[y[1], x[3], y[0]]], triple), [((y[1], x[3], y[0]), triple)]),
            ]
        sizes = self.variables.cardinalities
        unaries = rng.normal(size=(9, 3))
        self.graph = pk.FactorGraph(self.variables, [factor for factor, _ in parts], unaries)
        tables = [(tuple(ids), scores) for _, each in parts for ids, scores in each]
        self.every = joint_states(sizes)
        self.scores = joint_scores([row[:size] for row, size in zip(unaries, sizes, strict=True)], tables)

    def evidence(self, share=0.3):
        """Evidence by block name from a state that the model allows, and the states and scores that agree with it."""
        allowed = self.every[self.rng.choice(np.flatnonzero(self.scores > -np.inf))]
        known = np.where(self.rng.random(allowed.size) < share, allowed, pk.FREE)
        agrees = ((known == pk.FREE) | (self.every == known)).all(1)
        return self.variables.unflatten(known), self.every[agrees], self.scores[agrees]

    def check_marginals(self, ours, states, scores, tolerance=TIGHT):
        """Compare marginals by block name with those of the table."""
        p = np.exp(scores - log_partition(scores))
        rows = [row for name in self.variables.names for row in np.asarray(ours[name])]
        for i, row in enumerate(rows):
            truth = np.bincount(states[:, i], weights=p, minlength=len(row))
            np.testing.assert_allclose(row, truth, rtol=tolerance, atol=tolerance)


@few
@given(SEEDS)
def test_score_and_log_partition_equal_the_table(seed):
    case = Case(seed)
    np.testing.assert_allclose(pk.exact.log_weights(case.graph), case.scores, rtol=TIGHT, atol=TIGHT)
    np.testing.assert_allclose(pk.exact.log_partition(case.graph), log_partition(case.scores), rtol=TIGHT)
    case.check_marginals(pk.exact.marginals(case.graph), case.every, case.scores)


@few
@given(SEEDS)
def test_evidence_equals_conditioning(seed):
    case = Case(seed)
    evidence, states, scores = case.evidence()
    np.testing.assert_allclose(pk.exact.log_partition(case.graph, evidence), log_partition(scores), rtol=TIGHT)
    case.check_marginals(pk.exact.marginals(case.graph, evidence), states, scores)
    best = pk.solve(case.graph, pk.Exhaustive(), evidence=evidence)
    np.testing.assert_allclose(best.score, scores.max(), rtol=TIGHT)
    np.testing.assert_array_equal(case.variables.flatten(best.states), states[scores.argmax()])


@few
@given(SEEDS)
def test_forests_are_exact_with_and_without_evidence(seed):
    """Undamped, after as many sweeps as the longest path."""
    case = Case(seed, loops=False)
    for share in (0.0, 0.2):
        evidence, states, scores = case.evidence(share)
        solver = pk.MaxProduct(0.0, keep_best=False, tolerance=0.0)
        solved = pk.solve(case.graph, solver, num_sweeps=12, evidence=evidence)
        np.testing.assert_array_equal(case.variables.flatten(solved.states), states[scores.argmax()])
        np.testing.assert_allclose(solved.score, scores.max(), rtol=TIGHT)
        soft = pk.solve(case.graph, pk.SumProduct(damping=0.0, tolerance=0.0), num_sweeps=12, evidence=evidence)
        case.check_marginals(soft.marginals, states, scores, 1e-9)
