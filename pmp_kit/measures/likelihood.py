"""The log-likelihood log p(v) of data whose other variables are hidden, such as of images under an RBM."""

import numpy as np

from .. import exact
from ..engine.arrays import outside_jit
from ..engine.signatures import Floats, NamedArrays
from ..graph import FactorGraph, Model, as_graph
from ..learning.data import flat_data
from ..sample import solve
from ..solvers import SumProduct
from ..variables import FREE


def log_likelihood(model: Model, data: NamedArrays, log_partition: float | None = None) -> Floats:
    """Return log p(v) of each data point v, summed over the states of its hidden variables h (Section 2.3).

        log p(v) = log sum_h exp(score(v, h)) - log Z

    The first term is exact: given v, sum-product runs on the hidden variables, whose factors must form no loop. In an
    RBM (restricted Boltzmann machine) no factor joins two hidden units, and in a hidden Markov model they form a chain.

    Args:
        model: a FactorGraph or anything with .graph().
        data: dict block name -> states (N, *shape). Blocks that are not named and entries FREE are hidden.
        log_partition: log Z in nats, for example `annealed_log_partition(...).value`, whose error is then the error of
            the result. By default `exact.log_partition(model)`, for small models.

    Returns: (N,), in nats; -inf for data points that the model forbids. Cost: `SumProduct` on each data point, with as
    many sweeps as factors connect hidden variables, and log Z.

    Raises: TypeError or ValueError that names the argument; ValueError if the hidden variables of a data point form a
    loop, or if `SumProduct` does not estimate the log-partition function of such factors.
    """
    outside_jit("log_likelihood", model, data)
    graph = as_graph(model)
    flat = flat_data(graph, data)
    known = graph.variables.unflatten(flat.astype(np.int32))
    given = solve(graph, SumProduct(damping=0.0, tolerance=0.0), num_sweeps=_longest(graph, flat) + 1, evidence=known)
    if given.log_partition is None:
        names = ", ".join(sorted({type(factor).__name__ for factor in graph.factors}))
        raise ValueError(
            f"model: expected factors of which SumProduct estimates log_partition, got {names}; use "
            "exact.log_partition(model, evidence) for each data point"
        )
    of_model = exact.log_partition(graph) if log_partition is None else float(log_partition)
    return np.asarray(given.log_partition) - of_model


def _longest(graph: FactorGraph, flat: np.ndarray) -> int:
    """Return the most hidden variables of a data point of (N, n) that factors connect.

    After so many sweeps no message changes. Cost: one pass over the wiring for each pattern of hidden variables.

    Raises: ValueError if the hidden variables and their factors form a loop.
    """
    patterns, longest = np.packbits(flat == FREE, axis=1), 0
    for row in np.sort(np.unique(patterns, axis=0, return_index=True)[1]):
        connected = _largest_tree(graph, flat[row] == FREE)
        if connected is None:
            raise ValueError(
                f"data: expected hidden variables whose factors form no loop, got a loop in data point {row}; use "
                "annealed_log_partition(key, model, evidence=...) for log sum_h exp(score(v, h)) of a data point"
            )
        longest = max(longest, connected)
    return longest


def _largest_tree(graph: FactorGraph, hidden: np.ndarray) -> int | None:
    """Return the most variables marked in `hidden` (n,) that factors connect; None if some form a loop."""
    from scipy.sparse import coo_array, csgraph  # not needed to import pmp_kit

    variables, factors, nodes = [], [], graph.variables.count
    for ids in (ids for factor in graph.factors for ids in factor.scopes):
        which, place = np.nonzero(hidden[ids])
        variables.append(ids[which, place])
        factors.append(which + nodes)
        nodes += len(ids)
    ends = np.concatenate([[], *variables]).astype(int), np.concatenate([[], *factors]).astype(int)
    links = coo_array((np.ones(len(ends[0])), ends), shape=(nodes, nodes))
    parts, of_node = csgraph.connected_components(links, directed=False)
    if len(ends[0]) > nodes - parts:
        return None
    return int(np.bincount(of_node[: len(hidden)][hidden], minlength=1).max())
