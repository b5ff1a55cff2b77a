"""Exercises of notebook 01: the same model in {-1, +1} and in {0, 1}."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .verdict import Mistake, Verdict, call, compare, wrong

SPINS = 4


def _problem() -> tuple[np.ndarray, np.ndarray]:
    """A spin model with energy -s'Ws - b's: weight (n, n), symmetric with zero diagonal, and bias (n,)."""
    draw = np.random.default_rng(3)
    weight = np.triu(draw.normal(0.0, 0.7, (SPINS, SPINS)), 1)
    return weight + weight.T, draw.normal(0.0, 0.7, SPINS)


def check_binary_model(convert: Callable) -> Verdict:
    """Check the conversion from E2 = -s'Ws - b's, s in {-1, +1}, to E1 = -1/2 x'W1 x - b1'x, x in {0, 1}.

    Args:
        convert: convert(weight (n, n), bias (n,)) -> weight1 (n, n), bias1 (n,).

    Returns:
        The verdict. It names the wrong array and describes the error.
    """
    weight, bias = _problem()

    def flat(*arguments):
        answer = convert(*arguments)
        if answer is None or answer is Ellipsis:
            return None
        first, second = answer
        return np.concatenate([np.ravel(first), np.ravel(second)])

    given = call(flat, weight.copy(), bias.copy()) if callable(convert) else call(convert)
    if isinstance(given, Verdict):
        return given
    if given.shape != (SPINS * SPINS + SPINS,):
        return wrong(f"expected a weight ({SPINS}, {SPINS}) and a bias ({SPINS},), got {given.size} numbers in all.")
    first, second = given[:-SPINS].reshape(SPINS, SPINS), given[-SPINS:]
    weights = [
        Mistake(4 * weight, "W1: the energy E1 has a factor 1/2 and E2 has none; 4 W_ij s_i s_j is only half of it."),
        Mistake(2 * weight, "W1: s = 2 x - 1 stands on both sides of W, so the 2 comes in twice."),
        Mistake(weight, "W1: put s = 2 x - 1 into s'Ws and collect what stands between x' and x."),
        Mistake(weight / 8, "W1: this is the way back, from {0, 1} to {-1, +1}."),
    ]
    verdict = compare(first, 8 * weight, weights, praise="W1 is right.")
    if not verdict:
        return verdict if verdict.message.startswith("W1") else wrong(f"W1: {verdict.message}")
    rows = weight.sum(1)
    biases = [
        Mistake(2 * bias, "W1 is right. b1: the couplings push single variables too; -2 x'W 1 - 2 1'W x is missing."),
        Mistake(2 * bias - 2 * rows, "W1 is right. b1: s'Ws holds the mixed term twice, once from each side."),
        Mistake(2 * bias + 4 * rows, "W1 is right. b1: the mixed term comes from (2 x)'W(-1): mind its sign."),
        Mistake(bias - 4 * rows, "W1 is right. b1: b's = b'(2 x - 1), so b comes in twice."),
        Mistake(2 * bias - 4 * weight.sum(), "W1 is right. b1: W 1 is a vector, one sum for each row, not the total."),
        Mistake(2 * bias - 32 * rows, "W1 is right. b1: 4 W 1 is meant with the given W, not with the new one."),
    ]
    verdict = compare(second, 2 * bias - 4 * rows, biases, praise="both agree: every state has the same probability.")
    return verdict if verdict or verdict.message.startswith("W1") else wrong(f"W1 is right. b1: {verdict.message}")


def check_log_partition_shift(shift: Callable) -> Verdict:
    """Check log Z1 - log Z2, the constant by which the conversion changes the log-partition function.

    Args:
        shift: shift(weight (n, n), bias (n,)) -> one number, in nats.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    weight, bias = _problem()
    expected, total, pairs = bias.sum() - weight.sum(), weight.sum(), np.triu(weight).sum()
    mistakes = [
        Mistake(np.array(-expected), "this is log Z2 - log Z1: the other way round."),
        Mistake(np.array(0.0), "the probabilities are equal, the energies are not: what stands in s'Ws without any x?"),
        Mistake(np.array(bias.sum() - pairs), "s'Ws counts each pair twice, so sum over all entries of W."),
        Mistake(np.array(bias.sum()), "b gives -sum b, rightly; (-1)'W(-1) is a number as well."),
        Mistake(np.array(-total), "W gives its sum, rightly; b'(-1) is a number as well."),
        Mistake(np.array(bias.sum() + total), "(-1)'W(-1) has two minus signs: they cancel."),
    ]
    given = call(shift, weight.copy(), bias.copy())
    return compare(given, np.array(expected), mistakes, praise="log Z1 = log Z2 + sum(b) - sum(W), in nats.")
