"""The check of a sampler class: the form of its state, its evidence and keys, and that a chain keeps p(x)."""

import jax
import jax.numpy as jnp
import numpy as np

from .. import exact, run
from ..engine import checks, chunks, planes
from ..engine.devices import chosen
from ..graph import FactorGraph, Model, as_graph
from ..samplers import AbstractSampler, View
from ..samplers.base import keys_of
from ..variables import FREE
from .report import expect, expect_form
from .solver import check_size

CHAINS = 20_000
"""Exact samples from which chains start."""
STEPS = 3
"""Sweeps after which the chains still have the distribution p(x)."""
PROBABLE = 0.05
"""The least probability of a state of a variable that some chain has to reach."""
DEVIATIONS = 6.0
"""Standard errors by which the frequency of a joint state may differ from its probability."""


def check_sampler(sampler: AbstractSampler, model: Model, *, num_sweeps: int = 20, seed: int = 0) -> None:
    """Try a sampler on a small model. It returns nothing if all is right.

    Checked are: the state keeps its form from sweep to sweep; finished samples do not change; samples are states of the
    variables and keep the evidence; a sample depends on its own key and not on the other samples; a Markov chain that
    starts from exact samples of p(x) still has this distribution after some sweeps, continues from its last state, and
    reaches every probable state of each variable. How well chains mix is not checked: compare with `pk.exact`.

    Args:
        sampler: a sampler with some settings.
        model: a FactorGraph or anything with .graph(), with at most 4,096 joint states. Take one that the sampler can
            reach all possible states of; weak couplings show most.
        num_sweeps: the number of sweeps for each sample.
        seed: of the random numbers.

    Raises: AssertionError that names the method, what was expected, and what came. TypeError or ValueError if an
    argument cannot be used, or if the sampler does not support the model.

    Cost: a few compilations, an enumeration, and 60,000 sweeps.
    """
    checks.instance("sampler", sampler, AbstractSampler, "Gibbs()")
    graph, key = as_graph(model), jax.random.key(seed)
    check_size(graph)
    sampler.check(graph)
    name = type(sampler).__name__
    _check_form(name, sampler, graph, key)
    for number in (1, num_sweeps):  # after many sweeps, chains with the same random numbers may have met
        free = _drawn(key, graph, sampler, _evidence(graph, 16, observed=False), number)
        _check_states(name, graph, *free)
        _check_states(name, graph, *_drawn(key, graph, sampler, _evidence(graph, 16, observed=True), number))
        _check_alone(name, sampler, graph, key, free, number)
    _check_done(name, sampler, graph, key, num_sweeps)
    if sampler.is_markov_chain and type(sampler).prepare is AbstractSampler.prepare:
        _check_stationary(name, sampler, graph, key)
        _check_reach(name, sampler, graph, key, num_sweeps)


def _evidence(graph: FactorGraph, number: int, observed: bool) -> np.ndarray:
    """Return evidence (number, n): every second variable in its best state if `observed`, otherwise none."""
    known = np.full((number, graph.variables.count), FREE, np.int32)
    if observed:
        known[:, ::2] = graph.variables.flatten_all(exact.map_state(graph))[::2]
    return known


def _drawn(
    key: jax.Array, graph: FactorGraph, sampler: AbstractSampler, evidence: np.ndarray, num_sweeps: int
) -> tuple:
    """Return the evidence and samples (number, n)."""
    number, devices = len(evidence), chosen()[:1]
    chunk = chunks.choose(graph, sampler, number, devices)
    drawn = run.draw_at_once(run.Task(key, graph, sampler, evidence, None, num_sweeps, number, chunk, devices))
    return evidence, np.asarray(drawn[0])


def _parts(sampler: AbstractSampler, graph: FactorGraph, key: jax.Array, number: int) -> tuple:
    """Return keys, unaries and the state before the first sweep of some samples."""
    unaries = run.clamped_unaries(graph, jnp.full((graph.variables.count, 1), FREE), number)
    return keys_of(key, jnp.arange(number)), unaries, run.first_state(key, graph, sampler, unaries, None)


def _chains_from(
    name: str, sampler: AbstractSampler, graph: FactorGraph, key: jax.Array, first: np.ndarray, num_sweeps: int
) -> np.ndarray | None:
    """Return the states (n, CHAINS) of chains that start in `first`, after some sweeps.

    None if the state of a chain holds more than the states of the variables.
    """
    keys, unaries, state = _parts(sampler, graph, key, CHAINS)
    states = planes.from_states(jnp.asarray(first), len(unaries), unaries.dtype)
    if jax.tree.structure(state) != jax.tree.structure(states) or jnp.shape(state) != states.shape:
        return None
    start = sampler.init(keys_of(keys, 0), graph, unaries, states)
    expect(
        np.array_equal(sampler.view(graph, unaries, start).states, states), f"{name}.init",
        "the states of `previous`", "other states", "continue the chains from `previous` if it is not None",
    )  # fmt: skip
    end, _ = jax.jit(run.sample_sweeps)(sampler, keys, graph, unaries, start, 0, num_sweeps)
    return np.asarray(planes.to_states(sampler.view(graph, unaries, end).states))


def _check_form(name: str, sampler: AbstractSampler, graph: FactorGraph, key: jax.Array) -> None:
    """Check the shapes and types of the state, of `done` and of `view`."""
    number = 3
    keys, unaries, state = _parts(sampler, graph, key, number)
    expect_form(f"{name}.sweep", jax.eval_shape(sampler.sweep, keys, graph, unaries, state), state)
    if sampler.inspect is not None:
        expect_form(f"{name}.inspect", jax.eval_shape(sampler.inspect, graph, unaries, state), state)
    expect_form(f"{name}.done", jax.eval_shape(sampler.done, state), jax.ShapeDtypeStruct((number,), bool))
    view = sampler.view(graph, unaries, state)
    expect(isinstance(view, View), f"{name}.view", "View(...)", type(view).__name__)
    expect_form(f"states of {name}.view", view.states, unaries)
    if sampler.is_markov_chain:
        leaves = jax.tree.leaves(state)
        right = bool(leaves) and all(jnp.shape(leaf)[-1:] == (number,) for leaf in leaves)
        expect(
            right, f"{name}.init", f"a state whose arrays have the samples ({number}) on the last axis", "another one",
            "set is_markov_chain to False if the samples are independent draws",
        )  # fmt: skip


def _check_states(name: str, graph: FactorGraph, evidence: np.ndarray, states: np.ndarray) -> None:
    """Check that samples are states of the variables and agree with the evidence."""
    right = (states >= 0) & (states < graph.variables.cardinalities)
    expect(bool(right.all()), f"{name}.view", "states of the variables", f"{states[~right][:3].tolist()}")
    kept = (evidence == FREE) | (evidence == states)
    expect(
        bool(kept.all()), f"{name}.sweep", "states that agree with the evidence", f"{states[~kept][:3].tolist()}",
        "keep the states of variables that pmp_kit.engine.planes.is_clamped(unaries) marks",
    )  # fmt: skip


def _check_alone(
    name: str, sampler: AbstractSampler, graph: FactorGraph, key: jax.Array, free: tuple, num_sweeps: int
) -> None:
    """Check that the first samples are the same if fewer are drawn, and others with another key."""
    if type(sampler).prepare is not AbstractSampler.prepare and sampler.prepare(key, graph, 2, None) is not None:
        return  # joint draws of all samples
    evidence, states = free
    _, fewer = _drawn(key, graph, sampler, evidence[:3], num_sweeps)
    expect(
        np.array_equal(fewer, states[:3]), f"{name}.sweep", "samples that depend on their own keys alone",
        "others if fewer are drawn", "draw for each key, as pmp_kit.samplers.base.draw_each does",
    )  # fmt: skip
    expect(
        len(np.unique(states, axis=0)) > 1, f"{name}.init", "samples that differ", "the same sample for all keys",
        "use the keys of the samples, or a model with weaker couplings",
    )  # fmt: skip


def _check_done(name: str, sampler: AbstractSampler, graph: FactorGraph, key: jax.Array, num_sweeps: int) -> None:
    """Check that one more sweep does not change finished samples."""
    keys, unaries, state = _parts(sampler, graph, key, 8)
    state, _ = run.sample_sweeps(sampler, keys, graph, unaries, state, 0, num_sweeps)
    before = sampler.view(graph, unaries, state).states
    after = sampler.view(graph, unaries, sampler.sweep(keys_of(keys, 99), graph, unaries, state)).states
    changed = np.asarray((before != after).any((0, 1)) & sampler.done(state))
    expect(
        not changed.any(), f"{name}.sweep", "the same state of finished samples", "other states",
        "use jnp.where(self.done(state), old, new)",
    )  # fmt: skip


def _check_stationary(name: str, sampler: AbstractSampler, graph: FactorGraph, key: jax.Array) -> None:
    """Check that chains which start from exact samples of p(x) have its distribution after some sweeps."""
    p = np.asarray(exact.probabilities(graph), np.float64)
    every = np.asarray(exact.digits_of(jnp.arange(p.size), graph.variables))
    drawn = np.random.default_rng(0).choice(p.size, size=CHAINS, p=p / p.sum())
    last = _chains_from(name, sampler, graph, key, every[:, drawn], STEPS)
    if last is None:
        return
    number = np.ravel_multi_index(tuple(last), tuple(graph.variables.cardinalities))
    frequency = np.bincount(number, minlength=p.size) / CHAINS
    error = np.sqrt(np.maximum(p * (1.0 - p), 1.0 / CHAINS) / CHAINS)
    wrong = np.abs(frequency - p) > DEVIATIONS * error
    if wrong.any():
        worst = int(np.argmax(np.abs(frequency - p) / error))
        expect(
            False, f"{name}.sweep", f"the probability {p[worst]:.4f} of the state {every[:, worst].tolist()}",
            f"{frequency[worst]:.4f} in {CHAINS} chains that started from exact samples, after {STEPS} sweeps",
            "a sweep has to leave p(x) as it is; set is_markov_chain to False for other samplers",
        )  # fmt: skip


def _check_reach(name: str, sampler: AbstractSampler, graph: FactorGraph, key: jax.Array, num_sweeps: int) -> None:
    """Check that chains which all start in one state reach every probable state of each variable."""
    best = np.asarray(graph.variables.flatten_all(exact.map_state(graph)))
    last = _chains_from(name, sampler, graph, key, np.repeat(best[:, None], CHAINS, axis=1), num_sweeps)
    if last is None:
        return
    p = np.asarray(exact.probabilities(graph))
    every = np.asarray(exact.digits_of(jnp.arange(p.size), graph.variables))
    for variable, size in enumerate(graph.variables.cardinalities):
        for one in range(size):
            share = p[every[variable] == one].sum()
            expect(
                share < PROBABLE or bool((last[variable] == one).any()), f"{name}.sweep",
                f"chains that reach state {one} of variable {variable}, whose probability is {share:.2f}",
                f"none of {CHAINS} chains from {best.tolist()} after {num_sweeps} sweeps",
                "a chain has to change every variable; use weaker couplings if it mixes slowly, and let it stay "
                "sometimes if it always accepts",
            )  # fmt: skip
