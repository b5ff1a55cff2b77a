"""Exact, independent samples of chains and trees: filter towards the root, then sample from the root to the leaves."""

from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import planes
from ..engine.chunks import Workload
from ..noise import open_uniform
from ..solvers.pairs import pair_arrays, pair_model
from ..solvers.tree_pass import Tree, tree_of, two_passes
from .base import AbstractSampler, View, draw_each


class ForwardBackward(AbstractSampler):
    """Exact sampling from p(x) on a forest of pairs with any number of states; tables may contain -inf.

    On a chain this is forward filtering, backward sampling. Let s_i(x_i) be the log-sum over the subtree of variable i:

        s_i(x_i) = u_i(x_i) + sum over children j of log sum_{x_j} exp[theta_ij(x_i, x_j) + s_j(x_j)]
        x_root ~ softmax s_root,   then from the root to the leaves   x_j ~ softmax [theta_ij(x_i, .) + s_j]

    Every sample is an independent draw from exactly p(x), given the evidence. Perturb-and-MAP with an exact solver such
    as `TreePass` samples from a different distribution, whose marginals on a hidden Markov model can be wrong by 0.2.
    Models with loops raise ValueError. If no configuration is possible, each variable gets the maximiser of its
    unaries, so the sample still agrees with the evidence. The sampler needs no sweeps. Cost: C^2 n for each sample, in
    64-bit precision on the host.
    """

    workload: ClassVar[Workload] = "host"
    is_markov_chain: ClassVar[bool] = False

    def check(self, graph):
        forest(*pair_arrays(graph), graph.variables.count)

    def init(self, keys, graph, unaries, previous):
        uniform = draw_each(open_uniform, keys, unaries.shape[1:2], unaries.dtype)
        shape = jax.ShapeDtypeStruct(uniform.shape, jnp.int32)
        states = jax.pure_callback(draw, shape, *pair_model(graph, unaries), uniform, vmap_method="sequential")
        return planes.from_states(states, unaries.shape[0], unaries.dtype)

    def sweep(self, keys, graph, unaries, state):
        return state

    def done(self, state):
        return jnp.ones(state.shape[2:], bool)

    def view(self, graph, unaries, state):
        return View(graph, unaries, state, None)


def forest(pairs: np.ndarray, tables: np.ndarray, size: int) -> Tree:
    """Return the forest of pairs (E, 2). Raise ValueError if they have a loop."""
    return tree_of(pairs, tables, size, "ForwardBackward", "Gibbs(), or PMP() for approximate samples")


def draw(pairs, tables, scores, uniform) -> np.ndarray:
    """Return sampled states (n, batch) for uniform random numbers (n, batch). This is the host callback in NumPy."""
    pairs, tables, scores = np.asarray(pairs), np.asarray(tables), np.asarray(scores, np.float64)
    uniform = np.asarray(uniform, np.float64)
    tree = forest(pairs, tables, scores.shape[1])
    choose = lambda given, child: inverted(given, uniform[child])  # noqa: E731
    return two_passes(tree, scores, np.logaddexp.reduce, choose).astype(np.int32)


def inverted(scores: np.ndarray, uniform: np.ndarray) -> np.ndarray:
    """Return draws from the softmax of scores (C, batch) by the inverse of its cumulative distribution."""
    top = scores.max(0)
    summed = np.exp(scores - np.where(np.isneginf(top), 0.0, top)).cumsum(0)
    return (summed[:-1] <= uniform * summed[-1]).sum(0)  # a state of probability zero is never drawn
