"""The losses of samples: perturbed scores against exact maximisation, violated constraints, moments of a reference."""

import jax
import numpy as np
import pytest
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.tuning.quality import Moments, PerturbedScores

KEY = jax.random.key(4)
NUMBER = 12


def model():
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(6, 6))
    return pk.Ising(symmetric(weight), rng.normal(size=6)).graph()


def drawn(graph, sampler, num_sweeps=20, number=NUMBER, evidence=None):
    return pk.sample(KEY, graph, sampler, num_samples=number, num_sweeps=num_sweeps, evidence=evidence)


def scores(graph, evidence=None):
    known = graph.variables.evidence(evidence, NUMBER)
    return PerturbedScores(KEY, graph, pk.PMP(), known)


def free(graph):
    return graph.variables.evidence(None, NUMBER)


@pytest.mark.parametrize("evidence", [None, {"x": np.array([1, 0, *[pk.FREE] * 4])}], ids=["free", "evidence"])
def test_exact_maximisation_has_the_best_perturbed_scores(evidence):
    """With other noise, or without evidence, some sample of PMP would be better than the exact one."""
    graph = model()
    quality = scores(graph, evidence)
    exact = quality.measure(drawn(graph, pk.PerturbAndMAP(pk.Exhaustive()), 0, evidence=evidence))
    for sweeps in (1, 3, 50):
        found = quality.measure(drawn(graph, pk.PMP(), sweeps, evidence=evidence))
        assert (exact[0] >= found[0] - 1e-4).all()
    other = quality.measure({"x": np.roll(drawn(graph, pk.PerturbAndMAP(pk.Exhaustive()), 0)["x"], 1, axis=0)})
    assert (other[0] < exact[0] - 1e-3).any()


def test_the_error_of_the_loss_falls_with_the_number_of_samples():
    """A loss of 0 or of 1 in every other sample has the standard error 1/2 / sqrt(S), in units of the mean worst."""
    quality = PerturbedScores.__new__(PerturbedScores)
    for number in (4, 100):
        found = np.zeros((2, 2, number))
        found[0, 0, ::2] = -1.0
        (losses,) = quality.losses([found])
        assert losses.mean == pytest.approx([1.0, 0.0])
        assert losses.error == pytest.approx([1.0 / np.sqrt(number), 0.0])


def test_a_violated_constraint_is_worse_than_any_score():
    quality = PerturbedScores.__new__(PerturbedScores)
    found = np.array([[[10.0, 9.0], [1, 1]], [[0.0, 0.0], [0, 0]], [[5.0, 5.0], [0, 1]]])
    (losses,) = quality.losses([found])
    assert losses.mean[0] > losses.mean[2] > losses.mean[1] >= 0


def test_moments_of_the_reference_itself_have_no_loss():
    graph = model()
    states = drawn(graph, pk.Gibbs(), number=40)
    quality = Moments(graph, states, free(graph))
    same, other = quality.measure(states), quality.measure({"x": 1 - states["x"]})
    (losses,) = quality.losses([np.stack([other, same])])
    assert losses.mean == pytest.approx([1.0, 0.0], abs=1e-5)
    assert losses.error[0] > 0
    (none,) = quality.losses([np.stack([same, same])])
    assert none.mean == pytest.approx([0.0, 0.0], abs=1e-5)  # rounding is not the unit


def test_a_weight_of_many_pairs_does_not_outweigh_the_other_moments():
    """Its moment is a sum over all pairs. Mirrored samples, whose sum is right, are worse than four wrong spins."""
    variables = pk.Variables(x=pk.Binary(6, 6))
    edges = pk.Edges(pk.lattice_pairs(variables["x"]), 0.2)
    graph = pk.FactorGraph(variables, [edges], {"x": np.linspace(-1, 1, 36).reshape(6, 6)})
    reference = drawn(graph, pk.Gibbs(), number=400)
    quality = Moments(graph, reference, graph.variables.evidence(None, 400))
    moved = {"x": reference["x"][:, ::-1, ::-1]}  # the same pairs are equal, at other places
    flipped = reference["x"].copy()
    flipped[:, :2, :2] = 1
    (losses,) = quality.losses([np.stack([quality.measure(moved), quality.measure({"x": flipped})])])
    assert losses.mean[1] < 0.9
