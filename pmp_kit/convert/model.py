"""A converted model: a factor graph that keeps the names, the order and the constant of the original."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import equinox as eqx
import numpy as np
from numpy.typing import NDArray

from ..engine import checks
from ..engine.signatures import ArrayLike, Floats, NamedArrays, States
from ..graph import FactorGraph
from ..sample import score
from ..variables import FREE, Binary, Block, Categorical, Variables


class ConvertedModel(eqx.Module):
    """A model from another program: a factor graph, with the names and the order of the original variables.

    Variables with the same number of states are one block: "x2", "x3", ... A variable with one state is not in the
    graph. The log value of a configuration is `pk.score(model, states) + model.constant`, so the original log Z is the
    log Z of the graph plus this constant. If there is an inverse temperature b, this sum is -b times `energy`.
    """

    factor_graph: FactorGraph
    ids: NDArray[np.int32]
    """The id of each variable in the graph, in the order of `names`; -1 for a variable with one state."""
    names: tuple[Hashable, ...] = eqx.field(static=True)
    """The labels of the variables, in the order of the original."""
    constant: float = eqx.field(static=True)
    """What scores of the graph leave out, in nats."""
    inverse_temperature: float = eqx.field(static=True)
    spins: bool = eqx.field(static=True)
    """Whether the original states are -1 and +1; `states`, `evidence` and `energy` then use these."""
    _observed: tuple[tuple[Hashable, int], ...] = eqx.field(static=True)
    _state_names: tuple[tuple[Hashable, ...], ...] | None = eqx.field(static=True)
    _energy: Any = eqx.field(static=True)

    def __init__(
        self,
        factor_graph: FactorGraph,
        ids: NDArray[np.int_],
        names: Sequence[Hashable],
        constant: float = 0.0,
        inverse_temperature: float = 1.0,
        spins: bool = False,
        observed: Mapping[Any, int] | None = None,
        state_names: Sequence[Sequence[Hashable]] | None = None,
        energy: Any = None,
    ):
        """Args: see the fields; `energy` is a function of states (..., n) in the original order, in 64 bits."""
        self.factor_graph, self.ids, self.names = factor_graph, ids.astype(np.int32), tuple(names)
        self.constant, self.inverse_temperature, self.spins = float(constant), inverse_temperature, spins
        self._observed = tuple((observed or {}).items())
        self._state_names = None if state_names is None else tuple(map(tuple, state_names))
        self._energy = energy

    def graph(self) -> FactorGraph:
        return self.factor_graph

    @property
    def cardinalities(self) -> NDArray[np.int_]:
        """The number of states of each variable, in the order of `names`, (n,)."""
        return np.append(self.factor_graph.variables.cardinalities, 1)[np.asarray(self.ids)]

    @property
    def observed(self) -> dict[Hashable, int]:
        """The evidence that was read with the model, label -> state."""
        return dict(self._observed)

    @property
    def state_names(self) -> dict[Hashable, tuple[Hashable, ...]] | None:
        """The names of the states by label, in the order of their numbers; None if the original has none."""
        return None if self._state_names is None else dict(zip(self.names, self._state_names, strict=True))

    def evidence(self, states: Mapping[Hashable, Any] | None = None) -> dict[str, States]:
        """Return evidence by block, which `solve` and `sample` take, from states by label.

        Args:
            states: label -> state, or the name of a state, or states (N,) for N rows of evidence; by default
                `observed`. Write `{**model.observed, label: state}` to add to it.

        Raises: ValueError that names the label.
        """
        given = self.observed if states is None else states
        numbers = {place: self._number(place, given[label]) for label, place in self._places(given).items()}
        rows = np.broadcast_shapes(*(number.shape for number in numbers.values()))
        ordered = np.full((*rows, len(self.names)), float(FREE))
        for place, number in numbers.items():
            ordered[..., place] = number
        return self._by_block("evidence", ordered)

    def in_order(self, states: NamedArrays) -> States:
        """Return states by block, such as samples, as an array (..., n) int32 in the order of `names`."""
        flat = np.asarray(self.factor_graph.variables.flatten_all(states))
        with_fixed = np.concatenate([flat, np.zeros_like(flat[..., :1])], -1)
        ordered = with_fixed[..., np.asarray(self.ids)]
        return 2 * ordered - 1 if self.spins else ordered

    def states(self, states: NamedArrays) -> dict[Hashable, States]:
        """Return states by block, such as samples or `Solution.states`, as arrays (...) by label."""
        return dict(zip(self.names, np.moveaxis(self.in_order(states), -1, 0), strict=True))

    def blocks(self, states: Mapping[Any, Any] | ArrayLike) -> dict[str, States]:
        """Return states by block, the inverse of `in_order` and `states`.

        Args:
            states: (..., n) in the order of `names`, or arrays (...) by label, or states by block.
        """
        if not isinstance(states, Mapping):
            array = checks.rectangular("states", states)
            if array.shape[-1:] != (len(self.names),):
                raise ValueError(f"states: expected shape (..., {len(self.names)}), got {array.shape}")
            return self._by_block("states", array)
        if states.keys() == set(self.names):
            return self.evidence(states)
        return {name: np.asarray(array) for name, array in states.items()}

    def energy(self, states: Mapping[Any, Any] | ArrayLike) -> Floats:
        """Return the energy of configurations in the original's units and with its offset; lower is more probable.

        Energies of pairs of binary variables are those of the original numbers in 64 bits, also after `fit`. Otherwise
        the energy is -(score + constant) / b with the inverse temperature b.

        Args:
            states: see `blocks`.
        """
        named = self.blocks(states)
        if self._energy is not None:
            return self._energy(self.in_order(named))
        return -(np.asarray(score(self.factor_graph, named), float) + self.constant) / self.inverse_temperature

    def _places(self, labels) -> dict[Hashable, int]:
        """Return the place of each of some labels in `names`. Raise ValueError for others."""
        places = {label: place for place, label in enumerate(self.names)}
        for label in labels:
            if label not in places:
                known = ", ".join(map(repr, self.names[:3]))
                raise ValueError(f"evidence: expected labels of variables such as {known}, got {label!r}")
        return {label: places[label] for label in labels}

    def _number(self, place: int, value: Any) -> NDArray[Any]:
        """Return the number of a state from its name; numbers stay as they are."""
        names = self._state_names[place] if self._state_names is not None and isinstance(value, Hashable) else ()
        number = np.asarray(names.index(value) if value in names else value)
        if number.dtype.kind not in "biuf":
            known = f" among {', '.join(map(repr, names))}" if names else ""
            raise ValueError(f"evidence: expected a state of {self.names[place]!r}{known}, got {value!r}")
        return number

    def _by_block(self, argument: str, ordered: NDArray[Any]) -> dict[str, States]:
        """Return original states (..., n), or FREE, by block. Raise ValueError if a variable has no such state."""
        low, high = (-1, 1) if self.spins else (0, self.cardinalities - 1)
        possible = (ordered >= low) & (ordered <= high) & (ordered % 1 == 0) & ((ordered != 0) | (not self.spins))
        known = ordered != FREE
        if (wrong := known & ~possible).any():
            where = tuple(np.argwhere(wrong)[0])
            last = 1 if self.spins else self.cardinalities[where[-1]] - 1
            expected = f"a state {low} {'or' if self.spins else '..'} {last} of {self.names[where[-1]]!r}"
            raise ValueError(f"{argument}: expected {expected}, got {ordered[where]:g}")
        variables = self.factor_graph.variables
        flat = np.full((*ordered.shape[:-1], variables.count + 1), FREE, np.int32)  # the last one for one state
        flat[..., np.asarray(self.ids)] = np.where(known, (ordered + 1) // 2 if self.spins else ordered, FREE)
        return variables.unflatten(flat[..., :-1])


def blocks_of(cardinalities: NDArray[np.int_]) -> tuple[Variables, NDArray[np.int_]]:
    """Return the blocks of variables with these numbers of states, and the id of each; -1 if it has one state."""
    sizes, counts = np.unique(cardinalities[cardinalities > 1], return_counts=True)
    if not sizes.size:
        raise ValueError("model: expected a variable with two or more states, got none")
    blocks: dict[str, Block] = {
        f"x{size}": Binary(int(count)) if size == 2 else Categorical(int(count), states=int(size))
        for size, count in zip(sizes, counts, strict=True)
    }
    order = np.argsort(cardinalities, kind="stable")
    order = order[cardinalities[order] > 1]
    ids = np.full(cardinalities.size, -1)
    ids[order] = np.arange(order.size)
    return Variables(**blocks), ids
