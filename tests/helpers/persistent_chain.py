"""Single steps of persistent PMP for the tests of Appendix A: latent normals, correlations, warm and cold starts."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from scipy import stats

import pmp_kit as pk
from pmp_kit.samplers import observe

KEY = jax.random.key(0)
COPIES, SIDE = 400, 10


def graph():
    return pk.ising_lattice(SIDE, coupling=0.2)


def latent_chain(rho, steps=60, copies=COPIES):
    """The latent normals of `steps` calls, (steps, SIDE^2, copies)."""
    return np.asarray(_latent_chain(pk.PersistentPMP(rho), graph(), steps, copies))


@partial(jax.jit, static_argnames=("steps", "copies"))
def _latent_chain(sampler, lattice, steps, copies):
    unaries = jnp.broadcast_to(lattice.planes()[..., None], (1, SIDE**2, copies))

    def call(previous, number):
        keys = jax.random.split(jax.random.fold_in(KEY, number), copies)
        kept = sampler.init(keys, lattice, unaries, previous)
        return kept, kept.normals[0]

    first, normals = call(None, steps)
    _, others = jax.lax.scan(call, first, jnp.arange(steps - 1))
    return jnp.concatenate([normals[None], others])


def gumbel_correlation(latent_correlation):
    """Correlation of the Gumbels of two normals, by quadrature."""
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    gumbel = lambda x: -np.euler_gamma - np.log(-stats.norm.logcdf(x))  # noqa: E731
    other = latent_correlation * points[:, None] + np.sqrt(1 - latent_correlation**2) * points
    return weights @ (gumbel(points)[:, None] * gumbel(other)) @ weights / (np.pi**2 / 6)


def sweeps_to(scores, target):
    """The first number of sweeps with a mean score of `target`."""
    return int(np.argmax(scores >= target))


def warm_and_cold_scores():
    """Mean perturbed score before each of forty sweeps, started from the last messages and from neutral ones."""
    model = pk.ising_lattice(SIDE, coupling=0.4)
    unaries = jnp.broadcast_to(model.planes()[..., None], (1, SIDE**2, 100))
    sampler = pk.PersistentPMP(0.98, pk.MaxProduct(**pk.paper_settings(start="neutral")))
    keys = jax.random.split(KEY, 100)
    kept, warm_scores, cold_scores = None, None, None
    for step in range(5):
        keys = jax.vmap(jax.random.fold_in, (0, None))(keys, step)
        warm, cold = starts(sampler, model, unaries, keys, kept)
        (state, warm_scores), (_, cold_scores) = (run(sampler, model, unaries, start) for start in (warm, cold))
        kept = state
    return np.asarray(warm_scores), np.asarray(cold_scores)


@jax.jit
def starts(sampler, model, unaries, keys, kept):
    """The states before the first sweep with the last messages and with neutral ones. Both have the same noise."""
    warm = sampler.init(keys, model, unaries, kept)
    return warm, warm._replace(solving=sampler.solver.init(model, warm.perturbed))


@jax.jit
def run(sampler, model, unaries, state):
    """Run forty sweeps. Returns the last state and the mean perturbed score before each sweep."""

    def sweep(state, _):
        score = observe.perturbed_score(sampler.view(model, unaries, state))
        return sampler.sweep(None, model, unaries, state), score.mean()

    return jax.lax.scan(sweep, state, None, length=40)
