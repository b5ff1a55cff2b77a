"""A small version of the measurement for docs/choosing.md runs, and the page has the table of each problem."""

import re
from pathlib import Path

import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk
from benchmarks import choosing
from benchmarks.choosing_problems import ising, problems

PAGE = (Path(__file__).parents[2] / "docs" / "choosing.md").read_text(encoding="utf-8")


QUICK = {"Hidden Markov model"}
"""One problem is enough for `make test`, because compiling takes most of the time."""
EXACTLY_KNOWN = {"Ising, frustrated", "Queens"}
"""Problems whose instances come with the best score of all configurations."""


@pytest.mark.parametrize("problem", some(problems(quick=True), QUICK, name=lambda one: one.title))
def test_a_small_measurement(problem):
    rows = {row.solver: row for row in choosing.measure(problem, rounds=1)}
    assert list(rows) == list(problem.solvers)
    for row in rows.values():
        assert row.certified <= row.best
        assert row.seconds > 0
    for name in rows.keys() & {"TreePass()", "MaxFlow()"}:  # these are exact: no other score is above theirs
        assert rows[name].best == rows[name].certified == rows[name].settled == 1
    if problem.title in EXACTLY_KNOWN:
        instance = problem.make(np.random.default_rng(0))
        most = instance.known + choosing.CLOSE * (instance.ceiling - instance.known)
        for solver, num_sweeps in problem.solvers.values():
            assert pk.solve(instance.model, solver, num_sweeps=num_sweeps).score <= most
    if "CoordinateAscent()" in rows:
        assert rows["CoordinateAscent()"].best < max(row.best for row in rows.values())
    assert choosing.table(list(rows.values())).count("\n") == len(rows) + 1


def test_the_known_best_of_a_lattice_is_that_of_enumeration():
    instance = ising(np.random.default_rng(0), attractive=False, height=4, width=3)
    assert instance.known == pytest.approx(float(pk.solve(instance.model, pk.Exhaustive()).score), rel=1e-5)


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.title)
def test_the_page_has_the_table_of_each_problem(problem):
    rows = PAGE.split(f"### {problem.title}\n")[1].split("###")[0]
    assert [line.split("`")[1] for line in rows.splitlines() if line.startswith("| `")] == list(problem.solvers)


def test_the_probabilities_of_one_of_three_binary_variables():
    """Perturb-and-MAP chooses the largest of three log-odds with logistic noise; p(x) is their softmax."""
    odds, grid = np.array([0.0, 1.0, 3.0]), np.linspace(-40.0, 40.0, 80_001)[:, None]
    below = 1.0 / (1.0 + np.exp(odds - grid))  # probability that the perturbed log-odds are below the grid
    density = below[:, 2] * (1.0 - below[:, 2])
    perturbed = (density * below[:, 0] * below[:, 1]).sum() * 1e-3
    exact = np.exp(3.0) / np.exp(odds).sum()
    said = re.search(r"third one is chosen with probability (0\.\d+), under p\(x\) (0\.\d+)", PAGE)
    assert said is not None
    np.testing.assert_allclose([float(one) for one in said.groups()], [perturbed, exact], atol=0.005)
