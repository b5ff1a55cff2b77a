"""Sum-product against enumeration in float64: messages, marginals, the Bethe log-partition function, and its limits."""

import numpy as np
import pytest
from factor_examples import examples, graph_of
from oracle import beliefs, centred, joint_scores, joint_states, log_partition
from pair_models import tree

import pmp_kit as pk

TIGHT = 1e-11
PAIRS = [example for example in examples() if all(len(ids) == 2 for ids, _ in example.tables)]
EXAMPLES = [e for e in PAIRS if all(np.isfinite(table).all() for _, table in e.tables)]


def soft_joint(table, incoming):
    total = table.copy()
    for axis, scores in enumerate(incoming):
        total = total + scores.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
    return total


def sum_product(unaries, factors, sweeps, temperature):
    """Undamped flooding in NumPy: marginals and the Bethe free energy (Eq. 4) after the sweeps."""
    messages = {}
    for a, (ids, table) in enumerate(factors):
        for axis, i in enumerate(ids):
            messages[a, i] = centred(table.mean(axis=tuple(b for b in range(table.ndim) if b != axis)))
    for _ in range(sweeps):
        now, new = beliefs(unaries, factors, messages), {}
        for a, (ids, table) in enumerate(factors):
            for axis, i in enumerate(ids):
                incoming = [now[k] - messages[a, k] if k != i else np.zeros(len(now[k])) for k in ids]
                total = np.moveaxis(soft_joint(table, incoming), axis, 0).reshape(table.shape[axis], -1)
                new[a, i] = centred(np.array([temperature * log_partition(row / temperature) for row in total]))
        messages = new
    now = beliefs(unaries, factors, messages)
    singles = [softmax(b / temperature) for b in now]
    value = sum(q @ np.where(q > 0, u, 0) + temperature * entropy(q) for q, u in zip(singles, unaries, strict=True))
    for a, (ids, table) in enumerate(factors):
        q = softmax(soft_joint(table, [now[i] - messages[a, i] for i in ids]) / temperature)
        value += (q * table).sum() + temperature * (entropy(q) - sum(entropy(singles[i]) for i in ids))
    return singles, value


def softmax(scores):
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def entropy(q):
    return -np.sum(q[q > 0] * np.log(q[q > 0]))


def flat_marginals(solution, variables):
    return [
        row
        for name in variables.names
        for row in solution.marginals[name].reshape(-1, solution.marginals[name].shape[-1])
    ]


@pytest.mark.parametrize("temperature", [0.3, 1.0])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_messages_and_free_energy_equal_enumeration(example, temperature):
    """Far from a fixed point too: after 0 and 3 sweeps."""
    rng = np.random.default_rng(0)
    unaries = [rng.normal(size=c, scale=2) for c in example.variables.cardinalities]
    for sweeps in (0, 3):
        solver = pk.SumProduct(temperature, damping=0.0, tolerance=0.0)
        ours = pk.solve(graph_of(example, unaries), solver, num_sweeps=sweeps)
        marginals, value = sum_product(unaries, example.tables, sweeps, temperature)
        for one, other in zip(flat_marginals(ours, example.variables), marginals, strict=True):
            np.testing.assert_allclose(one[: len(other)], other, rtol=TIGHT, atol=TIGHT)
        assert ours.log_partition == pytest.approx(value, rel=TIGHT)


@pytest.mark.parametrize("temperature", [0.5, 1.0])
@pytest.mark.parametrize("states", [2, 3])
def test_trees_are_exact(states, temperature):
    for seed in range(3):
        graph, unaries, tables = tree(seed, states)
        scores, every = joint_scores(unaries, tables) / temperature, joint_states([states] * 8)
        solved = pk.solve(graph, pk.SumProduct(temperature, damping=0.0, tolerance=1e-12), num_sweeps=30)
        assert solved.converged
        assert solved.log_partition == pytest.approx(temperature * log_partition(scores), rel=TIGHT)
        p = np.exp(scores - log_partition(scores))
        truth = np.stack([[p[every[:, i] == c].sum() for c in range(states)] for i in range(8)])
        np.testing.assert_allclose(solved.marginals["x"], truth, rtol=TIGHT, atol=TIGHT)


@pytest.mark.parametrize("states", [2, 3])
def test_evidence_is_conditioning_on_trees(states):
    graph = tree(1, states).graph
    evidence = np.full((3, 8), pk.FREE)
    evidence[1, 3], evidence[2, [0, 5, 7]] = 1, [0, states - 1, 1]
    solved = pk.solve(graph, pk.SumProduct(damping=0.0, tolerance=1e-12), num_sweeps=30, evidence={"x": evidence})
    for copy in range(3):
        known = {"x": evidence[copy]}
        assert solved.log_partition[copy] == pytest.approx(float(pk.exact.log_partition(graph, known)), rel=TIGHT)
        np.testing.assert_allclose(solved.marginals["x"][copy], pk.exact.marginals(graph, known)["x"], atol=TIGHT)


def correlation(model) -> float:
    """E[s_i s_j] of any two spins of a complete model, exactly."""
    spins = 2 * np.asarray(pk.exact.states(model.graph().variables)["x"]) - 1
    return float(np.asarray(pk.exact.probabilities(model)) @ (spins[:, 0] * spins[:, 1]))


def fixed_point(coupling):
    """Belief propagation on four coupled spins, from messages that lean to one side."""
    solver = pk.SumProduct(start="zero", tolerance=1e-12)
    solved = pk.solve(pk.CompleteIsing(coupling), solver, num_sweeps=20_000)
    assert solved.converged
    return solved


@pytest.mark.parametrize(("theta", "learnable"), [(0.2, True), (0.31, True), (0.322, False), (0.5, False)])
def test_the_bethe_limit_of_section_5_1(theta, learnable):
    """Four spins all coupled cannot be learned by the Bethe approximation for theta > 0.316.

    Its moments are matched at the fixed point without magnetisation, where E[s_i s_j] = tanh J. That point is stable
    only while (degree - 1) tanh J < 1, so correlations above 1/2, which the model has from theta = 0.316 on, are out
    of reach: belief propagation runs off to a magnetised fixed point.
    """
    wanted = correlation(pk.CompleteIsing(theta))
    solved = fixed_point(np.arctanh(wanted))
    magnetised = abs(solved.marginals["x"][0, 1] - 0.5)
    if learnable:
        assert magnetised < 1e-6
        at, step = np.arctanh(wanted), 1e-4
        slope = (fixed_point(at + step).log_partition - fixed_point(at - step).log_partition) / (2 * step)
        # d log Z / d J = sum of six correlations; in {0,1} the score is lower by 6 J
        assert slope / 6 + 1 == pytest.approx(wanted, abs=1e-5)
    else:
        assert magnetised > 0.05
