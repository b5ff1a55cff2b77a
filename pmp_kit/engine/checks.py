"""The checks of arguments, at the place where a person types them. Nothing inside repeats them.

Each error names the argument, what was expected, what came and what to do. Where NumPy, JAX or Python fail clearly,
their error is enough. The methods of classes of your own are tried by `pk.testing`.
"""

import math
import operator
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from .arrays import contains_traced, is_traced, on_device
from .planes import FREE
from .signatures import PyTree

Kind = TypeVar("Kind")
MOST = 2**31 - 1
"""The largest whole number that compiled code counts to: sweeps, samples and variables have 32-bit numbers."""
MISSING = {"None", "nan", "NaN", "NaT", "<NA>"}
"""How missing values of NumPy, pandas and Python are written."""


def parameter(name: str, value, shape: tuple | None = None) -> jax.Array:
    """Return `value` as a float array in JAX's default precision, of the given shape (None stands for any size).

    Raises: TypeError if it is not an array of numbers, ValueError if the shape differs or a value is NaN or infinite.
    """
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    plain = None if contains_traced(value) else rectangular(name, value)
    try:
        with np.errstate(over="ignore"):  # the number itself is named below
            array = jnp.asarray(value, precision) if plain is None else on_device(plain.astype(precision))
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name}: expected an array of numbers, got {describe(value)}") from error
    if shape is not None and not matches(array.shape, shape):
        wanted = tuple("any" if size is None else size for size in shape)
        raise ValueError(f"{name}: expected shape {wanted}, got {array.shape}")
    if plain is not None and not np.isfinite(np.asarray(array)).all():
        bad = tuple(np.argwhere(~np.isfinite(np.asarray(array)))[0])
        found = plain.astype(float)[bad]
        raise ValueError(f"{name}: expected finite numbers, got {found}{_place(bad)}; {_advice(found, array)}")
    return array


def _place(index: tuple) -> str:
    """Return where an entry is, as text."""
    return f" at index {[int(one) for one in index]}" if index else ""


def _advice(found: Any, array: jax.Array) -> str:
    """Return what to do about a number that is not finite in an array."""
    if np.isfinite(found):
        return f"it is too large for {array.dtype}"
    if np.isnan(found):
        return "look for 0 / 0 and inf - inf in what computes it"
    return "observe variables by evidence; forbid states by -inf in unaries or in tables such as EdgeTables, NWise"


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
    """Return nested lists or an array as a NumPy array of real numbers, or of other entries for ids and states."""
    if contains_traced(value):
        raise TypeError(
            f"{name}: expected numbers with values, got traced ones; only scores may be traced, so make this from "
            "NumPy arrays, outside of jit, vmap and grad if it depends on their arguments"
        )
    if np.ma.is_masked(value):  # NumPy would forget the mask
        masked = f"{name}: expected numbers without a mask, got {np.ma.count_masked(value)} masked entries"
        raise ValueError(f"{masked}; fill them, for example unknown states by .filled(pk.FREE)")
    if hasattr(value, "todense"):  # of SciPy or JAX, of which NumPy would make one object
        convert = "toarray" if hasattr(value, "toarray") else "todense"
        raise TypeError(f"{name}: expected an array, got a sparse one of shape {value.shape}; use {name}.{convert}()")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name}: expected rows of the same length; if these are factors, use a group for each size, or Tables"
        ) from None
    if array.dtype.kind in "SUcmM":  # NumPy would make numbers of dates, and drop imaginary parts
        raise TypeError(f"{name}: expected an array of numbers, got {describe(value)}")
    return array


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
    try:
        result = float("no number" if isinstance(value, str | bytes) or np.iscomplexobj(value) else value)
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


def described(tree: PyTree) -> str:
    """Return a pytree as text, with types and shapes in place of arrays: "(float32[2, 3], int32[3])"."""
    return str(jax.tree.map(_form, tree)).replace("'", "")


def _form(leaf) -> str:
    """Return the type and the shape of an array as it would be in JAX, or the type of another object."""
    if not hasattr(leaf, "dtype"):
        return type(leaf).__name__
    known = isinstance(leaf, (jax.Array, jax.ShapeDtypeStruct))
    return f"{leaf.dtype if known else jax.dtypes.canonicalize_dtype(leaf.dtype)}{list(leaf.shape)}"


def checked_states(label: str, part: Any, states: int, evidence: bool) -> Any:
    """Return states or FREE as int32.

    Traced values that are neither cannot be refused. In evidence they become state 0, elsewhere FREE.

    Args:
        label: the argument and the block, for messages.
        part: states or FREE of one block, in any shape.
        states: the number of states of the block.
        evidence: whether entries may be FREE although the array is traced, so that it has to be signed.
    """
    if not is_traced(part):
        _check(label, part, states)
        return part.astype(np.int32)
    if evidence and part.dtype.kind == "u":
        hint = "write x.astype(jnp.int32) before you put pk.FREE into x"
        raise TypeError(f"{label}: expected signed numbers, which can hold pk.FREE (-128), got {part.dtype}; {hint}")
    number = part.astype(np.int32)
    known = (number.astype(part.dtype) == part) & ((number == FREE) | ((number >= 0) & (number < states)))
    return jnp.where(known, number, 0 if evidence else FREE)


def _check(label: str, part: np.ndarray, states: int) -> None:
    """Raise TypeError unless the values are whole numbers, ValueError unless they are states or FREE."""
    kind, expected = part.dtype.kind, f"states 0 .. {states - 1}, or pk.FREE"
    if part.size == 0 or (kind == "b" and states == 2):  # with more states, True and False are rather a mask
        return
    if kind not in "iu" and not (kind == "f" and _whole(part)):
        raise TypeError(f"{label}: expected whole-number {expected} for unknown ones, got {_no_numbers(part)}")
    wrong = part[(part >= states) | ((part < 0) & (part != FREE))]
    if wrong.size:
        got = -1 if (wrong == -1).any() else wrong[0]
        raise ValueError(f"{label}: expected {expected}, got {got}{_hint(got, wrong, part, states)}")


def _whole(part: np.ndarray) -> bool:
    """Return whether all entries are whole numbers."""
    try:
        numbers = part.astype(float)
    except (TypeError, ValueError):
        return False
    return bool((numbers == np.round(numbers)).all())


def _no_numbers(part: np.ndarray) -> str:
    """Return what is in an array that has other entries than whole numbers, and what to do."""
    of_objects = part.dtype.kind == "O"
    if MISSING & {str(entry) for entry in (part if of_objects else part[part != part]).flat}:
        return "missing values; write pk.FREE for them" + (", then x.astype(int)" if of_objects else "")
    advice = "write x.astype(int)" if of_objects and _whole(part) else "round, threshold or number them"
    return f"dtype {part.dtype}; {advice}"


def _hint(got: Any, wrong: np.ndarray, part: np.ndarray, states: int) -> str:
    """Return what to do about frequent mistakes: spins, -1 for unknown, pk.FREE in an unsigned array, grey values."""
    if got == -1 and (part == 0).any():
        return "; write pk.FREE, and not -1, for unknown states"
    if got == -1 and states == 2:
        return "; this looks like spins, use (spins + 1) // 2 (pk.spins_to_binary converts weights)"
    if part.dtype.kind == "u" and (wrong == np.array(FREE).astype(part.dtype)).all():
        return "; unsigned arrays cannot hold pk.FREE (-128), use x.astype(int) before you put it in"
    if states == 2 and (wrong > 0).all() and np.isfinite(wrong).all():
        high = f"x > {int(part.max()) // 2}"
        use = f"np.where(x == pk.FREE, x, {high})" if (part == FREE).any() else f"({high}).astype(int)"
        return f"; grey values need a threshold, such as {use}"
    return ""
