"""Compare solvers on random problems of eight kinds. Run it with `python benchmarks/choosing.py`.

It prints the tables of docs/choosing.md. The instances have fixed seeds. Nothing is compiled during a timed call,
because each solver has solved the first instance before and all instances of a problem have the same structure. The
solvers alternate, so that a busy machine slows all of them. Times are medians over instances and rounds. Ratios are
medians of the ratios within one round.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import pmp_kit as pk
from benchmarks.choosing_problems import Problem, problems

CLOSE = 1e-4
"""Tolerance as a share of the best cost. It decides whether a score equals its upper bound or the best known score."""


class Row(NamedTuple):
    """The results of one solver on the instances of one problem. The cost is the ceiling minus the score."""

    solver: str
    excess: float
    """Median of the cost above the best known cost, as a share of it. It is infinite if most results are impossible."""
    best: float
    """Share of the instances in which the score is the best known."""
    possible: float
    """Share of the instances in which the result keeps all constraints."""
    settled: float
    """Share of the instances in which the solver met its own criterion (`converged`)."""
    certified: float
    """Share of the instances in which an upper bound proves that the score is the best."""
    seconds: float
    ratio: float
    """The solver's time divided by that of the problem's first solver."""


def measure(problem: Problem, rounds: int) -> list[Row]:
    """Return the rows of one problem with the solvers in the problem's order."""
    instances = [problem.make(np.random.default_rng(run)) for run in range(problem.runs)]
    for solver, num_sweeps in problem.solvers.values():
        pk.solve(instances[0].model, solver, num_sweeps=num_sweeps)
    shape = len(problem.solvers), problem.runs
    seconds = np.empty((*shape, rounds))
    score, bound, settled = np.empty(shape), np.empty(shape), np.empty(shape, bool)
    for run, instance in enumerate(instances):
        for turn in range(rounds):
            for row, (solver, num_sweeps) in enumerate(problem.solvers.values()):
                start = perf_counter()
                solution = pk.solve(instance.model, solver, num_sweeps=num_sweeps)
                seconds[row, run, turn] = perf_counter() - start
                score[row, run], settled[row, run] = solution.score, solution.converged
                bound[row, run] = np.inf if solution.bound is None else solution.bound
    best = np.maximum(score.max(0), [instance.known for instance in instances])
    unit = np.array([instance.ceiling for instance in instances]) - best
    excess, gap = (best - score) / unit, (bound - np.where(score > -np.inf, score, -np.inf)) / unit
    ratio = np.median(seconds / seconds[0], axis=(1, 2))
    return [
        Row(name, np.median(excess[row]), (excess[row] < CLOSE).mean(), (score[row] > -np.inf).mean(),
            settled[row].mean(), (gap[row] < CLOSE).mean(), np.median(seconds[row]), ratio[row])
        for row, name in enumerate(problem.solvers)
    ]  # fmt: skip


def table(rows: list[Row]) -> str:
    """Format the rows in Markdown."""
    lines = ["| solver | cost above the best | best | possible | settled | certified | time | relative time |"]
    lines.append("|---|" + "---:|" * 7)
    for row in rows:
        excess = "impossible" if np.isinf(row.excess) else f"{max(row.excess, 0.0):.2%}"
        shares = " | ".join(f"{share:.0%}" for share in (row.best, row.possible, row.settled, row.certified))
        time = f"{short(row.seconds)} s" if row.seconds >= 1 else f"{short(1e3 * row.seconds)} ms"
        lines.append(f"| `{row.solver}` | {excess} | {shares} | {time} | {short(row.ratio)} |")
    return "\n".join(lines)


def short(number: float) -> str:
    """Format a number with two significant digits."""
    return f"{float(f'{number:.2g}'):g}"


def main(quick: bool) -> None:
    """Measure all problems and print their tables."""
    for problem in problems(quick):
        print(f"### {problem.title}\n\n{table(measure(problem, rounds=1 if quick else 3))}\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare solvers on eight kinds of problems.")
    parser.add_argument("--quick", action="store_true", help="small problems, one round: to try it")
    main(parser.parse_args().quick)
