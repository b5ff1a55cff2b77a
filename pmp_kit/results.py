"""What the verbs return: pytrees, so that they may be returned from jit and vmap."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Never, Self

import jax
import numpy as np
from numpy.typing import NDArray

from .engine.signatures import Floats, PyTree, States


class Solution(NamedTuple):
    """What `solve` found; arrays have a leading axis where the evidence had one.

    Attributes:
        states: best configuration found, dict block name -> states (*shape), int32.
        score: its score -E(x), in nats.
        bound: upper bound of the best score, in nats; None from solvers without one.
        marginals: marginals or fractional solution, dict block name -> (*shape, states); None where there are none.
        converged: whether the solver met its own criterion, and the states are possible.
        sweeps: sweeps used.
        log_partition: estimate of the log-partition function (Bethe), in nats; None where there is none.
        possible: whether the states keep all constraints: score > -inf.
    """

    states: dict[str, States]
    score: Floats
    bound: Floats | None
    marginals: dict[str, Floats] | None
    converged: NDArray[np.bool_]
    sweeps: NDArray[np.int32]
    log_partition: Floats | None
    possible: NDArray[np.bool_]


@jax.tree_util.register_pytree_with_keys_class
class Samples(dict[str, States]):
    """Samples by block name: a dict of arrays (num_samples, *shape), int32.

    Attributes:
        chains: pass it as `previous=` to continue Markov chains, arrays (num_samples, ...); None for samplers whose
            draws are independent.
        sweeps: sweeps that each sample used, (num_samples,): fewer than asked for where a sampler was done earlier.
    """

    chains: PyTree
    sweeps: NDArray[np.int32]

    def __init__(self, named: Mapping[str, Any], chains: PyTree, sweeps: Any):
        super().__init__(named)
        self.chains = chains
        self.sweeps = sweeps

    def to_arviz(self) -> Any:
        """These samples for ArviZ: an xarray DataTree with one chain of num_samples independent draws.

        That is right for samples of one call. To judge whether Markov chains mix, record them with `trace` and use
        `Trace.to_arviz`. Raises: ImportError without the extra `diagnostics`.
        """
        return _data_tree({name: states[None] for name, states in self.items()})

    def tree_flatten_with_keys(self) -> tuple[tuple[tuple[Any, Any], ...], tuple[str, ...]]:
        children = [(jax.tree_util.DictKey(name), states) for name, states in self.items()]
        attributes = [(jax.tree_util.GetAttrKey(name), getattr(self, name)) for name in ("chains", "sweeps")]
        return (*children, *attributes), tuple(self)

    @classmethod
    def tree_unflatten(cls, names: tuple[str, ...], children: tuple[Any, ...]) -> Self:
        *states, chains, sweeps = children
        return cls(dict(zip(names, states, strict=True)), chains, sweeps)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Never:
        names = list(self)
        raise TypeError(f"samples: expected one block, such as samples[{names[0]!r}], got all of {names}")


class Trace(NamedTuple):
    """What was observed along the sweeps.

    Attributes:
        sweeps: sweep number of each row, (T,); row 0 is the state before the first sweep.
        values: the observations (T, num_samples, ...), in the form that `observe` gives them: a dict by block name for
            `observe.states` and `observe.beliefs`.
        chains: pass it as `previous=` to go on after the last row; None for samplers whose draws are independent.
    """

    sweeps: NDArray[np.int_]
    values: Any
    chains: PyTree

    def to_arviz(self) -> Any:
        """The observations for ArviZ: an xarray DataTree with a chain for each sample and a draw for each row.

        Values that are no dict by name are called "value". Raises: ImportError without the extra `diagnostics`.
        """
        named = self.values if isinstance(self.values, dict) else {"value": self.values}
        return _data_tree({name: values.swapaxes(0, 1) for name, values in named.items()})


def _data_tree(posterior: dict[str, Any]) -> Any:
    """Arrays (chain, draw, ...) by name as ArviZ's DataTree."""
    try:
        from arviz_base import from_dict
    except ImportError:
        raise ImportError(
            "to_arviz: expected ArviZ to be installed, got no package arviz_base; "
            'use pip install "pmp_kit[diagnostics]"'
        ) from None
    return from_dict({"posterior": posterior})
