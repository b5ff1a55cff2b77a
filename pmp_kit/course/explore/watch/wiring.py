"""The factors of any model one by one: which variables each joins, and which messages are its own.

A group of factors keeps its messages in a layout of its own. `owners` says of each entry to which factor it belongs.
With the entries of one factor alone, `to_variables` of the group returns this factor's messages. Factors without a
common variable do not disturb each other, so they are read together: each group is coloured, and a column of the batch
holds one colour.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

import pmp_kit as pk

from ....engine.signatures import PyTree
from ....factors import AbstractFactor, Bipartite, ConvOr, DensePairwise, tiles
from ....factors.conv_or import ConvOrMessages
from ....factors.group import AbstractGroup
from ....factors.table import AbstractTable
from ....factors.weighted_pairs import AbstractWeightedPairs

MOST_VARIABLES, MOST_FACTORS, MOST_LINKS = 200, 500, 2000
NOTHING = -1  # the owner of an entry that reaches no variable


class Group(NamedTuple):
    """One group of factors of a model, with its F factors and L links between a factor and a variable."""

    scopes: list[Int[np.ndarray, " m"]]
    """The variables of each factor."""
    of: Int[np.ndarray, " L"]
    """The factor of each link."""
    to: Int[np.ndarray, " L"]
    """The variable of each link."""
    colours: Int[np.ndarray, " F"]
    """Factors of one colour have no common variable."""
    columns: PyTree
    """The colour of each entry of the messages."""


def groups_of(graph: pk.FactorGraph) -> list[Group]:
    """Return all groups of a model.

    Raises:
        ValueError: no factor, or more variables, factors or links than a picture has room for.
        TypeError: a factor of the reader's own, whose messages cannot be told apart.
    """
    _check_number("variables", graph.variables.count, MOST_VARIABLES)
    if not graph.factors:
        raise ValueError("model: expected at least one factor, got none; without factors there are no messages")
    scopes = [[np.asarray(ids) for array in factor.scopes for ids in array] for factor in graph.factors]
    _check_number("factors", sum(map(len, scopes)), MOST_FACTORS)
    _check_number("links of a factor and a variable", sum(len(ids) for some in scopes for ids in some), MOST_LINKS)
    return [_group(factor, some, graph) for factor, some in zip(graph.factors, scopes, strict=True)]


def _check_number(what: str, number: int, most: int) -> None:
    if number > most:
        raise ValueError(f"model: expected at most {most} {what}, got {number}; build a smaller model of the same kind")


def _group(factor: AbstractFactor, scopes: list, graph: pk.FactorGraph) -> Group:
    of = np.repeat(np.arange(len(scopes)), [len(ids) for ids in scopes])
    colours = coloured(scopes, graph.variables.count)
    columns = jax.tree.map(lambda owner: np.where(owner == NOTHING, NOTHING, colours[owner]), owners(factor))
    group = Group(scopes, of, np.concatenate(scopes), colours, columns)
    _check_owners(factor, group, graph)
    return group


def coloured(scopes: list[Int[np.ndarray, " m"]], count: int) -> Int[np.ndarray, " F"]:
    """Colour factors, one after the other, with the first colour that none of their variables has met."""
    met: list[set[int]] = [set() for _ in range(count)]
    colours = np.zeros(len(scopes), int)
    for number, ids in enumerate(scopes):
        taken = set().union(*(met[i] for i in ids))
        colours[number] = next(colour for colour in range(len(taken) + 1) if colour not in taken)
        for i in ids:
            met[i].add(int(colours[number]))
    return colours


@functools.singledispatch
def owners(factor: AbstractFactor) -> PyTree:
    """Return the factor of each entry of a group's messages, numbered in the order of `scopes`.

    This is for types of the reader's own: each array has one axis that is as long as there are factors.
    """
    number = sum(map(len, factor.scopes))

    def owner(leaf):
        axes = [axis for axis, length in enumerate(leaf.shape) if length == number]
        if number > 1 and len(axes) != 1:
            raise TypeError(_untold(factor))
        shape = [number if axes and axis == axes[0] else 1 for axis in range(leaf.ndim)]
        return np.broadcast_to(np.arange(number).reshape(shape), leaf.shape)

    return jax.tree.map(owner, factor.neutral_messages(()))


def _untold(factor: Any) -> str:
    return (
        f"model: expected factors whose messages can be told apart, got {type(factor).__name__}; derive it from "
        "AbstractGroup or AbstractTable, or give each array of its messages one axis for the factors"
    )


@owners.register
def _(factor: AbstractGroup):
    return np.broadcast_to(np.arange(len(factor.ids))[:, None], factor.ids.shape)


@owners.register
def _(factor: AbstractTable):
    every = np.arange(len(factor.ids))
    return tuple(np.broadcast_to(every, (size, len(every))) for size in factor.sizes)


@owners.register
def _(factor: pk.Tables):
    arity = (np.asarray(factor.sizes) > 0).sum(1)
    number = np.argsort(np.argsort(arity, kind="stable"), kind="stable")  # in the order of `scopes`
    shapes = [np.shape(message) for message in factor.neutral_messages(())]
    every = np.zeros(sum(map(np.prod, shapes)), int)
    starts, steps = np.asarray(factor.starts), np.asarray(factor.steps)
    for of, place in np.asarray(factor.ends):
        states = shapes[np.searchsorted(np.cumsum([np.prod(s) for s in shapes]), starts[of, place], "right")][0]
        every[starts[of, place] + steps[of, place] * np.arange(states)] = number[of]
    parts = np.split(every, np.cumsum([np.prod(shape) for shape in shapes])[:-1])
    return tuple(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))


@owners.register
def _(factor: AbstractWeightedPairs):
    every = np.arange(factor.pairs.shape[1])
    return jax.tree.map(lambda leaf: np.broadcast_to(every, leaf.shape), factor.neutral_messages(()))


@owners.register
def _(factor: Bipartite):
    every = np.arange(factor.weight.size).reshape(factor.weight.shape)
    return every, every


@owners.register
def _(factor: DensePairwise):
    size = factor.at.shape[-1]
    first, second = np.triu_indices(size, 1)
    matrix = np.zeros((size, size))  # of 1, 2, ...: `split` puts 0 where no pair is
    matrix[first, second] = matrix[second, first] = 1 + np.arange(first.size)
    tile, groups = np.asarray(tiles.split(jnp.asarray(matrix))).astype(int), factor.at.size // size
    number = np.stack([np.where(tile > 0, tile - 1 + first.size * group, NOTHING) for group in range(groups)])
    number = number[0] if factor.at.ndim == 1 else number
    return number, number


@owners.register
def _(factor: ConvOr):
    pixels = np.arange(factor.images.size).reshape(factor.images.shape)
    (height, width), (h, w) = factor.features.shape[1:], factor.locations.shape[1:3]
    rows, columns = np.arange(height)[:, None] + np.arange(h), np.arange(width)[:, None] + np.arange(w)
    ands = pixels[rows[:, None, :, None], columns[None, :, None, :]]  # (fh, fw, h, w, images)
    ands = np.broadcast_to(ands, (factor.features.shape[0], *ands.shape))
    inside = np.full_like(ands, NOTHING)
    return ConvOrMessages(*map(jnp.asarray, (ands, ands, pixels, inside, inside)))


def apart(factor: AbstractFactor, messages: PyTree, group: Group, shape: tuple[int, int]) -> Float[Array, "planes L"]:
    """Return the message of each link, as planes, from the messages of the group for one sample.

    Args:
        factor, messages, group: the group.
        shape: (planes, n) of the beliefs.
    """
    arriving = _of_colours(factor, messages, group, shape)
    return arriving[:, group.to, group.colours[group.of]]


def _of_colours(factor, messages: PyTree, group: Group, shape: tuple[int, int]) -> Float[Array, "planes n colours"]:
    """Return the messages that arrive at each variable from the factors of each colour."""
    number = int(group.colours.max()) + 1
    alone = jax.tree.map(
        lambda leaf, column: jnp.where(column[..., None] == np.arange(number), leaf, 0.0), messages, group.columns
    )
    return factor.to_variables(alone, jnp.zeros((*shape, number)))


def _check_owners(factor: AbstractFactor, group: Group, graph: pk.FactorGraph) -> None:
    """Raise TypeError unless all of a group's messages arrive along its links, and nothing else does."""
    draw, shape = np.random.default_rng(0), (graph.variables.num_planes, graph.variables.count)
    some = jax.tree.map(
        lambda column: jnp.asarray(np.where(column == NOTHING, 0.0, draw.normal(size=column.shape)))[..., None],
        group.columns,
    )
    arriving = np.asarray(_of_colours(factor, some, group, shape))
    elsewhere = arriving.copy()
    elsewhere[:, group.to, group.colours[group.of]] = 0.0
    every = factor.to_variables(some, jnp.zeros((*shape, 1)))[..., 0]
    if elsewhere.any() or not np.allclose(arriving.sum(-1), every, atol=1e-4):
        raise TypeError(_untold(factor))
