"""Variables: named blocks of discrete variables; names and shapes outside, flat ids 0 .. n-1 inside."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import validate

FREE = -1
"""Evidence value of a variable whose state is not known."""


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
    """A block of variables with states 0 and 1; auxiliary ones (the output of an AND, say) are never perturbed."""
    return Categorical(*shape, states=2, auxiliary=auxiliary)


def Categorical(*shape: int, states: int, auxiliary: bool = False) -> Block:
    """A block of variables with states 0 .. states-1."""
    sizes = tuple(validate.count("shape", size) for size in shape)
    return Block(sizes, validate.count("states", states, minimum=2), bool(auxiliary))


@dataclass(frozen=True, init=False)
class Variables:
    """All variables of a model: `Variables(v=Binary(28, 28), h=Binary(500))`.

    Static and hashable. `variables["v"]` is the array of ids of a block, in the block's shape, so that wiring is
    NumPy slicing: `variables["v"][:, 0]` are the ids of the first column.
    """

    blocks: tuple[tuple[str, Block], ...]

    def __init__(self, **blocks: Block):
        for name, block in blocks.items():
            if not isinstance(block, Block):
                raise TypeError(
                    f"{name}: expected a block such as Binary(8, 8) or Categorical(5, states=3), "
                    f"got {validate.describe(block)}"
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
        """1 if all variables are binary, else C (see `pmp_kit.planes`)."""
        return 1 if self.num_states == 2 else self.num_states

    @cached_property
    def cardinalities(self) -> np.ndarray:
        """The number of states of each variable, (n,)."""
        return np.concatenate([np.full(block.size, block.states) for _, block in self.blocks])

    @cached_property
    def auxiliary(self) -> np.ndarray:
        """Which variables are auxiliary, (n,) bool."""
        return np.concatenate([np.full(block.size, block.auxiliary) for _, block in self.blocks])

    def __getitem__(self, name: str) -> np.ndarray:
        start = 0
        for other, block in self.blocks:
            if other == name:
                return np.arange(start, start + block.size).reshape(block.shape)
            start += block.size
        raise ValueError(f"block name: expected one of {', '.join(self.names)}, got {name!r}")

    def unflatten(self, states) -> dict:
        """Split (..., n) by name into arrays (..., *shape)."""
        lead = states.shape[:-1]
        return {
            name: states[..., ids.min() : ids.max() + 1].reshape(lead + ids.shape)
            for name, ids in ((name, self[name]) for name in self.names)
        }

    def unflatten_marginals(self, marginals: np.ndarray) -> dict:
        """Split (states, n, *batch) by name into arrays (*batch, *shape, states)."""
        named = self.unflatten(np.moveaxis(marginals, (0, 1), (-2, -1)))
        return {
            name: np.moveaxis(named[name], -1 - len(block.shape), -1)[..., : block.states]
            for name, block in self.blocks
        }

    def flatten(self, named: Mapping, missing: int = FREE, argument: str = "states") -> np.ndarray:
        """Join arrays (..., *shape) by name into (..., n) int32; blocks that are not named get `missing`.

        Leading axes must agree, or be absent. Raises: ValueError or TypeError that names the block.
        """
        if not isinstance(named, Mapping):
            raise TypeError(f"{argument}: expected a dict of arrays by block name, got {validate.describe(named)}")
        parts = {name: self._part(name, value, argument) for name, value in named.items()}
        leads = {part.shape[:-1] for part in parts.values()} - {()}
        if len(leads) > 1:
            raise ValueError(f"{argument}: expected the same leading axes for every block, got {sorted(leads)}")
        lead = leads.pop() if leads else ()
        flat = np.full((*lead, self.count), missing, np.int32)
        for name, part in parts.items():
            flat[..., self[name].reshape(-1)] = part
        return flat

    def _part(self, name: str, value, argument: str) -> np.ndarray:
        """One block's states, checked, as (..., size)."""
        ids, block = self[name], dict(self.blocks)[name]
        part, label = np.asarray(value), f"{argument}[{name!r}]"
        if part.dtype.kind == "b":
            part = part.astype(np.int32)
        if part.dtype.kind not in "iu" and not (part.dtype.kind == "f" and (part == np.round(part)).all()):
            raise TypeError(f"{label}: expected whole-number states, got dtype {part.dtype}; round or threshold it")
        lead = part.ndim - ids.ndim
        if lead < 0 or part.shape[lead:] != ids.shape:
            raise ValueError(f"{label}: expected shape (..., {', '.join(map(str, ids.shape))}), got {part.shape}")
        if part.size and (part.min() < FREE or part.max() >= block.states):
            wrong = part.min() if part.min() < FREE else part.max()
            raise ValueError(f"{label}: expected states 0 .. {block.states - 1}, or FREE = -1, got {wrong}")
        return part.astype(np.int32).reshape(*part.shape[:lead], ids.size)

    def evidence(self, named: Mapping | None, num_samples: int) -> np.ndarray:
        """Flat evidence, (num_samples, n) int32, FREE where nothing is known.

        Args:
            named: dict block name -> states or FREE, in the block's shape, or with a leading axis of num_samples.
            num_samples: the number of independent copies.
        """
        flat = self.flatten(named or {}, argument="evidence")
        if flat.ndim > 2 or (flat.ndim == 2 and flat.shape[0] != num_samples):
            raise ValueError(
                f"evidence: expected the block's shape, or {num_samples} of them stacked, got leading axes "
                f"{flat.shape[:-1]}"
            )
        return np.broadcast_to(flat, (num_samples, self.count))
