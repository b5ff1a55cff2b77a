"""The base of factors of binary variables: a type of one's own with scores, beside the constraints of the library."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.factors.group import AbstractGroup, member_ids, wired


class Agree(AbstractGroup):
    """Score w > 0 if the two variables of a pair are equal."""

    weight: jax.Array

    def __init__(self, ids, weight):
        self.ids, self.incidence = wired(member_ids("ids", ids))
        self.weight = jnp.asarray(weight)

    def respond(self, incoming):
        return jnp.clip(incoming[:, ::-1], -self.weight, self.weight)

    def soft_respond(self, incoming, temperature):
        return 2.0 * jnp.atanh(jnp.tanh(0.5 * self.weight / temperature) * jnp.tanh(0.5 * incoming[:, ::-1]))

    def violation(self, x, which):
        return jnp.zeros_like(x[:, 0])

    def potential(self, x, which):
        return jnp.where(x[:, 0] == x[:, 1], self.weight, 0.0)


@pytest.mark.parametrize("solver", [pk.MaxProduct(), pk.SumProduct()], ids=["MaxProduct", "SumProduct"])
@pytest.mark.parametrize("first", [0, 1])
def test_finite_messages_of_an_own_group_are_not_cut_off(solver, first):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [Agree([[0, 1], [1, 2]], 5.0)])
    evidence = {"x": [first, pk.FREE, pk.FREE]}
    solution = pk.solve(graph, solver, num_sweeps=50, evidence=evidence)
    np.testing.assert_array_equal(solution.states["x"], first)
    assert solution.score == 10.0
    if solution.marginals is not None:
        marginals = pk.exact.marginals(graph, evidence)["x"]
        np.testing.assert_allclose(solution.marginals["x"], marginals, atol=1e-4)
