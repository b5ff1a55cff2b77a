"""Chains of single updates: the kit's own samplers where they do as much, and few changes where they do less."""

import jax
import numpy as np
import pytest
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.course.experiments.graphs.single_updates import DenseGibbsWithGradients, FewGibbs


def dense(n=6):
    draw = np.random.default_rng(0)
    weight = draw.normal(size=(n, n))
    return pk.Ising(symmetric(weight), draw.normal(size=n))


def draw(sampler, sweeps, seed=1, **options):
    return pk.sample(jax.random.key(seed), dense(), sampler, num_samples=300, num_sweeps=sweeps, **options)


@pytest.mark.slow
def test_as_many_proposals_as_variables_are_gibbs_with_gradients():
    """The same noise, and fields that are updated instead of computed: the same states."""
    mine, kits = draw(DenseGibbsWithGradients(6), 5)["x"], draw(pk.GibbsWithGradients(), 5)["x"]
    assert (mine == kits).all(1).mean() > 0.99  # rounding may decide a proposal


@pytest.mark.parametrize("kind", [FewGibbs, DenseGibbsWithGradients])
def test_a_few_updates_change_few_variables(kind):
    before = draw(kind(2), 1)
    after = draw(kind(2), 1, seed=2, previous=before.chains)
    moved = (before["x"] != after["x"]).sum(1)
    assert moved.max() == 2
    assert moved.mean() > 0.2


def test_the_stationary_distribution_is_the_models():
    model = dense(4)
    samples = pk.sample(jax.random.key(0), model, DenseGibbsWithGradients(3), num_samples=4000, num_sweeps=40)
    assert pk.measures.divergence(model.graph(), samples) < 0.006  # 15 / 8000 on average
