"""Exercises of notebook 01: the same model in {-1, +1} and in {0, 1}."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cases import Case, judge
from .grids import Cells
from .verdict import Mistake, Verdict, as_array, run, wrong

INPUTS = "weight", "bias"


def _problems() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Spin models with energy -s'Ws - b's: weight (n, n), symmetric with zero diagonal, and bias (n,)."""
    draw = np.random.default_rng(3)
    weight = np.triu(draw.normal(0.0, 0.7, (4, 4)), 1)
    return {
        "one spin": (np.zeros((1, 1)), np.array([0.5])),
        "two spins": (np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.5, -0.25])),
        "four spins": (weight + weight.T, draw.normal(0.0, 0.7, 4)),
    }


def check_binary_model(convert: Callable) -> Verdict:
    """Check the conversion from E2 = -s'Ws - b's, s in {-1, +1}, to E1 = -1/2 x'W1 x - b1'x, x in {0, 1}.

    Args:
        convert: convert(weight (n, n), bias (n,)) -> weight1 (n, n), bias1 (n,).

    Returns:
        The verdict. It names the wrong array and describes the error.
    """
    if not callable(convert):
        return wrong(run(convert).message)
    weights, biases = [], []
    for name, problem in _problems().items():
        weight, bias = problem
        weights.append(Case(name, problem, 8 * weight, _weight_mistakes(weight)))
        biases.append(Case(name, problem, 2 * bias - 4 * weight.sum(1), _bias_mistakes(weight, bias)))
    verdict = judge(lambda *problem: _parts(convert, *problem)[0], weights, INPUTS, Cells, praise="")
    if not verdict:
        return verdict._replace(message=f"W1: {verdict.message}") if verdict.picture else verdict
    praise = "Both arrays agree. Every state has the same probability in both models."
    verdict = judge(lambda *problem: _parts(convert, *problem)[1], biases, INPUTS, praise=praise)
    if not verdict:
        return verdict._replace(message=f"W1 is right. b1: {verdict.message}") if verdict.picture else verdict
    answer, truth = (
        _joined(*_parts(convert, *weights[-1].arguments)),
        _joined(weights[-1].expected, biases[-1].expected),
    )
    title = "Your answer for four spins. The last column is b1:"
    same = np.zeros(truth.shape, bool)
    return verdict._replace(picture=Cells(answer, truth, same, title, columns=["0", "1", "2", "3", "b1"]))


def _parts(convert: Callable, weight: np.ndarray, bias: np.ndarray) -> tuple:
    """Return W1 and b1 as arrays. Both are the same verdict if the answer is not two arrays of the right shapes."""
    answer = convert(weight, bias)
    if answer is None or answer is Ellipsis:
        return None, None
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return (wrong("The check expected two arrays. Return W1, b1."),) * 2
    first, second = as_array(answer[0]), as_array(answer[1])
    if isinstance(first, Verdict) or isinstance(second, Verdict):
        failed = first if isinstance(first, Verdict) else second
        return failed, failed
    if first.shape != weight.shape or second.shape != bias.shape:
        sizes = f"({bias.size}, {bias.size}) and a bias ({bias.size},)"
        return (wrong(f"The check expected a weight {sizes}, and got shapes {first.shape} and {second.shape}."),) * 2
    return first, second


def _joined(weight, bias) -> np.ndarray:
    """Return a matrix (n, n + 1) whose last column is the bias."""
    return np.concatenate([weight, bias[:, None]], axis=1)


def _weight_mistakes(weight: np.ndarray) -> list[Mistake]:
    """Return common wrong W1."""
    return [
        Mistake(4 * weight, "E1 has a factor 1/2 and E2 has none, so 4 W is only half of W1."),
        Mistake(2 * weight, "s = 2 x - 1 is on both sides of W, so the factor 2 enters twice."),
        Mistake(weight, "Insert s = 2 x - 1 into s'Ws, and collect the matrix between x' and x."),
        Mistake(weight / 8, "This is the conversion from {0, 1} to {-1, +1}. The exercise asks for the other one."),
    ]


def _bias_mistakes(weight: np.ndarray, bias: np.ndarray) -> list[Mistake]:
    """Return common wrong b1."""
    rows = weight.sum(1)
    return [
        Mistake(2 * bias, "The couplings contribute to the biases. The terms -2 x'W 1 - 2 1'W x are missing."),
        Mistake(2 * bias - 2 * rows, "s'Ws contains the mixed term twice, once from each side."),
        Mistake(2 * bias + 4 * rows, "The mixed term is (2 x)'W(-1). Check its sign."),
        Mistake(bias - 4 * rows, "b's = b'(2 x - 1), so b has a factor 2."),
        Mistake(
            2 * bias - 4 * weight.sum(), "W 1 is a vector with one sum for each row. You used the total of all rows."
        ),
        Mistake(2 * bias - 32 * rows, "4 W 1 uses the given W. You used W1."),
    ]


def check_log_partition_shift(shift: Callable) -> Verdict:
    """Check log Z1 - log Z2, the constant by which the conversion changes the log-partition function.

    Args:
        shift: shift(weight (n, n), bias (n,)) -> one number, in nats.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = []
    for name, problem in _problems().items():
        weight, bias = problem
        pairs, biases = weight.sum(), bias.sum()
        mistakes = [
            Mistake(pairs - biases, "This is log Z2 - log Z1. The exercise asks for log Z1 - log Z2."),
            Mistake(
                np.array(0.0), "The probabilities are equal, but the energies differ. Collect the terms without any x."
            ),
            Mistake(biases - pairs / 2, "s'Ws counts each pair twice, so sum over all entries of W."),
            Mistake(biases, "The part -sum(b) is right. The constant (-1)'W(-1) is missing."),
            Mistake(-pairs, "The part of W is right. The constant b'(-1) is missing."),
            Mistake(biases + pairs, "(-1)'W(-1) has two minus signs. They cancel."),
        ]
        cases.append(Case(name, problem, np.array(biases - pairs), mistakes))
    return judge(shift, cases, INPUTS, praise="log Z1 = log Z2 + sum(b) - sum(W), in nats.")
