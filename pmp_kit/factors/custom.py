"""Custom: a factor defined by a differentiable function of the states of a few variables."""

import inspect
from collections.abc import Callable
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int

from ..engine import checks
from ..engine.arrays import contains_traced, known_structure, on_device
from ..engine.signatures import ArrayLike, PyTree, Shape
from .forbidden import check_possible, finite_part
from .group import member_ids, wired
from .incidence import Incidence
from .table import AbstractTable

MOST_ENTRIES = 2**16
STAND_INS = (1.0, 0.3, -0.7)
"""Values of traced parameters, to find which joint states are allowed whatever the parameters are."""
NEED_VALUES = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
)
"""The errors that JAX raises if code needs the value of a traced array."""


class Custom(AbstractTable):
    """F factors of n variables each: score sum_f function(params, (x_1, ..., x_n)) for any function (Section 3).

    `params` are the parameters that `fit` learns. The function is tabulated for all joint states of one factor, so the
    messages are exact. Define the function once, because JAX compiles again for each new function object.

    Example:
        An edge whose score is higher for closer states: `Custom(pairs, closer, {"stiffness": 1.0}, states=5)` with
        `def closer(params, x): return -params["stiffness"] * abs(x[0] - x[1])`.
    """

    argument: ClassVar[str] = "states"

    params: PyTree
    function: Callable[[PyTree, Array], ArrayLike] = eqx.field(static=True)
    states: tuple[int, ...] = eqx.field(static=True)
    allowed: Bool[Array, "*states"] | None
    ids: Int[Array, "F n"]
    incidence: Incidence

    def __init__(
        self,
        ids: ArrayLike,
        function: Callable[..., ArrayLike],
        params: PyTree,
        states: int | Shape = 2,
    ):
        """Args:
        ids: (F, n), one factor per row; (n,) is one factor.
        function: a function of params and of the states (n,) int32 of one factor's variables. It uses JAX operations
            and returns one score in nats. -inf forbids a state; which states are forbidden must not depend on params.
        params: a pytree of numbers, the parameters, which all factors share. Whole numbers become floats, so `fit`
            learns them as well.
        states: the number of states of the variables: one number, or one number for each place.

        Raises: TypeError or ValueError that names the argument; ValueError for more than 65,536 joint states.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        if not callable(function) or not _takes_two(function):
            raise TypeError(
                "function: expected a function of two arguments, params and one array x of the states of a factor's "
                f"variables, got {checks.describe(function)}"
            )
        self.function, self.states = function, _sizes(states, members.shape[1])
        self.params = jax.tree.map(lambda leaf: checks.parameter("params", leaf), params)
        self.allowed = None
        if contains_traced(self.params):
            self.allowed = self._allowed_of_traced()
            return
        with known_structure(self) as known:  # also inside `jit`, it has values
            _, allowed = finite_part("function", known.own_table())
        check_possible("function", allowed, members.shape[1])
        self.allowed = None if allowed is None else on_device(allowed)

    @property
    def sizes(self):
        return self.states

    def own_table(self):
        x = np.indices(self.states, dtype=np.int32).reshape(len(self.states), -1).T  # (joint states, n)
        allowed = None if self.allowed is None else self.allowed.reshape(-1)
        if allowed is not None:  # gradients of forbidden scores may not exist, so an allowed state takes their place
            x = jnp.where(allowed[:, None], x, jnp.asarray(x)[jnp.argmax(allowed)])
        values = jax.vmap(lambda row: self._score(row))(jnp.asarray(x))
        return (values if allowed is None else jnp.where(allowed, values, 0.0)).reshape(self.states)

    def _allowed_of_traced(self) -> Bool[Array, "*states"] | None:
        """Return the mask for traced parameters: None if no parameters forbid a state, otherwise traced."""
        finite = np.zeros(self.states, bool)
        for number in STAND_INS:  # a score that is -inf or NaN for one of them may be finite for others
            with known_structure(self, number) as known:
                finite |= np.isfinite(known.own_table())
        return None if finite.all() else jax.lax.stop_gradient(self.own_table()) != -jnp.inf

    def _score(self, row):
        """Return the function's score of one joint state."""
        try:
            with jax.numpy_dtype_promotion("standard"):  # users may mix states and parameters freely
                value = self.function(self.params, row)
                value = None if value is None else jnp.asarray(value)
        except NEED_VALUES as error:
            raise TypeError(
                "function: expected JAX operations, got code that needs the values of states, such as `if`, float(), "
                "lists indexed by states, or NumPy functions; use jnp.where or jnp.maximum instead of Python's `if` or "
                "`max`, and jax.numpy instead of NumPy"
            ) from error
        except (TypeError, IndexError, KeyError) as error:
            raise TypeError(
                "function: expected function(params, x) with the states x of one factor's variables, got "
                f"{type(error).__name__}: {error}; swap params and x if their order differs"
            ) from error
        if value is None:
            raise TypeError("function: expected a score in nats, got None; write `return` before the score")
        if value.dtype == bool:
            raise TypeError(
                "function: expected a score in nats, got True or False; to forbid states where a condition is false, "
                "return jnp.where(condition, 0.0, -jnp.inf)"
            )
        if value.shape != ():
            raise ValueError(
                f"function: expected one score for the states of one factor, got shape {value.shape}; it is called as "
                "function(params, x)"
            )
        return value.astype(jnp.result_type(float))


def _takes_two(function) -> bool:
    """Return whether a function can be called with params and states; True if it has no signature to check."""
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # no signature
        return True
    return True


def _sizes(states: int | Shape, places: int) -> tuple[int, ...]:
    """Return the number of states at each place."""
    listed = states if isinstance(states, (tuple, list)) else (states,) * places
    sizes = tuple(checks.count("states", size, minimum=2) for size in listed)
    if len(sizes) != places:
        raise ValueError(f"states: expected one number or one for each of {places} places, got {len(sizes)}")
    if np.prod(sizes, dtype=float) > MOST_ENTRIES:
        raise ValueError(
            f"states: expected at most {MOST_ENTRIES} joint states of one factor, got "
            f"{np.prod(sizes, dtype=float):.0f}; define a subclass of factors.AbstractFactor instead"
        )
    return sizes
