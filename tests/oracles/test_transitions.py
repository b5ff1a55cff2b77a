"""Exact transition matrices of the Markov chains, in float64, from the functions that the samplers themselves use.

pi P = pi for all; detailed balance where it holds: single draws, random scan, Gibbs-with-gradients, DMALA, exchanges.
Then each sampler's sweep is run from every state and its counts compared with the matrix (chi-square).
"""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracle import joint_states
from sampler_examples import FALSE_ALARM, chi_square_of_counts
from slow_parameters import some
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.run import clamped_unaries
from pmp_kit.samplers import colouring as blocks
from pmp_kit.samplers import gradients, langevin, random_scan
from pmp_kit.samplers.chain import everywhere, fields

KEY = jax.random.key(0)


def four_spins():
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(4, 4), scale=1.5)
    return pk.Ising(symmetric(weight), rng.normal(size=4))


def tiny_rbm():
    rng = np.random.default_rng(1)
    return pk.RBM(rng.normal(size=(2, 2), scale=2), rng.normal(size=2), rng.normal(size=2))


def tiny_potts():
    """Two variables with three states and one with two."""
    rng = np.random.default_rng(2)
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(1))
    tables = rng.normal(size=(3, 3), scale=2), rng.normal(size=(3, 2), scale=2)
    factors = [pk.EdgeTables([[0, 1]], tables[0]), pk.EdgeTables([[1, 2]], tables[1])]
    return pk.FactorGraph(variables, factors, {"x": rng.normal(size=(2, 3))})


def gates():
    """Two parents and their OR, which couples all three, and a count of both parents and a fourth variable."""
    rng = np.random.default_rng(3)
    factors = [pk.Or([0, 1], 2), pk.CountPotential([0, 1, 3], rng.normal(size=4, scale=2))]
    return pk.FactorGraph(pk.Variables(x=pk.Binary(4)), factors, {"x": rng.normal(size=4)})


def first_known(model):
    """Evidence on the first variable."""
    name = model.graph().variables.names[0]
    known = np.full(model.graph().variables[name].shape, pk.FREE)
    known[0] = 1
    return {name: known}


planes_of = jax.jit(planes.from_states, static_argnums=(1, 2))


class Setting:
    """A model with all its joint states as one batch; only those that can be are looked at."""

    def __init__(self, model, evidence=None):
        self.model, self.evidence, self.graph = model, evidence, model.graph()
        self.variables = self.graph.variables
        self.numbers = joint_states(self.variables.cardinalities).T
        self.states = self.planes_of(self.numbers)
        known = self.variables.evidence(evidence, self.numbers.shape[1])
        self.unaries = jax.jit(clamped_unaries)(self.graph, known.T)
        self.p = np.asarray(pk.exact.probabilities(model, evidence))
        self.inside = np.flatnonzero(self.p)

    def planes_of(self, numbers):
        """Planes of state numbers (n, M)."""
        return planes_of(numbers, self.variables.num_planes, jnp.float64)

    def replaced(self, at, new):
        """State numbers of all joint states (n, M), those of the variables `at` replaced."""
        numbers = self.numbers.copy()
        numbers[at] = np.reshape(new, (-1, 1))
        return numbers

    def index(self, numbers):
        return pk.exact.index_of(self.variables, self.variables.unflatten(np.asarray(numbers).T))

    def matrix(self):
        return np.zeros((self.p.size, self.p.size))

    def inner(self, matrix):
        """The matrix without the rows of states that cannot be, which mean nothing."""
        return np.where(self.p[:, None] > 0, matrix, 0)

    def stochastic(self, matrix):
        """Rows sum to one, and nothing leaves the evidence."""
        rows = matrix[self.inside]
        np.testing.assert_allclose(rows.sum(1), 1, rtol=1e-12)
        assert rows.min() > -1e-15
        assert not np.delete(rows, self.inside, axis=1).any()

    def stationary(self, matrix):
        """Of a stochastic matrix: pi P = pi."""
        self.stochastic(matrix)
        np.testing.assert_allclose(self.p[self.inside] @ matrix[self.inside], self.p, atol=1e-13)

    def reversible(self, matrix):
        """pi_x P(x, x') = pi_x' P(x', x)."""
        flow = self.p[self.inside, None] * matrix[np.ix_(self.inside, self.inside)]
        return np.allclose(flow, flow.T, rtol=1e-10, atol=1e-14)


SETTINGS = {
    "ising": Setting(four_spins()),
    "ising, clamped": Setting(four_spins(), first_known(four_spins())),
    "rbm": Setting(tiny_rbm()),
    "potts": Setting(tiny_potts()),
    "potts, clamped": Setting(tiny_potts(), first_known(tiny_potts())),
    "gates": Setting(gates()),
}
each_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


@jax.jit
def log_probability(field, states):
    return planes.log_probability(field, states)


def block_update(setting, at, field):
    """The matrix of drawing the variables `at` at once, each from the softmax of its field (planes, width, M)."""
    matrix, total = setting.matrix(), setting.p.size
    for new in np.unique(setting.numbers[at], axis=1).T:
        values = setting.planes_of(np.repeat(new[:, None], total, axis=1))
        chance = np.exp(log_probability(field, values))
        matrix[np.arange(total), setting.index(setting.replaced(at, new))] += chance
    return matrix


@jax.jit
def fields_of_block(graph, unaries, states, at):
    return graph.conditional(states, unaries, at, graph.locate(at))


def gibbs_blocks(setting, chosen):
    """The matrix of each block update of `Gibbs(blocks=chosen)`, in turn."""
    matrices = []
    for at in itertools.chain(*blocks.tables(blocks.normalise(chosen), setting.variables)):
        at = at[at < setting.variables.count]
        field = fields_of_block(setting.graph, setting.unaries, setting.states, at)
        matrices.append(block_update(setting, at, field))
    return matrices


@jax.jit
def fields_of_site(graph, unaries, states, i):
    """What random-scan Gibbs hears where every copy picked the same site."""
    where = graph.locate(jnp.arange(graph.variables.count, dtype=jnp.int32)[:, None])
    site = jnp.full(states.shape[-1], i, jnp.int32)
    return random_scan.fields_at(graph, unaries, states, site, where)[:, None]


def random_sites(setting):
    """The matrix of one draw of random-scan Gibbs."""
    count, total = setting.variables.count, setting.matrix()
    for i in range(count):
        field = fields_of_site(setting.graph, setting.unaries, setting.states, i)
        total += block_update(setting, np.array([i]), field) / count
    return setting.inner(total)


@jax.jit
def changes(graph, unaries, states):
    """Share of each change of Gibbs-with-gradients, and the log of the sum of their weights."""
    return gradients.proposal(fields(graph, unaries, states, everywhere(graph)), states)


@jax.jit
def changed(graph, unaries, states, row, variable):
    """State numbers after one change in every copy, and the chance that it is accepted."""
    there = jnp.full(states.shape[-1], row), jnp.full(states.shape[-1], variable)
    new = planes.change(states, *there)
    total, back = changes(graph, unaries, states)[1], changes(graph, unaries, new)[1]
    return planes.to_states(new), jnp.exp(jnp.minimum(0, gradients.log_acceptance(total, back)))


def gradient_proposals(setting):
    """The matrix of one proposal of Gibbs-with-gradients."""
    matrix, every = setting.matrix(), np.arange(setting.p.size)
    problem = setting.graph, setting.unaries, setting.states
    shares = np.asarray(changes(*problem)[0])
    for row, variable in np.ndindex(shares.shape[:2]):
        new, accept = map(np.asarray, changed(*problem, row, variable))
        possible = (shares[row, variable] > 0) & np.isfinite(shares[row, variable])
        chance = shares[row, variable][possible] / shares.sum((0, 1))[possible]
        matrix[every[possible], setting.index(new[:, possible])] += chance * accept[possible]
    return setting.inner(matrix + np.diag(1 - matrix.sum(1)))


@jax.jit
def langevin_row(sampler, graph, unaries, states, x):
    """Chance that DMALA proposes each joint state from number x, and that it accepts it."""
    there = sampler.outlook(graph, unaries, states, everywhere(graph))
    here, old = jax.tree.map(lambda a: jnp.broadcast_to(a[..., x, None], a.shape), (there, states))
    log_ratio = langevin.log_acceptance(here, there, old, states)
    return jnp.exp(planes.log_probability(here.proposal, states)), jnp.exp(jnp.minimum(0, log_ratio))


def langevin_proposals(setting, sampler):
    """The matrix of one proposal of DMALA."""
    matrix, allowed = setting.matrix(), np.isin(np.arange(setting.p.size), setting.inside)
    for x in setting.inside:
        chance, accept = map(np.asarray, langevin_row(sampler, setting.graph, setting.unaries, setting.states, x))
        matrix[x] = np.where(allowed, chance * accept, 0)
        matrix[x, x] += 1 - matrix[x].sum()
    return matrix


@each_setting
def test_single_gibbs_draws_are_reversible_and_their_composition_is_stationary(setting):
    matrices = gibbs_blocks(setting, None)
    for matrix in matrices:
        setting.stationary(matrix)
        assert setting.reversible(matrix)
    setting.stationary(np.linalg.multi_dot(matrices))
    assert not setting.reversible(np.linalg.multi_dot(matrices))


@pytest.mark.parametrize("name", ["rbm", "potts"])
def test_block_gibbs_draws_are_reversible_and_their_composition_is_stationary(name):
    setting = SETTINGS[name]
    matrices = gibbs_blocks(setting, ("h", "v") if name == "rbm" else pk.colours(setting.model))
    assert len(matrices) == 2
    for matrix in matrices:
        setting.stationary(matrix)
        assert setting.reversible(matrix)
    setting.stationary(matrices[0] @ matrices[1])
    assert not setting.reversible(matrices[0] @ matrices[1])


@each_setting
def test_random_scan_is_reversible(setting):
    matrix = random_sites(setting)
    setting.stationary(matrix)
    assert setting.reversible(matrix)


@each_setting
def test_gibbs_with_gradients_is_reversible(setting):
    matrix = gradient_proposals(setting)
    setting.stationary(matrix)
    assert setting.reversible(matrix)


@each_setting
@pytest.mark.parametrize("step_size", [0.1, 1.0, 10.0])
def test_metropolised_langevin_is_reversible(setting, step_size):
    matrix = langevin_proposals(setting, pk.DiscreteLangevin(step_size))
    setting.stationary(matrix)
    assert setting.reversible(matrix)


@pytest.mark.parametrize("temperatures", [(1.0, 2.0), (1.0, 5.0)])
def test_exchanges_are_reversible(temperatures):
    """On pairs of joint states (x, y), x from p and y from p^(1/T)."""
    setting = SETTINGS["potts"]
    sampler = pk.ParallelTempering(temperatures)
    score = np.log(setting.p)
    cold, hot = np.meshgrid(score, score, indexing="ij")
    swap = np.exp(np.minimum(0, sampler.log_acceptance(jnp.asarray([cold, hot]), 0)))
    weight = np.exp(cold + hot / temperatures[1])
    np.testing.assert_allclose(weight * swap, (weight * swap).T, rtol=1e-12)
    assert swap.min() < 0.9


SWEEPS = {
    "Gibbs": (lambda m: pk.Gibbs(), lambda s: np.linalg.multi_dot(gibbs_blocks(s, None))),
    "colours": (
        lambda m: pk.Gibbs(pk.colours(m)),
        lambda s: np.linalg.multi_dot([np.eye(s.p.size), *gibbs_blocks(s, pk.colours(s.model))]),
    ),
    "random scan": (
        lambda m: pk.RandomScanGibbs(),
        lambda s: np.linalg.matrix_power(random_sites(s), s.variables.count),
    ),
    "gradients": (
        lambda m: pk.GibbsWithGradients(),
        lambda s: np.linalg.matrix_power(gradient_proposals(s), s.variables.count),
    ),
    "Langevin": (
        lambda m: pk.DiscreteLangevin(1.0),
        lambda s: langevin_proposals(s, pk.DiscreteLangevin(1.0)),
    ),
}


@pytest.mark.parametrize("name", SWEEPS)
@pytest.mark.parametrize("where", some(["ising", "rbm", "potts, clamped", "gates"], {"ising", "potts, clamped"}))
def test_a_sweep_of_the_sampler_is_its_matrix(name, where):
    """Counts of one sweep from every state; a false alarm once in 10,000 for each state."""
    (make, matrix), setting = SWEEPS[name], SETTINGS[where]
    repeats = 2_000
    start = np.repeat(np.asarray(setting.states)[..., setting.inside], repeats, axis=-1)
    samples = pk.sample(
        KEY, setting.model, make(setting.model), num_samples=start.shape[-1], num_sweeps=1,
        evidence=setting.evidence, previous=jnp.asarray(np.moveaxis(start, -1, 0)),
    )  # fmt: skip
    ends = pk.exact.index_of(setting.variables, samples).reshape(-1, repeats)
    exact = matrix(setting)
    for x, row in zip(setting.inside, ends, strict=True):
        assert chi_square_of_counts(np.bincount(row, minlength=setting.p.size), exact[x]) > FALSE_ALARM
