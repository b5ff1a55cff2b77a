"""The result of `tune`: the sampler, a table of all candidates, and a curve of each."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from ..samplers import AbstractSampler


class Curve(NamedTuple):
    """The loss of one candidate after increasing numbers of sweeps.

    Attributes:
        name: the Python expression of the sampler.
        sampler: the sampler.
        num_sweeps: the numbers of sweeps, (K,).
        seconds: the seconds of a whole call of `sample`, after compilation, (K,).
        loss: what is missing to the best that was found; 0 is best (see `tune`), (K,).
        error: the standard error of `loss`, (K,).
        reached: the first index at which the loss is at most the target; None if it never is.
    """

    name: str
    sampler: AbstractSampler
    num_sweeps: Int[np.ndarray, " K"]
    seconds: Float[np.ndarray, " K"]
    loss: Float[np.ndarray, " K"]
    error: Float[np.ndarray, " K"]
    reached: int | None

    @property
    def time(self) -> float:
        """The seconds until the target; infinite if it was not reached."""
        return float("inf") if self.reached is None else float(self.seconds[self.reached])


class Tuned(NamedTuple):
    """The result of `tune`.

    Attributes:
        sampler: the fastest sampler among the candidates that reached the target.
        num_sweeps: the number of sweeps with which it reached the target.
        seconds: the median seconds of `sample` with these settings and `num_samples`.
        num_samples: the number of samples in all measurements.
        target: the loss to reach.
        curves: a `Curve` of each candidate. First come those of the last race, the fastest first, with median times.
            The others follow with times of single calls. These vary more, so some may be shorter than `seconds`.
        complete: whether all candidates were measured within the budget.
        unfinished: whether the lowest loss was that of the most sweeps that the budget allowed. More sweeps may then be
            better, and a larger budget shows it.
    """

    sampler: AbstractSampler
    num_sweeps: int
    seconds: float
    num_samples: int
    target: float
    curves: tuple[Curve, ...]
    complete: bool
    unfinished: bool

    @property
    def table(self) -> str:
        """All candidates in Markdown, in the order of `curves`: sweeps and time until the target, and the best loss."""
        lines = ["| sampler | sweeps | time, ms | best loss |", "|---|---:|---:|---:|"]
        for curve in self.curves:
            best = int(np.argmin(curve.loss))
            sweeps = "never" if curve.reached is None else str(curve.num_sweeps[curve.reached])
            time = "" if curve.reached is None else f"{1e3 * curve.time:.3g}"
            lines.append(f"| `{curve.name}` | {sweeps} | {time} | {curve.loss[best]:.3f} ± {curve.error[best]:.3f} |")
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return the choice and the table."""
        more = " The budget ended before all candidates were measured." if not self.complete else ""
        if self.unfinished:
            more += " The loss still fell at the most sweeps that the budget allowed: use a larger budget."
        return (
            f"{self.curves[0].name} with {self.num_sweeps} sweeps: {self.num_samples} samples reach a loss of "
            f"{self.target:.3f} in {1e3 * self.seconds:.3g} ms.{more}\n\n{self.table}"
        )

    def _repr_markdown_(self) -> str:
        return str(self)
