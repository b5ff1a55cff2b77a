"""Messages of single factors: by the formulas of the kit, and by trying every configuration."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

CERTAIN = 1000.0
"""Nats that are shown for an infinite message."""
MOST = 6
"""Largest number of variables. With fewer, the others are held in a state that changes nothing, so that another number
of variables does not compile again."""
REACH = 6.0
"""Largest incoming message of the sliders, in nats."""
SLOPE = 2.0
"""Nats that "near k" subtracts for each variable too many or too few."""
WEIGHT = 1.5
"""Nats that the Potts pair gives for equal states."""
IDS = pk.Variables(x=pk.Binary(MOST))["x"]
PAIR = pk.Potts([[0, 1]], WEIGHT, states=MOST)

Scores = Float[np.ndarray, " configurations"]


class Kind(NamedTuple):
    """A factor of binary variables, in two implementations."""

    build: Callable[..., pk.factors.AbstractFactor]
    """The factor of the kit, from (ids, k, table)."""
    score: Callable[..., Scores]
    """Score of configurations x (configurations, n), from (x, k, table), without the kit."""
    idle: int = 0
    """The state of a variable that changes nothing for the others."""


def has_k(factor: str) -> bool:
    """Return whether a factor depends on k."""
    return factor.endswith(" k")


def _where(allowed) -> Scores:
    return np.where(allowed, 0.0, -np.inf)


KINDS = {
    "OR": Kind(
        lambda ids, k, table: pk.Or(ids[:-1], ids[-1]), lambda x, k, table: _where(x[:, -1] == x[:, :-1].max(1))
    ),
    "AND": Kind(
        lambda ids, k, table: pk.And(ids[:-1], ids[-1]), lambda x, k, table: _where(x[:, -1] == x[:, :-1].min(1)), 1
    ),
    "exactly k": Kind(
        lambda ids, k, table: pk.ExactlyK(ids, k),  # pyright: ignore[reportCallIssue]
        lambda x, k, table: _where(x.sum(1) == k),
    ),
    "at most k": Kind(
        lambda ids, k, table: pk.AtMostK(ids, k),  # pyright: ignore[reportCallIssue]
        lambda x, k, table: _where(x.sum(1) <= k),
    ),
    "at least k": Kind(
        lambda ids, k, table: pk.AtLeastK(ids, k),  # pyright: ignore[reportCallIssue]
        lambda x, k, table: _where(x.sum(1) >= k),
    ),
    "near k": Kind(
        lambda ids, k, table: pk.CountPotential(ids, -SLOPE * np.abs(np.arange(len(ids) + 1) - k)),
        lambda x, k, table: -SLOPE * np.abs(x.sum(1) - k),
    ),
    "even": Kind(lambda ids, k, table: pk.Parity(ids), lambda x, k, table: _where(x.sum(1) % 2 == 0)),
    "table": Kind(lambda ids, k, table: pk.NWise(ids, table), lambda x, k, table: table[tuple(_places(x).T)]),
}
POTTS = "Potts pair"


def _places(x: Int[np.ndarray, "m n"]) -> Int[np.ndarray, "m 6"]:
    """Extend configurations of n variables to MOST: the last one stays last, the added ones are 0."""
    return np.insert(x, [x.shape[1] - 1] * (MOST - x.shape[1]), 0, axis=1)


@functools.cache
def random_table(seed: int) -> Float[np.ndarray, "2 2 2 2 2 2"]:
    """Draw a score for each configuration of MOST variables."""
    return np.random.default_rng(seed).normal(0.0, 2.0, (2,) * MOST).astype(np.float32)


@functools.lru_cache(maxsize=64)
def _factors(k: int, seed: int) -> dict:
    return {name: kind.build(IDS, k, random_table(seed)) for name, kind in KINDS.items()}


@partial(jax.jit, compiler_options={"xla_backend_optimization_level": 0})  # six variables: compiling is what takes time
def _every_message(factors: dict, incoming: dict, scores, temperature) -> dict:
    """Compute the messages of all factors; at temperature 0 those of max-product."""
    found = {name: _sent(factor, incoming[name][None, :, None], temperature)[0] for name, factor in factors.items()}
    return found | {POTTS: _sent(PAIR, jnp.stack([scores, jnp.zeros_like(scores)], 1)[..., None], temperature)[:, 1]}


def _sent(factor, beliefs, temperature):
    """Compute the first messages of one factor to each variable, (planes, variables)."""
    silent = jax.tree.map(jnp.zeros_like, factor.neutral_messages((1,)))
    hard = factor.to_variables(factor.update(beliefs, silent), jnp.zeros_like(beliefs))
    warm = factor.soft_update(beliefs, silent, jnp.maximum(temperature, 0.01))
    return jnp.where(temperature > 0, factor.to_variables(warm, jnp.zeros_like(beliefs)), hard)[..., 0]


def by_formula(
    name: str, incoming: Float[np.ndarray, " n"], k: int, temperature: float, seed: int
) -> Float[np.ndarray, " n"]:
    """Compute messages to n variables by the kit, from incoming log-odds (of a Potts pair: from scores of n states)."""
    idle = MOST - len(incoming)
    odds = {
        other: np.insert(incoming, [len(incoming) - 1] * idle, np.inf if kind.idle else -np.inf).astype(np.float32)
        for other, kind in KINDS.items()
    }
    scores = np.append(incoming, np.full(idle, -np.inf)).astype(np.float32)
    found = np.asarray(_every_message(_factors(k, seed), odds, scores, np.float32(temperature))[name], float)
    if name == POTTS:
        return found[: len(incoming)]
    found = np.append(found[: len(incoming) - 1], found[-1])
    return np.clip(found, -CERTAIN, CERTAIN)


def by_trying_all(
    name: str, incoming: Float[np.ndarray, " n"], k: int, temperature: float, seed: int
) -> Float[np.ndarray, " n"]:
    """Compute the same from the definition: maximise (or T log-sum-exp) over all configurations for each state."""
    n = len(incoming)
    if name == POTTS:
        sent = _reduced(incoming[:, None] + WEIGHT * np.eye(n), temperature)
        return np.maximum(sent - sent.max(), -CERTAIN)
    x = configurations(n)
    total = KINDS[name].score(x, k, random_table(seed) if name == "table" else None) + x @ incoming
    others = total[:, None] - x * incoming
    on, off = (_reduced(np.where(x == state, others, -np.inf), temperature) for state in (1, 0))
    return np.clip(on - off, -CERTAIN, CERTAIN)


@functools.lru_cache(maxsize=16)
def configurations(n: int) -> Int[np.ndarray, "m n"]:
    """Return all 2^n configurations."""
    return (np.arange(2**n)[:, None] >> np.arange(n)) & 1


def _reduced(scores: Float[np.ndarray, "m n"], temperature: float) -> Float[np.ndarray, " n"]:
    """Return the maximum over the rows, or T log-sum-exp."""
    return temperature * np.logaddexp.reduce(scores / temperature, axis=0) if temperature > 0 else scores.max(0)


class State(NamedTuple):
    """Messages to and from one factor: log-odds of n variables; of a Potts pair, scores of n states."""

    factor: str
    k: int
    """The k of the factor, at most n."""
    asked: int
    """The k that was asked for."""
    temperature: float
    seed: int
    incoming: Float[np.ndarray, " n"]
    formula: Float[np.ndarray, " n"]
    tried: Float[np.ndarray, " n"]

    @property
    def gap(self) -> float:
        """Largest difference between formula and enumeration."""
        return float(np.abs(self.formula - self.tried).max())

    @property
    def names(self) -> list[str]:
        """What each entry is called: a variable, or a state of a Potts pair."""
        n = len(self.incoming)
        if self.factor == POTTS:
            return [f"state {k + 1}" for k in range(n)]
        if self.factor in ("OR", "AND"):
            return [*(f"input {k + 1}" for k in range(n - 1)), "output"]
        return [f"x{'₁₂₃₄₅₆'[k]}" for k in range(n)]

    @property
    def configurations(self) -> int:
        """Number of configurations that were tried."""
        n = len(self.incoming)
        return n * n if self.factor == POTTS else 2**n


def infinite(messages: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """Return messages with ±inf for those that were cut off at CERTAIN."""
    return np.where(np.abs(messages) < CERTAIN, messages, np.copysign(np.inf, messages))


def drawn(seed: int) -> list[float]:
    """Draw MOST incoming messages."""
    return [float(v) for v in np.random.default_rng(seed).normal(0.0, 2.0, MOST).clip(-REACH, REACH).round(1)]


def state(factor: str, n: int, k: int, temperature: float, seed: int, incoming) -> State:
    """Compute both, for the first n of the incoming messages; a k above n counts as n."""
    given, count = np.asarray(incoming[:n], float), min(k, n)
    problem = factor, given, count, temperature, seed
    return State(factor, count, k, temperature, seed, given, by_formula(*problem), by_trying_all(*problem))
