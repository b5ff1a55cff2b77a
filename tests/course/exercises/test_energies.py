"""Checks of the exercises on energies: right answers pass, and wrong ones are told what is wrong with them."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import exercises


def right_model(j, b):
    return 4 * j, 2 * b - 2 * j.sum(1)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda j, b: None, "The function returned nothing"),
        (lambda j, b: ..., "The function returned nothing"),
        (lambda j, b: 4 * j, "Return weight, biases"),
        (lambda j, b: (4 * j, 1.0), "expected a weight"),
        (lambda j, b: (2 * j, b), "the factor 2 enters twice"),
        (lambda j, b: (j, b), "Insert s = 2 x - 1"),
        (lambda j, b: (8 * j, b), "Both models count each pair once"),
        (lambda j, b: (j / 4, b), "The exercise asks for the other one"),
        (lambda j, b: (-4 * j, b), "weight: The result is right up to the sign"),
        (lambda j, b: (4 * j, 2 * b), "are missing"),
        (lambda j, b: (4 * j, 2 * b - j.sum(1)), "It has the factor 2"),
        (lambda j, b: (4 * j, 2 * b - 4 * j.sum(1)), "count each pair twice"),
        (lambda j, b: (4 * j, 2 * b + 2 * j.sum(1)), "Check its sign"),
        (lambda j, b: (4 * j, b - 2 * j.sum(1)), "so b has a factor 2"),
        (lambda j, b: (4 * j, 2 * b - 2 * j.sum()), "You used the total"),
        (lambda j, b: (4 * j, 2 * b - 8 * j.sum(1)), "You used the new weight"),
        (lambda j, b: (4 * j, 0 * b), "weight is right. biases: The right number"),
    ],
)
def test_binary_model(answer, says):
    verdict = exercises.check_binary_model(answer)
    assert not verdict
    assert says in verdict.message


def test_binary_model_right():
    assert exercises.check_binary_model(right_model)
    assert exercises.check_binary_model(lambda j, b: list(right_model(j, b)))
    assert "expected a function" in exercises.check_binary_model(3).message  # type: ignore[arg-type]


def test_binary_model_is_the_conversion_of_the_kit():
    draw = np.random.default_rng(0)
    coupling = np.triu(draw.normal(0, 1, (3, 3)), 1)
    problem = coupling + coupling.T, draw.normal(0, 1, 3)
    for ours, theirs in zip(right_model(*problem), pk.spins_to_binary(*problem), strict=False):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda j, b: None, "The function returned nothing"),
        (lambda j, b: j.sum() / 2 - b.sum(), "The sign is wrong"),
        (lambda j, b: j.sum() - b.sum(), "The sign is wrong, and the sum over all entries"),
        (lambda j, b: 0.0, "the energies differ"),
        (lambda j, b: b.sum() - j.sum(), "counts each pair twice"),
        (lambda j, b: b.sum(), "J_ij (-1)(-1) of each pair is missing"),
        (lambda j, b: -j.sum() / 2, "b_i (-1) of each spin is missing"),
        (lambda j, b: 2 * b.sum() - j.sum() / 2, "without x_i is -b_i"),
        (lambda j, b: b.sum() + j.sum() / 2, "They cancel"),
        (lambda j, b: b - j.sum(1), "expected one number"),
    ],
)
def test_log_partition_shift(answer, says):
    assert exercises.check_log_partition_shift(lambda j, b: b.sum() - j.sum() / 2)
    verdict = exercises.check_log_partition_shift(answer)
    assert not verdict
    assert says in verdict.message
