"""The loop with checks between several sweeps gives the results of a loop that makes one sweep after another."""

import itertools
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some
from small_models import ising, small_rbm

import pmp_kit as pk
from pmp_kit.run import iterate
from pmp_kit.samplers import PersistentPMP, PerturbAndMAP
from pmp_kit.solvers import MaxProduct, Polished
from pmp_kit.solvers.max_product import CHECK_EVERY


class OneByOne(MaxProduct):
    """MaxProduct that checks what it has reached within each sweep."""

    inspect = None

    def sweep(self, graph, unaries, state):
        return super().sweep(graph, unaries, MaxProduct.inspect(self, graph, unaries, state))


GRAPHS = {
    "pairs": lambda: pk.ising_lattice(4, coupling=-0.5),
    "dense": lambda: ising(6).graph(),
    "bipartite": lambda: small_rbm().graph(),
    "constraints": lambda: pk.FactorGraph(pk.Variables(x=pk.Binary(6)), [pk.ExactlyOne([[0, 1, 2, 3], [2, 3, 4, 5]])]),
}
SAMPLERS = {
    "PMP": PerturbAndMAP,
    "polished": lambda solver: PerturbAndMAP(Polished(solver)),
    "persistent": lambda solver: PersistentPMP(0.9, solver),
}
QUICK = [*(f"PMP-{name}" for name in GRAPHS), "polished-pairs", "persistent-pairs"]
SETTINGS = {
    "stops": {"damping": 0.5, "tolerance": 1e-3},
    "patient": {"damping": 0.2, "tolerance": 0.0, "patience": 7},
    "no checks": {"damping": 0.2, "keep_best": False, "tolerance": 0.0},
}


@pytest.mark.parametrize("num_sweeps", [0, 1, 2, 5, 6, 11, 40])
@pytest.mark.parametrize("pair", some(itertools.product(SAMPLERS, GRAPHS), QUICK, name="-".join))
def test_sweeps_between_checks_give_the_samples_of_single_sweeps(pair, num_sweeps):
    (sampler, name), key = pair, jax.random.key(5)
    graph = GRAPHS[name]()
    samplers = [SAMPLERS[sampler](solver(**SETTINGS["stops"])) for solver in (MaxProduct, OneByOne)]
    both = [pk.sample(key, graph, sampler, num_samples=7, num_sweeps=num_sweeps) for sampler in samplers]
    np.testing.assert_array_equal(*(drawn[next(iter(drawn))] for drawn in both))
    if num_sweeps == 40 and name != "constraints":
        assert len(set(both[0].sweeps.tolist())) > 1, "the samples should stop after different sweeps"


@pytest.mark.parametrize("num_sweeps", [4, 11, 40])
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_a_solution_has_the_same_states_and_score(settings, num_sweeps):
    model = ising(6)
    both = [pk.solve(model, solver(**settings), num_sweeps=num_sweeps) for solver in (MaxProduct, OneByOne)]
    jax.tree.map(np.testing.assert_array_equal, *(found._replace(sweeps=0) for found in both))


class Going:
    """A part that is done after some sweeps; the state counts the sweeps."""

    workload = "messages"

    def __init__(self, *after, inspect):
        self.after, self.inspect = jnp.array(after), inspect

    def done(self, state):
        return state[0] >= self.after


@pytest.mark.parametrize("in_pairs", [False, True])
@pytest.mark.parametrize("num_sweeps", range(15))
def test_checks_come_before_every_few_sweeps(num_sweeps, in_pairs):
    """The state: the number of sweeps, and how many checks have come before each sweep."""

    def sweep(number, state):
        made, checks, current = state
        return made + 1, checks.at[number].set(current), current

    def inspect(graph, unaries, state):
        return *state[:2], state[2] + 1

    part, graph = Going(99, 99, inspect=inspect), types.SimpleNamespace(needs_two_buffers=in_pairs)
    start = jnp.int32(0), jnp.full(20, -1), jnp.int32(0)
    (made, checks, _), used = iterate(part, sweep, graph, None, start, 0, num_sweeps)
    assert made == num_sweeps
    assert used.tolist() == [num_sweeps] * 2
    assert checks[:num_sweeps].tolist() == [1 + number // CHECK_EVERY for number in range(num_sweeps)]
    for first in range(0, num_sweeps, 4):
        span = first, min(first + 4, num_sweeps)
        start, used = iterate(part, sweep, graph, None, start, *span)
        assert used.tolist() == [span[1] - span[0]] * 2
    assert start[0] == num_sweeps


def test_the_loop_ends_when_all_are_done():
    add = lambda number, state: (state[0] + 1,)  # noqa: E731
    start, graph = (jnp.int32(0),), types.SimpleNamespace(needs_two_buffers=True)
    for inspect, made, each in (None, 5, [3, 5]), (lambda graph, unaries, state: state, 6, [6, 6]):
        (state,), used = iterate(Going(3, 5, inspect=inspect), add, graph, None, start, 0, 100)
        assert state == made
        assert used.tolist() == each


class Silent(MaxProduct):
    """MaxProduct whose messages are zero after each sweep."""

    def sweep(self, graph, unaries, state):
        state = super().sweep(graph, unaries, state)
        return state._replace(messages=jax.tree.map(jnp.zeros_like, state.messages))


class Frozen(PerturbAndMAP):
    """Perturb-and-MAP whose sweeps change nothing."""

    def sweep(self, keys, graph, unaries, state):
        return state


class FrozenPersistent(pk.PersistentPMP):
    """Persistent PMP whose sweeps change nothing."""

    def sweep(self, keys, graph, unaries, state):
        return state


class FrozenPolished(pk.Polished):
    """A polished solver whose sweeps change nothing."""

    def sweep(self, graph, unaries, state):
        return state


def test_a_subclass_with_other_sweeps_makes_these():
    """Its messages say nothing, so unaries decide. The loop of MaxProduct left the other sweeps out."""
    model = pk.Ising(np.array([[0.0, 3.0], [3.0, 0.0]]), np.array([-1.0, -1.0]))
    solver = Silent(keep_best=False, tolerance=0.0)
    assert pk.solve(model, solver, num_sweeps=20).states["x"].tolist() == [0, 0]
    plain = MaxProduct(keep_best=False, tolerance=0.0)
    frozen = Frozen(pk.Portfolio(plain)), FrozenPersistent(0.5, plain), PerturbAndMAP(FrozenPolished(plain))
    for sampler in (PerturbAndMAP(solver), pk.PersistentPMP(0.5, solver), *frozen):
        how = {"num_samples": 8, "num_sweeps": 20}
        drawn = pk.sample(jax.random.key(0), model, sampler, **how)["x"]
        traced = pk.trace(jax.random.key(0), model, sampler, **how).values["x"][-1]
        np.testing.assert_array_equal(drawn, traced)
