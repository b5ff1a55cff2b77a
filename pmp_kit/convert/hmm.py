"""Hidden Markov models (HMM) with discrete symbols."""

import numpy as np
from numpy.typing import NDArray

from ..engine import checks
from ..engine.signatures import ArrayLike
from ..factors import EdgeTables
from ..graph import FactorGraph
from ..variables import FREE, Categorical, Variables
from .model import ConvertedModel
from .tables import logarithms


def from_hmm(
    start: ArrayLike,
    transition: ArrayLike,
    emission: ArrayLike,
    observations: ArrayLike | None = None,
    steps: int | None = None,
) -> ConvertedModel:
    """Return a hidden Markov model as a chain: the block "state" (T,), and "symbol" (T,) without observations.

    With `observations`, the model is the posterior of the hidden states, and its log Z is the log-likelihood log
    p(observations). With `steps`, it is the joint model of states and symbols, whose log Z is 0. The names are
    ("state", 0), ... and ("symbol", 0), ... `ForwardBackward` draws exact samples, and `TreePass` finds the best path.

    Args:
        start: p(first state), (C,); `startprob_` of hmmlearn.
        transition: p(next state | state), (C, C), a row for each state; `transmat_`.
        emission: p(symbol | state), (C, symbols), a row for each state; `emissionprob_`.
        observations: the symbols, (T,), pk.FREE where they are unknown.
        steps: T, in place of observations.

    Raises: TypeError or ValueError that names the argument.
    """
    first = _probabilities("start", start, (None,))
    moves = _probabilities("transition", transition, (len(first), len(first)))
    emitted = _probabilities("emission", emission, (len(first), None))
    if (observations is None) == (steps is None):
        raise ValueError("observations: expected either observations or steps, got both or none")
    seen = None if observations is None else checks.rectangular("observations", observations)
    if seen is not None:
        checks.checked_states("observations", seen, emitted.shape[1], evidence=True)
        if seen.ndim != 1:
            raise ValueError(f"observations: expected shape (T,), got {seen.shape}; use one model for each sequence")
    length = checks.count("steps", len(seen) if seen is not None else steps)
    blocks = {"state": Categorical(length, states=len(first))}
    if seen is None:
        blocks["symbol"] = Categorical(length, states=emitted.shape[1])
    variables = Variables(**blocks)
    state, unaries = variables["state"], np.zeros((length, len(first)))
    unaries[0] = first
    factors = [EdgeTables(np.stack([state[:-1], state[1:]], 1), moves)] if length > 1 else []
    if seen is None:
        factors.append(EdgeTables(np.stack([state, variables["symbol"]], 1), emitted))
    else:
        known = seen != FREE
        unaries[known] += emitted.T[seen[known].astype(int)]
    names = [(name, number) for name in variables for number in range(length)]
    return ConvertedModel(FactorGraph(variables, factors, {"state": unaries}), np.arange(len(names)), names)


def _probabilities(name: str, value: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.floating]:
    """Return the logarithms of probabilities, after checking their shape and that the last axis sums to 1."""
    array = checks.rectangular(name, value).astype(float)
    if not checks.matches(array.shape, shape):
        wanted = tuple("any" if size is None else size for size in shape)
        raise ValueError(f"{name}: expected shape {wanted}, got {array.shape}")
    if not ((array >= 0).all() and np.allclose(array.sum(-1), 1.0, atol=1e-4)):
        raise ValueError(f"{name}: expected probabilities whose last axis sums to 1, got sums {array.sum(-1)}")
    return logarithms(array)
