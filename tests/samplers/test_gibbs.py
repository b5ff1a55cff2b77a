"""Gibbs sampling: blocks of unequal sizes, and large scores that cancel."""

import math
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import FALSE_ALARM, chi_square
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.samplers.colouring import tables

KEY = jax.random.key(0)


def semi_restricted(visible, hidden):
    """An RBM with pairs of hidden variables, and its blocks: one hidden variable each, and the visible ones."""
    draw = np.random.default_rng(0)
    variables = pk.Variables(v=pk.Binary(visible), h=pk.Binary(hidden))
    pairs = pk.Bipartite(variables["v"], variables["h"], draw.normal(size=(visible, hidden)) / 2)
    graph = pk.FactorGraph(
        variables, [pairs, pk.DensePairwise(variables["h"], symmetric(draw.normal(size=(hidden, hidden))))]
    )
    return graph, (*variables["h"][:, None], "v")


@pytest.mark.parametrize("restricted", [True, False])
def test_no_array_of_a_sweep_is_larger_than_the_weights(restricted):
    graph, blocks = semi_restricted(600, 20)
    graph, blocks = (pk.rbm(KEY, 600, 20).graph(), ("h", "v")) if restricted else (graph, blocks)
    sampler, unaries = pk.Gibbs(blocks), jnp.broadcast_to(graph.planes()[..., None], (1, 620, 2))
    program = jax.jit(sampler.sweep).lower(jax.random.split(KEY), graph, unaries, jnp.zeros_like(unaries)).as_text()
    shapes = [tuple(map(int, shape.split("x"))) for shape in re.findall(r"tensor<([0-9x]+)x", program)]
    assert max(map(math.prod, shapes)) == 600 * 20  # the weights


def test_blocks_of_unequal_sizes_have_exact_samples_and_keep_evidence():
    graph, blocks = semi_restricted(6, 3)
    sampler = pk.Gibbs(blocks)
    assert [table.shape for table in tables(sampler.blocks, graph.variables)] == [(3, 1), (1, 6)]
    for evidence in (None, {"v": np.array([1, 0, *[pk.FREE] * 4]), "h": np.array([pk.FREE, 1, pk.FREE])}):
        samples = pk.sample(KEY, graph, sampler, num_samples=4000, num_sweeps=30, evidence=evidence)
        assert chi_square(graph, samples, evidence) > FALSE_ALARM


@pytest.mark.parametrize("sampler", [pk.Gibbs(), pk.RandomScanGibbs()], ids=lambda sampler: type(sampler).__name__)
def test_the_noise_is_not_lost_in_large_scores_that_cancel(sampler):
    """(1, 1) and (1, 0) have the same score, and (0, 0) a far higher one, so a few sweeps lead there."""
    huge = 1e10
    pair = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], huge)], {"x": [-huge, -huge]})
    samples = pk.sample(KEY, pair, sampler, num_samples=500, num_sweeps=30)["x"]
    assert not samples.any()
