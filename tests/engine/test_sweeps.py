"""The loop with checks between several sweeps gives the results of a loop that makes one sweep after another."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some
from small_models import ising, small_rbm

import pmp_kit as pk
from pmp_kit.engine.sweeps import Span, all_of, with_checks
from pmp_kit.samplers import PersistentPMP, PerturbAndMAP
from pmp_kit.solvers import MaxProduct, Polished
from pmp_kit.solvers.base import AbstractSolver


class OneByOne(MaxProduct):
    """MaxProduct in the loop of all other solvers, which calls `sweep`."""

    def run(self, graph, unaries, state, span):
        answer, after, _ = AbstractSolver.run(self, graph, unaries, state, span)
        return answer, after, after.sweeps - state.sweeps


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
    jax.tree.map(np.testing.assert_array_equal, *both)
    if num_sweeps == 40 and name != "constraints":
        assert len(set(np.asarray(both[0].sweeps).tolist())) > 1, "the samples should stop after different sweeps"


@pytest.mark.parametrize("num_sweeps", [4, 11, 40])
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_a_solution_has_the_same_states_score_and_sweeps(settings, num_sweeps):
    model = ising(6)
    both = [pk.solve(model, solver(**settings), num_sweeps=num_sweeps) for solver in (MaxProduct, OneByOne)]
    jax.tree.map(np.testing.assert_array_equal, *both)


@pytest.mark.parametrize("in_pairs", [False, True])
@pytest.mark.parametrize("num_sweeps", range(12))
def test_checks_come_before_every_few_sweeps_and_at_the_end(num_sweeps, in_pairs):
    """A state of two lists of 20 places: the numbers of the sweeps in order, and the sweeps before each check."""

    def put(place, values, number):
        return values.at[place].set(number), place + 1

    def sweep(t, state):
        sweeps, at, checks, checked = state
        return *put(at, sweeps, t), checks, checked

    def check(t, state):
        sweeps, at, checks, checked = state
        return sweeps, at, *put(checked, checks, t)

    nothing = jnp.full(20, -1), jnp.int32(0)
    going = lambda state: jnp.zeros(3, bool)  # noqa: E731
    sweeps, at, checks, checked = with_checks(sweep, check, going, nothing * 2, all_of(num_sweeps), 4, in_pairs)
    assert sweeps[:at].tolist() == list(range(num_sweeps))
    assert checks[:checked].tolist() == sorted({*range(0, num_sweeps, 4), num_sweeps})
    state = nothing * 2
    some = lambda t, state: check(t, state) if t % 4 == 0 or t == num_sweeps else state  # noqa: E731
    with jax.disable_jit():
        for first in range(0, max(num_sweeps, 1), 5):
            span = Span(first, min(first + 5, num_sweeps), num_sweeps)
            state = with_checks(sweep, some, going, state, span, 4, in_pairs)
    jax.tree.map(np.testing.assert_array_equal, state, (sweeps, at, checks, checked))


def test_the_loop_ends_at_the_check_that_finds_all_done():
    done = lambda state: jnp.stack([state >= 4, state >= 6])  # noqa: E731
    add = lambda t, state: state + 1  # noqa: E731
    assert with_checks(add, lambda t, state: state, done, jnp.int32(0), all_of(100), 4, True) == 8


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
