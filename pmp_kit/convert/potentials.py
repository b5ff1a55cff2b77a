"""Markov networks, Bayesian networks and factor graphs of pgmpy."""

from typing import Any

import numpy as np

from .model import ConvertedModel
from .tables import logarithms, tables_model


def from_pgmpy(model: Any) -> ConvertedModel:
    """Return the model of a pgmpy Bayesian network, Markov network or factor graph.

    p(x) is proportional to the product of the factors, so the log Z of a Bayesian network is 0. The names are those of
    the variables. `evidence` takes states by name, and `model.state_names` has their names in the order of the numbers
    that `states` returns.

    Args:
        model: the model; only `get_factors()` or `get_cpds()`, `nodes()`, and `variables`, `cardinality`, `values` and
            `state_names` of the factors are used.

    Raises: ValueError that names a variable without a factor, or a factor with a negative value.
    """
    factors = list(model.get_factors() if hasattr(model, "get_factors") else model.get_cpds())
    sizes: dict[Any, int] = {}
    for factor in factors:
        sizes |= dict(zip(factor.variables, map(int, factor.cardinality), strict=True))
    names = _in_order_of_nodes(model, list(sizes))
    place = {name: number for number, name in enumerate(names)}
    scopes, tables, state_names = [], [], {}
    for factor in factors:
        values = np.asarray(factor.values, float)
        if not ((values >= 0) & (values < np.inf)).all():
            raise ValueError(f"model: expected values from 0 on in the factor of {list(factor.variables)}, got others")
        scopes.append(np.array([[place[name] for name in factor.variables]], int))
        tables.append(logarithms(values)[None])
        state_names |= getattr(factor, "state_names", None) or {}
    known = [state_names.get(name, range(size)) for name, size in ((name, sizes[name]) for name in names)]
    cardinalities = np.array([sizes[name] for name in names])
    return tables_model(cardinalities, scopes, tables, names, state_names=known if state_names else None)


def _in_order_of_nodes(model: Any, names: list[Any]) -> list[Any]:
    """Return the variables in the order of the nodes, or as they are if the nodes are no variables."""
    nodes = [node for node in model.nodes() if not hasattr(node, "cardinality")]  # factor graphs have nodes of factors
    known = set(names)
    missing = [node for node in nodes if node not in known]
    if len(missing) == len(nodes):  # the nodes of a junction tree are cliques
        return names
    if missing:
        raise ValueError(f"model: expected a factor of each variable, got none of {missing[0]!r}")
    return nodes
