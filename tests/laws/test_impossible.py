"""On impossible problems, every solver keeps the evidence, has score -inf, is not converged and returns no NaN."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk

EVIDENCE = {"x": np.array([1, 0, pk.FREE])}
ANY_FACTOR = {
    "exhaustive": pk.Exhaustive(),
    "coordinate ascent": pk.CoordinateAscent(),
    "polished": pk.Polished(pk.MaxProduct()),
    "portfolio": pk.Portfolio(pk.MaxProduct(), pk.Exhaustive()),
    "sum-product": pk.SumProduct(),
}
PAIRS = {
    "tree pass": pk.TreePass(),
    "linear program": pk.LinearProgram(),
    "MPLP": pk.MPLP(),
    "portfolio": pk.Portfolio(pk.MPLP(), pk.TreePass()),
}


def contradiction():
    """A factor that sets all three variables to 1, which the evidence contradicts."""
    variables = pk.Variables(x=pk.Binary(3))
    return pk.FactorGraph(variables, [pk.ExactlyK([[0, 1, 2]], k=3)], {"x": np.array([1.0, -2.0, 3.0])})


def equal_pairs(states):
    """A chain of three variables that must be equal, which the evidence contradicts."""
    table = np.where(np.eye(states) > 0, 0.0, -np.inf)
    variables = pk.Variables(x=pk.Categorical(3, states=states))
    return pk.FactorGraph(variables, [pk.EdgeTables([[0, 1], [1, 2]], np.stack([table, table]))])


def check(solved, exact):
    assert solved.states["x"][:2].tolist() == [1, 0]
    assert solved.score == -np.inf
    assert not solved.converged
    assert solved.bound is None or not np.isnan(solved.bound)
    if exact:
        assert solved.bound == -np.inf
    for marginal in (solved.marginals or {}).values():
        assert not np.isnan(marginal).any()


@pytest.mark.parametrize("name", ANY_FACTOR)
def test_hard_constraints_against_evidence(name):
    check(pk.solve(contradiction(), ANY_FACTOR[name], evidence=EVIDENCE), exact=name in ("exhaustive", "portfolio"))


@pytest.mark.parametrize("states", some([2, 3], {"3"}))
@pytest.mark.parametrize("name", PAIRS)
def test_tables_against_evidence(name, states):
    solved = pk.solve(equal_pairs(states), PAIRS[name], evidence=EVIDENCE)
    check(solved, exact=name in ("tree pass", "MPLP", "portfolio"))


QUESTIONS = {
    "map_state": pk.exact.map_state,
    "probabilities": pk.exact.probabilities,
    "marginals": pk.exact.marginals,
    "moments": pk.exact.moments,
}


def no_configuration():
    variables = pk.Variables(x=pk.Binary(3))
    return pk.FactorGraph(variables, [pk.ExactlyK([[0, 1, 2]], k=3), pk.ExactlyK([[0, 1, 2]], k=2)])


@pytest.mark.parametrize("name", QUESTIONS)
def test_enumeration_says_that_nothing_is_possible(name):
    with pytest.raises(
        ValueError, match=r"evidence: expected evidence that some configuration agrees with, got .*dict"
    ):
        QUESTIONS[name](contradiction(), EVIDENCE)
    with pytest.raises(ValueError, match="model: expected a model that allows some configuration"):
        QUESTIONS[name](no_configuration())
    for model, evidence in ((contradiction(), EVIDENCE), (no_configuration(), None)):
        assert pk.exact.log_partition(model, evidence) == -np.inf
        assert (np.asarray(pk.exact.log_weights(model, evidence)) == -np.inf).all()


def test_log_z_of_an_impossible_model_has_the_derivative_zero():
    """A NaN of one row of evidence would spread to the sum over all rows."""

    @eqx.filter_grad
    def slope(model):
        rows = jnp.array([[1, 0, 1], [pk.FREE, pk.FREE, pk.FREE]])  # the first row contradicts the pairs
        log_z = jax.vmap(lambda row: pk.exact.log_partition(model, {"x": row}))(rows)
        return jnp.where(jnp.isfinite(log_z), log_z, 0.0).sum()

    for found, expected in zip(*(jax.tree.leaves(f(equal_pairs(2))) for f in (slope, pk.exact.moments)), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("name", QUESTIONS)
def test_enumeration_inside_compiled_code_has_no_nan(name):
    possible, impossible = (
        jax.jit(lambda m, evidence=evidence: QUESTIONS[name](m, evidence))(contradiction())
        for evidence in (None, EVIDENCE)
    )
    outside = QUESTIONS[name](contradiction())
    for inside, other in zip(jax.tree.leaves(possible), jax.tree.leaves(outside), strict=True):
        np.testing.assert_allclose(inside, other)
    for leaf in jax.tree.leaves(eqx.filter(impossible, eqx.is_inexact_array)):
        assert (np.asarray(leaf) == 0).all()
