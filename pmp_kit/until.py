"""sample_until: Markov chains that run until their means are known as well as asked for."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jax import Array, random

from .engine import checks, planes
from .engine.arrays import outside_jit
from .engine.signatures import NamedArrays
from .graph import Model, as_graph
from .measures.chains import effective_size, halves_of, split_r_hat
from .results import Samples
from .sample import sample, trace
from .samplers import AbstractSampler, Gibbs, PersistentPMP, View
from .samplers.colouring import colours

ROWS = 256
"""The fewest rows of each chain that are kept at a test, if the limit of the sweeps allows it."""
BLOCK = 2**22
"""The most numbers whose statistics are computed at once."""


class Until(NamedTuple):
    """The result of `sample_until`. The numbers are those of the worst state of all variables.

    Attributes:
        samples: all kept rows of all chains, (rows * num_chains, *shape), one row of all chains after another. Their
            `chains` continue the chains, and their `sweeps` are the sweeps of a chain before each sample.
        sweeps: the sweeps of each chain.
        reached: whether all targets were reached; False if `max_sweeps` came first.
        effective: the smallest effective sample size. That of the score counts as well.
        r_hat: the largest split R-hat. That of the score counts as well.
        error: the largest standard error of a probability p(x_i = c).
    """

    samples: Samples
    sweeps: int
    reached: bool
    effective: float
    r_hat: float
    error: float


def sample_until(
    key: Array, model: Model, sampler: AbstractSampler | None = None, *, error: float | None = None,
    effective: float | None = None, r_hat: float = 1.01, num_chains: int = 16, max_sweeps: int = 10_000,
    evidence: NamedArrays | None = None,
) -> Until:  # fmt: skip
    """Run Markov chains until all targets are reached, or until the limit of the sweeps.

    The targets are tested after T, 2 T, 4 T, ... sweeps, with at least about 256 sweeps between two tests. At each test
    the first half of all sweeps is dropped as burn-in. The statistics are those of `measures.r_hat`,
    `measures.effective_sample_size` and `measures.mcse` for the indicators x_i = c of all variables and states, and for
    the score. Chains that all miss the same mode look as if they had mixed.

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph().
        sampler: a Markov chain; by default Gibbs(pk.colours(model)).
        error: the largest standard error of a probability p(x_i = c); by default no target.
        effective: the smallest effective sample size; by default no target.
        r_hat: the largest R-hat. It has to be reached in any case, because the other numbers hold only for chains that
            have mixed.
        num_chains: the number of chains, at least 4.
        max_sweeps: the limit of the sweeps of each chain, at least 64.
        evidence: dict block name -> states or FREE, in the block's shape.

    Returns: an `Until`. Cost: num_chains * sweeps sweeps, and the memory of 256 to 512 rows of each chain, or of
    1 / (2 error^2) or 2 effective rows of all chains together, if these are more.

    Raises: TypeError or ValueError that names the argument; ValueError for samplers with independent draws.
    """
    outside_jit("sample_until", key, model, sampler, evidence)
    key, graph = checks.key(key), as_graph(model)
    sampler = checks.instance(
        "sampler", Gibbs(colours(graph)) if sampler is None else sampler, AbstractSampler, "Gibbs()"
    )
    if not sampler.is_markov_chain or isinstance(sampler, PersistentPMP):
        raise ValueError(
            f"sampler: expected a Markov chain such as Gibbs(), got {type(sampler).__name__}, whose samples are "
            "independent: the standard error of a probability from N of them is at most 0.5 / sqrt(N); use sample with "
            "so many, and diagnose to see whether num_sweeps is enough"
        )
    r_hat = checks.number("r_hat", r_hat, 1.0 + 1e-6)
    error = None if error is None else checks.number("error", error, 1e-6)
    effective = None if effective is None else checks.number("effective", effective, 1.0)
    num_chains, max_sweeps = checks.count("num_chains", num_chains, 4), checks.count("max_sweeps", max_sweeps, 64)
    known = graph.variables.shared_evidence(evidence)

    wanted = max(effective or 0.0, 0.25 / error**2 if error else 0.0)
    rows = min(max(ROWS, int(2.0 * wanted / num_chains)), max_sweeps // 2)
    tests = int(np.log2(max_sweeps / rows))
    length = max_sweeps // 2**tests
    burn_in = sample(random.fold_in(key, 0), graph, sampler, num_samples=num_chains, num_sweeps=length, evidence=known)
    chains = burn_in.chains
    for number in range(1, tests + 1):
        seen = trace(
            random.fold_in(key, number), graph, sampler, num_sweeps=length, observe=states_and_score,
            every=length // rows, num_samples=num_chains, evidence=known, previous=chains,
        )  # fmt: skip
        states, scores = (values[1:] for values in seen.values)
        found, chains, length = summary(states, scores), seen.chains, 2 * length
        reached = found.reaches(error, effective, r_hat)
        if reached:
            break
    sweeps = np.repeat(length // 2 + seen.sweeps[1:], num_chains)
    samples = Samples(graph.variables.unflatten(states.reshape(sweeps.size, -1).astype(np.int32)), chains, sweeps)
    return Until(samples, length, reached, *found)


class Summary(NamedTuple):
    """The statistics of `Until`."""

    effective: float
    r_hat: float
    error: float

    def reaches(self, error: float | None, effective: float | None, r_hat: float) -> bool:
        """Return whether the targets, those that are not None, are reached."""
        precise = error is None or self.error <= error
        return precise and (effective is None or self.effective >= effective) and self.r_hat <= r_hat


def states_and_score(view: View) -> tuple[Array, Array]:
    """Observe the states (n, batch), in as few bytes as possible, and the score (batch,)."""
    kind = np.min_scalar_type(view.graph.variables.num_states - 1)
    return planes.to_states(view.states).astype(kind), view.graph.score(view.states)


def summary(states: np.ndarray, scores: np.ndarray) -> Summary:
    """Return the statistics of states (rows, chains, n) and scores (rows, chains) in the worst case.

    Entries that are the same in all rows and chains do not count.
    """
    if not np.isfinite(scores).all():
        return Summary(0.0, np.inf, np.inf)  # some chains have not reached the possible states
    size, error = scores.size, 0.0
    r_hat, effective = [1.0], [float(size)]
    for values, is_score in _varying(states, scores):
        halves = halves_of(values)
        of_each = effective_size(halves)
        r_hat.append(split_r_hat(halves).max())
        effective.append(of_each.min())
        if not is_score:
            error = max(error, float((values.std((0, 1)) / np.sqrt(of_each)).max()))
    return Summary(float(min(effective)), float(max(r_hat)), error)


def _varying(states, scores) -> Iterator[tuple[np.ndarray, bool]]:
    """Yield the score and indicators of states (rows, chains, some) that vary, and whether it is the score."""
    if (scores != scores[0, 0]).any():
        yield scores[..., None].astype(np.float64), True
    width, most = max(1, BLOCK // scores.size), int(states.max())
    for start in range(0, states.shape[-1], width):
        some = states[..., start : start + width]
        for state in range(1 if most == 1 else 0, most + 1):
            is_here = some == state
            varies = is_here.any((0, 1)) & ~is_here.all((0, 1))
            if varies.any():
                yield is_here[..., varies].astype(np.float64), False
