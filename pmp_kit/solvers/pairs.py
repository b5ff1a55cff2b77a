"""Pairwise models in one form: what MPLP, linear programs, max-flow and the tree pass work on.

score(x) = constant + sum_i u_i(x_i) + sum_e theta_e(x_i, x_j), all variables with the same number C of states; a state
that a variable does not have, or that evidence excludes, has u = -inf.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from .. import planes
from ..graph import FactorGraph
from ..planes import Planes


def pair_model(graph: FactorGraph) -> tuple[Int[Array, "2 E"], Float[Array, "E C C"]]:
    """All factors of a graph as pairs and tables; raises ValueError if a factor is none of pairs."""
    states = graph.variables.num_states
    ids, tables = [jnp.zeros((0, 2), jnp.int32)], [jnp.zeros((0, states, states), graph.unaries.dtype)]
    for factor in graph.factors:
        pairs, table = factor.pair_tables()
        missing = [(0, 0), *((0, states - size) for size in table.shape[1:])]
        ids.append(pairs.astype(jnp.int32))
        tables.append(jnp.pad(table, missing))
    return jnp.concatenate(ids).T, jnp.concatenate(tables)


def unary_scores(unaries: Planes, states: int) -> tuple[Float[Array, "C n *batch"], Float[Array, "*batch"]]:
    """Scores u of every state, and the constant, so that their sum is what `planes.dot(unaries, x)` counts."""
    scores = planes.scores(unaries, jnp.arange(unaries.shape[1]), states)
    counted = planes.dot(unaries, planes.decode(unaries))
    return scores, counted - jnp.sum(jnp.max(scores, axis=0), axis=0)
