"""Hard factors at any scale of the scores: infinite messages are proofs, finite ones stay finite."""

import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import each_slowly

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, log_odds

KEY = jax.random.key(0)
SCALES = [1e-3, 1.0, 1e3, 1e6]


def solved(factor, log_odds, solver=None, **options):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(len(log_odds))), [factor], {"x": log_odds})
    return pk.solve(graph, solver or pk.MaxProduct(), num_sweeps=100, **options)


def test_exactly_one_of_large_log_odds():
    solution = solved(pk.ExactlyOne([0, 1, 2]), [3000.0, 2000.0, 1500.0])
    assert solution.states["x"].tolist() == [1, 0, 0]
    assert solution.score == 3000.0
    assert solution.converged


FACTORS = [
    (pk.ExactlyOne([0, 1, 2, 3]), lambda x: sum(x) == 1),
    (pk.AtMostK([0, 1, 2, 3], 2), lambda x: sum(x) <= 2),
    (pk.AtLeastK([0, 1, 2, 3], 3), lambda x: sum(x) >= 3),
    (pk.Parity([0, 1, 2, 3], odd=True), lambda x: sum(x) % 2 == 1),
    (pk.Or([0, 1, 2], 3), lambda x: x[3] == max(x[:3])),
    (pk.And([0, 1, 2], 3), lambda x: x[3] == min(x[:3])),
    (pk.Pool([0, 1, 2], 3), lambda x: x[3] == sum(x[:3])),
    (pk.CountPotential([0, 1, 2, 3], [0.0, -np.inf, 0.0, -np.inf, 0.0]), lambda x: sum(x) % 2 == 0),
]
"""Factors of four variables, each with the rule that its states follow."""
each_factor = pytest.mark.parametrize(("factor", "rule"), FACTORS, ids=[type(one).__name__ for one, _ in FACTORS])


def check_exact(factor, rule, log_odds):
    """Without loops max-product is exact: it finds the best state of an enumeration in 64 bits."""
    log_odds = np.float32(log_odds)
    states = [x for x in itertools.product((0, 1), repeat=4) if rule(x)]
    scores = np.array(states) @ log_odds.astype(float)
    found = solved(factor, log_odds)
    assert found.states["x"].tolist() == list(states[scores.argmax()])
    assert found.score == pytest.approx(scores.max(), rel=1e-6)
    assert found.converged


@each_factor
@pytest.mark.parametrize("scale", SCALES)
def test_one_factor_is_exact_at_any_scale(factor, rule, scale):
    check_exact(factor, rule, np.random.default_rng(0).normal(size=4) * scale)


@each_factor
def test_one_factor_is_exact_where_large_and_small_scores_meet(factor, rule):
    check_exact(factor, rule, np.random.default_rng(1).normal(size=4) * SCALES)


def test_evidence_decides_what_follows_from_it_whatever_the_scores():
    """From the observed ends of a chain of gates everything between follows, against scores of a million nats."""
    variables = pk.Variables(x=pk.Binary(6))
    copies = pk.Or([[0], [1], [2], [3], [4]], [1, 2, 3, 4, 5])
    graph = pk.FactorGraph(variables, [copies], {"x": np.full(6, -1e6)})
    evidence = {"x": np.array([1] + [pk.FREE] * 5)}
    for solver in (pk.MaxProduct(), pk.MaxProduct(0.0), pk.SumProduct(damping=0.0)):
        solution = pk.solve(graph, solver, num_sweeps=50, evidence=evidence)
        assert solution.states["x"].tolist() == [1] * 6
    x = pk.sample(KEY, graph, num_samples=20, num_sweeps=50, evidence=evidence)["x"]
    assert (x == 1).all()


def test_messages_of_loops_stop_growing():
    """Every pair of nine variables in a parity check: messages would double in each sweep."""
    triples = np.array(list(itertools.combinations(range(9), 3)))
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(9)), [pk.Parity(triples)], {"x": np.full(9, 0.7)})
    seen = pk.trace(KEY, graph, pk.PMP(0.0, tolerance=0.0), num_sweeps=300, observe=pk.observe.messages, num_samples=3)
    assert np.isfinite(seen.values[0]).all()


def test_contradicting_evidence_is_kept_and_never_converges():
    for evidence in ([1, 1, pk.FREE], [0, 0, 0]):
        solution = solved(pk.ExactlyOne([0, 1, 2]), [1.0, 2.0, 3.0], evidence={"x": evidence})
        known = np.array(evidence) != pk.FREE
        assert (solution.states["x"][known] == np.array(evidence)[known]).all()
        assert np.isneginf(solution.score)
        assert not solution.converged


@pytest.mark.parametrize(
    ("log_odds", "best"),
    [([30.0, -40.0, 50.0], [1, 0, 1]), ([30.0, -40.0, -50.0], [0, 0, 0])],
    ids=["even without the factor", "odd without the factor"],
)
def test_sum_product_of_parity_at_a_low_temperature(log_odds, best):
    for solver in (pk.SumProduct(0.01, damping=0.0), pk.MaxProduct(0.0)):
        assert solved(pk.Parity([0, 1, 2]), log_odds, solver).states["x"].tolist() == best


@each_slowly()
def test_cold_sum_product_sends_the_messages_of_max_product(example):
    """Each of `soft_update` differs from `update` by at most a multiple of the temperature."""
    factor, n = example.factor, example.variables.count
    if type(factor).soft_update is pk.factors.AbstractFactor.soft_update:
        pytest.skip("offers no sum-product messages")
    shape = example.variables.num_planes, n, 5
    beliefs = pk.FactorGraph(example.variables).planes()[..., None] + 3.0 * jax.random.normal(KEY, shape)
    temperature = 1e-3
    new, cold = map(np.asarray, sent(factor, beliefs, temperature))
    assert np.array_equal(np.isinf(new), np.isinf(cold))
    differences = np.where(np.isinf(new), 0.0, new - np.where(np.isinf(cold), 0.0, cold))
    assert np.abs(differences).max() < 200 * temperature


@jax.jit
def sent(factor, beliefs, temperature):
    """What max-product and sum-product send to the variables, from no messages."""
    old = jax.tree.map(jnp.zeros_like, factor.neutral_messages(beliefs.shape[2:]))
    both = factor.update(beliefs, old), factor.soft_update(beliefs, old, temperature)
    return [factor.to_variables(messages, jnp.zeros_like(beliefs)) for messages in both]


class OneChange(pk.factors.AbstractFactor):
    """Four variables with at most one change along the row, in the two forms that the page of models describes."""

    clipped: bool = eqx.field(static=True)

    hard = True
    scopes = (np.arange(4)[None],)
    rows = np.array([row for row in itertools.product((0, 1), repeat=4) if np.abs(np.diff(row)).sum() <= 1])

    def violations(self, states):
        return jnp.maximum(jnp.abs(jnp.diff(states[0, :4], axis=0)).sum(0) - 1, 0)

    def score(self, states):
        return jnp.where(self.violations(states) > 0, -jnp.inf, 0.0)

    def neutral_messages(self, batch):
        return jnp.zeros((4, *batch))

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, np.arange(4), messages)

    def update(self, beliefs, messages):
        odds = log_odds(beliefs, np.arange(4))
        if self.clipped:
            p = jnp.clip(odds - messages, -1e4, 1e4)
            scores = jnp.where(self.rows[:, :, None] == 1, p, 0.0)
        else:
            p = jnp.where(jnp.isinf(odds), odds, odds - messages)
            scores = jnp.where(self.rows[:, :, None] == 1, jnp.minimum(0, p), -jnp.maximum(0, p))
        new = []
        for place in range(4):
            others = jnp.delete(scores, place, axis=1).sum(1)
            best = [others[self.rows[:, place] == state].max(0) for state in (0, 1)]
            new.append(best[1] - best[0])
        return jnp.stack(new)


@pytest.mark.parametrize("clipped", [True, False])
def test_a_hard_factor_of_ones_own_is_exact_with_infinite_beliefs(clipped):
    variables, free, rng = pk.Variables(x=pk.Binary(5)), pk.FREE, np.random.default_rng(0)
    for known in ([free] * 5, [1, 0, free, free, free], [free, 1, free, 0, free], [0, free, 1, free, 1]):
        graph = pk.FactorGraph(variables, [OneChange(clipped), pk.Edges([[3, 4]], 1.0)], {"x": rng.normal(size=5)})
        solution = pk.solve(graph, evidence={"x": known})
        best = pk.score(graph, pk.exact.map_state(graph, {"x": known}))
        assert solution.score == pytest.approx(float(best), abs=1e-4)
        assert clipped or solution.converged
        samples = pk.sample(KEY, graph, num_samples=50, num_sweeps=50, evidence={"x": known})
        assert np.isfinite(pk.score(graph, samples)).all()


def test_parities_do_not_change_with_the_array_they_were_made_from():
    memory = np.zeros(128, bool)  # JAX shares memory that begins at a multiple of 64 bytes
    odd = memory[-memory.ctypes.data % 64 :][:64]
    factor = pk.Parity(np.arange(128).reshape(64, 2), odd)
    odd[:] = True
    assert not factor.odd.any()
