"""Section 5.2: estimates of log Z by perturbation (Figure 1, left and centre).

A model is perturbed many times. Three solvers get the same perturbations: max-product, max-product linear programming
(MPLP) and the exact highest-scoring configuration (MAP). The estimate of log Z is the mean of the perturbed scores of
the decoded states. Its error is the estimate minus the exact log Z. With the exact MAP the error is positive on average
(Section 2.2).
"""

import time

import jax
import jax.numpy as jnp
import numpy as np

from .... import exact
from ....graph import as_graph
from ....models import Ising, ising_lattice, spins_to_binary
from ....noise import Gumbel
from ....run import solver_sweeps
from ....solvers import MPLP, MaxProduct, paper_settings
from ....solvers.mplp import beliefs_of
from ....solvers.pairs import pair_model
from .lattice import lattice_log_partition
from .parallel_mplp import ParallelMPLP

SIZES = {
    "quick": {"spins": (5, 10), "models": 40, "perturbations": 10, "sides": (5, 10), "seeds": 2},
    "paper": {"spins": (5, 10, 15), "models": 100, "perturbations": 20, "sides": (5, 10, 15), "seeds": 5},
}
SWEEPS, MOST = 200, 2000
"""Sweeps of max-product (the paper's number), and the limit for MPLP, which converges much earlier."""
TIE = 1e-2
"""A log-ratio of MPLP that is smaller than this, in nats, counts as a tie."""
COUPLINGS = {"as printed": 0.1, "as the authors' code": -0.2}
"""Couplings of the lattices. Section 5.2 has J = 0.1; the authors' code has J = -0.2."""
PAPER = MaxProduct(**paper_settings())
KIT = MaxProduct()


def glass(seed, size=12) -> Ising:
    """Return a spin glass with strong couplings of both signs and weak fields. It has many distant local maxima.

    J_ij is the sum of two draws from U[-2, 2], as in the authors' code, and h_i from U[-0.1, 0.1].
    """
    rng = np.random.default_rng(seed)
    draw = np.triu(rng.uniform(-2, 2, (size, size)) + rng.uniform(-2, 2, (size, size)), 1)
    weight, bias, _ = spins_to_binary(draw + draw.T, rng.uniform(-0.1, 0.1, size))
    return Ising(weight, bias)


def random_models(*, spins: int, models: int, perturbations: int, seed: int) -> dict:
    """Compute the numbers of Figure 1, centre: a dict with one array (models,) for each row of `paper_rows.ROWS`.

    Model m of a seed is glass(1000 seed + m). MPLP updates the edges in a new random order in each sweep, as in the
    authors' code; in "fixed", it updates them in the same order in each sweep.
    """
    numbers = [_one_model(1000 * seed + model, spins, perturbations) for model in range(models)]
    return {name: np.array([each[name] for each in numbers]) for name in numbers[0]}


def _one_model(seed: int, spins: int, perturbations: int) -> dict:
    for_noise, for_order = jax.random.split(jax.random.key(seed))
    graph = glass(seed, spins).graph()
    unaries = perturbed(for_noise, graph, perturbations)
    exact, log_z = enumerated(graph, unaries)
    last, best = (np.asarray(score) for score in watched(graph, unaries, PAPER, SWEEPS))
    kit = search(graph, unaries, KIT, SWEEPS)[0].score
    found, state = search(graph, unaries, MPLP(keep_best=False, key=for_order), MOST)
    fixed = search(graph, unaries, MPLP(keep_best=False), MOST)[0].score
    scores = {"exact": exact, "last": last, "best": best, "kit": kit, "mplp": found.score, "fixed": fixed}
    scores |= {"dual": found.bound, "tied": ties_in_one_state(graph, unaries, state.pair_messages)}
    rates = {f"found_{name}": (np.asarray(scores[name]) > exact - 1e-3).mean() for name in ("last", "best", "kit")}
    return rates | {name: np.mean(score) - log_z for name, score in scores.items()}


def lattices(*, side: int, coupling: float, perturbations: int, seed: int) -> dict:
    """Compute the numbers of Figure 1, left, for one lattice: errors of log Z (perturbations,), and seconds.

    All perturbations are solved as one batch. Both times exclude compilation.
    """
    model = ising_lattice(side, coupling)
    unaries, log_z = perturbed(jax.random.key(seed), model, perturbations), lattice_log_partition(model)
    of_mplp = MPLP(keep_best=False, tolerance=1e-6)
    (pmp, _), pmp_seconds = timed(lambda sweeps: search(model, unaries, PAPER, sweeps), SWEEPS, repeats=5)
    (found, state), mplp_seconds = timed(lambda sweeps: search(model, unaries, of_mplp, sweeps), MOST, repeats=3)
    errors = {"pmp": pmp.score, "mplp": found.score, "dual": found.bound}
    return {name: np.asarray(score, np.float64) - log_z for name, score in errors.items()} | {
        "log_z": log_z,
        "pmp_seconds": pmp_seconds,
        "mplp_seconds": mplp_seconds,
        "mplp_sweeps": np.asarray(state.sweeps),
    }


def parallel(*, spins: int, models: int, perturbations: int, seed: int) -> dict:
    """Return the dual values after 200 sweeps minus the exact MAP score, in nats, (models,) each.

    The sequential MPLP updates one edge at a time, and the parallel one updates all edges at once.
    """
    for_noise, for_order = jax.random.split(jax.random.key(seed))
    solvers = {"sequential": MPLP(key=for_order), "parallel": ParallelMPLP()}
    gaps = {name: [] for name in solvers}
    for model in range(models):
        graph = glass(1000 * seed + model, spins).graph()
        unaries = perturbed(jax.random.fold_in(for_noise, model), graph, perturbations)
        best = enumerated(graph, unaries)[0]
        for name, each in solvers.items():
            gaps[name].append(np.mean(search(graph, unaries, each, SWEEPS)[0].bound - best))
    return {name: np.array(values) for name, values in gaps.items()}


def timed(run, sweeps: int, repeats: int) -> tuple:
    """Return the result of run(sweeps) and its median seconds. A first call with one sweep compiles the code."""
    jax.block_until_ready(run(1))
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = jax.block_until_ready(run(sweeps))
        seconds.append(time.perf_counter() - start)
    return result, float(np.median(seconds))


def perturbed(key, model, perturbations: int):
    """Return the perturbed unaries of the model, planes (1, n, perturbations)."""
    unaries = as_graph(model).planes()
    return unaries[..., None] + Gumbel().draw_log_odds(key, (*unaries.shape, perturbations), unaries.dtype)


def enumerated(graph, unaries) -> tuple[np.ndarray, float]:
    """Return the best score of each perturbation, (perturbations,), and log Z, by exact enumeration."""
    base = np.asarray(exact.log_weights(graph), np.float64)
    noise = np.asarray(unaries[0] - graph.planes()[0][:, None], np.float64)
    scores = base[:, None] + exact.states(graph.variables)["x"] @ noise
    return scores.max(0), float(np.logaddexp.reduce(base))


@jax.jit
def search(graph, unaries, solver, num_sweeps):
    """Run a solver on every perturbation. Returns: its answer and its final state."""
    state, _ = solver_sweeps(solver, graph, unaries, solver.init(graph, unaries), 0, num_sweeps)
    return solver.answer(graph, unaries, state), state


@jax.jit
def watched(graph, unaries, solver, num_sweeps):
    """Return the score of the last decoded state and the best score after any sweep.

    The solver must have keep_best=False.
    """

    def step(_, carry):
        state = solver.sweep(graph, unaries, carry[0])
        score = solver.answer(graph, unaries, state).score
        return state, score, jnp.maximum(carry[2], score)

    nothing = jnp.full(unaries.shape[2:], -jnp.inf, unaries.dtype)
    return jax.lax.fori_loop(0, num_sweeps, step, (solver.init(graph, unaries), nothing, nothing))[1:]


@jax.jit
def ties_in_one_state(graph, unaries, messages):
    """Return the score if every tied spin is set to state 0."""
    beliefs = beliefs_of(pair_model(graph, unaries), messages)
    states = (beliefs[1:] - beliefs[:1] > TIE).astype(unaries.dtype)
    return graph.score_with(unaries, states)
