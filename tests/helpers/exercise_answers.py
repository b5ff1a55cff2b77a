"""A right answer and a common wrong one for every check, with the entries that the wrong one gets wrong."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from pages import PAGES

import pmp_kit as pk
from pmp_kit.course import datasets, exercises
from pmp_kit.course.exercises import own
from pmp_kit.course.experiments.deconvolution.drawing import draw
from pmp_kit.course.experiments.rbm import samples
from pmp_kit.course.mine import reference


class Answer(NamedTuple):
    """What the test of a check needs."""

    right: Callable
    """For checks of functions the right function, for other checks a call of the check."""
    wrong: Callable
    marks: list[list[int]]
    """Indices of the entries that are wrong in the picture of the wrong answer."""
    title: str
    """Part of the title of this picture."""


def clamp(unaries, evidence, seen: float | None = 0.0, other=-np.inf):
    new = unaries.copy()
    for i, state in enumerate(evidence):
        if state in (0, 1):
            new[i, state], new[i, 1 - state] = (unaries[i, state] if seen is None else seen), other
    return new


def program(weight, bias, pairs, share=0.5, sign=1, drop=(), flip=(), order=1):
    """The right answer, or one with a planted mistake."""
    i, j = pairs.T
    p, q = np.eye(len(bias)), np.eye(len(pairs))
    rows = [np.hstack([-p[i], q]), np.hstack([-p[j], q]), np.hstack([p[i] + p[j], -q])]
    limits = [np.zeros(len(pairs)), np.zeros(len(pairs)), np.ones(len(pairs))]
    kept = [k for k in range(3) if k not in drop]
    rows, limits = [-rows[k] if k in flip else rows[k] for k in kept], [limits[k] for k in kept]
    parts = [bias, share * weight[i, j]]
    return sign * np.concatenate(parts[::order]), np.concatenate(rows), np.concatenate(limits)


def kernel(x, y, scale):
    return np.exp(-scale * (x[:, None] != y[None]).mean(-1))


def discrepancy(x, y, scale):
    def apart(matrix):
        return (matrix.sum() - np.trace(matrix)) / (len(matrix) * (len(matrix) - 1))

    return apart(kernel(x, x, scale)) + apart(kernel(y, y, scale)) - 2 * kernel(x, y, scale).mean()


def entropy(shares):
    p = shares[shares > 0]
    return -(p * np.log(p)).sum()


def sweep_limit(n, samples, copy):
    return 1e9 / (n * (n - 1) * samples * copy)


def spare(w, s):
    complete = draw(w, s)
    return np.argmin([(complete != draw(np.delete(w, k, 0), np.delete(s, k, 1))).sum() for k in range(len(w))])


def sigmoid(theta):
    return 1 / (1 + np.exp(-theta))


def no_cavity(unaries, weight, messages):
    belief = (unaries + messages.sum(axis=1))[:, :, None]
    return (np.maximum(0, belief + weight) - np.maximum(0, belief)) * (1 - np.eye(len(weight)))


def pmp(unaries, weight, num_sweeps, damping):
    messages = np.zeros((*unaries.shape, len(weight)))
    for _ in range(num_sweeps):
        messages = damping * messages + (1 - damping) * reference.update(unaries, weight, messages)
    return (unaries + messages.sum(axis=1) > 0).astype(int)


def learn(data, steps, ascent=1):
    draw, n = np.random.default_rng(3), data.shape[1]
    weight, bias = np.zeros((n, n)), np.zeros(n)
    for _ in range(steps):
        x = reference.pmp(bias + draw.logistic(size=(100, n)), weight, 10, 0.5)
        weight += 0.5 * ascent * (data.T @ data / len(data) - x.T @ x / len(x))
        np.fill_diagonal(weight, 0)
        bias += 0.5 * ascent * (data.mean(0) - x.mean(0))
    return weight, bias


def or_update(incoming):
    inputs, output = incoming[:-1], incoming[-1]
    positive, others = np.maximum(0, inputs), [np.delete(inputs, i).max() for i in range(len(inputs))]
    to_inputs = np.minimum(output + positive.sum() - positive, np.maximum(0, others) - others)
    return np.append(to_inputs, positive.sum() + min(0, inputs.max()))


FUNCTIONS = {
    "check_update": Answer(reference.update, no_cavity, [[0, 1], [1, 0]], "fails: two spins, unaries"),
    "check_pmp": Answer(pmp, lambda u, *_: (u > 0).astype(int), [[1]], "fails: two spins after one sweep"),
    "check_learn": Answer(learn, lambda data, steps: learn(data, steps, -1), [[0, 0]], "fails: one spin, data"),
    "check_or_update": Answer(
        or_update, lambda t: np.append(or_update(t)[:-1], np.maximum(0, t[:-1]).sum()), [[2]], "two inputs below 0"
    ),
    "check_binary_model": Answer(
        lambda j, b: (4 * j, 2 * b - 2 * j.sum(1)), lambda j, b: (2 * j, b), [[0, 1], [1, 0]], "fails: two spins"
    ),
    "check_log_partition_shift": Answer(
        lambda j, b: b.sum() - j.sum() / 2, lambda j, b: b.sum() - j.sum(), [[0]], "fails: two spins"
    ),
    "check_gumbel_difference": Answer(
        sigmoid, lambda t: np.where(t > 2, 1.0, sigmoid(t)), [[11], [12]], "at theta = 2.5: 1 instead of 0.924"
    ),
    "check_bound_shift": Answer(lambda n: np.euler_gamma * n, lambda n: np.euler_gamma, [[0]], "fails: n = 2."),
    "check_clamp": Answer(clamp, lambda u, e: clamp(u, abs(e)), [[0, 0], [0, 1]], "fails: one variable that is free"),
    "check_anytime": Answer(
        lambda s: np.maximum.accumulate(s, axis=0).mean(axis=1),
        lambda s: np.maximum.accumulate(s.mean(axis=1)),
        [[1], [2]],
        "fails: three sweeps of two samples, scores = [[0, 2], [1, 0], [0, 1]]",
    ),
    "check_reduced_program": Answer(
        program, lambda *problem: program(*problem, drop=[2]), [[5, 0], [7, 0], [8, 0]], "fails: 2 spins"
    ),
    "check_mmd": Answer(
        discrepancy, lambda *given: discrepancy(*given) + kernel(*given).mean(), [[0]], "fails: one pixel"
    ),
    "check_effective_digits": Answer(lambda shares: np.exp(entropy(shares)), entropy, [[0]], "fails: one digit"),
    "check_redundant_feature": Answer(spare, lambda w, s: 0, [[0]], "You chose feature 0. The right one is 2"),
    "check_sweep_limit": Answer(
        sweep_limit,
        lambda n, samples, copy: 1e9 / (n * n * samples * copy),
        [[0]],
        "variables = 2, samples = 1, copy_ns = 1",
    ),
}
FUNCTIONS |= {f"check_{name}": Answer(*page.ANSWER) for name, page in PAGES.items()}
"""Checks of a function that the reader writes."""

VARIABLES = pk.Variables(cell=pk.Binary(4, 4, 4))
C = VARIABLES["cell"]
RULES = [C.reshape(16, 4), C.transpose(0, 2, 1).reshape(16, 4), C.transpose(1, 2, 0).reshape(16, 4)]
BOXES = C.reshape(2, 2, 2, 2, 4).transpose(0, 2, 4, 1, 3).reshape(16, 4)
ROW = {
    "kept out": np.outer([0.0400, 0.0180, 0.0095, 0.0100, 0.0098], [0.1, 1, 0.5]),
    "null": np.outer([0.0004] * 5, [0.1, 1, 0.5]),
}


def setting(sweeps=100, damping=0.4, perturbation=True, because="sweeps", digit=None):
    image = datasets.digits(size=16)["v"][5] if digit is None else digit
    controls = {"sweeps": sweeps, "damping": damping, "perturbation": perturbation, "because": because}
    return exercises.check_failing_setting(pk.pretrained("digits_rbm"), image, **controls)


def sudoku(*groups):
    return exercises.check_sudoku(pk.FactorGraph(VARIABLES, [pk.ExactlyOne(np.concatenate(groups))]))


def collapse():
    stored = samples.load()
    left = np.exp([[entropy(shares) for shares in row] for row in stored["shares"]])
    left[:, stored["sweeps"] < exercises.rbm.LEAST_SWEEPS] = 10
    row, column = np.unravel_index(left.argmin(), left.shape)
    return exercises.check_collapse(list(exercises.rbm.METHODS)[row], int(stored["sweeps"][column]))


def broken_cells():
    """The cells in which the first board of `probes` that breaks a rule for a box differs from the nearest Sudoku."""
    board, sudokus = own.probes()["box"][0], own.squares()
    sudokus = sudokus[np.logical_and.reduce(list(own.keeps(sudokus).values()))].argmax(-1)
    return np.argwhere(board.argmax(-1) != min(sudokus, key=lambda one: (one != board.argmax(-1)).sum())).tolist()


OTHERS = {
    "check_failing_setting": Answer(
        lambda: setting(sweeps=3), lambda: setting(perturbation=False), [[k] for k in range(25)], "equals all others"
    ),
    "check_better_match": Answer(
        lambda: exercises.check_better_match(0.335, pk.PMP()),
        lambda: exercises.check_better_match(0.5, pk.PMP()),
        [[0], [1], [2], [3], [4]],
        "spins up",
    ),
    "check_better_samples": Answer(
        lambda: exercises.check_better_samples(0.65), lambda: exercises.check_better_samples(1.0), [[0]], "Distance"
    ),
    "check_collapse": Answer(
        collapse, lambda: exercises.check_collapse("PMP", 100), [[k] for k in (0, 1, 2, 3, 5, 6, 7, 8, 9)], "above 0.02"
    ),
    "check_enough_sweeps": Answer(
        lambda: exercises.check_enough_sweeps(25, ROW),
        lambda: exercises.check_enough_sweeps(10, ROW),
        [[1]],
        "10 sweeps",
    ),
    "check_sudoku": Answer(lambda: sudoku(*RULES, BOXES), lambda: sudoku(*RULES), broken_cells(), "nearest Sudoku"),
}
"""Checks of a choice or of a model."""
