"""States that users pass: outside `jit` wrong ones are refused, and inside they never reach a sweep."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk

MIXED = pk.Variables(b=pk.Binary(1), c=pk.Categorical(3, states=3))


def chain(evidence):
    """Solve a chain of three variables with three states, in which the last two prefer state 2."""
    unaries = np.zeros((3, 3))
    unaries[1:, 2] = 5.0
    blocks = pk.Variables(x=pk.Categorical(3, states=3))
    model = pk.FactorGraph(blocks, [pk.Potts([[0, 1], [1, 2]], 0.1, states=3)], {"x": unaries})
    return pk.solve(model, evidence={"x": evidence})


@pytest.mark.parametrize("wrong", [7, -1], ids=str)
def test_traced_evidence_that_is_no_state_counts_as_state_0(wrong):
    found = jax.jit(chain)(jnp.array([wrong, pk.FREE, pk.FREE]))
    np.testing.assert_array_equal(found.states["x"], [0, 2, 2])
    assert np.isfinite(found.score)


@pytest.mark.parametrize("wrong", [pk.FREE, 5], ids=["FREE", "5"])
def test_traced_states_that_are_none_have_no_score(wrong):
    """pk.FREE counted as state 0 in factors and not at all in unaries, so a loss over missing labels was wrong."""
    model = pk.FactorGraph(MIXED, [pk.Potts([[1, 2]], 1.0, states=3)], {"c": [[1.0, 0.0, 3.0]] * 3})
    score = jax.jit(jax.vmap(lambda c: pk.score(model, {"b": jnp.zeros(1, int), "c": c})))
    np.testing.assert_array_equal(score(jnp.array([[0, 0, 2], [wrong, 0, 2], [2, 2, wrong]])), [6.0, np.nan, np.nan])


def test_traced_floats_that_are_no_states_have_no_score():
    """They were rounded down, and NaN to 0."""
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], 1.0)], {"x": [0.5, 0.7]})
    score = jax.jit(lambda x: pk.score(model, {"x": x}))
    for wrong in (1.7, 0.3, np.nan, np.inf):
        assert np.isnan(score(jnp.array([wrong, 1.0])))
    assert float(score(jnp.array([1.0, 0.0]))) == 0.5
    solve = jax.jit(lambda x: pk.solve(model, evidence={"x": x}).states["x"])
    np.testing.assert_array_equal(solve(jnp.array([1.7, pk.FREE])), [0, 1])


def test_unsigned_evidence_cannot_hold_free():
    pixels, missing = np.zeros(3, np.uint8), np.array([False, True, True])
    with pytest.raises(ValueError, match=r"got 128; unsigned arrays cannot hold pk\.FREE"):
        chain(np.where(missing, np.uint8(128), pixels))
    with pytest.raises(TypeError, match=r"evidence\['x'\]: expected signed numbers.* got uint8; write x.astype"):
        jax.jit(chain)(jnp.asarray(pixels))
    signed = jax.jit(lambda x: chain(jnp.where(missing, pk.FREE, x.astype(jnp.int32))))(pixels)
    np.testing.assert_array_equal(signed.states["x"], [0, 2, 2])


@pytest.mark.parametrize(
    "grey",
    [np.array([0, 255, 90], np.uint8), np.array([0, 255, pk.FREE])],
    ids=lambda grey: str(grey.tolist()),
)
def test_grey_values_are_told_a_threshold_that_works(grey):
    blocks = pk.Variables(x=pk.Binary(3))
    with pytest.raises(ValueError, match=r"grey values need a threshold") as error:
        blocks.flatten({"x": grey}, argument="evidence")
    black = eval(str(error.value).rpartition("such as ")[2], {"x": grey, "np": np, "pk": pk})
    expected = np.where(grey == pk.FREE, pk.FREE, grey == grey.max())
    np.testing.assert_array_equal(blocks.flatten({"x": black}, argument="evidence"), expected)


@pytest.mark.parametrize("missing", [None, np.nan], ids=str)
def test_missing_values_of_objects_are_told_free(missing):
    column = np.array([0, 1, missing], object)
    with pytest.raises(TypeError, match=r"missing values; write pk\.FREE for them, then x\.astype\(int\)"):
        MIXED.flatten({"c": column}, argument="evidence")
    column[2] = pk.FREE
    assert MIXED.flatten({"c": column.astype(int)}, argument="evidence").tolist() == [pk.FREE, 0, 1, pk.FREE]
