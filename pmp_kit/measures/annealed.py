"""Annealed importance sampling (AIS): log Z by a path from independent variables to the model (Neal 2001).

At inverse temperature b the scores of all factors are multiplied by b, and the unaries are interpolated between those
of the base (b = 0) and those of the model (b = 1). By default, the base has the mean field that each variable would
have if the others were uniform. The factors lower no state by more than 10 nats below the best one there. So symmetric
modes get equally many chains. The unaries alone would not do: those of a spin glass without fields, in states 0 and 1,
are far from 0, and all chains would end in one mode.

A chain starts with an exact draw x_0 at b = 0 and makes one sweep at each b up to 1; x_k is its state after the sweep
at b_k. The weight

    w = prod_k exp[(b_k - b_{k-1}) (score(x_{k-1}) - base(x_{k-1}))],    log Z = log Z_base + log E[w]

is unbiased for Z / Z_base, but the log of a mean of w is on average below log Z. With few temperatures, or chains that
do not mix, the estimate is far too low. The log-likelihood log p(data) = score - log Z is then too high (Appendix B.4).
So a high AIS log-likelihood alone is not evidence for a good model. Increase the number of temperatures until the
estimate no longer changes.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from .. import run
from ..engine import calls, checks, planes
from ..engine.arrays import outside_jit
from ..engine.progress import bar
from ..engine.signatures import ArrayLike, Floats, NamedArrays
from ..graph import FactorGraph, Model, as_graph
from ..sample import check_supported
from ..samplers import AbstractSampler, Gibbs
from ..samplers.base import keys_of
from ..samplers.chain import everywhere, fields, softmax_noise
from ..unaries import unary_parameters
from ..variables import FREE

DEEPEST = 10.0
"""How far the factors may lower a state below the best one in the default base, in nats. With a large penalty, the mean
field of a state can be -5,000. It would be free only in the last steps, and all chains would miss it."""
UNIFORM = 16
"""The random states, shifted by each number of states, of which the default base is the mean field."""


class Annealed(NamedTuple):
    """An estimate of log Z.

    Attributes:
        value: the estimate in nats, on average too low.
        error: its standard error, from the variance of the weights. It does not include modes that no chain has found.
        effective: the effective number of chains, (sum w)^2 / sum w^2. If it is far below num_chains, the value is not
            reliable. If it is high, all chains may still have missed the same modes.
        log_weights: the log-weight of each chain, (num_chains,), including log Z_base. `value` is the log of the mean
            of their exponentials.
    """

    value: float
    error: float
    effective: float
    log_weights: Floats


def annealed_log_partition(
    key: Array, model: Model, sampler: Gibbs | None = None, *, num_chains: int = 100, num_temperatures: int = 1000,
    base: ArrayLike | NamedArrays | None = None, evidence: NamedArrays | None = None,
) -> Annealed:  # fmt: skip
    """Estimate log Z by annealed importance sampling (AIS; Neal 2001; Appendix B.4).

    The chains move from independent variables (b = 0) to the model (b = 1), whose factors are multiplied by b.

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph(). Its factors must have finite scores, because hard constraints
            and entries of -inf cannot be scaled. Its unaries may forbid states.
        sampler: Gibbs() (default), or Gibbs(blocks=("h", "v")) for an RBM (restricted Boltzmann machine).
        num_chains: the number of independent chains, at least 2.
        num_temperatures: the number of evenly spaced steps from b = 0 to 1, with one sweep each.
        base: unaries of the independent variables at b = 0, as for FactorGraph; by default the mean log-conditionals
            under uniform states of the other variables (0 for spins without fields), where the factors lower no state
            by more than 10 nats below the best.
        evidence: dict block name -> states or FREE, in the block's shape; log Z is then the sum over the states that
            agree with it.

    Returns: an `Annealed`, with value -inf if the unaries forbid an observed state. Cost: num_chains * num_temperatures
    sweeps and scores, and the memory of num_chains states.

    Raises: TypeError or ValueError that names the argument; ValueError for factors that forbid states.
    """
    outside_jit("annealed_log_partition", key, model, sampler, base, evidence)
    key, graph = checks.key(key), as_graph(model)
    sampler = checks.instance("sampler", Gibbs() if sampler is None else sampler, Gibbs, "Gibbs()")
    check_supported(sampler, graph, traced=False)
    for factor in graph.factors:
        if factor.hard:
            raise ValueError(
                f"model: expected factors with finite scores, got {type(factor).__name__} that forbids some states, "
                "which cannot be scaled; use exact.log_partition or the bounds"
            )
    chains, number = checks.count("num_chains", num_chains, 2), checks.count("num_temperatures", num_temperatures)
    row = graph.variables.evidence(evidence, 1)[0]
    apart = jax.random.fold_in(key, chains)  # the keys of the chains have the numbers below
    unaries = _mean_fields(apart, graph, row) if base is None else _given(base, graph)
    log_z = base_log_partition(graph, np.asarray(unaries, np.float64), row)
    if log_z == -np.inf:
        return Annealed(-np.inf, np.nan, np.nan, np.full(chains, -np.inf))
    known = jnp.broadcast_to(jnp.asarray(row)[:, None], (row.size, chains))
    chain = _begin(key, graph, unaries, known)
    seconds = calls.least_seconds(graph, sampler, chains, number)
    pace, done = calls.Pace(seconds / number), 0
    with bar(number, "annealing") as shown:
        while done < number:
            until = min(number, done + pace.units)
            chain = pace.timed(until - done, _anneal, key, graph, unaries, sampler, known, number, chain, done, until)
            shown.update(until - done)
            done = until
    return _estimate(log_z + np.asarray(chain[1], np.float64))


def _given(base, graph: FactorGraph) -> Array:
    """Return the checked unaries of the argument `base`, (n, C)."""
    unaries, allowed = unary_parameters(graph.variables, base, "base")
    if allowed is not None:
        raise ValueError("base: expected finite unaries, got -inf; states that the model forbids stay forbidden")
    return unaries.astype(graph.unaries.dtype)


@jax.jit
def _mean_fields(key, graph: FactorGraph, known) -> Array:
    """Return unaries (n, C): the mean log-conditionals of each variable under uniform states of those not observed.

    The factors lower no state by more than DEEPEST below the best. Each random state is shifted by 0 to C - 1, so each
    variable takes each state equally often: the mean of pairs is exact.
    """
    most, ids = graph.variables.num_states, np.arange(graph.variables.count)
    sizes = graph.variables.cardinalities[:, None, None].astype(np.int32)
    first = jax.random.randint(key, (ids.size, UNIFORM, 1), 0, sizes, jnp.int32)
    shifted = ((first + np.arange(most, dtype=np.int32)) % sizes).reshape(ids.size, -1)
    states = jnp.where(known[:, None] == FREE, shifted, known[:, None])
    states = planes.from_states(states, graph.variables.num_planes, graph.unaries.dtype)
    of_factors = fields(graph, jnp.zeros_like(states), states, everywhere(graph)).mean(-1)
    of_factors = planes.scores(of_factors, ids, most).T
    mean = graph.unaries + of_factors
    best = jnp.where(graph.allowed_states(), mean, -jnp.inf).argmax(1, keepdims=True)
    top, of_best = (jnp.take_along_axis(x, best, 1) for x in (mean, of_factors))
    return jnp.maximum(mean, jnp.minimum(top - DEEPEST, graph.unaries + of_best))


def base_log_partition(graph: FactorGraph, base: np.ndarray, known: np.ndarray) -> float:
    """Return log Z of independent variables with unaries `base` (n, C), given the observed states (n,).

    It is -inf if the unaries forbid an observed state.
    """
    return float(np.logaddexp.reduce(np.where(graph.possible_states(known), base, -np.inf), axis=1).sum())


def _estimate(log_weights: np.ndarray) -> Annealed:
    """Return the estimate from the log-weight of each chain."""
    weights = np.exp(log_weights - log_weights.max())
    share = weights / weights.sum()
    return Annealed(
        float(np.log(weights.mean()) + log_weights.max()),
        float(weights.std(ddof=1) / weights.mean() / np.sqrt(weights.size)),
        float(1.0 / np.sum(share**2)),
        log_weights,
    )


@jax.jit
def _begin(key, graph: FactorGraph, base, known):
    """Return exact samples of the base (planes, n, chains), and the log-weight of each chain with its rounding, 0."""
    keys = keys_of(key, jnp.arange(known.shape[1]))
    unaries = run.clamped_unaries(tempered(graph, base, jnp.zeros((), base.dtype)), known)
    states = planes.decode_noisy(unaries, softmax_noise(keys_of(keys, 0), unaries))  # of independent variables: exact
    return states, *(jnp.zeros(known.shape[1], base.dtype) for _ in range(2))


@jax.jit
def _anneal(key, graph: FactorGraph, base, sampler: AbstractSampler, known, number, chain, done, until):
    """Return the states, log-weights and rounding of the chains after `until` of `number` temperatures."""
    keys = keys_of(key, jnp.arange(known.shape[1]))
    added = eqx.tree_at(lambda g: g.unaries, graph, graph.unaries - base)  # apart from the base, which may be large

    def inverse_temperature(rung):
        return rung.astype(base.dtype) / number  # the number is not a shape, so another one does not recompile

    def step(rung, carry):
        states, total, lost = carry
        now = inverse_temperature(rung)
        rise = (now - inverse_temperature(rung - 1)) * added.score(states) - lost
        total, before = total + rise, total
        lost = (total - before) - rise  # by rounding, which adds up over many temperatures (Kahan)
        warm = tempered(graph, base, now)
        clamped = run.clamped_unaries(warm, known)
        state = sampler.init(keys, warm, clamped, states)
        state = sampler.sweep(keys_of(keys, rung), warm, clamped, state)
        return sampler.view(warm, clamped, state).states, total, lost

    return jax.lax.fori_loop(done + 1, until + 1, step, chain)


def tempered(graph: FactorGraph, base, inverse_temperature) -> FactorGraph:
    """Return the graph with factor scores multiplied by b and unaries (n, C) between `base` (b = 0) and its own."""
    b = inverse_temperature
    return graph.tempered(b, (1.0 - b) * base + b * graph.unaries)
