"""Exercises of page 01: the same model in {-1, +1} and in {0, 1}. Both count each pair once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cases import Case, judge
from .grids import Cells
from .verdict import Mistake, Verdict, arrays, run, wrong

INPUTS = "coupling", "bias"


def _problems() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Spin models with score s'Js / 2 + b's: coupling (n, n), symmetric with zero diagonal, and bias (n,)."""
    draw = np.random.default_rng(3)
    coupling = np.triu(draw.normal(0.0, 1.4, (4, 4)), 1)
    return {
        "one spin": (np.zeros((1, 1)), np.array([0.5])),
        "two spins": (np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.5, -0.25])),
        "four spins": (coupling + coupling.T, draw.normal(0.0, 0.7, 4)),
    }


def check_binary_model(convert: Callable) -> Verdict:
    """Check the conversion from spins, score s'Js / 2 + b's, to states {0, 1}, score x'Wx / 2 + c'x.

    Args:
        convert: convert(coupling (n, n), bias (n,)) -> weight (n, n), biases (n,).

    Returns:
        The verdict. It names the wrong array and describes the error.
    """
    if not callable(convert):
        return run(convert)
    weights, biases = [], []
    for name, problem in _problems().items():
        coupling, bias = problem
        weights.append(Case(name, problem, 4 * coupling, _weight_mistakes(coupling)))
        biases.append(Case(name, problem, 2 * bias - 2 * coupling.sum(1), _bias_mistakes(coupling, bias)))
    verdict = judge(lambda *problem: _parts(convert, *problem)[0], weights, INPUTS, Cells, praise="")
    if not verdict:
        return verdict._replace(message=f"weight: {verdict.message}") if verdict.picture else verdict
    praise = "Both arrays agree. Every configuration has the same probability in both models."
    verdict = judge(lambda *problem: _parts(convert, *problem)[1], biases, INPUTS, praise=praise)
    if not verdict:
        return verdict._replace(message=f"weight is right. biases: {verdict.message}") if verdict.picture else verdict
    answer, truth = (
        _joined(*_parts(convert, *weights[-1].arguments)),
        _joined(weights[-1].expected, biases[-1].expected),
    )
    title = "Your answer for four spins. The last column holds the biases:"
    same = np.zeros(truth.shape, bool)
    return verdict._replace(picture=Cells(answer, truth, same, title, columns=["0", "1", "2", "3", "bias"]))


def _parts(convert: Callable, coupling: np.ndarray, bias: np.ndarray) -> tuple:
    """Return weight and biases as arrays. Both are the same verdict if the answer has other shapes."""
    found = arrays(convert(coupling, bias), "weight", "biases")
    if isinstance(found, Verdict):
        return found, found
    first, second = found
    if first.shape != coupling.shape or second.shape != bias.shape:
        sizes = f"({bias.size}, {bias.size}) and biases ({bias.size},)"
        return (wrong(f"The check expected a weight {sizes}, and got shapes {first.shape} and {second.shape}."),) * 2
    return first, second


def _joined(weight, bias) -> np.ndarray:
    """Return a matrix (n, n + 1) whose last column holds the biases."""
    return np.concatenate([weight, bias[:, None]], axis=1)


def _weight_mistakes(coupling: np.ndarray) -> list[Mistake]:
    """Return common wrong weights."""
    return [
        Mistake(2 * coupling, "s = 2 x - 1 appears twice in s_i s_j, so the factor 2 enters twice."),
        Mistake(coupling, "Insert s = 2 x - 1 into J_ij s_i s_j, and collect the terms with x_i x_j."),
        Mistake(8 * coupling, "This is twice the right weight. Both models count each pair once."),
        Mistake(coupling / 4, "This is the conversion from {0, 1} to {-1, +1}. The exercise asks for the other one."),
    ]


def _bias_mistakes(coupling: np.ndarray, bias: np.ndarray) -> list[Mistake]:
    """Return common wrong biases."""
    rows = coupling.sum(1)
    return [
        Mistake(2 * bias, "The couplings contribute to the biases. The terms -2 J_ij x_i are missing."),
        Mistake(2 * bias - rows, "The mixed term of (2 x_i - 1)(2 x_j - 1) is -2 x_i. It has the factor 2."),
        Mistake(2 * bias - 4 * rows, "These sums count each pair twice. Each pair adds -2 J_ij to the bias of i."),
        Mistake(2 * bias + 2 * rows, "The mixed term is 2 x_i times -1. Check its sign."),
        Mistake(bias - 2 * rows, "b_i s_i = b_i (2 x_i - 1), so b has a factor 2."),
        Mistake(2 * bias - 2 * coupling.sum(), "Each variable has a sum of its own row of J. You used the total."),
        Mistake(2 * bias - 8 * rows, "The sums are of J. You used the new weight."),
    ]


def check_log_partition_shift(shift: Callable) -> Verdict:
    """Check by how much log Z of the {0, 1} model is larger than log Z of the spin model.

    Args:
        shift: shift(coupling (n, n), bias (n,)) -> one number, in nats.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = []
    for name, problem in _problems().items():
        coupling, bias = problem
        pairs, biases = coupling.sum() / 2, bias.sum()
        mistakes = [
            Mistake(pairs - biases, "The sign is wrong. The exercise asks for log Z of {0, 1} minus log Z of spins."),
            Mistake(
                np.array(0.0), "The probabilities are equal, but the energies differ. Collect the terms without any x."
            ),
            Mistake(2 * pairs - biases, "The sign is wrong, and the sum over all entries of J counts each pair twice."),
            Mistake(biases - 2 * pairs, "The sum over all entries of J counts each pair twice. Take half of it."),
            Mistake(biases, "The part of b is right. The constant J_ij (-1)(-1) of each pair is missing."),
            Mistake(-pairs, "The part of J is right. The constant b_i (-1) of each spin is missing."),
            Mistake(2 * biases - pairs, "The term of b_i (2 x_i - 1) without x_i is -b_i. The 2 belongs to x_i."),
            Mistake(biases + pairs, "J_ij (-1)(-1) has two minus signs. They cancel."),
        ]
        cases.append(Case(name, problem, np.array(biases - pairs), mistakes))
    praise = "log Z of {0, 1} = log Z of spins + the sum of all b - the sum of J over all pairs, in nats."
    return judge(shift, cases, INPUTS, praise=praise)
