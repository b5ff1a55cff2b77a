"""Samplers on hard constraints: no NaN, a way from impossible states to possible ones; chains that rest when done."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import CHAINS, EXAMPLES, FALSE_ALARM, each_slowly, small_ising
from scipy import stats

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.samplers import gradients, langevin
from pmp_kit.samplers.chain import everywhere

KEY = jax.random.key(0)


def three_of_ten(scale=0.0):
    unaries = scale * np.random.default_rng(0).normal(size=10)
    return pk.FactorGraph(pk.Variables(x=pk.Binary(10)), [pk.ExactlyK(np.arange(10), k=3)], {"x": unaries})


def forbidden_states():
    """States, pairs of states and a parity that are impossible; unequal numbers of states."""
    variables = pk.Variables(x=pk.Categorical(3, states=3), y=pk.Binary(2))
    table = np.array([[0.0, -np.inf, 1.0], [0.5, 0.0, -np.inf], [0.0, 0.3, 0.0]])
    unaries = {"x": np.array([[-np.inf, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, -np.inf, 0.0]])}
    factors = [pk.EdgeTables([[0, 1], [1, 2]], table), pk.Parity(variables["y"], odd=True)]
    return pk.FactorGraph(variables, factors, unaries)


@each_slowly(CHAINS)
@pytest.mark.parametrize("scale", [0.0, 1e6])
def test_chains_find_possible_states_at_any_scale(example, scale):
    model = three_of_ten(scale)
    samples = pk.sample(KEY, model, example.make(model), num_samples=200, num_sweeps=100)
    assert np.isfinite(pk.score(model, samples)).mean() > 0.98


def two_changes_away(states):
    """Two variables of which only the states (top, 1) and (top, top) are possible."""
    table = np.full((states, states), -np.inf)
    table[-1, 1:] = 0.0
    variables = pk.Variables(x=pk.Categorical(2, states=states) if states > 2 else pk.Binary(2))
    return pk.FactorGraph(variables, [pk.EdgeTables([[0, 1]], table)])


@pytest.mark.parametrize("states", [2, 3, 4])
@pytest.mark.parametrize("name", ["Gibbs", "random-scan Gibbs", "Gibbs-with-gradients", "discrete Langevin"])
def test_chains_cross_impossible_states_with_equally_many_violations(name, states):
    """From most of the states, no single change removes the violation."""
    model, (example,) = two_changes_away(states), [one for one in CHAINS if one.name == name]
    samples = pk.sample(KEY, model, example.make(model), num_samples=200, num_sweeps=300)
    assert np.isfinite(pk.score(model, samples)).mean() > 0.99


@pytest.mark.slow
@pytest.mark.parametrize("step_size", [0.2, 2.0])
def test_langevin_samples_the_possible_states(step_size):
    """Three of ten variables, none favoured: all 120 states alike."""
    model = three_of_ten()
    samples = pk.sample(KEY, model, pk.DiscreteLangevin(step_size), num_samples=3000, num_sweeps=200)
    possible = np.isfinite(pk.score(model, samples))
    assert possible.mean() > 0.99
    index = pk.exact.index_of(model.variables, {"x": samples["x"][possible]})
    counts = np.bincount(index, minlength=1024)[np.asarray(pk.exact.probabilities(model)) > 0]
    assert stats.chisquare(counts).pvalue > FALSE_ALARM


@each_slowly(CHAINS)
def test_forbidden_states_are_left_and_evidence_is_kept(example):
    model = forbidden_states()
    known = {"x": np.array([pk.FREE, 2, pk.FREE]), "y": np.array([1, pk.FREE])}
    samples = pk.sample(KEY, model, example.make(model), num_samples=100, num_sweeps=100, evidence=known)
    assert (samples["x"][:, 1] == 2).all()
    assert (samples["y"] == [1, 0]).all()
    assert np.isfinite(pk.score(model, samples)).all()


def every_state(model):
    """Unaries and planes of all joint states, and which are possible."""
    states = pk.exact.states(model.variables)
    flat = jnp.asarray(model.variables.flatten(states).T)
    states_of_each = planes.from_states(flat, model.variables.num_planes, model.unaries.dtype)
    unaries = jnp.broadcast_to(model.planes()[..., None], states_of_each.shape)
    return unaries, states_of_each, np.isfinite(np.asarray(pk.score(model, states)))


def test_langevin_accepts_every_possible_state_from_an_impossible_one():
    model, sampler = three_of_ten(1e3), pk.DiscreteLangevin()
    unaries, states, possible = every_state(model)
    outlook = jax.jit(sampler.outlook)(model, unaries, states, everywhere(model))
    for x in (int(np.flatnonzero(~possible)[0]), int(np.flatnonzero(~possible)[-1]), int(np.flatnonzero(possible)[0])):
        here = jax.tree.map(lambda leaf, x=x: jnp.broadcast_to(leaf[..., x, None], leaf.shape), outlook)
        start = jnp.broadcast_to(states[..., x, None], states.shape)
        ratio = np.asarray(langevin.log_acceptance(here, outlook, start, states))
        assert not np.isnan(ratio).any()
        wanted = np.inf if not possible[x] else -np.inf
        assert (ratio[possible if not possible[x] else ~possible] == wanted).all()


def test_gibbs_with_gradients_accepts_every_possible_state_from_an_impossible_one():
    model = three_of_ten(1e3)
    unaries, states, possible = every_state(model)
    _, _, shares, total = gradients.started(model, unaries, everywhere(model), states)
    assert np.isfinite(shares).all()
    assert np.isfinite(total).all()
    ratio = np.asarray(gradients.log_acceptance(total[:, None], total[None]))
    assert (ratio[np.ix_(~possible, possible)] > 0).all()


def test_exchanges_of_impossible_states_are_no_nan():
    sampler, model = pk.ParallelTempering((1.0, 2.0)), three_of_ten(1e3)
    unaries, states, possible = every_state(model)
    scores = pk.samplers.chain.log_weight(model, unaries, states)
    both = jnp.stack(jnp.broadcast_arrays(scores[:, None], scores[None]))  # cold, hot
    ratio = np.asarray(sampler.log_acceptance(both, 0))
    assert np.isfinite(ratio).all()
    assert (ratio[np.ix_(~possible, possible)] > 0).all()
    assert (ratio[np.ix_(possible, ~possible)] < -1e20).all()


@pytest.mark.slow
def test_chains_from_another_model_leave_forbidden_states():
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(1, states=3)), unaries=np.array([[0.0, 0.0, -np.inf]]))
    free = pk.FactorGraph(graph.variables, unaries=np.array([[0.0, 0.0, 50.0]]))
    before = pk.sample(KEY, free, pk.GibbsWithGradients(), num_samples=50, num_sweeps=5)
    assert (before["x"] == 2).all()
    after = pk.sample(KEY, graph, pk.GibbsWithGradients(), num_samples=50, num_sweeps=5, previous=before.chains)
    assert (after["x"] < 2).all()


# --- a sample that is done rests


def uneven_lattice():
    """Some samples finish in few sweeps, others late."""
    return pk.ising_lattice(6, coupling=0.25)


@pytest.mark.slow
def test_chains_depend_neither_on_chunks_nor_on_neighbours():
    model, sampler = uneven_lattice(), pk.PersistentPMP(0.9)
    runs = [pk.sample(KEY, model, sampler, num_samples=24, num_sweeps=300, chunk=chunk) for chunk in (1, 5, 24)]
    assert len(set(runs[0].sweeps.tolist())) > 3
    for run in runs[1:]:
        for one, other in zip(jax.tree.leaves(runs[0].chains), jax.tree.leaves(run.chains), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-6)


EARLY = {
    "tolerance": pk.PMP(tolerance=1e-2),
    "patience": pk.PMP(tolerance=0.0, patience=10),
    "sum-product": pk.PerturbAndMAP(pk.SumProduct(temperature=1.0, tolerance=0.1)),
}


@pytest.mark.parametrize("sampler", EARLY.values(), ids=EARLY)
def test_a_trace_of_a_sample_does_not_depend_on_the_others(sampler):
    """What is observed of a sample that is done stays as it is, whatever runs beside it."""
    seen = pk.trace(KEY, uneven_lattice(), sampler, num_sweeps=60, num_samples=12, observe=pk.observe.beliefs)
    alone = pk.trace(KEY, uneven_lattice(), sampler, num_sweeps=60, num_samples=1, observe=pk.observe.beliefs)
    np.testing.assert_allclose(seen.values["x"][:, :1], alone.values["x"], atol=1e-5)
    used = pk.sample(KEY, uneven_lattice(), sampler, num_samples=12, num_sweeps=60).sweeps
    assert used.min() < 50
    for s in np.flatnonzero(used < 60):
        rest = seen.values["x"][used[s] + 1 :, s]
        assert (rest == rest[0]).all()


# --- chains that go on


@pytest.mark.slow
def test_proofs_of_one_call_are_not_kept_for_the_next():
    """Evidence makes messages infinite; with other evidence they would be wrong for ever."""
    graph, sampler = pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.ExactlyOne([0, 1, 2, 3])]), pk.PersistentPMP()
    options = {"num_samples": 40, "num_sweeps": 100}
    first = pk.sample(KEY, graph, sampler, evidence={"x": [1, pk.FREE, pk.FREE, pk.FREE]}, **options)
    assert (first["x"] == [1, 0, 0, 0]).all()
    other = {"x": [0, pk.FREE, pk.FREE, pk.FREE]}
    then = pk.sample(KEY, graph, sampler, evidence=other, previous=first.chains, **options)
    assert np.isfinite(pk.score(graph, then)).all()
    assert (then["x"].sum(0)[1:] > 0).all()


@each_slowly(EXAMPLES)
def test_only_samplers_with_chains_take_previous(example):
    model = small_ising()
    sampler = example.make(model)
    chains = pk.sample(KEY, model, sampler, num_samples=3, num_sweeps=2).chains
    assert (chains is None) == (not sampler.is_markov_chain)
    if not sampler.is_markov_chain:
        with pytest.raises(ValueError, match=r"previous: expected a sampler that continues.*PersistentPMP"):
            pk.sample(KEY, model, sampler, num_samples=3, num_sweeps=2, previous=np.zeros((3, 1, 6)))


def test_chains_of_another_graph_on_the_same_variables_are_refused():
    variables = pk.Variables(x=pk.Binary(4))
    graphs = [pk.FactorGraph(variables, [pk.Edges(pairs, 1.0)]) for pairs in ([[0, 1]], [[0, 1], [1, 2]])]
    chains = pk.sample(KEY, graphs[0], pk.PersistentPMP(), num_samples=3, num_sweeps=2).chains
    with pytest.raises(ValueError, match=r"previous: expected the \.chains of the same sampler"):
        pk.sample(KEY, graphs[1], pk.PersistentPMP(), num_samples=3, num_sweeps=2, previous=chains)


@pytest.mark.parametrize("observe", [pk.observe.beliefs, pk.observe.residual, pk.observe.messages])
def test_messages_of_pairs_are_not_shown_as_those_of_factors(observe):
    sampler = pk.PerturbAndMAP(pk.MPLP())
    with pytest.raises(ValueError, match="observe: expected a sampler that passes messages"):
        pk.trace(KEY, small_ising(), sampler, num_sweeps=2, observe=observe)
