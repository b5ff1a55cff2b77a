"""Saving and loading of models and training states, without pickle, with a version number.

The first line of a file is a description in JSON: the version, a checksum, the structure of the model, and the name,
shape and type of each array. The arrays follow, as `equinox.tree_serialise_leaves` writes them. Loading needs an object
of the same form, which defines the structure. Loading never executes code from a file.
"""

import io
import json
import os
import pathlib
import zlib
from typing import Any, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .engine import checks, parameters
from .engine.arrays import outside_jit
from .engine.files import replacing
from .engine.signatures import Path

VERSION = 2
SAVED = "a complete file written by pmp_kit.save"
SAME_RUN = "; resume with the same sampler, optimizer, persistent and number of chains"
Thing = TypeVar("Thing")


def save(path: Path, thing: Any) -> None:
    """Write a model or a `TrainingState` to a file.

    An existing file of the same name is replaced only after the new file is complete, which gets its mode. A link stays
    and its target is replaced. The function of a `Custom` is not in the file; the `like` of `load` supplies it.

    Args:
        path: the path of the file, for example "model.eqx".
        thing: a model, or the `state` of a `FitResult`.

    Raises: TypeError if `path` is not a path or `thing` contains anything but arrays of numbers and JAX keys; OSError
    if the file cannot be written there.
    """
    outside_jit("save", thing)
    path, thing = pathlib.Path(_checked(path)), parameters.as_arrays(thing)
    about, arrays = _description(thing, "thing"), _arrays(thing)
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise TypeError(f"thing: expected arrays of numbers only, got {checks.describe(array)} at {name}")
    types = {name: [array.shape, array.dtype.str] for name, array in arrays.items()}
    content = io.BytesIO()
    eqx.tree_serialise_leaves(content, list(arrays.values()))
    about = {"pmp_kit": VERSION, "arrays": types, **about}
    with replacing(path) as file:
        file.write(json.dumps({"checksum": _checksum(about, content.getvalue()), **about}).encode() + b"\n")
        file.write(content.getvalue())


def load(path: Path, like: Thing) -> Thing:
    """Read a file that `save` wrote.

    Args:
        path: the path of the file.
        like: a model or `TrainingState` with the same class, blocks, factor classes, settings, wiring and shapes. Its
            parameters are not used. The numbers of the file are converted to its precision. The function of a `Custom`
            is not in the file; `like` supplies it.

    Returns:
        An object with the structure of `like` and the numbers of the file.

    Raises:
        ValueError: the file is damaged, has another version, or does not fit `like`.
        OSError: the file does not exist or cannot be read.
        TypeError: `path` is not a path, or `like` is neither a model nor a `TrainingState`.
    """
    return restored(path, parameters.as_arrays(like), "`like`")


def restored(path: Path, like: Thing, owner: str, advice: str = "") -> Thing:
    """Return `load` of a file for an object `like`, which errors call `owner`."""
    return _like(path, *_read(_checked(path)), like, owner, advice)


def check_structure(argument: str, thing: Any, like: Any) -> None:
    """Raise ValueError unless `thing` has the same structure as `like`, a state of this run."""
    _like(argument, _description(thing, "thing"), _arrays(thing), like, "this run", SAME_RUN)


def _read(path: Path) -> tuple[dict, dict[str, np.ndarray]]:
    """Return the description and the arrays of a file. Raise ValueError if it is damaged or of another version."""
    line, _, content = pathlib.Path(path).read_bytes().partition(b"\n")
    try:
        about = json.loads(line)
        checksum, version = about.pop("checksum"), about["pmp_kit"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found = "a .npz archive, as older versions wrote it" if line.startswith(b"PK") else f"no description: {error}"
        raise ValueError(f"{path}: expected {SAVED}, got one with {found}; save it again") from error
    if version != VERSION:
        raise ValueError(f"{path}: expected version {VERSION}, got {version}; install a newer pmp_kit")
    if checksum != _checksum(about, content):
        raise ValueError(f"{path}: expected {SAVED}, got one with another checksum; save or copy it again")
    types = about["arrays"]
    empty = [np.empty(shape, dtype) for shape, dtype in types.values()]
    return about, dict(zip(types, eqx.tree_deserialise_leaves(io.BytesIO(content), empty), strict=True))


def _checksum(about: dict, content: bytes) -> int:
    """Return the checksum of a description and the arrays that follow it."""
    return zlib.crc32(content, zlib.crc32(json.dumps(about).encode()))


def _like(source: Path, about: dict, arrays: dict, like: Thing, owner: str, advice: str) -> Thing:
    """Return the arrays of a source in the form of `like`. Raise ValueError if they do not fit it."""
    for part, want in _description(like, "like").items():
        if (have := about.get(part)) != want:
            raise ValueError(f"{source}: expected the {part} {want}, got {have}; give the model that it belongs to")
    leaves, wiring = dict(_leaves(like)), _wiring(like)
    if different := sorted(leaves.keys() ^ arrays.keys()):
        has = owner if different[0] in leaves else "it"
        do = "; forbid the same states (-inf)" if different[0].endswith("allowed") else advice
        raise ValueError(f"{source}: expected the arrays of {owner}, but only {has} has {different[0]}{do}")
    fitted = [_fitted(f"{source}: {name}", arrays[name], leaf, name in wiring, advice) for name, leaf in leaves.items()]
    return jax.tree.unflatten(jax.tree.structure(like), fitted)


def _checked(path: Path) -> Path:
    """Return the path. Raise TypeError if it is not a path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: expected the path of a file such as 'model.eqx', got {checks.describe(path)}")
    return path


def _arrays(thing) -> dict[str, np.ndarray]:
    """Return all arrays and numbers by name, as NumPy arrays."""
    return {name: np.asarray(_numbers(leaf)) for name, leaf in _leaves(thing)}


def _leaves(thing) -> list[tuple[str, Any]]:
    """Return all arrays and numbers, each with its name, for example ".model.weight"."""
    return [(jax.tree_util.keystr(place), leaf) for place, leaf in jax.tree_util.tree_flatten_with_path(thing)[0]]


def _is_key(leaf) -> bool:
    return hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def _numbers(leaf):
    """Return numbers for keys, of which shape and dtype may be all that is known, and other leaves as they are."""
    if not _is_key(leaf):
        return leaf
    return jax.random.key_data(leaf if isinstance(leaf, jax.Array) else jnp.zeros(leaf.shape, leaf.dtype))


def _model(thing):
    """Return the model in a model or training state, and the prefix of the names of its arrays."""
    return (thing, "") if callable(getattr(thing, "graph", None)) else (getattr(thing, "model", None), ".model")


def _description(thing, argument: str) -> dict:
    """Return the class names of an object, of its model and of the factors, and the blocks and wiring of the model."""
    model, _ = _model(thing)
    of_fit = model is not thing and hasattr(thing, "history")
    if model is None or not hasattr(model, "graph") or isinstance(model, type) or of_fit:
        fix = "save samples with np.savez(path, **samples)" if isinstance(thing, dict) else "for a sampler, use pickle"
        if hasattr(thing, "optimizer_state"):
            fix = "its model has no .graph(): save it with equinox.tree_serialise_leaves"
        if isinstance(thing, (np.ndarray, jax.Array)):
            fix = "save arrays with np.savez(path, name=array)"
        if isinstance(thing, (tuple, list)) and any(hasattr(part, "graph") for part in thing):
            fix = "save pk.TrainingState(step, model, optimizer_state, chains, gap)"
        if of_fit:
            fix = "give its .state, with which `resume` continues, or its .model"
        raise TypeError(f"{argument}: expected a model or a TrainingState, got {checks.describe(thing)}; {fix}")
    graph = model.graph()
    blocks = [[name, list(b.shape), b.states, b.auxiliary] for name, b in graph.variables.blocks]
    factors = [type(factor).__name__ for factor in graph.factors]
    about = {"kind": type(thing).__name__, "model": type(model).__name__, "blocks": blocks, "factors": factors}
    if graph is not model:  # otherwise its wiring is in the file
        wiring = b"".join(np.asarray(leaf, np.int64).tobytes() for leaf in jax.tree.leaves(graph) if _is_integer(leaf))
        about["checksum of the wiring"] = zlib.crc32(wiring)
    return about | {"settings": parameters.settings(graph, model)}


def _wiring(thing) -> set[str]:
    """Return the names of the integer arrays of the model. They are structure, and must be equal."""
    model, prefix = _model(thing)
    return {prefix + name for name, leaf in _leaves(model) if _is_integer(leaf)}


def _is_integer(leaf) -> bool:
    return not _is_key(leaf) and np.dtype(getattr(leaf, "dtype", type(leaf))).kind in "iub"


def _fitted(name: str, value: np.ndarray, leaf, is_wiring: bool, advice: str):
    """Return a stored array in the type of `leaf`. Raise ValueError if shape, kind or wiring differ."""
    present = _numbers(leaf)
    wanted = np.dtype(getattr(present, "dtype", type(present)))
    if value.shape != np.shape(present) or (value.dtype.kind == "f") != (wanted.kind == "f"):
        expected = f"shape {np.shape(present)} and dtype {wanted}"
        raise ValueError(f"{name}: expected {expected}, got {value.shape}, {value.dtype}{advice}")
    if _is_key(leaf):
        return jax.random.wrap_key_data(jnp.asarray(value), impl=jax.random.key_impl(jnp.zeros((), leaf.dtype)))
    if is_wiring and not np.array_equal(value, np.asarray(leaf)):
        raise ValueError(
            f"{name}: expected equal integers and booleans, because they define the structure (variable ids and "
            "constraints), got different ones; give the model that it belongs to"
        )
    return type(leaf)(value) if isinstance(leaf, (bool, int)) else jnp.asarray(value, wanted)
