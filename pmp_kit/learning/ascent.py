"""Gradient ascent on the parameters of a model: the code that all learning methods share."""

import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Generic, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import storage
from ..engine import checks, parameters
from ..engine.progress import bar, tell
from ..engine.signatures import Floats, Number, Optimizer, Path, PyTree
from ..factors import DensePairwise
from ..factors.base import float_leaves
from ..graph import AnyModel


class TrainingState(NamedTuple, Generic[AnyModel]):
    """The state of learning after some steps, which `training` yields and `resume=` continues from.

    Attributes:
        step: the number of steps so far, an int, or an int32 array inside compiled code.
        model: the model with its present parameters, of the type that was passed to `fit`.
        optimizer_state: the state of the optax optimiser.
        chains: the Markov chains (or the noise and messages of PersistentPMP) with persistent=True, else None.
        gap: root mean square of the gradient in the last step, an array of shape ().
    """

    step: int
    model: AnyModel
    optimizer_state: PyTree
    chains: PyTree
    gap: Any


class FitResult(NamedTuple, Generic[AnyModel]):
    """The result of `fit` and of `fit_pseudo_likelihood`.

    Attributes:
        model: the learned model, of the type that was passed to `fit`.
        history: dict of arrays with one entry for each step of this call, (steps,). "gap" is the root mean square of
            the gradient over all parameters. With `fit`, an entry is the difference between a moment of the data and
            that of the samples. A coupling that is stored twice (w_ij and w_ji of a dense model) has half of it in both
            places. The gap falls to the level of the sampling noise and not to 0.
        interrupted: True if Ctrl-C ended the fit before its last step. `model` then has the parameters of the last
            complete step.
        state: the last `TrainingState`, to continue with `resume=`; None if no step was done.
    """

    model: AnyModel
    history: dict[str, Floats]
    interrupted: bool
    state: TrainingState[AnyModel] | None


Objective = Callable[[jax.Array, AnyModel, PyTree], tuple[AnyModel, PyTree]]
"""What learning maximises: a function (key, model, chains) -> (gradient without penalties, chains of the next step)."""


def follow(
    states: Iterator[TrainingState[AnyModel]],
    model: AnyModel,
    steps: int,
    callback: Callable[[TrainingState[AnyModel]], Any] | None,
    verb: str,
) -> FitResult[AnyModel]:
    """Run `verb` until step `steps`, until the callback returns a true value, or until Ctrl-C.

    Raises: TypeError or ValueError that names the argument; ValueError if parameters are NaN or beyond 1e20 in the end.
    """
    steps = checks.count("steps", steps)
    if callback is not None and not callable(callback):
        got = checks.describe(callback)
        raise TypeError(f"callback: expected a function of the TrainingState, got {got}; pass the function itself")
    gaps, interrupted, state = [], False, None
    with bar(steps, verb) as shown:
        try:
            for state in states:
                if state.step > steps:
                    raise ValueError(
                        f"steps: expected more than the {state.step - 1} steps of the resumed state, got {steps}"
                    )
                jax.block_until_ready(gaps[-1:])  # so that at most two steps are still computed after Ctrl-C
                gaps.append(state.gap)
                shown.update(state.step - shown.n)
                if (callback is not None and callback(state)) or state.step == steps:
                    break
        except KeyboardInterrupt:
            interrupted = True
            tell(f"{verb}: interrupted after {len(gaps)} of {steps} steps; returning the model so far.")
    gaps = np.asarray(jax.device_get(gaps))
    if state is not None and (wrong := parameters.unusable(state.model)):
        if not np.isfinite(gaps[0]):  # the optimiser had not changed anything yet
            raise ValueError(
                "model: expected scores with a finite gradient, got NaN or infinity in the first step; look for "
                "sqrt(0), 0 / 0 and inf - inf in what computes the scores"
            )
        raise ValueError(
            f"optimizer: expected steps that keep the parameters finite, got {wrong[0]} after {state.step} steps; use "
            "a smaller learning rate"
        )  # samples of such a model would be states like any others
    return FitResult(model if state is None else state.model, {"gap": gaps}, interrupted, state)


@cache
def _adam() -> Optimizer:
    """Return the default optimiser, made once, because `update` is compiled for each optax object."""
    import optax

    return optax.adam(1e-2)


def ascend(
    key: jax.Array, model: AnyModel, objective: Objective, *, optimizer: Optimizer | None, l1: Number,
    l2: Number, resume: TrainingState[AnyModel] | Path | None,
) -> Iterator[TrainingState[AnyModel]]:  # fmt: skip
    """Return an endless generator of the states after each step, from the start or from `resume`.

    Raises: TypeError or ValueError that names the argument; OSError if the file of `resume` cannot be read.
    """
    penalties = checks.number("l1", l1, 0.0), checks.number("l2", l2, 0.0)
    optimizer = _adam() if optimizer is None else optimizer
    if not callable(getattr(optimizer, "update", None)) or not hasattr(optimizer, "init"):
        got = checks.describe(optimizer)
        raise TypeError(f"optimizer: expected an optax optimiser such as optax.adam(1e-2), got {got}")
    state = TrainingState(0, model, optimizer.init(eqx.filter(model, eqx.is_inexact_array)), None, None)
    if resume is not None:
        after = jax.eval_shape(lambda state: _step(key, state, objective, penalties, optimizer), state)
        state = _resumed(resume, after._replace(step=0, model=model))
    return _steps(key, state, objective, penalties, optimizer)


def _resumed(resume: TrainingState[AnyModel] | Path, template: TrainingState[AnyModel]) -> TrainingState[AnyModel]:
    """Return a given or saved state after checking that it has the structure of `template`."""
    if isinstance(resume, TrainingState):
        storage.check_structure("resume", resume, template)
        return resume
    if not isinstance(resume, (str, os.PathLike)):
        fix = "; give its .state" if isinstance(resume, FitResult) else ""
        raise TypeError(f"resume: expected a TrainingState or the path of one, got {checks.describe(resume)}{fix}")
    return storage.restored(resume, template, "this run", storage.SAME_RUN)


def _steps(key, state: TrainingState, objective: Objective, penalties, optimizer) -> Iterator[TrainingState]:
    while True:
        state = _step(key, state, objective, penalties, optimizer)
        yield state


def _step(key, state: TrainingState, objective: Objective, penalties, optimizer) -> TrainingState:
    """Return the state after one step."""
    gradient, chains = objective(jax.random.fold_in(key, state.step), state.model, state.chains)
    model, optimizer_state, gap = _update(gradient, state.model, state.optimizer_state, penalties, optimizer=optimizer)
    return TrainingState(state.step + 1, model, optimizer_state, chains, gap)


@partial(jax.jit, static_argnames=("optimizer",))
def _update(gradient, model, optimizer_state, penalties, *, optimizer: Optimizer):
    """Return model and optimiser state after one step, and the gap. It is compiled once for each optax object."""
    gap = root_mean_square(gradient)
    descent = add_penalty(jax.tree.map(jnp.negative, gradient), model, *penalties)
    with jax.numpy_dtype_promotion("standard"):  # optax mixes number types
        updates, optimizer_state = optimizer.update(descent, optimizer_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), optimizer_state, gap


def add_penalty(gradient: AnyModel, model: AnyModel, l1: Number, l2: Number) -> AnyModel:
    """Return the gradient plus that of l1 sum |theta_a| + l2/2 sum theta_a^2 over the parameters of the factors.

    A parameter that is stored twice, such as w_ij and w_ji of a dense model, counts once.
    """

    def one(factor):
        parts = (l1 * absolute(leaf).sum() + 0.5 * l2 * jnp.sum(leaf**2) for leaf in float_leaves(factor))
        return sum(parts, start=0.0) * (0.5 if isinstance(factor, DensePairwise) else 1.0)

    def penalty(model):
        return sum((one(factor) for factor in model.graph().factors), start=0.0)

    return jax.tree.map(jnp.add, gradient, eqx.filter_grad(penalty)(model))


def absolute(leaf: jax.Array) -> jax.Array:
    """Return |leaf| with the derivative 0 at 0, where that of `jnp.abs` is 1 and moves parameters away from 0."""
    return jax.lax.stop_gradient(jnp.sign(leaf)) * leaf


def root_mean_square(tree: PyTree) -> jax.Array:
    """Return the root mean square over all numbers in a pytree."""
    leaves = jax.tree.leaves(tree)
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in leaves) / sum(leaf.size for leaf in leaves))
