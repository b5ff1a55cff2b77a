"""diagnose: whether the samples of a model can be trusted, in words, one line for each check."""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import jax
import numpy as np
from jax import Array, random

from .. import exact
from ..engine import checks
from ..engine.arrays import outside_jit
from ..engine.signatures import NamedArrays
from ..graph import FactorGraph, Model, as_graph
from ..results import Samples
from ..sample import sample, score, trace
from ..samplers import PMP, AbstractSampler, ParallelTempering, PersistentPMP
from ..until import sample_until, states_and_score, summary

ENUMERATED = 2**16
"""The most joint states that are enumerated."""
EXACT_DRAWS = 20_000
"""The number of exact samples to which those of models of low induced width are compared."""
GIBBS = "long chains of Gibbs"
REFERENCE_SWEEPS = 2000
"""The most sweeps of the Markov chains that take the place of enumeration in larger models."""
SETTLED = 0.95
"""The share of samples that more sweeps may leave unchanged in a settled search."""
MIXED = 1.05
"""The largest R-hat. In the sweeps of one sample, a chain then has at least about ten independent draws."""
LONGEST = 16
"""How many times as many sweeps are tried for chains that have not mixed."""
MOST_CHAINS, ROWS = 32, 256
"""The most chains whose R-hat is computed, and about the most rows of each."""
FALSE_ALARM = 1e-3
"""The probability that a perfect sampler fails a comparison of means."""
EXPECTED = 5.0
"""The fewest samples that are expected with a state and without it. Rarer states have no normal distribution."""


class Check(NamedTuple):
    """One check of samples.

    Attributes:
        name: what was checked.
        value: the number that was measured.
        limit: the number that it was compared with, often that of a perfect sampler.
        at_least: whether the value has to be at least the limit; at most if False.
        verdict: the result in words.
        advice: what to change; empty if nothing.
    """

    name: str
    value: float
    limit: float
    at_least: bool
    verdict: str
    advice: str

    @property
    def ok(self) -> bool | None:
        """Whether the check was passed; None if it could not be made, and has no limit."""
        if np.isnan(self.limit):
            return None
        return bool(self.value >= self.limit if self.at_least else self.value <= self.limit)


class Diagnosis(NamedTuple):
    """The result of `diagnose`, which prints as one line for each check.

    Attributes:
        checks: the checks.
        samples: the samples that were checked, those of `sample` with the same arguments.
    """

    checks: list[Check]
    samples: Samples

    def __str__(self) -> str:
        """Return one line for each check."""
        marks = {True: "ok", False: "NOT OK", None: "unknown"}
        return "\n".join(
            f"{check.name:<9} {marks[check.ok]:<8} {_compared(check):<25} {check.verdict} {check.advice}".rstrip()
            for check in self.checks
        )

    __repr__ = __str__


def _compared(check: Check) -> str:
    """Return the value of a check and its limit, such as "0.988 (at least 0.95)"."""
    if check.ok is None:
        return ""
    return f"{check.value:.3g} ({'at least' if check.at_least else 'at most'} {check.limit:.3g})"


def diagnose(
    key: Array, model: Model, sampler: AbstractSampler | None = None, *, num_samples: int, num_sweeps: int,
    evidence: NamedArrays | None = None,
) -> Diagnosis:  # fmt: skip
    """Draw the samples of `sample` with the same arguments, and say in words whether they can be trusted.

    The checks are these:

    - "possible": the share of samples that satisfy all constraints.
    - "settled": for PMP, the share of samples that twice the sweeps with the same noise leave unchanged. For Markov
      chains, the largest change of a mean over three times as many further sweeps, in standard errors.
    - "moving" and "mixed", for Markov chains: the share of chains that change in the next num_sweeps sweeps, and their
      R-hat.
    - "exact": the largest error of a probability p(x_i = c) or of the mean score, in standard errors of num_samples
      independent draws from p(x). The reference is enumeration up to 2^16 joint states, exact samples if the graph is
      close enough to a tree, and otherwise `sample_until` with Gibbs for at most 2,000 sweeps.

    The advice of a failed check was tried where it names a number of sweeps.

    Args: those of `sample`, with num_samples at least 20, and evidence in the block's shape.

    Returns: a `Diagnosis`. Cost: 3 to 31 times that of `sample`, plus the reference and, for chains that have not
    mixed, up to 16 num_sweeps sweeps of at most 32 chains.

    Raises: TypeError or ValueError that names the argument.
    """
    outside_jit("diagnose", key, model, sampler, evidence)
    key, graph = checks.key(key), as_graph(model)
    num_samples, num_sweeps = checks.count("num_samples", num_samples, 20), checks.count("num_sweeps", num_sweeps, 0)
    sampler = checks.instance("sampler", PMP() if sampler is None else sampler, AbstractSampler, "PMP()")
    known = graph.variables.shared_evidence(evidence)
    call = partial(sample, model=graph, sampler=sampler, num_samples=num_samples, evidence=known)
    draw = cache(lambda factor: call(key, num_sweeps=factor * num_sweeps))
    other_keys = [random.fold_in(key, num_samples + number) for number in range(5)]  # samples have the numbers below
    can_be_exact = cache(lambda: exact.takes_little(graph, known))  # the search for an order takes seconds
    result, chains = [_possible(graph, draw, num_sweeps, can_be_exact)], []
    if not sampler.is_markov_chain or isinstance(sampler, PersistentPMP):
        result += [_search_settled(graph, draw, num_sweeps)] if num_sweeps else []
    else:
        chains = _chains(other_keys, graph, sampler, draw(1), call, num_sweeps, known, can_be_exact)
    result += [*chains, _against_reference(other_keys[4], graph, draw(1), known, chains, can_be_exact)]
    return Diagnosis(result, draw(1))


def _possible(graph: FactorGraph, draw, num_sweeps: int, can_be_exact: Callable[[], bool]) -> Check:
    """Check the share of samples with a score above -inf."""
    share = cache(lambda factor: float(np.isfinite(score(graph, draw(factor))).mean()))
    if share(1) == 1.0:
        return Check("possible", 1.0, 1.0, True, "All samples satisfy all constraints.", "")
    factor = next((factor for factor in (2, 4, 8) if share(factor) >= SETTLED), None) if num_sweeps else None
    if factor is not None:
        advice = f"Use num_sweeps={factor * num_sweeps}, where the share is {share(factor):.3g}, or drop the others."
    elif can_be_exact():
        advice = f"{_eightfold(num_sweeps)} Use pk.exact.sample, which draws exact samples here."
    else:
        advice = (
            f"{_eightfold(num_sweeps)} Drop the impossible samples, or try searches in random orders: "
            "PerturbAndMAP(Portfolio(...)) of MaxProduct(schedule=RandomMask(key))."
        )
    verdict = f"{share(1):.0%} of the samples satisfy all constraints."
    return Check("possible", share(1), 1.0, True, verdict, advice)


def _eightfold(num_sweeps: int) -> str:
    return f"Eight times the sweeps ({8 * num_sweeps}) were tried and are not enough."


def _search_settled(graph: FactorGraph, draw, num_sweeps: int) -> Check:
    """Check the share of samples that twice the sweeps do not change."""

    @cache
    def share(factor: int) -> float:
        one, other = (graph.variables.flatten_all(draw(times)) for times in (factor, 2 * factor))
        return float((one == other).all(-1).mean())

    verdict = f"Twice the sweeps leave {share(1):.0%} of the samples unchanged."
    if share(1) >= SETTLED:
        return Check("settled", share(1), SETTLED, True, verdict, "")
    factor = next((factor for factor in (2, 4, 8) if share(factor) >= SETTLED), None)
    if factor is None:
        advice = f"{_eightfold(num_sweeps)} Use still more, or other settings: pk.tune compares them."
    else:
        advice = f"Use num_sweeps={factor * num_sweeps}, where this is {share(factor):.0%}."
    return Check("settled", share(1), SETTLED, True, verdict, advice)


def _chains(
    keys, graph: FactorGraph, sampler, samples: Samples, call, num_sweeps: int, known, can_be_exact
) -> list[Check]:
    """Check whether the means of the chains still change, whether the chains move, and whether they have mixed."""
    later = call(keys[0], num_sweeps=3 * num_sweeps, previous=samples.chains)
    drift, limit = _drift(graph, samples, later)
    number, length = min(len(samples.sweeps), MOST_CHAINS), max(num_sweeps, 16)
    seen = trace(
        keys[1], graph, sampler, num_sweeps=length, observe=states_and_score, every=-(-length // ROWS),
        num_samples=number, evidence=known, previous=jax.tree.map(lambda leaf: leaf[:number], samples.chains),
    )  # fmt: skip
    states, scores = (values[1:] for values in seen.values)
    order = np.random.default_rng(0).permutation(scores.size)  # as a perfect sampler would draw these rows
    shuffled = (
        states.reshape(scores.size, -1)[order].reshape(states.shape),
        scores.reshape(-1)[order].reshape(scores.shape),
    )
    found, perfect = summary(states, scores), summary(*shuffled)
    moving, all_moving = (float((x != x[0]).any((0, 2)).mean()) for x in (states, shuffled[0]))
    settled = f"In {3 * num_sweeps} further sweeps, the means change by at most {drift:.2g} standard errors."
    changed = f"In {length} further sweeps, {moving:.0%} of the chains change."
    worth = f"{scores.size} rows of {number} chains are worth {found.effective:.0f} independent draws."
    made = [
        Check("settled", drift, limit, False, settled, ""),
        Check("moving", moving, 0.9 * all_moving, True, changed, ""),
        Check("mixed", found.r_hat, max(MIXED, min(perfect.r_hat, 2.0)), False, worth, ""),
    ]
    if all(check.ok for check in made):
        return made
    advice = _longer(keys[2], graph, sampler, num_sweeps, number, known, can_be_exact)
    return [check if check.ok else check._replace(advice=advice) for check in made]


def _longer(key, graph: FactorGraph, sampler, num_sweeps: int, num_chains: int, known, can_be_exact) -> str:
    """Return the advice for chains that have not mixed: the number of sweeps that are enough, or another sampler."""
    most = max(64, LONGEST * num_sweeps)
    tried = sample_until(key, graph, sampler, r_hat=MIXED, num_chains=num_chains, max_sweeps=most, evidence=known)
    if tried.reached:
        return f"Use num_sweeps={max(tried.sweeps, 2 * num_sweeps)}, with which R-hat is {tried.r_hat:.3g}."
    if can_be_exact():
        return f"{most} sweeps are not enough. Use pk.exact.sample, which draws exact samples here."
    if graph.hard:
        return f"{most} sweeps are not enough: hard constraints separate the states. Independent draws of PMP() do not."
    if isinstance(sampler, ParallelTempering):
        return f"{most} sweeps are not enough. Choose the temperatures by pk.tune_ladder, or use more sweeps."
    return f"{most} sweeps are not enough. Use parallel tempering: pk.tune_ladder(key, model) returns the sampler."


def _against_reference(key, graph: FactorGraph, samples: Samples, known, chains: list[Check], can_be_exact) -> Check:
    """Check the means of the samples against enumeration or against long Markov chains.

    Args: chains: the checks of the Markov chains; empty for independent draws.
    """
    found = _reference(key, graph, known, can_be_exact)
    if found is None:
        verdict = f"The model is too large for exact samples, and Gibbs does not mix in {REFERENCE_SWEEPS} sweeps."
        advice = "Compare samplers with each other: pk.measures.panel."
        return Check("exact", np.nan, np.nan, False, verdict, advice)
    states, weights, size, kind = found
    exactly = kind != GIBBS
    drawn, scores = graph.variables.flatten_all(samples), score(graph, samples)
    of_states = score(graph, graph.variables.unflatten(states))
    number, differences, errors = len(drawn), [], []
    for state in range(graph.variables.num_states):
        p = weights @ (states == state)
        often = number * np.minimum(p, 1.0 - p) >= EXPECTED
        differences.append(((drawn == state).mean(0) - p)[often])
        errors.append(np.sqrt(p * (1.0 - p))[often])
    worst = np.abs(np.concatenate(differences)).max(initial=0.0)
    possible, some = np.isfinite(scores), weights > 0.0
    if possible.any():
        mean = weights[some] @ of_states[some]
        spread = np.sqrt(weights[some] @ (of_states[some] - mean) ** 2)
        differences.append([scores[possible].mean() - mean])
        errors.append([spread * np.sqrt(number / possible.sum())])
    value, limit = _largest(np.concatenate(differences), np.concatenate(errors) * np.sqrt(1.0 / number + 1.0 / size))
    verdict = (
        f"Compared with {kind}, a probability is wrong by up to {worst:.2g}, a mean by {value:.2g} standard errors."
    )
    advice = "Use more sweeps." if all(check.ok for check in chains) else chains[-1].advice or "See above."
    if not chains:
        better = "pk.exact.sample" if exactly else "Gibbs(pk.colours(model))"
        advice = f"Use {better} if the probabilities of p(x) matter."
    return Check("exact", value, limit, False, verdict, "" if value <= limit else advice)


def _reference(key, graph: FactorGraph, known, can_be_exact) -> tuple[np.ndarray, np.ndarray, float, str] | None:
    """Return states (M, n), their probabilities (M,), how many independent draws they are worth, and what they are."""
    if np.prod(graph.variables.cardinalities.astype(float)) <= ENUMERATED:
        weights = np.asarray(exact.probabilities(graph, known), np.float64)
        return graph.variables.flatten_all(exact.states(graph.variables)), weights, np.inf, "the exact distribution"
    if can_be_exact():
        samples = exact.sample(key, graph, EXACT_DRAWS, known)
        return graph.variables.flatten_all(samples), _equal(EXACT_DRAWS), EXACT_DRAWS, f"{EXACT_DRAWS} exact samples"
    long = sample_until(key, graph, max_sweeps=REFERENCE_SWEEPS, evidence=known)
    if not long.reached:
        return None
    states = graph.variables.flatten_all(long.samples)
    return states, _equal(len(states)), long.effective, GIBBS


def _equal(number: int) -> np.ndarray:
    return np.full(number, 1.0 / number)


def _drift(graph: FactorGraph, samples: Samples, later: Samples) -> tuple[float, float]:
    """Return `_largest` of the changes of all means between samples and the same chains later."""
    one, other = (graph.variables.flatten_all(x) for x in (samples, later))
    change = score(graph, later) - score(graph, samples)
    changes = [change[np.isfinite(change)][:, None]]
    for state in range(graph.variables.num_states):
        of_state = (other == state).astype(np.int8) - (one == state)
        changes.append(of_state[:, (of_state != 0).sum(0) >= 2.0 * EXPECTED])
    means, errors = zip(*((x.mean(0), x.std(0) / np.sqrt(len(x))) for x in changes if len(x)), strict=True)
    return _largest(np.concatenate(means), np.concatenate(errors))


def _largest(differences: np.ndarray, errors: np.ndarray) -> tuple[float, float]:
    """Return the largest difference in standard errors, and the limit that chance exceeds with FALSE_ALARM."""
    from scipy.special import ndtri

    sizes = np.abs(differences[errors > 0.0]) / errors[errors > 0.0]
    return float(sizes.max(initial=0.0)), float(-ndtri(FALSE_ALARM / 2.0 / max(sizes.size, 1)))
