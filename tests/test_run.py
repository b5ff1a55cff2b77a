"""The loop with checks between several sweeps gives the results of a loop that makes one sweep after another."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some
from small_models import ising, small_rbm

import pmp_kit as pk
from pmp_kit.samplers import PersistentPMP, PerturbAndMAP
from pmp_kit.solvers import MaxProduct, Polished


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


@pytest.mark.parametrize("num_sweeps", [0, 5, 11, 40])
@pytest.mark.parametrize("pair", some(itertools.product(SAMPLERS, GRAPHS), QUICK, name="-".join))
def test_sweeps_between_checks_give_the_samples_of_single_sweeps(pair, num_sweeps):
    (sampler, name), key = pair, jax.random.key(5)
    graph = GRAPHS[name]()
    samplers = [SAMPLERS[sampler](solver(damping=0.5, tolerance=1e-3)) for solver in (MaxProduct, OneByOne)]
    both = [pk.sample(key, graph, sampler, num_samples=7, num_sweeps=num_sweeps) for sampler in samplers]
    np.testing.assert_array_equal(*(drawn[next(iter(drawn))] for drawn in both))
    if num_sweeps == 40 and name != "constraints":
        assert len(set(both[0].sweeps.tolist())) > 1, "the samples should stop after different sweeps"


class Silent(MaxProduct):
    """MaxProduct whose messages are zero after each sweep."""

    def sweep(self, graph, unaries, state):
        state = super().sweep(graph, unaries, state)
        return state._replace(messages=jax.tree.map(jnp.zeros_like, state.messages))


class Frozen(PerturbAndMAP):
    """Perturb-and-MAP whose sweeps change nothing."""

    def sweep(self, keys, graph, unaries, state):
        return state


@pytest.mark.slow
def test_a_subclass_with_other_sweeps_makes_these():
    """Its messages say nothing, so unaries decide. The loop of MaxProduct left the other sweeps out."""
    model = pk.Ising(np.array([[0.0, 3.0], [3.0, 0.0]]), np.array([-1.0, -1.0]))
    solver = Silent(keep_best=False, tolerance=0.0)
    assert pk.solve(model, solver, num_sweeps=20).states["x"].tolist() == [0, 0]
    plain = MaxProduct(keep_best=False, tolerance=0.0)
    for sampler in (PerturbAndMAP(solver), pk.PersistentPMP(0.5, solver), Frozen(pk.Portfolio(plain))):
        how = {"num_samples": 8, "num_sweeps": 20}
        drawn = pk.sample(jax.random.key(0), model, sampler, **how)["x"]
        traced = pk.trace(jax.random.key(0), model, sampler, **how).values["x"][-1]
        np.testing.assert_array_equal(drawn, traced)
