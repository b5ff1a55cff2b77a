"""Linked equations: every term has code, and the code computes what the library computes."""

import re

import jax
import numpy as np
import pytest
from explorers import ring_images

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.linked import Equation, Term, equations, listings

READY = {
    "message": (equations.MESSAGE, listings.message),
    "noise": (equations.PERTURB_AND_MAP, listings.perturb_and_map),
    "sampler": (equations.ALGORITHM_1, listings.pmp),
    "gradient": (equations.MOMENT_GRADIENT, listings.moment_gradient),
}
EXPLORERS = {
    "message": lambda: explore.MessageScope(),
    "noise": lambda: explore.PerturbationLab(),
    "sampler": lambda: explore.OneSample(),
    "gradient": lambda: explore.TrainingCamera(images=ring_images(), sweeps=5),
}


@pytest.fixture(params=READY)
def linked(request) -> explore.Linked:
    return explore.Linked(*READY[request.param])


def test_every_term_has_lines_and_every_line_has_a_term(linked):
    """All lines but the head of the function; the last line may only return what is named before."""
    covered = {number for term in linked.equation.terms.values() for number in term.lines}
    free = set(range(1, len(linked.lines) + 1)) - covered - {1}
    assert all(re.match(r" *(return [\w, ]+|np\.fill_diagonal.*|new = .*)$", linked.lines[k - 1]) for k in free)


@pytest.mark.parametrize("name", READY)
def test_the_picture_has_the_parts_of_the_equation(name):
    explorer = EXPLORERS[name]()
    explore.Linked(*READY[name], explorer)


def test_message_listing_is_an_update_of_the_library():
    draw = np.random.default_rng(0)
    coupling = np.triu(draw.normal(0, 1, (3, 3)), 1)
    weight, bias, _ = pk.spins_to_binary(coupling + coupling.T, draw.normal(0, 1, 3))
    triangle = pk.Ising(weight, bias)
    still = pk.PMP(damping=0.0, keep_best=False, tolerance=0.0, noise=pk.Gumbel(0.0))

    def observe(view):
        return view.graph.factors[0].matrix(view.messages[0])

    history = pk.trace(jax.random.key(0), triangle, still, num_sweeps=3, observe=observe)
    old, new = np.asarray(history.values)[1:3, 0].swapaxes(1, 2)  # [from, to]
    weight, bias = np.asarray(triangle.weight), np.asarray(triangle.bias)
    ours = [[0.0 if i == j else listings.message(i, j, bias, weight, old) for j in range(3)] for i in range(3)]
    np.testing.assert_allclose(ours, new * (1 - np.eye(3)), atol=1e-5)
    assert np.abs(new - old).max() > 0.1


def glass() -> pk.Ising:
    """A spin glass of eight variables."""
    draw = np.random.default_rng(1)
    coupling = np.triu(draw.normal(0, 0.5, (8, 8)), 1)
    return pk.Ising(*pk.spins_to_binary(coupling + coupling.T, draw.normal(0, 0.2, 8))[:2])


def test_perturb_and_map_listing_draws_the_samples_of_the_library():
    model, key = glass(), jax.random.key(3)
    states = np.asarray(pk.exact.states(model.graph().variables)["x"])
    score = np.asarray(pk.score(model, {"x": states}))
    perturbed = pk.trace(key, model, pk.PMP(), num_samples=50, num_sweeps=1, observe=lambda view: view.unaries[0])
    log_odds = np.asarray(perturbed.values)[0] - np.asarray(model.bias)
    samples, _ = listings.perturb_and_map(score, states, np.stack([0 * log_odds, log_odds], axis=-1))
    library = pk.sample(key, model, pk.PerturbAndMAP(pk.Exhaustive()), num_samples=50, num_sweeps=1)["x"]
    assert (samples == library).all()

    noise = np.asarray(pk.Gumbel().draw(jax.random.key(4), (2_000, 8, 2)))
    _, bound = listings.perturb_and_map(score, states, noise)
    assert 0.05 < bound - float(pk.exact.log_partition(model)) < 3


def test_pmp_listing_draws_the_samples_of_the_library():
    model, key = glass(), jax.random.key(5)
    sampler = pk.PMP(**pk.paper_settings(damping=0.25))

    def observe(view):
        return pk.observe.states(view)["x"], view.unaries[0]

    states, theta = pk.trace(key, model, sampler, num_samples=50, num_sweeps=20, observe=observe).values
    weight, bias = np.asarray(model.weight), np.asarray(model.bias)
    ours = np.array([listings.pmp(bias, weight, one - bias, 20, damping=0.25) for one in np.asarray(theta)[0]])
    assert (ours == states[20]).all()
    assert (ours != states[0]).any()


def test_gradient_listing_is_the_difference_of_the_moments_of_the_library():
    model, draw = glass(), np.random.default_rng(6)
    data, samples = (draw.integers(0, 2, (60, 8)) for _ in range(2))
    weight, bias = listings.moment_gradient(data, samples)
    seen, drawn = (pk.data_moments(model, {"x": one}) for one in (data, samples))
    matrix = np.asarray(seen.weight - drawn.weight)
    np.testing.assert_allclose(weight, matrix + matrix.T, atol=1e-5)  # W_ij and W_ji are one weight
    np.testing.assert_allclose(bias, np.asarray(seen.bias - drawn.bias), atol=1e-5)


def square(x):
    """Return x squared."""
    return x * x


SQUARE = Equation("A square", (("y", "=", ("square", "x x")),), {"square": Term("The square of x.", (2,))})


@pytest.mark.parametrize(
    ("terms", "code", "explorer", "error", "message"),
    [
        ({}, square, None, ValueError, r"equation: expected the terms of its rows, \['square'\], got \[\]"),
        ({"square": Term("It.", (3,))}, square, None, ValueError, r"expected lines from 1 to 2 for the term 'square'"),
        (SQUARE.terms, "x * x", None, TypeError, "code: expected a function that is written with def, got str"),
        (
            {"square": Term("It.", (2,), "moon")},
            square,
            explore.MessageScope,
            ValueError,
            r"explorer: expected a picture with the parts \['moon'\], got \['cavity'",
        ),
    ],
)
def test_errors(terms, code, explorer, error, message):
    with pytest.raises(error, match=message):
        explore.Linked(SQUARE._replace(terms=terms), code, explorer and explorer())
