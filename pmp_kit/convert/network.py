"""Graphs of networkx: spins, labels or a cut, with a weight on each edge."""

from typing import Any

import numpy as np

from ..engine.signatures import Number
from ..factors import Potts
from ..graph import FactorGraph
from .edge_list import check_reading, cut_or_ising
from .model import ConvertedModel, blocks_of
from .pairs import positive

READINGS = ("ising", "potts", "max-cut")


def from_networkx(
    graph: Any,
    weight: str | float = "weight",
    unary: str | None = None,
    reading: str = "ising",
    states: int = 2,
    inverse_temperature: Number = 1.0,
) -> ConvertedModel:
    """Return a model with a variable for each node of a networkx graph, and a weight for each edge.

    With b the inverse temperature, the score is, up to a constant, by `reading`:

        "ising":    b (sum w s_i s_j + sum u_i s_i) with spins s in {-1, +1}
        "potts":    b (sum w [x_i = x_j] + sum u_i(x_i)) with `states` states
        "max-cut":  b (sum w [x_i != x_j] + sum u_i x_i) with x in {0, 1}

    So positive weights favour equal states, or different ones in "max-cut". The energy is minus the sum in brackets.
    The names are the nodes. Edges of a directed graph and parallel edges each count.

    Args:
        graph: the graph; only its attributes `nodes` and `edges` are used.
        weight: the name of the edge attribute w, or one number for all edges.
        unary: the name of the node attribute u, a number or, in "potts", scores (states,); nodes without it have 0.
        reading: "ising", "potts" or "max-cut".
        states: the number of states of each node, for "potts".
        inverse_temperature: b.

    Raises: ValueError that names the argument.
    """
    check_reading(reading, READINGS)
    if reading != "potts" and states != 2:
        raise ValueError(f"states: expected 2 for reading={reading!r}, got {states}; use reading='potts'")
    names = list(graph.nodes)
    place = {node: number for number, node in enumerate(names)}
    edges = list(graph.edges(data=True))
    pairs = np.array([(place[u], place[v]) for u, v, _ in edges], int).reshape(-1, 2)
    weights = np.array([_weight(weight, *edge) for edge in edges], float)
    width = (states,) if reading == "potts" else ()
    unaries = np.zeros((len(names), *width))
    if unary is not None:
        given = {place[node]: data[unary] for node, data in graph.nodes(data=True) if unary in data}
        if not given:
            raise ValueError(f"unary: expected the name of a node attribute, got {unary!r}, which no node has")
        for number, value in given.items():
            if np.shape(value) != width:
                raise ValueError(f"unary: expected shape {width} at node {names[number]!r}, got {np.shape(value)}")
            unaries[number] = value
    if reading != "potts":
        return cut_or_ising(names, pairs, weights, unaries, reading, inverse_temperature)
    b = positive(inverse_temperature)
    variables, ids = blocks_of(np.full(len(names), states))
    own = pairs[:, 0] == pairs[:, 1]  # a node is equal to itself
    factors = [Potts(pairs[~own], b * weights[~own], states)] if len(pairs) > own.sum() else []
    model = FactorGraph(variables, factors, {f"x{states}": b * unaries})
    return ConvertedModel(model, ids, names, b * weights[own].sum(), b)


def _weight(weight: str | float, first: Any, second: Any, data: dict) -> float:
    """Return the weight of an edge."""
    if not isinstance(weight, str):
        return weight
    if weight not in data:
        raise ValueError(
            f"weight: expected the name of an attribute of every edge, got {weight!r}, which the edge "
            f"({first!r}, {second!r}) has not; give one number for all edges"
        )
    return data[weight]
