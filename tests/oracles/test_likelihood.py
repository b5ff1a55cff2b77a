"""log p(v) of data with hidden variables, against the sum over all their states."""

import jax
import numpy as np
import pytest
from oracle import joint_states

import pmp_kit as pk

KEY = jax.random.key(0)


def machine():
    rng = np.random.default_rng(0)
    return pk.RBM(rng.normal(size=(5, 4)), rng.normal(size=5), rng.normal(size=4))


def hidden_chain():
    """A chain of hidden variables with three states, each with an observation of two states."""
    rng = np.random.default_rng(1)
    variables = pk.Variables(h=pk.Categorical(4, states=3), v=pk.Binary(4))
    h, v = variables["h"], variables["v"]
    links, readings = np.stack([h[:-1], h[1:]], 1), np.stack([h, v], 1)
    factors = [pk.EdgeTables(links, rng.normal(size=(3, 3))), pk.EdgeTables(readings, rng.normal(size=(3, 2)))]
    return pk.FactorGraph(variables, factors)


@pytest.mark.parametrize("build", [machine, hidden_chain])
def test_it_is_the_sum_over_hidden_states(build):
    model = build()
    of_all = np.array(list(np.ndindex(*[2] * model.graph().variables["v"].size)))
    got = pk.measures.log_likelihood(model, {"v": of_all})
    whole = pk.exact.log_partition(model)
    want = [pk.exact.log_partition(model, {"v": one}) - whole for one in of_all]
    np.testing.assert_allclose(got, np.array(want), atol=1e-10)
    assert np.exp(got).sum() == pytest.approx(1.0, abs=1e-10)


def test_entries_may_be_hidden_one_by_one_and_log_z_be_given():
    model = hidden_chain()
    data = np.array([[0, pk.FREE, 1, 1], [pk.FREE, pk.FREE, pk.FREE, 0]])
    got = pk.measures.log_likelihood(model, {"v": data}, log_partition=1.5)
    np.testing.assert_allclose(got, [pk.exact.log_partition(model, {"v": one}) - 1.5 for one in data], atol=1e-10)


def test_loops_of_hidden_variables_are_refused():
    model = pk.ising_lattice(3, coupling=0.2)
    data = np.array([[[0, 1, 0]] * 3, [[pk.FREE, pk.FREE, 0], [pk.FREE, pk.FREE, 0], [0, 0, 0]]])
    assert pk.measures.log_likelihood(model, {"x": data[:1]}).shape == (1,)
    with pytest.raises(ValueError, match=r"data: expected hidden variables whose factors form no loop.*data point 1"):
        pk.measures.log_likelihood(model, {"x": data})


def test_weighted_moments_are_those_of_repeated_data_points():
    graph = machine().graph()
    states = joint_states(graph.variables.cardinalities)
    rows = {name: np.asarray(of_block)[:20] for name, of_block in graph.variables.unflatten(states).items()}
    counts = np.arange(20) % 4
    repeated = {name: np.repeat(of_block, counts, axis=0) for name, of_block in rows.items()}
    got, want = pk.data_moments(graph, rows, 0.5 * counts), pk.data_moments(graph, repeated)
    jax.tree.map(lambda one, other: np.testing.assert_allclose(one, other, atol=1e-12), got, want)
