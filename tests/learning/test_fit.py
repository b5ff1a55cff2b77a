"""Learning: moments meet, hidden variables, chains that persist, interruption."""

import itertools
from functools import partial

import jax
import numpy as np
import optax
import pytest
from small_models import exact_samples, falling, ising

import pmp_kit as pk

KEY = jax.random.key(0)


def second_moments(x):
    return x.T @ x / len(x)


def start_model():
    return pk.Ising(np.zeros((5, 5)), np.zeros(5))


@pytest.mark.parametrize(
    ("sampler", "persistent"),
    [(pk.PMP(), False), pytest.param(pk.Gibbs(), False, marks=pytest.mark.slow), (pk.Gibbs(), True)],
    ids=["PMP", "Gibbs, reset", "Gibbs, persistent"],
)
def test_learning_moves_moments_together(sampler, persistent):
    data = exact_samples(ising(), 5000)
    options = falling(0.06, 200) | {"num_sweeps": 2 if persistent else 15, "persistent": persistent}
    result = pk.fit(KEY, start_model(), data, sampler, batch_size=200, **options)
    samples = pk.sample(KEY, result.model, sampler, num_samples=5000, num_sweeps=60)["x"]
    assert np.abs(second_moments(data["x"]) - 0.25).max() > 0.15  # where it started, but for the diagonal
    assert np.abs(second_moments(data["x"]) - second_moments(samples)).max() < 0.06
    assert result.history["gap"].shape == (200,)
    assert result.history["gap"][0] > 2 * result.history["gap"][-50:].mean()
    assert not result.interrupted


@pytest.mark.slow
def test_gibbs_learning_finds_the_parameters():
    """With an exact sampler this is maximum likelihood: the parameters come back."""
    truth = ising()
    result = pk.fit(
        KEY, start_model(), moments=pk.exact.moments(truth), sampler=pk.Gibbs(), num_chains=300, num_sweeps=10,
        **falling(0.1, 200),
    )  # fmt: skip
    off = np.abs(np.asarray(result.model.weight - truth.weight))
    assert off.max() < 0.2
    assert off.mean() < 0.06


def test_the_gradient_of_a_step_is_the_moment_difference():
    """One step of plain gradient ascent from zero moves each parameter by the moments of data minus samples."""
    data = {"x": np.tile([[1, 1, 0, 0, 1]], (10, 1))}
    result = pk.fit(KEY, start_model(), data, optimizer=optax.sgd(1.0), steps=1, batch_size=10, num_chains=5000)
    expected = np.array([1, 1, 0, 0, 1]) - 0.5
    np.testing.assert_allclose(result.model.bias, expected, atol=0.03)
    assert result.model.weight[0, 1] == pytest.approx(0.5 * (1 - 0.25), abs=0.03)
    np.testing.assert_array_equal(result.model.weight, result.model.weight.T)
    np.testing.assert_array_equal(np.diag(result.model.weight), np.zeros(5))


@pytest.mark.parametrize(
    ("positive", "mean"),
    [(None, 0.574), ("exact", 0.574), (pk.PMP(noise=pk.Gumbel(0.0)), 1.0)],
    ids=["that of the model", "exact", "without noise"],
)
def test_hidden_variables_are_drawn_by_the_positive_sampler(positive, mean):
    """A hidden variable with log-odds 0.3 is 1 with probability 0.574. Without noise it is always 1."""
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), unaries={"x": np.full(2, 0.3)})
    data = {"x": np.tile([[1, pk.FREE]], (10, 1))}
    options = {"optimizer": optax.sgd(1.0), "steps": 1, "batch_size": 5000, "num_chains": 5000, "num_sweeps": 1}
    result = pk.fit(KEY, graph, data, positive=positive, **options)
    rise = result.model.unaries[1, 1] - graph.unaries[1, 1]
    assert rise == pytest.approx(mean - 0.574, abs=0.04)  # the moment of the data minus that of the model


@pytest.mark.slow
@pytest.mark.parametrize("sampler", [pk.PMP(), pk.Gibbs(blocks=("h", "v"))], ids=["PMP", "block Gibbs"])
def test_hidden_variables_are_learned(sampler):
    """Two opposite patterns need a hidden unit; after learning, samples show both and little else."""
    data = {"v": np.array([[1, 1, 0, 0], [0, 0, 1, 1]] * 50)}
    model = pk.rbm(jax.random.key(1), visible=4, hidden=3, scale=0.1)
    result = pk.fit(KEY, model, data, sampler, optimizer=optax.adam(0.1), steps=150, batch_size=100, num_sweeps=20)
    v = pk.sample(KEY, result.model, sampler, num_samples=2000, num_sweeps=50)["v"]
    first = (v == [1, 1, 0, 0]).all(1).mean()
    second = (v == [0, 0, 1, 1]).all(1).mean()
    assert min(first, second) > 0.25
    assert first + second > 0.75


@pytest.mark.parametrize(("penalty", "pull"), [("l1", np.sign), ("l2", np.asarray)], ids=["l1", "l2"])
def test_penalties_pull_factors_towards_zero_and_leave_unaries(penalty, pull):
    data = {"x": np.tile([[1, 1, 0, 0, 1]], (10, 1))}
    options = {"optimizer": optax.sgd(1.0), "steps": 1, "batch_size": 10, "num_chains": 100}
    start = ising()  # weights of both signs
    free, held = (pk.fit(KEY, start, data, **{penalty: size}, **options).model for size in (0.0, 0.125))
    np.testing.assert_allclose(free.weight - held.weight, 0.125 * pull(start.weight) / 2, atol=1e-6)  # half of a pair
    np.testing.assert_array_equal(free.bias, held.bias)


@pytest.mark.parametrize("learn", [partial(pk.fit, num_chains=10), pk.fit_pseudo_likelihood], ids=["fit", "pseudo"])
def test_the_l1_penalty_leaves_parameters_at_zero(learn):
    """The absolute value has no derivative at 0, where learning often starts. Forbidden entries are stored as 0."""
    table = np.array([[-np.inf, 0.0], [0.0, 1.0]])
    start = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges([[0, 1]], 0.0), pk.EdgeTables([[1, 2]], table)])
    options = {"optimizer": optax.sgd(1.0), "steps": 1, "batch_size": 10}
    data = {"x": np.tile([[0, 1, 1]], (10, 1))}
    free, held = (learn(KEY, start, data, l1=size, **options).model.factors for size in (0.0, 0.125))
    np.testing.assert_array_equal(free[0].weight, held[0].weight)
    np.testing.assert_allclose(free[1].table - held[1].table, [[0, 0], [0, 0.125]], atol=1e-6)


def test_a_fit_depends_on_its_key_alone():
    data = exact_samples(ising(), 100)
    same, again, other = (
        pk.fit(jax.random.key(seed), start_model(), data, steps=3, batch_size=20).model.weight for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(same, again)
    assert (same != other).any()


def test_training_yields_every_step():
    data = exact_samples(ising(), 100)
    states = list(itertools.islice(pk.training(KEY, start_model(), data, batch_size=20, num_sweeps=5), 3))
    assert [state.step for state in states] == [1, 2, 3]
    fitted = pk.fit(KEY, start_model(), data, steps=3, batch_size=20, num_sweeps=5)
    np.testing.assert_array_equal(states[-1].model.weight, fitted.model.weight)
    np.testing.assert_array_equal([float(state.gap) for state in states], fitted.history["gap"])


def test_ctrl_c_returns_the_model_so_far(monkeypatch, capsys):
    from pmp_kit.learning import fit as learn

    real = learn.training

    def interrupted(*args, **options):
        for state in real(*args, **options):
            yield state
            if state.step == 2:
                raise KeyboardInterrupt

    data = exact_samples(ising(), 100)
    expected = pk.fit(KEY, start_model(), data, steps=2, batch_size=20)
    monkeypatch.setattr(learn, "training", interrupted)
    result = pk.fit(KEY, start_model(), data, steps=100, batch_size=20)
    assert result.interrupted
    assert result.history["gap"].shape == (2,)
    np.testing.assert_array_equal(result.model.weight, expected.model.weight)
    assert "interrupted after 2 of 100 steps" in capsys.readouterr().err


def test_a_fit_compiles_once():
    """Numbers and sampler settings are traced; a new optax object compiles its own small update again, no more."""
    from pmp_kit.learning import fit as learn

    data, sizes = exact_samples(ising(), 100), set()
    for number in range(1, 4):
        options = {"optimizer": optax.adam(number / 10), "steps": 2, "num_sweeps": number, "l1": number / 10}
        pk.fit(KEY, start_model(), data, pk.PMP(damping=number / 10), **options)
        sizes.add(learn._gradient._cache_size())
    assert len(sizes) == 1


def test_data_points_of_weight_zero_do_not_count():
    data = {"x": np.repeat([[0, 1], [1, 0]], 30, axis=0)}
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(2)))
    fitted = pk.fit(KEY, model, data, pk.Gibbs(), steps=60, optimizer=optax.adam(0.1), weights=np.repeat([0, 2], 30))
    x = pk.exact.marginals(fitted.model)["x"][:, 1]
    assert x[0] > 0.9
    assert x[1] < 0.1


@pytest.mark.parametrize(("weights", "text"), [([1.0, -1.0], "at least 0"), ([0, 0], "above 0"), ([1.0], "shape")])
def test_wrong_weights_are_refused(weights, text):
    model, data = pk.FactorGraph(pk.Variables(x=pk.Binary(1))), {"x": [[0], [1]]}
    with pytest.raises(ValueError, match=f"weights: .*{text}"):
        pk.fit(KEY, model, data, pk.Gibbs(), steps=1, weights=weights)


def test_weights_with_moments_are_refused():
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(1)))
    moments = pk.data_moments(model, {"x": [[0], [1]]})
    with pytest.raises(ValueError, match="weights: expected data, got moments"):
        pk.fit(KEY, model, sampler=pk.Gibbs(), steps=1, moments=moments, weights=[1.0])
