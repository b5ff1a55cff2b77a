"""The common form of pairwise models for `MPLP` and other solvers of pairs, and for `ForwardBackward`.

MPLP stands for max-product linear programming. The form is score(x) = sum_i u_i(x_i) + sum_e theta_e(x_i, x_j) with
the same number C of states for all variables. A state that a variable does not have, or that the evidence excludes, has
u = -inf (`planes.counted`). A forbidden pair of states has theta = -inf.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ...engine.forms import described
from ...factors import AbstractFactor
from ...graph import FactorGraph


def pair_model(graph: FactorGraph) -> tuple[Int[Array, "2 E"], Float[Array, "E C C"]]:
    """Return all factors of a graph as pairs and tables. Raise ValueError if some factor is not pairwise."""
    states = graph.variables.num_states
    ids, tables = [jnp.zeros((0, 2), jnp.int32)], [jnp.zeros((0, states, states), graph.unaries.dtype)]
    for factor in graph.factors:
        pairs, table = _checked_tables(factor, states)
        missing = [(0, 0), *((0, states - size) for size in table.shape[1:])]
        ids.append(pairs.astype(jnp.int32))
        tables.append(jnp.pad(table, missing))
    return jnp.concatenate(ids).T, jnp.concatenate(tables)


def _checked_tables(factor: AbstractFactor, states: int) -> tuple[Int[Array, "P 2"], Float[Array, "P C1 C2"]]:
    """Return `pair_tables`. Raise ValueError unless there is a table for each pair, of at most `states` states."""
    got = factor.pair_tables()
    if isinstance(got, tuple) and len(got) == 2 and jnp.ndim(got[1]) == 3:
        pairs, table = got
        if jnp.shape(pairs) == (len(table), 2) and max(table.shape[1:]) <= states:  # JAX limits indices silently
            return pairs, table
    raise ValueError(
        f"{type(factor).__name__}.pair_tables: expected pairs (P, 2) and a table for each of them (P, C1, C2), with at "
        f"most {states} states, got {described(got)}"
    )


def pair_arrays(graph: FactorGraph) -> tuple[np.ndarray, np.ndarray]:
    """Return `pair_model` as NumPy arrays, also while JAX traces a function that uses a graph from outside."""
    with jax.ensure_compile_time_eval():
        ids, tables = jax.jit(pair_model)(graph)
    return np.asarray(ids), np.asarray(tables)
