"""Variables: named blocks of discrete variables. Internally, each variable has a flat id 0 .. n-1."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from .engine import checks
from .engine.arrays import contains_traced, is_traced
from .engine.checks import checked_states
from .engine.planes import FREE as FREE
from .engine.signatures import NamedArrays


class UnknownBlockError(KeyError, ValueError):
    """The error for an unknown block name."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the text in quotation marks


@dataclass(frozen=True)
class Block:
    """An array of variables that have the same number of states."""

    shape: tuple[int, ...]
    states: int
    auxiliary: bool = False

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def Binary(*shape: int, auxiliary: bool = False) -> Block:
    """Return a block of variables with states 0 and 1.

    Args:
        *shape: the shape of the block.
        auxiliary: True for deterministic functions of other variables, such as the output of an AND. Samplers do not
            perturb auxiliary variables.

    Raises: TypeError or ValueError that names the argument.
    """
    return Categorical(*shape, states=2, auxiliary=auxiliary)


def Categorical(*shape: int, states: int, auxiliary: bool = False) -> Block:
    """Return a block of variables with states 0 .. states-1.

    Args:
        *shape, auxiliary: see `Binary`.
        states: the number of states of each variable, at least 2.

    Raises: TypeError or ValueError that names the argument.
    """
    for size in shape:
        if isinstance(size, (tuple, list)):
            raise TypeError(f"shape: expected one number for each axis, as in Binary(4, 4), got {size} as one argument")
    sizes = tuple(checks.count("shape", size) for size in shape)
    return Block(sizes, checks.count("states", states, minimum=2), checks.flag("auxiliary", auxiliary))


@dataclass(frozen=True, init=False)
class Variables(Mapping[str, NDArray[np.int_]]):
    """All variables of a model, in named blocks, such as `Variables(v=Binary(28, 28), h=Binary(500))`.

    It is a mapping from block names to ids. `variables["v"]` is the array of ids of a block, in the shape of the block.
    So factors can be wired by NumPy slicing: `variables["v"][:, 0]` are the ids of the first column. The object is
    static and hashable. Raises: TypeError unless each argument is a `Binary` or `Categorical`; ValueError without any.
    """

    blocks: tuple[tuple[str, Block], ...]

    def __init__(self, **blocks: Block):
        for name, block in blocks.items():
            if not isinstance(block, Block):
                raise TypeError(
                    f"{name}: expected a block such as Binary(8, 8) or Categorical(5, states=3), "
                    f"got {checks.describe(block)}"
                )
        if not blocks:
            raise ValueError("blocks: expected at least one block of variables, got none; write Variables(x=Binary(4))")
        object.__setattr__(self, "blocks", tuple(blocks.items()))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.blocks)

    @cached_property
    def count(self) -> int:
        """The number n of variables."""
        return sum(block.size for _, block in self.blocks)

    @cached_property
    def num_states(self) -> int:
        """The largest number C of states of any variable."""
        return max(block.states for _, block in self.blocks)

    @property
    def num_planes(self) -> int:
        """1 if all variables are binary, else C (see `pmp_kit.engine.planes`)."""
        return 1 if self.num_states == 2 else self.num_states

    @cached_property
    def cardinalities(self) -> NDArray[np.int_]:
        """The number of states of each variable, (n,)."""
        return np.concatenate([np.full(block.size, block.states) for _, block in self.blocks])

    @cached_property
    def auxiliary(self) -> NDArray[np.bool_]:
        """Which variables are auxiliary, (n,) bool."""
        return np.concatenate([np.full(block.size, block.auxiliary) for _, block in self.blocks])

    def __getitem__(self, name: str) -> NDArray[np.int_]:
        start = 0
        for other, block in self.blocks:
            if other == name:
                return np.arange(start, start + block.size).reshape(block.shape)
            start += block.size
        raise UnknownBlockError(f"block name: expected one of {', '.join(self.names)}, got {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.blocks)

    def unflatten(self, states: Any) -> dict[str, Any]:
        """Split an array (..., n) into arrays (..., *shape) by block name."""
        lead, named, start = states.shape[:-1], {}, 0
        for name, block in self.blocks:
            named[name] = states[..., start : start + block.size].reshape(lead + block.shape)
            start += block.size
        return named

    def unflatten_marginals(self, marginals: Any) -> dict[str, Any]:
        """Split an array (*batch, states, n) into arrays (*batch, *shape, states) by block name."""
        xp = jnp if is_traced(marginals) else np
        named = self.unflatten(marginals)
        return {
            name: xp.moveaxis(named[name], -1 - len(block.shape), -1)[..., : block.states]
            for name, block in self.blocks
        }

    def flatten(self, named: NamedArrays, argument: str = "states") -> Any:
        """Join arrays (..., *shape) by block name into an array (..., n) int32.

        Blocks that are not named get FREE. Leading axes must be equal or absent. The values of traced arrays are
        not checked. Raises: ValueError or TypeError that names the block.
        """
        if not isinstance(named, Mapping):
            table = ".to_numpy()" if hasattr(named, "to_numpy") else ""  # of pandas
            hint = f"; write {{{self.names[0]!r}: {argument}{table}}}" if table or hasattr(named, "shape") else ""
            got = checks.describe(named)
            raise TypeError(f"{argument}: expected a dict of arrays by block name, got {got}{hint}")
        if not named:
            return np.full(self.count, FREE, np.int32)
        parts = {name: self._part(name, value, argument) for name, value in named.items()}
        leads = {part.shape[:-1] for part in parts.values()} - {()}
        if len(leads) > 1:
            raise ValueError(f"{argument}: expected the same leading axes for every block, got {sorted(leads)}")
        lead = leads.pop() if leads else ()
        xp = jnp if contains_traced(parts) else np
        columns = [xp.broadcast_to(parts.get(name, np.int32(FREE)), (*lead, b.size)) for name, b in self.blocks]
        return xp.concatenate(columns, axis=-1, dtype=np.int32)

    def flatten_all(self, named: NamedArrays, argument: str = "states") -> Any:
        """Return `flatten` of states of every block. Raises: ValueError if a block is missing or an entry is FREE."""
        flat = self.flatten(named, argument=argument)
        missing = [name for name in self.names if name not in named]
        if missing:
            raise ValueError(f"{argument}: expected all of {list(self.names)}, got none for {missing[0]!r}")
        if not is_traced(flat) and (flat == FREE).any():
            raise ValueError(
                f"{argument}: expected a state for every variable, got pk.FREE; pass these states as evidence to "
                "sample or solve"
            )
        return flat

    def check_name(self, argument: str, name: str) -> None:
        """Raise an error unless a block, of which an argument has values, is one of these."""
        if name not in self.names:
            raise UnknownBlockError(f"{argument}: expected blocks among {', '.join(self.names)}, got {name!r}")

    def _part(self, name: str, value: Any, argument: str) -> Any:
        """Return the checked states of one block as (..., size)."""
        self.check_name(argument, name)
        ids, label = self[name], f"{argument}[{name!r}]"
        part: Any = jnp.asarray(value) if contains_traced(value) else checks.rectangular(label, value)
        lead = part.ndim - ids.ndim
        if lead < 0 or part.shape[lead:] != ids.shape:
            hint = "; write pk.FREE for unknown states" if argument == "evidence" else ""
            raise ValueError(f"{label}: expected shape (..., {', '.join(map(str, ids.shape))}), got {part.shape}{hint}")
        part = checked_states(label, part, dict(self.blocks)[name].states, evidence=argument == "evidence")
        return part.reshape(*part.shape[:lead], ids.size)

    def evidence(self, named: NamedArrays | None, num_samples: int) -> Any:
        """Return flat evidence, (num_samples, n) int32, with FREE for variables that are not observed.

        Args:
            named: dict block name -> states or FREE, in the block's shape, or with a leading axis of num_samples.
            num_samples: the number of samples (batch elements).
        """
        rows, shape = self.evidence_rows(named, num_samples), (num_samples, self.count)
        return jnp.broadcast_to(rows, shape) if is_traced(rows) else np.broadcast_to(rows, shape)

    def shared_evidence(self, named: NamedArrays | None) -> dict[str, Any]:
        """Return evidence with FREE for all other variables. Raise ValueError if it is not the same for all samples."""
        return self.unflatten(self.evidence(named, 1)[0])

    def evidence_rows(self, named: NamedArrays | None, num_samples: int) -> Any:
        """Return the evidence (num_samples, n), or as a single row (1, n) if it is the same for all samples."""
        flat = self.flat_evidence(named)
        if flat.ndim == 2 and flat.shape[0] != num_samples:
            rows = f", optionally with a leading axis of {num_samples}" if num_samples > 1 else " (one problem)"
            raise ValueError(f"evidence: expected the block's shape{rows}, got leading axes {flat.shape[:-1]}")
        return flat if flat.ndim == 2 else flat[None]

    def flat_evidence(self, named: NamedArrays | None) -> Any:
        """Return flat evidence as it is given: (n,), or (N, n) if it has a leading axis of any length N."""
        flat = self.flatten({} if named is None else named, argument="evidence")
        if flat.ndim > 2:
            raise ValueError(
                f"evidence: expected the block's shape, optionally with one leading axis, got leading axes "
                f"{flat.shape[:-1]}"
            )
        return flat


def check_rows(argument: str, flat: Any) -> None:
    """Raise ValueError unless flat states are (N, n) with N >= 1."""
    if flat.ndim != 2 or flat.shape[0] == 0:
        got = f"leading axes {flat.shape[:-1]}" + ("; add an axis to one row with x[None]" if flat.ndim == 1 else "")
        raise ValueError(f"{argument}: expected arrays (N, *block shape) with N >= 1, got {got}")
