"""Argument checks. Each error names the argument, what was expected, what it got and what to do.

States and evidence are checked in `states.py`.
"""

import math
import operator
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from .arrays import on_device
from .traced import contains_traced, is_traced

Kind = TypeVar("Kind")
MOST = 2**31 - 1
"""The largest whole number that compiled code counts to: sweeps, samples and variables have 32-bit numbers."""


def parameter(name: str, value, shape: tuple | None = None) -> jax.Array:
    """Return `value` as a float array in JAX's default precision, of the given shape (None stands for any size).

    Raises: TypeError if it is not an array of numbers, ValueError if the shape differs or a value is NaN or infinite.
    """
    complete(name, value)
    if not_real(value):
        raise TypeError(f"{name}: expected an array of numbers, got {describe(value)}")
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    try:
        plain = in_numpy(value)
        if plain is not None and plain.dtype.kind in "biuf":
            with np.errstate(over="ignore"):  # told below
                array = on_device(plain.astype(precision))
        else:
            array = jnp.asarray(value, precision)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name}: expected an array of numbers, got {type(value).__name__}") from error
    if shape is not None and not matches(array.shape, shape):
        wanted = tuple("any" if size is None else size for size in shape)
        raise ValueError(f"{name}: expected shape {wanted}, got {array.shape}")
    if not is_traced(array) and not bool(np.isfinite(np.asarray(array)).all()):
        bad = np.argwhere(~np.isfinite(np.asarray(array)))[0].tolist()
        found, where = (array if plain is None else plain)[tuple(bad)], f" at index {bad}" if bad else ""
        if np.isfinite(found):
            advice = f"it is too large for {array.dtype}"
        elif np.isnan(found):
            advice = "look for 0 / 0 and inf - inf in what computes it"
        else:
            advice = (
                "observe variables by evidence; forbid states by -inf in unaries or in the table of EdgeTables or NWise"
            )
        raise ValueError(f"{name}: expected finite numbers, got {found}{where}; {advice}")
    return array


def not_real(value) -> bool:
    """Return whether `value` has text, dates, None or complex numbers, of which NumPy would make real numbers."""
    plain = in_numpy(value)
    if plain is None:
        return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jnp.complexfloating)
    return plain.dtype.kind in "SUcmM" or (plain.dtype.kind == "O" and any(one is None for one in plain.flat))


def in_numpy(value) -> np.ndarray | None:
    """Return `value` as a NumPy array; None for JAX arrays, lists of traced numbers and rows of unequal lengths."""
    if isinstance(value, jax.Array):
        return None
    try:
        return np.asarray(value)
    except (TypeError, ValueError):
        return None


def matches(shape: tuple, wanted: tuple) -> bool:
    """Return whether a shape equals the wanted one, in which None stands for any size."""
    return len(shape) == len(wanted) and all(w is None or s == w for s, w in zip(shape, wanted, strict=True))


def ids(name: str, value, columns: int | None = None) -> np.ndarray:
    """Return variable ids as an int32 NumPy array, which is flat or has the given number of columns."""
    array = rectangular(name, value)
    if array.dtype.kind not in "iu" and array.size:  # NumPy makes floats of []
        raise TypeError(f"{name}: expected integer variable ids such as variables['x'], got dtype {array.dtype}")
    if columns is None:
        array = array.reshape(-1)
    elif array.ndim != 2 or array.shape[1] != columns:
        raise ValueError(f"{name}: expected shape (any, {columns}), got {array.shape}")
    if array.size and array.min() < 0:
        raise ValueError(f"{name}: expected ids >= 0, got {array.min()}; take ids from variables['x']")
    if array.size and array.max() > np.iinfo(np.int32).max:
        raise ValueError(f"{name}: expected ids below 2**31, got {array.max()}; take ids from variables['x']")
    return array.astype(np.int32)


def rectangular(name: str, value) -> np.ndarray:
    """Return nested lists as an array if their rows have the same length."""
    if contains_traced(value):
        raise TypeError(
            f"{name}: expected numbers with values, got traced ones; only scores may be traced, so make this from "
            "NumPy arrays, outside of jit, vmap and grad if it depends on their arguments"
        )
    complete(name, value)
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name}: expected rows of the same length, got lengths {sorted(_lengths(value))}; if these are factors, "
            "use a separate group for each size"
        ) from None


def complete(name: str, value) -> None:
    """Raise an error for masked entries and for sparse matrices, of which NumPy would make wrong arrays."""
    if np.ma.is_masked(value):
        masked = f"{name}: expected numbers without a mask, got {np.ma.count_masked(value)} masked entries"
        raise ValueError(f"{masked}; fill them, for example unknown states by .filled(pk.FREE)")
    if hasattr(value, "todense"):  # of JAX; SciPy also has the better `toarray`
        convert = "toarray" if hasattr(value, "toarray") else "todense"
        raise TypeError(f"{name}: expected an array, got a sparse one of shape {value.shape}; use {name}.{convert}()")


def _lengths(value) -> set[int]:
    """Return the lengths of the innermost rows of nested lists."""
    rows = [row for row in value if np.iterable(row) and not isinstance(row, str)]
    return {len(value)} if not rows else set().union(*map(_lengths, rows), {1} if len(rows) < len(value) else ())


def grid(name: str, value) -> np.ndarray:
    """Return a 2-D array of ids."""
    array = rectangular(name, value)
    if array.ndim != 2:
        raise ValueError(f"{name}: expected a 2-D array of ids such as variables['x'], got {describe(value)}")
    ids(name, array)
    return array


def distinct(name: str, rows: np.ndarray) -> None:
    """Raise ValueError if an id occurs twice in a row of ids (factors, size)."""
    ordered = np.sort(rows, axis=1)
    again = np.argwhere(ordered[:, 1:] == ordered[:, :-1])
    if again.size:
        factor, place = again[0]
        raise ValueError(
            f"{name}: expected distinct variables in each factor, got id {ordered[factor, place]} twice in factor "
            f"{factor}"
        )


def key(value) -> jax.Array:
    """Return a typed JAX key. Raw keys of `jax.random.PRNGKey` are wrapped; anything else raises TypeError."""
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key) and value.shape == ():
        return value
    kind = jax.config.jax_default_prng_impl  # pyright: ignore[reportAttributeAccessIssue]
    size = 4 if "rbg" in kind else 2  # the numbers of a raw key
    if isinstance(value, (jax.Array, np.ndarray)) and value.dtype == np.uint32 and value.shape == (size,):
        return jax.random.wrap_key_data(jnp.asarray(value))
    hint = "the key comes before the model" if hasattr(value, "graph") else "there is no default key"
    raise TypeError(f"key: expected one key such as jax.random.key(0), got {describe(value)}; {hint}")


def count(name: str, value, minimum: int = 1) -> int:
    """Return a whole number from `minimum` to MOST."""
    try:
        number = operator.index(value)
    except TypeError:
        hint = "; inside jit it must be known, so make it a static argument" if is_traced(value) else ""
        raise TypeError(f"{name}: expected a whole number, got {describe(value)}{hint}") from None
    if number < minimum:
        raise ValueError(f"{name}: expected at least {minimum}, got {number}")
    if number > MOST:
        raise ValueError(f"{name}: expected at most {MOST}, got {number}")
    return number


def sweeps(value):
    """Return `num_sweeps` as a whole number. Of a traced number only the type is checked."""
    if is_traced(value):
        if not jnp.issubdtype(value.dtype, jnp.integer) or value.shape:
            raise TypeError(f"num_sweeps: expected a whole number, got {describe(value)}")
        return value
    return count("num_sweeps", value, 0)


def number(name: str, value, low: float = -np.inf, high: float = np.inf):
    """Return `value` as a finite float in [low, high]. Of a traced number only the shape is checked."""
    if is_traced(value):
        if value.shape:
            raise TypeError(f"{name}: expected a number, got {describe(value)}; use vmap for several")
        return value
    if not_real(value):
        raise TypeError(f"{name}: expected a number, got {describe(value)}")
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, got {describe(value)}") from None
    if not math.isfinite(result):
        raise ValueError(f"{name}: expected a finite number, got {result}")
    if not low <= result <= high:
        raise ValueError(f"{name}: expected a number in [{low}, {high}], got {result}")
    return result


def shape(name: str, value, size: int | None = None) -> tuple[int, ...]:
    """Return the shape of a block as a tuple; `size` is the number of variables that it must contain."""
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"{name}: expected a shape such as (30, 30), got {describe(value)}")
    sizes = tuple(count(name, length) for length in value)
    if size is not None and math.prod(sizes) != size:
        raise ValueError(f"{name}: expected a shape of {size} variables, got {sizes}")
    return sizes


def flag(name: str, value) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {describe(value)}")
    return bool(value)


def instance(name: str, value: Any, kind: type[Kind], example: str) -> Kind:
    """Return `value` if it is a `kind`."""
    if not isinstance(value, kind):
        hint = f"; write {value.__name__}()" if callable(value) and hasattr(value, "__name__") else ""
        if isinstance(getattr(value, name, None), kind):
            hint = f"; write .{name} after it"
        if kind.__name__ == "AbstractSampler" and not isinstance(value, type) and hasattr(value, "answer"):  # a solver
            hint = "; wrap it in PerturbAndMAP(...)"
        raise TypeError(
            f"{name}: expected {kind.__name__.removeprefix('Abstract')} such as {example}, got {describe(value)}{hint}"
        )
    return value


def describe(value) -> str:
    """Return a short description of a wrong argument."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"an array of shape {tuple(value.shape)} and dtype {value.dtype}"
    name, text = type(value).__name__, " ".join(repr(value).split())
    text = text if len(text) <= 60 else text[:57] + "..."
    return text if text.startswith(f"{name}(") else f"{name} {text}"
