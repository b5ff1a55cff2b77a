"""The data of Section 5.4: the true models, samples from them, and a convergence diagnostic of the chains."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from .... import measures
from ....factors import Edges
from ....graph import FactorGraph
from ....models import lattice_pairs, spins_to_binary
from ....sample import trace
from ....samplers import Gibbs, ParallelTempering, observe
from ....samplers.colouring import colours
from ....variables import Binary, Variables
from ... import data as kept
from ..ledger import piece

LATTICE, RANDOM = GRAPHS = ("lattice", "Erdos-Renyi")
THETA, FIELD, DEGREE, SPREAD = -0.1, 0.1, 4, 0.5
"""W of each pair of the lattice; bias, mean degree and standard deviation of W of the random graph."""
LOOKS = 16
"""Number of samples from each chain."""
DATA = kept.FOLDER / "structured.npz"


def truth(graph: str, nodes: int) -> tuple[Float[np.ndarray, "n n"], Float[np.ndarray, " n"]]:
    """Return W and b of the true model. A lattice has side^2 nodes; the side is odd, as in the paper."""
    if graph == LATTICE:
        side = round(nodes**0.5)
        first, second = lattice_pairs(np.arange(nodes).reshape(side, side), periodic=True).T
        values, bias = np.full(first.size, THETA), 0.0
    else:
        draw = np.random.default_rng(0)
        first, second = np.triu_indices(nodes, 1)
        there = draw.random(first.size) < DEGREE / nodes
        first, second = first[there], second[there]
        values, bias = SPREAD * draw.standard_normal(first.size), FIELD
    weight = np.zeros((nodes, nodes))
    weight[first, second] = weight[second, first] = values
    return weight, np.full(nodes, bias)


def sparse(graph: str, nodes: int, factor: float = 1.0) -> FactorGraph:
    """Return the true model with a factor for each connected pair. The data are drawn from it.

    Args:
        factor: multiplies all couplings.
    """
    weight, bias = truth(graph, nodes)
    weight = factor * weight
    first, second = np.nonzero(np.triu(weight))
    dense, log_odds, _ = spins_to_binary(2 * weight, bias)
    variables = Variables(x=Binary(nodes))
    edges = Edges(np.stack([first, second], 1), np.asarray(dense)[first, second])
    return FactorGraph(variables, [edges], {"x": log_odds})


@functools.cache
def data(graph: str, nodes: int, samples: int, mixing: int) -> dict:
    """Return a training set and a held-out set of samples from the true model, and R-hat of their chains.

    Sets in the repository, which `lab` writes, are read. Other sets are drawn, and stored in the ledger.

    Returns: "train" and "held_out", (samples, nodes) int32, and "r_hat" of the score.
    """
    name = name_of(graph, nodes, samples, mixing)
    found = stored(name)
    if found is None:
        found = piece(name, draw_data, graph=graph, nodes=nodes, samples=samples, mixing=mixing)
    both = np.unpackbits(found["packed"], axis=1, count=nodes).astype(np.int32)
    return {"train": both[:samples], "held_out": both[samples:], "r_hat": found["r_hat"]}


def name_of(graph: str, nodes: int, samples: int, mixing: int) -> str:
    """Return the name under which the two sets of samples are stored."""
    return f"data, {graph}, {nodes} nodes, {samples} samples, {mixing} sweeps"


def stored(name: str) -> dict | None:
    """Return the samples of this name from the repository, packed with eight spins per byte, or None."""
    if not DATA.exists():
        return None
    arrays, _ = kept.read(DATA)
    return None if name not in arrays else {"packed": arrays[name], "r_hat": float(arrays["r_hat of " + name])}


def draw_data(graph: str, nodes: int, samples: int, mixing: int) -> dict:
    """Draw samples from the true model, (2 samples, nodes), packed with eight spins per byte.

    The sampler is Gibbs sampling that updates one independent set of variables after the other. The random graph also
    needs parallel tempering because its couplings are strong. Each chain runs for `mixing` sweeps and gives sixteen
    equally spaced samples from the second half. R-hat is computed from their scores. No chain contributes samples to
    both sets.
    """
    model = sparse(graph, nodes)
    gibbs = Gibbs(blocks=colours(model))
    sampler = gibbs if graph == LATTICE else ParallelTempering((1.0, 1.4, 2.0, 2.8), gibbs)
    scores, states = trace(
        jax.random.key(1), model, sampler, num_sweeps=mixing, observe=scores_and_states, every=mixing // (2 * LOOKS),
        num_samples=2 * samples // LOOKS,
    ).values  # fmt: skip
    drawn = np.moveaxis(states[-LOOKS:], 1, 0).reshape(2 * samples, nodes)
    return {"packed": np.packbits(drawn.astype(bool), axis=1), "r_hat": measures.r_hat(scores[-LOOKS:])}


def scores_and_states(view) -> tuple:
    """Return the score and the states, which `draw_data` observes."""
    return observe.score(view), observe.states(view)["x"].astype(jnp.int8)
