"""Training: exact means of hidden variables, moments of data, penalties, callbacks, runs stopped and resumed."""

import inspect

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import pmp_kit as pk
from pmp_kit.engine import chunks
from pmp_kit.learning import moments

KEY = jax.random.key(0)
RNG = np.random.default_rng(0)


def ising(n=5, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    weight = np.triu(rng.normal(size=(n, n), scale=scale), 1)
    return pk.Ising(weight + weight.T, rng.normal(size=n))


def exact_samples(model, number, seed=0):
    p = np.asarray(pk.exact.probabilities(model), float)
    index = np.random.default_rng(seed).choice(p.size, number, p=p / p.sum())
    return {name: np.asarray(x)[index] for name, x in pk.exact.states(model.graph().variables).items()}


def falling(rate, steps):
    """Adam whose rate falls to zero: it comes nearer in fewer steps than a rate that stays."""
    return {"optimizer": optax.adam(optax.cosine_decay_schedule(rate, steps)), "steps": steps}


def leaves_equal(one, other):
    one, other = jax.tree.leaves(one), jax.tree.leaves(other)
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


# Moments of data


def test_moments_of_data_are_its_sufficient_statistics(monkeypatch):
    monkeypatch.setattr(moments, "ROWS_AT_ONCE", 7)  # several calls, the last one short
    x = RNG.integers(0, 2, (40, 5))
    got = pk.data_moments(ising(), {"x": x})
    np.testing.assert_allclose(got.bias, x.mean(0), rtol=1e-6)
    pairs = x.T @ x / 40
    np.testing.assert_allclose(got.weight, 0.5 * (pairs - np.diag(np.diag(pairs))), rtol=1e-6)


def test_moments_are_refused_where_they_change_with_the_parameters():
    class Squared(Pair):
        def graph(self):
            return Pair(self.coupling**2).graph()

    pk.fit(KEY, Pair(0.5), moments=pk.exact.moments(Pair(1.0)), steps=1)
    with pytest.raises(ValueError, match="moments: expected a model whose score is linear in its parameters"):
        pk.fit(KEY, Squared(0.5), moments=pk.exact.moments(Squared(1.0)), steps=1)


def test_a_fit_to_moments_of_data_finds_the_model():
    truth = ising()
    data = exact_samples(truth, 20_000)
    result = pk.fit(
        KEY, pk.Ising(np.zeros((5, 5)), np.zeros(5)), moments=pk.data_moments(truth, data), sampler=pk.Gibbs(),
        num_chains=300, num_sweeps=10, **falling(0.1, 200),
    )  # fmt: skip
    assert np.abs(result.model.weight - truth.weight).max() < 0.25


# Exact means of hidden variables


def conditional_moments(model, rows):
    """The positive phase by enumeration: exact.moments given each row of the data, averaged."""
    parts = [pk.exact.moments(model, row) for row in rows]
    return jax.tree.map(lambda *leaf: np.mean(leaf, axis=0), *parts)


def positive_phase(model, rows):
    graph = model.graph()
    flat = moments.flat_data(graph, {name: np.stack([row[name] for row in rows]) for name in rows[0]})
    hidden = np.flatnonzero((flat == pk.FREE).any(0))
    moments.check_apart(graph, flat, hidden)
    return expected_gradient(model, jnp.asarray(flat, jnp.int32), jnp.asarray(hidden, jnp.int32))


@jax.jit
def expected_gradient(model, known, hidden):
    return eqx.filter_grad(moments.expected_score)(model, known, hidden)


def small_rbm():
    keys = jax.random.split(KEY, 3)
    weight = 2.0 * jax.random.normal(keys[0], (4, 3))
    return pk.RBM(weight, jax.random.normal(keys[1], (4,)), jax.random.normal(keys[2], (3,)))


def potts_star():
    """A hidden centre of three states with visible leaves of two and four."""
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Binary(2), z=pk.Categorical(1, states=4))
    rng = np.random.default_rng(2)
    factors = [
        pk.EdgeTables([[0, 1], [0, 2]], rng.normal(size=(2, 3, 2))),
        pk.EdgeTables([[0, 3]], rng.normal(size=(1, 3, 4))),
    ]
    return pk.FactorGraph(variables, factors, rng.normal(size=(4, 4)))


def three_way():
    """Scores that are not linear in a mean state: a table and a count, each with a hidden variable of its own."""
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Binary(4))
    rng = np.random.default_rng(3)
    factors = [pk.NWise([0, 1, 2], rng.normal(size=(3, 2, 2))), pk.CountPotential([[2, 3, 4]], rng.normal(size=4))]
    return pk.FactorGraph(variables, factors, rng.normal(size=(5, 3)))


def gated():
    """A hidden output of an AND, which its inputs determine, and a hidden variable that a constraint leaves free."""
    variables = pk.Variables(x=pk.Binary(2), child=pk.Binary(1), y=pk.Binary(2))
    rng = np.random.default_rng(4)
    factors = [pk.And([0, 1], 2), pk.Edges([[2, 3]], rng.normal(size=1)), pk.AtMostK([0, 3, 4], 2)]
    return pk.FactorGraph(variables, factors, {"x": rng.normal(size=2), "y": rng.normal(size=2)})


def forbidding():
    """A hidden variable whose first state, the one that the sum starts from, is forbidden in some rows."""
    variables = pk.Variables(x=pk.Categorical(1, states=3), y=pk.Binary(3))
    rng = np.random.default_rng(5)
    table = rng.normal(size=(3, 2, 2))
    table[0, 1] = -np.inf
    factors = [pk.NWise([0, 1, 2], table), pk.EdgeTables([[0, 3]], rng.normal(size=(3, 2)))]
    return pk.FactorGraph(
        variables, factors, np.where(np.arange(12).reshape(4, 3) == 10, -np.inf, rng.normal(size=(4, 3)))
    )


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (small_rbm(), [{"v": RNG.integers(0, 2, 4), "h": np.full(3, pk.FREE)} for _ in range(3)]),
        (ising(), [{"x": np.where(np.arange(5) == i, pk.FREE, RNG.integers(0, 2, 5))} for i in (0, 2, 4)]),
        (
            potts_star(),
            [{"x": np.array([pk.FREE]), "y": RNG.integers(0, 2, 2), "z": RNG.integers(0, 4, 1)} for _ in range(3)],
        ),
        (three_way(), [{"x": np.array([pk.FREE]), "y": np.array([0, 1, b, pk.FREE])} for b in (0, 1)]),
        (forbidding(), [{"x": np.array([pk.FREE]), "y": np.array([b, 1, 0])} for b in (0, 1)]),
        (
            gated(),
            [
                {"x": x, "child": np.array([pk.FREE]), "y": y}
                for x, y in zip(np.array([[0, 1], [1, 1]]), np.array([[1, pk.FREE], [0, pk.FREE]]), strict=True)
            ],
        ),
    ],
    ids=["RBM", "one missing entry a row", "categorical", "tables and counts", "forbidden entries", "hard factors"],
)
def test_exact_means_give_the_moments_of_enumeration(model, rows):
    ours, exact = positive_phase(model, rows), conditional_moments(model, rows)
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(exact), strict=True):
        np.testing.assert_allclose(a, b, atol=2e-6)


@pytest.mark.parametrize(
    ("model", "row"),
    [
        (ising(), {"x": np.array([pk.FREE, pk.FREE, 0, 1, 0])}),
        (pk.Ising(np.zeros((5, 5)), np.zeros(5)), {"x": np.array([0, pk.FREE, pk.FREE, 1, 0])}),  # no weight yet
        (small_rbm(), {"v": np.array([pk.FREE, 1, 0, 1]), "h": np.full(3, pk.FREE)}),
    ],
    ids=["Ising", "Ising at zero", "RBM with a missing pixel"],
)
def test_exact_means_are_refused_where_hidden_variables_meet(model, row):
    data = {name: np.stack([np.zeros_like(x), x]) for name, x in row.items()}
    with pytest.raises(
        ValueError, match=r"positive: expected hidden variables that no factor joins.*data point 1 some"
    ):
        pk.fit(KEY, model, data, steps=1, positive="exact")


def test_exact_means_are_refused_at_any_scale_of_the_scores():
    """Two hidden hubs that meet: beside 2,000 observed neighbours each, their own edge is a thousandth of the score."""
    leaves = np.arange(2, 4002).reshape(2, -1)
    pairs = [[0, 1], *([hub, leaf] for hub in (0, 1) for leaf in leaves[hub])]
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(4002)), [pk.Edges(pairs, 1.0)])
    data = {"x": np.where(np.arange(4002) < 2, pk.FREE, 1)[None]}
    with pytest.raises(ValueError, match="positive: expected hidden variables that no factor joins"):
        pk.fit(KEY, graph, data, steps=1, positive="exact")


def test_exact_means_are_what_samples_scatter_around():
    """Measured for one batch of 20: sampled hidden variables scatter by 0.05 a weight, exact means not at all."""
    model, rows = small_rbm(), np.tile([[1, 0, 1, 1]], (20, 1))
    exact = positive_phase(model, [{"v": v, "h": np.full(3, pk.FREE)} for v in rows]).weight
    blocks = pk.Gibbs(blocks=("v", "h"))
    draws = pk.sample(KEY, model, blocks, num_samples=20 * 50, num_sweeps=1, evidence={"v": np.tile(rows, (50, 1))})
    h = draws["h"].reshape(50, 20, 3)
    sampled = np.einsum("v,bsh->bvh", rows[0], h) / 20  # 50 batches
    np.testing.assert_allclose(sampled.mean(0), exact, atol=0.05)
    assert sampled.std(0)[rows[0] == 1].mean() > 0.05


def test_an_rbm_learns_with_exact_means_and_persistent_chains():
    data = {"v": np.array([[1, 1, 0, 0], [0, 0, 1, 1]] * 50)}
    blocks = pk.Gibbs(blocks=("h", "v"))
    result = pk.fit(
        KEY, pk.rbm(jax.random.key(1), visible=4, hidden=3, scale=0.1), data, blocks, positive="exact",
        optimizer=optax.adam(0.05), steps=400, num_sweeps=2, persistent=True,
    )  # fmt: skip
    v = pk.sample(KEY, result.model, blocks, num_samples=2000, num_sweeps=50)["v"]
    assert min((v == [1, 1, 0, 0]).all(1).mean(), (v == [0, 0, 1, 1]).all(1).mean()) > 0.25


@pytest.mark.parametrize(
    "learn",
    [
        lambda graph, data: pk.fit(KEY, graph, data, steps=1),
        lambda graph, data: pk.fit_pseudo_likelihood(KEY, graph, data, steps=1),
        pk.data_moments,
        pk.log_pseudo_likelihood,
    ],
    ids=["fit", "pseudo-likelihood", "moments", "log"],
)
@pytest.mark.parametrize(
    ("factors", "unaries"),
    [([pk.ExactlyK([0, 1, 2], 1)], None), ([pk.Edges([[0, 1]], 1.0)], np.array([[0.0, 0]] * 2 + [[0.0, -np.inf]]))],
    ids=["constraint", "unary"],
)
def test_data_that_the_model_forbids_are_refused(learn, factors, unaries):
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), factors, unaries)
    with pytest.raises(
        ValueError, match="data: expected states that the model allows, but data point 1 has score -inf"
    ):
        learn(graph, {"x": np.array([[0, 1, 0], [0, 1, 1]])})


# Penalties, callbacks


def test_l2_pulls_factors_towards_zero_in_proportion():
    data = {"x": np.tile([[1, 1, 0, 0, 1]], (10, 1))}
    options = {"optimizer": optax.sgd(1.0), "steps": 1, "batch_size": 10, "num_chains": 100}
    start = ising()
    free, held = (pk.fit(KEY, start, data, l2=l2, **options).model for l2 in (0.0, 0.125))
    np.testing.assert_allclose(free.weight - held.weight, 0.125 * start.weight, atol=1e-6)
    np.testing.assert_array_equal(free.bias, held.bias)


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


@pytest.mark.parametrize(
    "callback",
    [lambda state: np.bool_(True), lambda state: state.gap < 1e9, lambda state: 1],
    ids=["NumPy", "JAX", "int"],
)
def test_anything_true_from_a_callback_ends_the_fit(callback):
    result = pk.fit(KEY, ising(), exact_samples(ising(), 50), steps=4, num_sweeps=3, callback=callback)
    assert result.state.step == 1


def test_help_shows_all_arguments_and_fields():
    shown = str(inspect.signature(pk.fit))
    for name in ("optimizer", "batch_size", "num_chains", "persistent", "resume"):
        assert f"{name}:" in pk.fit.__doc__
        assert name in shown
    for kind in (pk.FitResult, pk.TrainingState):
        assert all(f"    {field}:" in kind.__doc__ for field in kind._fields)


# Numbers of Python as parameters


class Pair(eqx.Module):
    """Two spins with one coupling, a number of Python or of NumPy."""

    coupling: float

    def graph(self):
        return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], self.coupling)])


@pytest.mark.parametrize("number", [0.5, np.float64(0.5), np.array(0.5)], ids=["float", "NumPy scalar", "NumPy array"])
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
    pk.save(tmp_path / "model.npz", result.model)
    assert pk.load(tmp_path / "model.npz", model).coupling == result.model.coupling
    pk.save(tmp_path / "given.npz", model)
    assert float(pk.load(tmp_path / "given.npz", same).coupling) == 0.5


# What is given once is one parameter


def shared_transitions(table):
    """A hidden Markov model's prior: one table for all steps."""
    pairs = np.stack([np.arange(5), np.arange(1, 6)], 1)
    return pk.FactorGraph(pk.Variables(x=pk.Categorical(6, states=3)), [pk.EdgeTables(pairs, table)])


def potts(weight):
    ids = np.arange(6).reshape(2, 3)
    return pk.FactorGraph(pk.Variables(x=pk.Categorical(6, states=3)), [pk.Potts(pk.lattice_pairs(ids), weight, 3)])


def lattice(weight):
    ids = np.arange(6).reshape(2, 3)
    return pk.FactorGraph(pk.Variables(x=pk.Binary(6)), [pk.Edges(pk.lattice_pairs(ids), weight)])


@pytest.mark.parametrize(
    ("make", "truth"),
    [(shared_transitions, np.array([[1.0, 0, -1], [-1, 1, 0], [0, -1, 1]])), (potts, 0.7), (lattice, -0.8)],
    ids=["EdgeTables", "Potts", "Edges"],
)
def test_what_is_given_once_is_learned_as_one_parameter(make, truth):
    start, data = make(0 * truth), exact_samples(make(truth), 3000)
    options = falling(0.15, 100) | {"batch_size": 500}
    by_score = pk.fit_pseudo_likelihood(KEY, start, data, **options).model
    by_samples = pk.fit(KEY, start, data, pk.Gibbs(), num_sweeps=5, **options).model
    for model in (by_score, by_samples):
        (learned,) = jax.tree.leaves(eqx.filter(model.factors, eqx.is_inexact_array))
        assert learned.shape == np.shape(truth)
        if learned.ndim:  # unaries take what rows and columns have in common
            learned = learned - learned.mean(0) - learned.mean(1, keepdims=True) + learned.mean()
        np.testing.assert_allclose(learned, truth, atol=0.1)


# Stopped and resumed


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


@pytest.mark.parametrize("through_a_file", [False, True], ids=["in memory", "saved"])
@pytest.mark.parametrize("run", RUNS)
def test_a_run_stopped_and_resumed_equals_the_run_not_stopped(run, through_a_file, tmp_path):
    make, options = RUNS[run]
    model, data = make()
    options = {"optimizer": optax.adam(0.05), "batch_size": 20, "num_chains": 15, "num_sweeps": 3, **options}
    whole = pk.fit(KEY, model, data, steps=7, **options)
    state = pk.fit(KEY, model, data, steps=4, **options).state
    if through_a_file:
        pk.save(tmp_path / "run.npz", state)
        state = tmp_path / "run.npz"
    rest = pk.fit(KEY, model, data, steps=7, resume=state, **options)
    leaves_equal(rest.state, whole.state)
    np.testing.assert_array_equal(rest.history["gap"], whole.history["gap"][4:])
    assert rest.state.step == 7


@pytest.mark.parametrize("run", RUNS)
def test_samples_drawn_side_by_side_are_those_of_one_core(run, monkeypatch):
    make, options = RUNS[run]
    model, data = make()
    options = {"optimizer": optax.adam(0.05), "batch_size": 20, "num_chains": 15, "num_sweeps": 3, **options}
    monkeypatch.setattr(chunks, "choose", lambda *arguments: 4)
    monkeypatch.setattr(chunks, "workers", lambda *arguments: 1)
    alone = pk.fit(KEY, model, data, steps=5, **options)
    monkeypatch.setattr(chunks, "workers", lambda *arguments: 2)
    begun = pk.fit(KEY, model, data, steps=2, **options)
    together = pk.fit(KEY, model, data, steps=5, resume=begun.state, **options)
    for one, other in zip(jax.tree.leaves(alone.state), jax.tree.leaves(together.state), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_pseudo_likelihood_resumes_too(tmp_path):
    model, data = of_ising()
    whole = pk.fit_pseudo_likelihood(KEY, model, data, steps=6)
    pk.save(tmp_path / "run.npz", pk.fit_pseudo_likelihood(KEY, model, data, steps=2).state)
    rest = pk.fit_pseudo_likelihood(KEY, model, data, steps=6, resume=tmp_path / "run.npz")
    leaves_equal(rest.state, whole.state)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sampler": pk.PMP(), "persistent": False}, "only in it"),  # the chains
        ({"num_chains": 4}, r"chains.*expected shape \(4, 1, 5\).*got \(5, 1, 5\)"),
        ({"optimizer": optax.sgd(0.1)}, "resume: expected a state of this run.*optimizer_state"),
        ({"steps": 2}, "steps: expected more than the 2 steps of the resumed state, got 2"),
        ({"model": small_rbm(), "data": {"v": np.zeros((4, 4), int)}}, "resume: expected the model RBM, got Ising"),
    ],
    ids=["sampler", "chains", "optimizer", "steps", "model"],
)
def test_a_state_of_another_run_is_refused(change, message):
    model, data = of_ising()
    options = {"sampler": pk.Gibbs(), "persistent": True, "num_chains": 5, "num_sweeps": 2, "data": data}
    state = pk.fit(KEY, model, steps=2, **options).state
    with pytest.raises(ValueError, match=message):
        pk.fit(KEY, **{"model": model, "steps": 4, **options, **change}, resume=state)


# Pseudo-likelihood


def mixed_graph():
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(2))
    rng = np.random.default_rng(1)
    factors = [
        pk.EdgeTables([[0, 1]], rng.normal(size=(1, 3, 3))),
        pk.EdgeTables([[1, 2], [0, 3]], rng.normal(size=(3, 2))),
    ]
    return pk.FactorGraph(variables, factors, rng.normal(size=(4, 3)))


@pytest.mark.parametrize("model", [ising(), mixed_graph(), small_rbm()], ids=["Ising", "mixed", "RBM"])
def test_pseudo_likelihood_is_that_of_the_joint_table(model):
    """p(x_i | others) from all joint probabilities, the definition written out."""
    variables = model.graph().variables
    every = {name: np.asarray(x) for name, x in pk.exact.states(variables).items()}
    p = np.asarray(pk.exact.probabilities(model), float).reshape(variables.cardinalities)
    total = np.zeros(p.shape)
    for axis in range(p.ndim):
        total += np.log(p / p.sum(axis=axis, keepdims=True))
    some = np.random.default_rng(0).choice(p.size, 5)  # averaged over all states, an error of sign would cancel
    rows = {name: x[some] for name, x in every.items()}
    assert pk.log_pseudo_likelihood(model, rows) == pytest.approx(total.reshape(-1)[some].mean(), rel=1e-5)


def test_pseudo_likelihood_finds_the_model():
    truth = ising(scale=0.7)
    data = exact_samples(truth, 20_000)
    start = pk.Ising(np.zeros((5, 5)), np.zeros(5))
    result = pk.fit_pseudo_likelihood(KEY, start, data, batch_size=2000, **falling(0.1, 200))
    np.testing.assert_allclose(result.model.weight, truth.weight, atol=0.2)
    np.testing.assert_allclose(result.model.bias, truth.bias, atol=0.2)
    np.testing.assert_array_equal(result.model.weight, result.model.weight.T)
    assert pk.log_pseudo_likelihood(result.model, data) >= pk.log_pseudo_likelihood(truth, data) - 1e-3


def test_pseudo_likelihood_learns_tables_of_any_size():
    truth = mixed_graph()
    data = exact_samples(truth, 20_000)
    start = jax.tree.map(lambda x: jnp.zeros_like(x) if jnp.issubdtype(x.dtype, jnp.floating) else x, truth)
    result = pk.fit_pseudo_likelihood(KEY, start, data, batch_size=2000, **falling(0.1, 150))
    divergence = pk.exact.kl(pk.exact.probabilities(truth), pk.exact.probabilities(result.model))
    assert float(pk.exact.kl(pk.exact.probabilities(truth), pk.exact.probabilities(start))) > 0.2
    assert float(divergence) < 0.005
