"""The state of a run: callbacks, failures, which numbers are parameters, runs stopped and resumed."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from slow_parameters import some
from small_models import Pair, exact_samples, ising, leaves_equal, small_rbm

import pmp_kit as pk

KEY = jax.random.key(0)

RNG = np.random.default_rng(0)


def test_a_callback_sees_every_state_and_can_end_the_fit():
    seen = []

    def callback(state):
        seen.append(state.step)
        return state.step == 3

    result = pk.fit(KEY, ising(), exact_samples(ising(), 50), steps=10, num_sweeps=3, callback=callback)
    assert seen == [1, 2, 3]
    assert result.state.step == 3
    assert not result.interrupted
    assert result.history["gap"].shape == (3,)


@pytest.mark.parametrize("verb", [pk.fit, pk.fit_pseudo_likelihood])
def test_learning_that_diverged_is_refused(verb):
    data = {"x": np.eye(5, dtype=int)}
    with pytest.raises(ValueError, match=r"optimizer: expected steps .*, got nan in .weight after 2 steps; .*smaller"):
        verb(KEY, ising(), data, optimizer=optax.sgd(np.nan), steps=2)


@pytest.mark.parametrize("verb", [pk.fit, pk.fit_pseudo_likelihood])
def test_a_gradient_that_is_not_finite_is_not_blamed_on_the_optimiser(verb):
    """The derivative of sqrt(a) is infinite at a = 0, and times a state of 0 it is NaN."""
    root = pk.factors.Custom([0, 1], lambda params, x: jnp.sqrt(params["a"]) * x[0] * x[1], {"a": 0.0})
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [root])
    wanted = r"model: expected scores with a finite gradient, .* in the first step; look for sqrt\(0\)"
    with pytest.raises(ValueError, match=wanted):
        verb(KEY, model, {"x": np.array([[0, 1], [1, 1]])}, steps=2)


@pytest.mark.parametrize("number", [0.5, np.array(0.5)], ids=["float", "NumPy array"])
@pytest.mark.slow
def test_a_number_of_python_is_a_parameter_everywhere(number, tmp_path):
    model, same, data = Pair(number), Pair(jnp.asarray(0.5)), {"x": np.array([[1, 1], [1, 1], [0, 0]])}
    options = {"steps": 3, "batch_size": 5, "optimizer": optax.sgd(0.5)}
    for learn in (pk.fit, pk.fit_pseudo_likelihood):
        result, expected = (learn(KEY, m, data, **options) for m in (model, same))
        np.testing.assert_array_equal(result.model.coupling, expected.model.coupling)
        assert float(result.model.coupling) != 0.5
    leaves_equal(pk.exact.moments(model), pk.exact.moments(same))
    leaves_equal(pk.data_moments(model, data), pk.data_moments(same, data))
    by_moments = pk.fit(KEY, model, moments=pk.exact.moments(Pair(2.0)), **options)
    assert float(by_moments.model.coupling) > 0.5
    pk.save(tmp_path / "model.eqx", result.model)
    assert pk.load(tmp_path / "model.eqx", model).coupling == result.model.coupling
    pk.save(tmp_path / "given.npz", model)
    assert float(pk.load(tmp_path / "given.npz", same).coupling) == 0.5


def of_rbm():
    return small_rbm(), {"v": RNG.integers(0, 2, (30, 4))}


def of_ising():
    return ising(), exact_samples(ising(), 60)


RUNS = {
    "PMP, reset": (of_ising, {"sampler": pk.PMP()}),
    "persistent PMP": (of_ising, {"sampler": pk.PersistentPMP(0.9), "persistent": True}),
    "Gibbs, persistent": (of_ising, {"sampler": pk.Gibbs(), "persistent": True}),
    "RBM, exact means, persistent": (
        of_rbm,
        {"sampler": pk.Gibbs(blocks=("h", "v")), "persistent": True, "positive": "exact", "l1": 0.01},
    ),
}


@pytest.mark.parametrize("run", some(RUNS, {"PMP, reset", "Gibbs, persistent"}))
def test_a_run_stopped_and_resumed_equals_the_run_not_stopped(run, tmp_path):
    make, options = RUNS[run]
    model, data = make()
    options = {"optimizer": optax.adam(0.05), "batch_size": 20, "num_chains": 15, "num_sweeps": 3, **options}
    whole = pk.fit(KEY, model, data, steps=7, **options)
    state = pk.fit(KEY, model, data, steps=4, **options).state
    pk.save(tmp_path / "run.eqx", state)
    for resumed in (state, tmp_path / "run.eqx"):
        rest = pk.fit(KEY, model, data, steps=7, resume=resumed, **options)
        leaves_equal(rest.state, whole.state)
    np.testing.assert_array_equal(rest.history["gap"], whole.history["gap"][4:])
    assert rest.state.step == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sampler": pk.PMP(), "persistent": False}, "only it has"),  # the chains
        ({"num_chains": 4}, r"chains.*expected shape \(4, 1, 5\).*got \(5, 1, 5\).*same .* number of chains"),
        ({"sampler": pk.PersistentPMP()}, "only it has .*; resume with the same sampler"),
        ({"optimizer": optax.sgd(0.1)}, "resume: expected the arrays of this run.*optimizer_state"),
        ({"steps": 2}, "steps: expected more than the 2 steps of the resumed state, got 2"),
    ],
    ids=["sampler", "chains", "persistent sampler", "optimizer", "steps"],
)
def test_a_state_of_another_run_is_refused(change, message):
    model, data = of_ising()
    options = {"sampler": pk.Gibbs(), "persistent": True, "num_chains": 5, "num_sweeps": 2, "data": data}
    state = pk.fit(KEY, model, steps=2, **options).state
    with pytest.raises(ValueError, match=message):
        pk.fit(KEY, **{"model": model, "steps": 4, **options, **change}, resume=state)
