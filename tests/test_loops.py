"""The loop with two sweeps in one iteration gives the results of the loop with one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from small_models import ising, small_rbm

import pmp_kit as pk
from pmp_kit import loops
from pmp_kit.samplers import PersistentPMP, PerturbAndMAP
from pmp_kit.solvers import MaxProduct, Polished


class OneByOne(MaxProduct):
    """MaxProduct with one sweep in each iteration of the loop."""

    def in_pairs(self, graph):
        return False


GRAPHS = {
    "pairs": lambda: pk.ising_lattice(4, coupling=-0.5),
    "dense": lambda: ising(6).graph(),
    "bipartite": lambda: small_rbm().graph(),
}
SAMPLERS = {
    "PMP": PerturbAndMAP,
    "polished": lambda solver: PerturbAndMAP(Polished(solver)),
    "persistent": lambda solver: PersistentPMP(0.9, solver),
}


@pytest.mark.parametrize("num_sweeps", [0, 1, 2, 5, 6, 11, 40])
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("make", SAMPLERS.values(), ids=SAMPLERS)
def test_pairs_of_sweeps_give_the_samples_of_single_sweeps(make, name, num_sweeps):
    graph, key = GRAPHS[name](), jax.random.key(5)
    settings = {"damping": 0.2, "tolerance": 1e-3}
    samplers = [make(solver(**settings)) for solver in (MaxProduct, OneByOne)]
    assert [sampler.in_pairs(graph) for sampler in samplers] == [True, False]
    both = [pk.sample(key, graph, sampler, num_samples=7, num_sweeps=num_sweeps) for sampler in samplers]
    jax.tree.map(np.testing.assert_array_equal, *both)
    if num_sweeps == 40:
        assert len(set(np.asarray(both[0].sweeps).tolist())) > 1, "the samples should stop after different sweeps"


@pytest.mark.parametrize("name", GRAPHS)
def test_a_sweep_with_go_false_changes_nothing(name):
    graph, solver = GRAPHS[name](), MaxProduct()
    unaries = loops.clamped_unaries(graph, jnp.full((graph.variables.count, 3), pk.FREE))
    state = solver.init(graph, unaries)
    for _ in range(5):  # a sixth sweep begins with a check of the decoded states
        state = solver.sweep(graph, unaries, state)
    still = solver.sweep(graph, unaries, state, jnp.bool_(False))
    moved = solver.sweep(graph, unaries, state, jnp.bool_(True))
    jax.tree.map(np.testing.assert_array_equal, still, state)
    assert not np.array_equal(moved.best_score, state.best_score)
