"""The results of `solve`, `sample` and `trace`. They are pytrees, so `jit` and `vmap` can return them."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Never, Self

import jax
import numpy as np
from numpy.typing import NDArray

from .engine import checks
from .engine.signatures import Floats, PyTree, States


class Solution(NamedTuple):
    """The result of `solve`. The arrays have a leading axis if the evidence had one.

    Attributes:
        states: the best configuration found, dict block name -> states (*shape), int32.
        score: its score -E(x), in nats.
        bound: an upper bound of the best score, in nats; None from solvers without a bound.
        marginals: marginals or fractional solution, dict block name -> (*shape, states); None from solvers without.
        converged: whether the solver's convergence criterion is met and the states are possible.
        sweeps: the number of sweeps used.
        log_partition: the Bethe estimate of the log-partition function, in nats, -inf if the messages show that no
            configuration is possible. None unless the solver is SumProduct, also inside Polished, and all factors are
            weighted pairs or tables (of any number of variables).
        possible: whether the states satisfy all constraints (score > -inf).
        found_by: what found the states, as text (an array of texts if the evidence had a leading axis), and
        proved: whether the states are proved to have the best score, checked in 64-bit precision; both are None
            without `budget`.
    """

    states: dict[str, States]
    score: Floats
    bound: Floats | None
    marginals: dict[str, Floats] | None
    converged: NDArray[np.bool_]
    sweeps: NDArray[np.int32]
    log_partition: Floats | None
    possible: NDArray[np.bool_]
    found_by: str | NDArray[np.str_] | None = None
    proved: NDArray[np.bool_] | None = None


@jax.tree_util.register_pytree_with_keys_class
class Samples(dict[str, States]):
    """Samples by block name: a dict of arrays (num_samples, *shape), int32.

    Attributes:
        chains: the state of the chains, arrays (num_samples, ...). Pass it as `previous=` to continue them. None for
            samplers with independent draws.
        sweeps: the number of sweeps of each sample, (num_samples,), less than num_sweeps for samples that finished
            earlier.
    """

    chains: PyTree
    sweeps: NDArray[np.int32]

    def __init__(self, named: Mapping[str, Any], chains: PyTree, sweeps: Any):
        super().__init__(named)
        self.chains = chains
        self.sweeps = sweeps

    def to_arviz(self) -> Any:
        """Return an xarray DataTree for ArviZ, with one chain of num_samples independent draws.

        The samples of one call are independent. To check whether Markov chains have mixed, record them with `trace` and
        use `Trace.to_arviz`. Raises: ImportError without the extra `diagnostics`.
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
        raise TypeError(f"samples: expected one block such as samples[{names[0]!r}], got all of {names}")


class Trace(NamedTuple):
    """The result of `trace`: values that were recorded during the sweeps.

    Attributes:
        sweeps: the sweep number of each row, (T,); row 0 is the state before the first sweep.
        values: the recorded values (T, num_samples, ...), in the form that `observe` returns: a dict by block name for
            `observe.states` and `observe.beliefs`.
        chains: the state of the chains after the last row. Pass it as `previous=` to continue them. None for samplers
            with independent draws.
    """

    sweeps: NDArray[np.int_]
    values: Any
    chains: PyTree

    def to_arviz(self) -> Any:
        """Return an xarray DataTree for ArviZ, with one chain for each sample and one draw for each row.

        Values that are not a dict get the name "value". Raises: TypeError if the values are neither an array nor a dict
        of arrays; ImportError without the extra `diagnostics`.
        """
        named = self.values if isinstance(self.values, dict) else {"value": self.values}
        for values in named.values():
            if not isinstance(values, (np.ndarray, jax.Array)):
                raise TypeError(
                    "values: expected an array or a dict of arrays by name, got one with "
                    f"{checks.describe(values)}; let `observe` return a dict of arrays"
                )
        return _data_tree({name: values.swapaxes(0, 1) for name, values in named.items()})


def _data_tree(posterior: dict[str, Any]) -> Any:
    """Return arrays (chain, draw, ...) by name as a DataTree of ArviZ."""
    try:
        from arviz_base import from_dict
    except ImportError:
        raise ImportError(
            "to_arviz: expected ArviZ to be installed, got no package arviz_base; "
            'use pip install "pmp_kit[diagnostics]"'
        ) from None
    return from_dict({"posterior": posterior})
