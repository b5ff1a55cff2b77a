"""Max-product from many starts at once. Half of the searches fix their surest variables and go on (decimation)."""

import jax
import jax.numpy as jnp
from jaxtyping import Array

from .. import run
from ..engine import planes
from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph
from ..solvers import MaxProduct
from ..solvers.starts import NeutralStart

SHARE = 0.3
"""The part of the free variables that is fixed at a time."""


@jax.jit
def begin(key: Array, graph: FactorGraph, solver: MaxProduct, unaries: Planes) -> PyTree:
    """Return the state before the first sweep: neutral messages in the first search, random ones in the others."""
    state = solver.init(graph, unaries)
    noise = jax.random.normal(key, unaries.shape, unaries.dtype)
    random = graph.update(noise, NeutralStart(0.0).messages(graph, unaries.shape[2:]))
    first = jnp.arange(unaries.shape[-1]) == 0
    messages = jax.tree.map(lambda own, other: jnp.where(first, own, other), state.messages, random)
    return state._replace(messages=messages)


@jax.jit
def advance(graph: FactorGraph, solver: MaxProduct, unaries: Planes, state: PyTree, first, until) -> tuple:
    """Return the state after more sweeps, and the states that it decodes."""
    state, _ = run.solver_sweeps(solver, graph, unaries, state, first, until)
    return state, solver.answer(graph, unaries, state).states


@jax.jit
def with_surest_fixed(graph: FactorGraph, unaries: Planes, state: PyTree) -> Planes:
    """Return the unaries with the surest free variables of the second half of the searches fixed."""
    beliefs = graph.beliefs(unaries, state.messages)
    free = ~planes.is_clamped(unaries)[0]
    sure = jnp.where(free, planes.margins(beliefs), -jnp.inf)
    rank = jnp.argsort(jnp.argsort(-sure, axis=0), axis=0)
    number = jnp.ceil(SHARE * free.sum(0, dtype=sure.dtype)).astype(rank.dtype)
    decimating = jnp.arange(unaries.shape[-1]) >= unaries.shape[-1] // 2
    chosen = free & (rank < number) & decimating
    best = planes.decode(beliefs)
    if unaries.shape[0] == 1:
        fixed = jnp.where(chosen, jnp.where(best > 0, jnp.inf, -jnp.inf), unaries)
    else:
        fixed = jnp.where(chosen & (best == 0), -jnp.inf, unaries)
    return fixed.astype(unaries.dtype)
