"""Section 5.2, MPLP against max-product on random Ising models and lattices, at the paper's size (PAPER.md AC4).

100 models a size: J_ij the sum of two draws from U[-2, 2] (as the authors' code, A.6 D6), h_i from U[-0.1, 0.1], spins.
Every model is perturbed many times, and all solvers see the same perturbations. An error of log Z is the mean of the
perturbed score found, over perturbations, minus the exact log Z; with the exact MAP it is an upper bound.

MPLP ends with 84 % (5 spins) to 100 % (10 spins) of its decoded scores tied, so that its states are a matter of taste:
the sign of what the stop left over, as the authors' script takes it, gives -2.1 and -17.5; ties set to one state are
an answer without information and give about -6.9 and -28.9. Both are checked.
"""

import os
import subprocess
import sys
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pair_models import glass
from pmp_kit.solvers import max_product, mplp

MODELS = 100
PERTURBATIONS = 20
TIE = 1e-2
AUTHORS = pk.MaxProduct(start="zero", keep_best=False, tolerance=0.0)
BEST = pk.MaxProduct(start="zero", keep_best=True, tolerance=0.0)
MPLP = pk.MPLP(keep_best=False)


class Row(NamedTuple):
    """A number of the paper or of an independent run, and its standard error, for 5, 10 and 15 spins."""

    name: str
    values: tuple
    errors: tuple


ROWS = [
    Row("last decode finds the MAP", (0.61, 0.55, 0.41), (0.05, 0.05, 0.05)),
    Row("best decode finds the MAP", (0.98, 0.84, 0.76), (0.014, 0.04, 0.04)),
    Row("error with the exact MAP", (0.88, 1.61, None), (0.25, 0.4, None)),
    Row("error with the last decode", (-1.0, -1.3, -2.2), (0.4, 0.6, 1.0)),
    Row("error with MPLP's sign", (-2.1, -17.5, -44.1), (0.5, 1.5, 2.0)),
    Row("error with MPLP's ties in one state", (-6.9, -28.9, None), (0.7, 1.5, None)),
    Row("error of MPLP's dual value", (3.6, 28.1, None), (0.3, 1.0, None)),
]
SIZES = (5, 10, 15)


def perturbed(key, graph):
    shape = (graph.variables.num_planes, graph.variables.count, PERTURBATIONS)
    return graph.planes()[..., None] + pk.Gumbel().draw_log_odds(key, shape, graph.unaries.dtype)


@partial(jax.jit, static_argnames="num_sweeps")
def answers(key, graph, solver, num_sweeps):
    """The answer to every perturbation of a model, and the last state."""
    unaries = perturbed(key, graph)
    state = jax.lax.while_loop(
        lambda carry: (carry[0] < num_sweeps) & ~solver.done(carry[1]).all(),
        lambda carry: (carry[0] + 1, solver.sweep(graph, unaries, carry[1])),
        (0, solver.init(graph, unaries)),
    )[1]
    return solver.answer(graph, unaries, state), state


@jax.jit
def score_with_ties_in_one_state(key, graph, messages):
    unaries = perturbed(key, graph)
    states = (mplp.with_messages(graph, unaries, messages) > TIE).astype(unaries.dtype)
    return graph.factor_score(states) + jnp.sum(unaries * states, axis=(0, 1))


@pytest.fixture(scope="module")
def study():
    """Per size, computed once: mean and standard error over the models of the number of each row."""
    known = {}

    def run(spins):
        if spins not in known:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(max_product, "CHECK_EVERY", 1)  # best of all sweeps, not of each fifth
                numbers = np.array([numbers_of(seed, spins) for seed in range(MODELS)])
            known[spins] = numbers.mean(0), numbers.std(0, ddof=1) / np.sqrt(MODELS)
        return known[spins]

    return run


def numbers_of(seed, spins) -> list:
    """The rows' numbers for one model."""
    key, graph = jax.random.key(seed), glass(seed, spins).graph()
    log_z = float(pk.exact.log_partition(graph))
    exact = answers(key, graph, pk.Exhaustive(), 0)[0].score
    last, best = (answers(key, graph, solver, 200)[0].score for solver in (AUTHORS, BEST))
    found, state = answers(key, graph, MPLP, 2000)
    tied = score_with_ties_in_one_state(key, graph, state.messages)
    rates = [float((score > exact - 1e-3).mean()) for score in (last, best)]
    return rates + [float(score.mean()) - log_z for score in (exact, last, found.score, tied, found.bound)]


UNEXPLAINED = pytest.mark.xfail(reason="ours is -57, also with ten times the sweeps: ties decide, and why is unknown")


def marks(number, size) -> list:
    """Those of a row: 15 spins are for `make test-all`, and one number of theirs is not reproduced."""
    if size < 2:
        return []
    return [pytest.mark.all, UNEXPLAINED] if ROWS[number].name == "error with MPLP's sign" else [pytest.mark.all]


NUMBERS = [
    pytest.param(number, size, id=f"{ROWS[number].name}, {SIZES[size]} spins", marks=marks(number, size))
    for size in range(len(SIZES))
    for number in range(len(ROWS))
    if ROWS[number].values[size] is not None
]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "size"), NUMBERS)
def test_random_models(study, row, number, size):
    """Within three standard errors of both; those of 15 spins are marked `all`."""
    mean, error = (part[number] for part in study(SIZES[size]))
    name, paper, paper_error = (ROWS[number].name, ROWS[number].values[size], ROWS[number].errors[size])
    row(f"5.2 {name}, {SIZES[size]} spins", paper, mean, 3 * np.hypot(error, paper_error))


@pytest.mark.parametrize("coupling", [0.1, -0.2], ids=["as printed", "as the authors' code"])
@pytest.mark.parametrize("side", [5, 10])
def test_max_product_and_mplp_agree_on_lattices(row, side, coupling):
    """Where a model is this weakly coupled, both find the same states."""
    key, graph = jax.random.key(side), pk.ising_lattice(side, coupling)
    first, second = answers(key, graph, BEST, 200)[0].score, answers(key, graph, MPLP, 2000)[0].score
    same = float((jnp.abs(first - second) < 1e-3).mean())
    row(f"5.2 share of equal PMP and MPLP values, {side} x {side}, J = {coupling}", 1.0, same)


PEAK = """
import pathlib, resource, sys
import pmp_kit as pk
pk.measures.lattice_log_partition(pk.ising_lattice(15, 0.1))
status = pathlib.Path("/proc/self/status")  # of this program alone: on Linux getrusage knows its parent's peak as well
if status.exists():
    kib = status.read_text().split("VmHWM:")[1].split()[0]
else:
    kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "darwin" else 1)
print(float(kib) / 1024)
"""


def test_exact_log_partition_of_side_15_needs_little_memory(row):
    """The whole process, Python and JAX included."""
    pytest.importorskip("resource")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    command = [sys.executable, "-c", PEAK]
    peak = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    row("5.2 exact log Z, 15 x 15: peak memory in MiB", (0.0, 953.0), float(peak))
