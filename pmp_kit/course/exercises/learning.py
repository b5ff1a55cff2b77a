"""Exercise on learning: write gradient ascent on weights and biases around a sampler."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from ..mine import reference
from .cases import Case, judge
from .grids import Cells
from .verdict import Verdict, arrays, kept, run, wrong

STEPS, TOLERANCE = 200, 0.085
"""Steps of a call, and the largest accepted error of a moment. With 100 samples a step and logistic noise the errors
were 0.02 to 0.07 in 24 runs. With standard normal noise, whose theta on page 06 is 0.20, they were at least 0.09."""
DRAWS, SWEEPS, DAMPING = 4_000, 30, 0.5
"""How the moments of a learned model are measured."""
FEWEST_SWEEPS, MOST_DAMPING = 10, 0.9
"""Outside of these limits the messages of a sample may be far from converged. Page 05 asks for 20 sweeps and 0.5."""
MOST_WEIGHT = 1.2
"""The largest mean weight on "four spins" of a function that learns with PMP: 0.7 to 1.15 with many rates and seeds.
Exact moments, and those of Gibbs sampling, give 1.24 or more."""
SAME_NOISE = "Every step uses the same noise. Draw new noise in every step."
NO_CALLS = "The function never calls pmp by this name. Draw new samples with it in every step."
FEWEST_SAMPLES = 20
"""Page 05 asks for 100 samples a step. With 10 the moments were right for four seeds of four, but the learned weights
varied three times as much."""
FEW = 3
"""The steps with which the method is looked at."""
LOGISTIC = np.pi**2 / 3
"""Variance of logistic noise."""

Data = Int[np.ndarray, "N n"]


def _data() -> dict[str, Data]:
    """Return data sets, from the smallest to the largest."""
    draw, spins = np.random.default_rng(4), (np.arange(16)[:, None] >> np.arange(4)) & 1
    pairs = ((2 * spins - 1).sum(1) ** 2 - 4) / 2  # sum over pairs of s_i s_j
    shares = np.exp(0.4 * pairs) / np.exp(0.4 * pairs).sum()
    return {
        "one spin": np.array([[1], [1], [1], [0]]),
        "two spins": np.array([[1, 1], [1, 1], [1, 1], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1]]),
        "three spins": spins[[3, 3, 6, 4, 4, 7, 0, 5], :3],
        "four spins": spins[draw.choice(16, 200, p=shares)],
    }


def moments(states: np.ndarray) -> Float[np.ndarray, "n n"]:
    """Return the mean of x_i x_j for every pair, and the mean of x_i on the diagonal, with two decimals."""
    return np.round(states.T @ states / len(states), 2)


def check_learn(learn: Callable) -> Verdict:
    """Check that a model is learned whose samples by PMP have the moments of the data.

    A function that passes is written to mine.py.

    Args:
        learn: learn(data (N, n) of 0 and 1, steps) -> weight (n, n), symmetric with a zero diagonal, and bias (n,). It
            draws its samples with pmp(unaries, weight, num_sweeps, damping), and the unaries are the bias plus noise.

    Returns:
        The verdict. It says what is wrong with a step if a step shows it.
    """
    if not callable(learn):
        return run(learn)
    cases = [Case(name, (data, STEPS), moments(data)) for name, data in _data().items()]
    praise = "Samples of the learned model have the means and the pair moments of the data."
    draw = functools.partial(Cells, heads=("yours", "data"))
    model = functools.partial(_learned, learn)
    verdict = judge(model, cases, ("data", "steps"), draw, praise=praise, tolerance=TOLERANCE)
    if not verdict and verdict.picture is not None:
        return verdict._replace(message=f"The moments differ from those of the data. {_diagnosis(learn)}")
    flaw = _flaw(learn) if verdict else ""
    return wrong(f"The moments are right, but not the method. {flaw}") if flaw else kept(verdict, learn, "learn")


def _learned(learn: Callable, data: Data, steps: int):
    """Return the moments of samples of the learned model, or a verdict if it is none."""
    found = arrays(learn(data, steps), "weight", "bias")
    if isinstance(found, Verdict):
        return found
    (weight, bias), n = found, data.shape[1]
    if weight.shape != (n, n) or bias.shape != (n,):
        shapes = f"shapes {weight.shape} and {bias.shape}"
        return wrong(f"The check expected a weight ({n}, {n}) and a bias ({n},), and got {shapes}.")
    if not (np.abs(weight) < 1e6).all() or not (np.abs(bias) < 1e6).all():
        return wrong("Some weights or biases are very large or not a number. Try a smaller step size.")
    if np.abs(np.diag(weight)).max() > 1e-6:
        return wrong("The diagonal of the weight is not 0. x_i x_i = x_i belongs to the bias: set the diagonal to 0.")
    if np.abs(weight - weight.T).max() > 1e-3:
        return wrong("The weight is not symmetric. weight[i, j] and weight[j, i] belong to the same pair.")
    noise = np.random.default_rng(1).logistic(size=(DRAWS, n))
    return moments(reference.pmp(bias + noise, weight, SWEEPS, DAMPING))


class Call(NamedTuple):
    """Arguments and result of one call of `pmp`. The states are drawn with SWEEPS and DAMPING."""

    unaries: np.ndarray
    weight: np.ndarray
    states: np.ndarray
    num_sweeps: int
    damping: float


def _followed(learn: Callable, data: Data, steps: int = FEW) -> tuple[np.ndarray, list[Call]] | None:
    """Return the bias after some steps of `learn` and its calls of `pmp`, or None if it raises an exception."""
    calls = []

    def pmp(unaries, weight, num_sweeps=SWEEPS, damping=DAMPING, *_, **__):
        states = reference.pmp(np.asarray(unaries, float), np.asarray(weight, float), SWEEPS, DAMPING)
        calls.append(Call(np.array(unaries, float), np.array(weight, float), states, num_sweeps, damping))
        return states

    names = getattr(learn, "__globals__", {})  # also those of other functions of the notebook that `learn` calls
    before = {name: names[name] for name in ("pmp",) if name in names}
    names["pmp"] = pmp
    try:
        _, bias = learn(data, steps)
    except Exception:  # whatever the function does with few steps, the check has its verdict
        return None
    finally:
        del names["pmp"]
        names |= before
    return np.asarray(bias), calls


def _flaw(learn: Callable) -> str:
    """Return what is wrong with a function whose moments are right, or an empty text."""
    data = _data()["four spins"]
    steps = _followed(learn, data)
    if steps is None:
        return ""
    _, calls = steps
    if not calls:  # or by another name
        weight = np.asarray(learn(data, STEPS)[0])
        return NO_CALLS if weight.sum() / (weight.size - len(weight)) > MOST_WEIGHT else ""
    if len(calls) > 1 and _same_noise(*calls[:2]):
        return SAME_NOISE
    return _few_samples(calls) or _other_number(learn, data, calls)


def _few_samples(calls: list[Call]) -> str:
    """Return what is wrong if a step draws fewer samples than FEWEST_SAMPLES, in one call or in several."""
    number = sum(len(call.unaries) for call in calls) // FEW
    drawn = "one sample" if number == 1 else f"{number} samples"
    return f"Each step draws {drawn}. Draw 100 in each step." if number < FEWEST_SAMPLES else ""


def _other_number(learn: Callable, data: Data, calls: list[Call]) -> str:
    """Return what is wrong if `learn` makes as many calls for one step more, or an empty text."""
    more = _followed(learn, data, FEW + 1)
    if more is None or len(more[1]) != len(calls):
        return ""
    return f"The function calls pmp {len(calls)} times, whatever `steps` is. Make as many steps as the argument says."


def _same_noise(one: Call, other: Call) -> bool:
    """Return whether the unaries of two calls have the same differences between their samples."""
    first, second = one.unaries, other.unaries
    return first.shape == second.shape and len(first) > 1 and np.allclose(first - first[0], second - second[0])


def _diagnosis(learn: Callable) -> str:
    """Return what three steps of `learn` show, from the arguments with which it calls `pmp`."""
    data = _data()["four spins"]
    steps = _followed(learn, data)
    if steps is None:
        return "Print the moments of the data and of the samples in every step, and compare."
    bias, calls = steps
    if not calls:
        return NO_CALLS
    if len(calls) < FEW:
        return f"The function calls pmp {len(calls)} times in {FEW} steps. Draw new samples in every step."
    (first, weight, states, sweeps, damping), (_, next_weight, *_) = calls[:2]
    if (few := _few_samples(calls)) and len(first) == 1:
        return few
    if np.ptp(first, axis=0).max() == 0:
        return "All samples of a step have the same unaries. Add logistic noise of shape (samples, n) to the bias."
    noise = first - first[0]
    if np.allclose(noise, noise[:, :1]):
        return "All variables of a sample have the same noise. Add independent noise of shape (samples, n) to the bias."
    if _same_noise(*calls[:2]):
        return SAME_NOISE
    change, gradient = next_weight - weight, moments(data) - moments(states)
    np.fill_diagonal(gradient, 0)
    if not change.any():
        return "The weight that pmp gets does not change. Add the step size times the difference of the moments to it."
    if (change * gradient).sum() < 0:
        return "The first step goes down instead of up. Add the moments of the data, and subtract those of the samples."
    if fault := _of_bias(learn, data, bias, calls) or few or _other_number(learn, data, calls):
        return fault
    spread = np.mean([call.unaries.var(axis=0) for call in calls])
    if not 2 / 3 < spread / LOGISTIC < 3 / 2:
        logistic = f"Logistic noise, the difference of two Gumbel numbers, has variance pi^2 / 3 = {LOGISTIC:.2f}"
        return f"The noise has variance {spread:.2f}. {logistic}."
    if sweeps < FEWEST_SWEEPS or damping > MOST_DAMPING:
        used = f"The samples are drawn with num_sweeps = {sweeps} and damping = {damping}"
        return f"{used}. Use 20 sweeps and damping 0.5, so that their messages converge."
    own = "Divide each sum by its own number, len(data) or len(samples)"
    return f"The first step goes up, as it should. {own}, or try another step size: the check makes {STEPS} steps."


def _of_bias(learn: Callable, data: Data, bias: np.ndarray, calls: list[Call]) -> str:
    """Return what is wrong with the bias after some steps, or an empty text."""
    if not np.any(bias):
        return "The bias stays 0. Its gradient is the mean of the data minus the mean of the samples."
    if np.ptp(bias) == 0:
        return "All entries of the bias are equal. Take the means over axis 0, one for each variable."
    if bias @ sum(data.mean(0) - call.states.mean(0) for call in calls) < 0:
        return "The bias goes down instead of up. Add the mean of the data, and subtract that of the samples."
    steps = _followed(learn, np.ones((4, 1), int), STEPS // 4)  # its bias grows in every step
    if steps is None or not steps[1]:
        return ""
    final, given = steps[0].mean(), np.mean([call.unaries.mean() for call in steps[1][len(steps[1]) // 2 :]])
    missing = final > 0.2 and given < 0.25 * final  # a smaller bias is lost in the noise
    return "The unaries do not contain the bias. Give pmp the bias plus the noise." if missing else ""
