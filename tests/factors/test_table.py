"""Tables of scores: factors of a single variable."""

import jax
import numpy as np
import pytest

import pmp_kit as pk

SCORES = np.array([0.3, -1.2, 0.5])
OF_ONE = {
    "NWise": pk.NWise([[0]], SCORES),
    "Custom": pk.Custom([[0]], lambda scores, x: scores[x[0]], SCORES, states=3),
}


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("solver", [pk.MaxProduct(), pk.SumProduct()], ids=["MaxProduct", "SumProduct"])
def test_a_table_of_one_variable_gives_the_samples_of_the_same_unary(name, solver):
    variables = pk.Variables(x=pk.Categorical(1, states=3))
    table = pk.FactorGraph(variables, [OF_ONE[name]])
    unary = pk.FactorGraph(variables, unaries={"x": SCORES[None]})
    both = [
        pk.sample(jax.random.key(0), model, pk.PerturbAndMAP(solver), num_samples=40, num_sweeps=20)["x"]
        for model in (table, unary)
    ]
    np.testing.assert_array_equal(*both)
