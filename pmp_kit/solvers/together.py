"""Several max-product searches that differ only in numbers and keys, as one search that is compiled once."""

from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph
from .base import AbstractSolver, Answer
from .max_product import MaxProduct, MaxProductState
from .schedules import AbstractSchedule
from .starts import AbstractStart


class Together(AbstractSolver):
    """Several `MaxProduct` whose sweeps are the same program, for `Portfolio`.

    A batch element of one of them is a batch element of all: sweeps compute (members * batch) elements at once, each
    with the damping, the mask and the other settings of its member. The arrays of its state are (..., members, batch).
    """

    members: tuple[MaxProduct, ...]

    @property
    def workload(self) -> Workload:
        return self.members[0].workload

    def init(self, graph, unaries):
        batch = unaries.shape[2:]
        messages = flat(start_messages([member.start for member in self.members], graph, batch))
        return self.split(self.members[0].begin(graph, self.tiled(unaries), messages))

    def sweep(self, graph, unaries, state):
        return self.split(self.joint(unaries).sweep(graph, self.tiled(unaries), flat(state)))

    def inspect(self, graph: FactorGraph, unaries: Planes, state: MaxProductState) -> MaxProductState:
        return self.split(self.joint(unaries).inspect(graph, self.tiled(unaries), flat(state)))

    def done(self, state) -> Bool[Array, " batch"]:
        return state.finished.all(0)

    def answers(self, graph: FactorGraph, unaries: Planes, state: MaxProductState) -> list[Answer]:
        """Return the answer of each member."""
        every = self.split(self.joint(unaries).answer(graph, self.tiled(unaries), flat(state)))
        places = range(len(self.members))
        return [jax.tree.map(lambda leaf, place=place: leaf[..., place, :], every) for place in places]

    def answer(self, graph, unaries, state):
        return self.answers(graph, unaries, state)[0]

    def joint(self, unaries: Planes) -> MaxProduct:
        """Return one `MaxProduct` whose settings have an entry for each of the (members * batch) elements."""

        def of_each(setting: Callable[[MaxProduct], Any], dtype: Any) -> Array:
            values = jnp.stack([jnp.asarray(setting(member), dtype) for member in self.members])
            return jnp.repeat(values, unaries.shape[-1], total_repeat_length=len(values) * unaries.shape[-1])

        settings = lambda one: (one.damping, one.keep_best, one.tolerance, one.patience, one.schedule)  # noqa: E731
        return eqx.tree_at(
            settings,
            self.members[0],
            (
                of_each(lambda one: one.damping, unaries.dtype),
                of_each(lambda one: one.keep_best, bool),
                of_each(lambda one: one.tolerance, unaries.dtype),
                of_each(lambda one: one.patience, jnp.int32),
                EachSchedule(tuple(member.schedule for member in self.members)),
            ),
        )

    def tiled(self, unaries: Planes) -> Float[Array, "planes n elements"]:
        """Return the unaries for each member, (planes, n, members * batch)."""
        return tiled_unaries(unaries, len(self.members))

    def split(self, tree: Any) -> Any:
        """Return arrays (..., members * batch) as (..., members, batch)."""
        return jax.tree.map(lambda leaf: leaf.reshape(*leaf.shape[:-1], len(self.members), -1), tree)


class EachSchedule(AbstractSchedule):
    """Schedules of the same structure, one for each member of `Together`."""

    schedules: tuple[AbstractSchedule, ...]

    def order(self, graph):
        return self.schedules[0].order(graph)

    def kept(self, damping, messages, number):
        members = len(self.schedules)
        damping, messages = jax.tree.map(
            lambda leaf: leaf.reshape(*leaf.shape[:-1], members, -1), (damping, messages)
        )  # their last axis but one is that of the members
        kept = jax.vmap(lambda one, *given: one.kept(*given, number), in_axes=(0, -2, -2), out_axes=-2)
        return flat(kept(stacked(self.schedules), damping, messages))


def tiled_unaries(unaries: Planes, number: int) -> Float[Array, "planes n elements"]:
    """Return unaries (planes, n, batch) once for each of some searches, (planes, n, number * batch)."""
    *shape, batch = unaries.shape
    return flat(jnp.broadcast_to(unaries[..., None, :], (*shape, number, batch)))


def flat(tree: Any) -> Any:
    """Return arrays (..., members, batch) as (..., members * batch)."""
    return jax.tree.map(lambda leaf: leaf.reshape(*leaf.shape[:-2], -1), tree)


def stacked(trees: Sequence[PyTree]) -> Any:
    """Return trees of the same structure as one, whose leaves have a first axis for them."""
    return jax.tree.map(lambda *leaves: jnp.stack([jnp.asarray(leaf) for leaf in leaves]), *trees)


def start_messages(starts: list[AbstractStart], graph: FactorGraph, batch: tuple[int, ...]) -> tuple[PyTree, ...]:
    """Return the messages of each start, (..., members, *batch). Starts of the same structure are compiled once."""
    parts, places = [], []
    for members in alike(starts):
        make = jax.vmap(lambda start: start.messages(graph, batch), out_axes=-2)
        parts.append(make(stacked([starts[place] for place in members])))
        places += members
    order = sorted(range(len(places)), key=places.__getitem__)

    def joined(*leaves):
        every = jnp.concatenate(leaves, axis=-2)
        return every if order == places else every[..., jnp.array(order), :]

    return jax.tree.map(joined, *parts)


def alike(trees: Sequence[PyTree]) -> list[list[int]]:
    """Return the places of trees in groups of the same structure, whose leaves have the same shapes and types."""
    groups: dict[Any, list[int]] = {}
    for place, tree in enumerate(trees):
        leaves, structure = jax.tree.flatten(tree)
        kinds = tuple((jnp.shape(leaf), str(getattr(leaf, "dtype", type(leaf).__name__))) for leaf in leaves)
        groups.setdefault((structure, kinds), []).append(place)
    return list(groups.values())


def teams(solvers: tuple[AbstractSolver, ...]) -> list[tuple[list[int], AbstractSolver]]:
    """Return solvers with their places: each by itself, and those that can be compiled once as one `Together`."""
    found: list[tuple[list[int], AbstractSolver]] = []
    searches = [place for place, solver in enumerate(solvers) if type(solver) is MaxProduct]
    schedules = [solvers[place].schedule for place in searches]  # pyright: ignore[reportAttributeAccessIssue]
    for group in alike(schedules):
        places = [searches[one] for one in group]
        members: Any = tuple(solvers[place] for place in places)
        found.append((places, Together(members) if len(places) > 1 else members[0]))
    found += [([place], solver) for place, solver in enumerate(solvers) if place not in searches]
    return sorted(found, key=lambda team: team[0])
