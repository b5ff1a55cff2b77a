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
        loss: what is missing to the best that was found, with this number of sweeps or more; 0 is best (see `tune`),
            (K,).
        error: the standard error of `loss`, (K,).
        possible: the share of samples that are possible, so that their score is not -inf, (K,).
        reached: the first index at which the loss is at most the target; None if it never is.
    """

    name: str
    sampler: AbstractSampler
    num_sweeps: Int[np.ndarray, " K"]
    seconds: Float[np.ndarray, " K"]
    loss: Float[np.ndarray, " K"]
    error: Float[np.ndarray, " K"]
    possible: Float[np.ndarray, " K"]
    reached: int | None

    @property
    def time(self) -> float:
        """The seconds until the target; infinite if it was not reached."""
        return float("inf") if self.reached is None else float(self.seconds[self.reached])


class Tuned(NamedTuple):
    """The result of `tune`.

    Attributes:
        sampler: the fastest sampler among the candidates that reached the target, or PMP() if luck with the samples may
            explain the difference (see `tune`).
        num_sweeps: the number of sweeps with which it reached the target. If PMP() is chosen and reached it only within
            its standard error, the number with which it did so.
        seconds: the median seconds of `sample` with these settings and `num_samples`.
        num_samples: the number of samples in all measurements.
        target: the loss to reach.
        curves: a `Curve` of each candidate. First comes the choice, then the others of the last race, the fastest
            first, with median times. The rest follow with times of single calls, which vary more. So some times may be
            shorter than `seconds`.
        complete: whether all candidates were measured within the budget.
        unfinished: whether the candidate with the lowest loss needed more than half of its sweeps to reach the target.
            More sweeps may then be better. A larger budget measures up to 400.
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
        """All candidates in the order of `curves`, in Markdown, with sweeps and time to the target, and the best loss.

        If some samples were impossible, another column has the share of possible samples at the target, or at the best
        loss if the target was not reached.
        """
        constrained = any((curve.possible < 1).any() for curve in self.curves)
        lines = ["| sampler | sweeps | time, ms | best loss |", "|---|---:|---:|---:|"]
        if constrained:
            lines = [lines[0] + " possible |", lines[1] + "---:|"]
        for curve in self.curves:
            best = int(np.argmin(curve.loss))
            at = best if curve.reached is None else curve.reached
            sweeps = "never" if curve.reached is None else str(curve.num_sweeps[at])
            time = "" if curve.reached is None else f"{1e3 * curve.time:.3g}"
            line = f"| `{curve.name}` | {sweeps} | {time} | {curve.loss[best]:.3f} ± {curve.error[best]:.3f} |"
            lines.append(line + f" {curve.possible[at]:.0%} |" if constrained else line)
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return the choice and the table."""
        more = ""
        if len(self.curves) == 1:
            more = f" The budget ended before anything else than {self.curves[0].name} was measured."
        elif not self.complete:
            more = " The budget ended before all candidates were measured."
        if self.curves[0].name == "PMP()" and any(curve.time < self.seconds for curve in self.curves[1:]):
            more += " It is kept, because luck with these samples may be why others look faster."
        if self.unfinished:
            more += " The loss still fell at the most sweeps that were measured: use a larger budget, or more sweeps."
        if not any(curve.possible.any() for curve in self.curves):
            more += " No sample satisfies all constraints, so the losses mean nothing."
        sweeps = "1 sweep" if self.num_sweeps == 1 else f"{self.num_sweeps} sweeps"
        return (
            f"{self.curves[0].name} with {sweeps}: {self.num_samples} samples reach the target loss {self.target:.3f} "
            f"in {1e3 * self.seconds:.3g} ms.{more}\n\n{self.table}"
        )

    def _repr_markdown_(self) -> str:
        return str(self)
