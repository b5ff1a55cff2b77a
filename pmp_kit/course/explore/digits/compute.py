"""Completions of a partly painted digit by PMP on a trained RBM."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

import pmp_kit as pk

from ..shared.different import different
from ..student import Part

COMPLETIONS = 25
A_CALL = 5  # completions in one call of a reader's sampler
TOLERANCE = 0.03  # nats: a completion whose messages change less no longer changes
CERTAIN = 1e3  # nats: the unary of a painted pixel for a reader's sampler


class State(NamedTuple):
    """The evidence and its completions."""

    evidence: Int[np.ndarray, "side side"]
    """0, 1, or FREE."""
    truth: Int[np.ndarray, "side side"]
    """The digit that the evidence came from."""
    completions: Int[np.ndarray, "25 side side"]
    sweeps: Int[np.ndarray, " 25"]
    """Sweeps of each completion: fewer than allowed if it settled before."""
    settled: Bool[np.ndarray, " 25"]
    """Whether the messages of each completion have settled."""
    allowed: int
    seed: int
    own: Int[np.ndarray, "done side side"] | None = None
    """The completions that the reader's sampler has drawn so far; None if there is no such sampler."""

    @property
    def share(self) -> Float[np.ndarray, "side side"]:
        """Share of the completions in which a pixel is on."""
        return self.completions.mean(0)

    @property
    def distinct(self) -> int:
        """Number of different completions."""
        return different(self.completions)


class UntilSettled(pk.PerturbAndMAP):
    """Perturb-and-max-product that stops when the messages have settled.

    `PMP` looks for this only every 6 sweeps. A sweep after the `allowed` ones changes nothing, so a sample that makes
    it has not settled. Each sample must be a chunk of its own.
    """

    allowed: int

    def __init__(self, solver: pk.MaxProduct, noise: pk.Gumbel, allowed: int):
        super().__init__(solver, noise)
        self.allowed = allowed

    @property
    def inspect(self) -> None:
        """Return no check, because each sweep has one of its own."""

    def init(self, keys, graph, unaries, previous):
        return super().init(keys, graph, unaries, previous), jnp.zeros(keys.shape, bool)

    def sweep(self, keys, graph, unaries, state):
        old, _ = state
        new = super().sweep(keys, graph, unaries, old)
        perturbed, solving = jax.tree.map(lambda a, b: jnp.where(old[1].sweeps < self.allowed, b, a), old, new)
        residual = graph.residual(graph.beliefs(perturbed, solving.messages), solving.messages)
        return (perturbed, solving), residual < TOLERANCE

    def done(self, state):
        return state[1]

    def view(self, graph, unaries, state):
        return super().view(graph, unaries, state[0])


def conditioned(
    model: pk.RBM, evidence: Int[np.ndarray, "side side"], half: str
) -> tuple[pk.RBM, Bool[np.ndarray, "side side"]]:
    """Return the RBM of the pixels that may be free, and which these are; a painted pixel needs no messages.

    The pixels of `half` enter the hidden biases if all of them are painted. So there are two sizes of the RBM, and
    painting a pixel does not compile again.
    """
    inside = half_of(np.zeros_like(evidence), half) == pk.FREE
    if (evidence[~inside] == pk.FREE).any():
        inside[:] = True
    rows, weight = inside.ravel(), np.asarray(model.weight)
    hidden_bias = np.asarray(model.hidden_bias) + evidence[~inside] @ weight[~rows]
    return pk.RBM(weight[rows], np.asarray(model.visible_bias)[rows], hidden_bias), inside


def state(
    model: pk.RBM,
    truth: Int[np.ndarray, "side side"],
    evidence: Int[np.ndarray, "side side"],
    sweeps: int,
    damping: float,
    perturbation: bool,
    seed: int,
    half: str = "upper",
) -> State:
    """Draw completions of the evidence, each with noise of its own, or without noise.

    It is fast if the pixels of `half` are all painted, see `conditioned`.
    """
    smaller, inside = conditioned(model, evidence, half)
    noise = pk.Gumbel(1.0 if perturbation else 0.0)
    solver = pk.MaxProduct(damping, keep_best=False, tolerance=0.0, schedule=pk.Alternating())
    samples = pk.sample(
        jax.random.key(seed),
        smaller,
        UntilSettled(solver, noise, sweeps),
        num_samples=COMPLETIONS,
        num_sweeps=sweeps + 1,
        evidence={"v": evidence[inside]},
        chunk=1,  # fits the cache, and each completion stops as soon as its own messages converge
    )
    completions = np.repeat(evidence[None], COMPLETIONS, axis=0)
    completions[:, inside] = samples["v"]
    used = np.minimum(samples.sweeps, sweeps)
    return State(evidence, truth, completions, used, samples.sweeps <= sweeps, sweeps, seed)


def parts(
    model: pk.RBM, evidence: Int[np.ndarray, "side side"], sweeps: int, damping: float, perturbation: bool, seed: int
) -> list[Part]:
    """Return the calls of a reader's sampler that complete the evidence: the RBM as a model of pairs of n variables.

    The noise on the log-odds is logistic, the difference of the Gumbel noise of two states. A painted pixel has the
    unary CERTAIN or -CERTAIN.
    """
    pixels, hidden = np.asarray(model.weight).shape
    weight = np.zeros((pixels + hidden, pixels + hidden))
    weight[:pixels, pixels:] = model.weight
    known = np.concatenate([evidence.ravel(), np.full(hidden, pk.FREE)])
    biases = np.concatenate([model.visible_bias, model.hidden_bias])
    noise = np.random.default_rng(seed).logistic(size=(COMPLETIONS, known.size))
    unaries = np.where(known == pk.FREE, biases + perturbation * noise, CERTAIN * (2 * known - 1))
    calls = np.split(unaries, COMPLETIONS // A_CALL)
    return [Part(some, weight + weight.T, sweeps, damping) for some in calls]


def with_own(state: State, results: list[Int[np.ndarray, "S n"]]) -> State:
    """Return the state with what a reader's sampler returned for the first `parts`."""
    side = len(state.evidence)
    rows = np.concatenate([np.zeros((0, side**2), np.int32), *(result[:, : side**2] for result in results)])
    return state._replace(own=rows.reshape(-1, side, side))


HALVES = ("upper", "lower", "left", "right")


def half_of(digit: Int[np.ndarray, "side side"], half: str = "upper") -> Int[np.ndarray, "side side"]:
    """Return evidence: one half of a digit, the other half free.

    Raises:
        ValueError: there is no half of that name.
    """
    if half not in HALVES:
        raise ValueError(f"half: expected one of {HALVES}, got {half!r}")
    row, column = np.indices(digit.shape)
    along = row if half in ("upper", "lower") else column
    first = along < len(digit) // 2
    return np.where(first if half in ("upper", "left") else ~first, digit, pk.FREE)
