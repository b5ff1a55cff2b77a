"""The data of Section 5.4: true models, samples of them, and whether the chains that drew them had mixed."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from .... import measures
from ....factors import Edges
from ....graph import FactorGraph
from ....models import lattice_pairs, spins_to_binary
from ....samplers import Gibbs, ParallelTempering, observe
from ....samplers.colouring import colours
from ....variables import Binary, Variables
from ....verbs import trace
from ... import data as kept
from ..ledger import piece

LATTICE, RANDOM = GRAPHS = ("lattice", "Erdos-Renyi")
THETA, FIELD, DEGREE, SPREAD = -0.1, 0.1, 4, 0.5
"""Of the lattice's pairs; of the random graph: bias, mean number of neighbours, standard deviation of W."""
LOOKS = 16
"""Samples from each chain."""
DATA = kept.file("structured.npz")


def truth(graph: str, nodes: int) -> tuple[Float[np.ndarray, "n n"], Float[np.ndarray, " n"]]:
    """W and b of the model that made the data; a lattice has a square number of nodes, of odd side as the paper's."""
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


def sparse(graph: str, nodes: int) -> FactorGraph:
    """The true model with a factor for each connected pair: what data are drawn from."""
    weight, bias = truth(graph, nodes)
    first, second = np.nonzero(np.triu(weight))
    dense, log_odds, _ = spins_to_binary(2 * weight, bias)
    variables = Variables(x=Binary(nodes))
    edges = Edges(np.stack([first, second], 1), np.asarray(dense)[first, second])
    return FactorGraph(variables, [edges], {"x": log_odds})


@functools.cache
def data(graph: str, nodes: int, samples: int, mixing: int) -> dict:
    """Two sets of samples of the true model, one to learn from and one kept out, and whether their chains had mixed.

    Sets that are committed are read (`lab` made them); others are drawn, and kept in the ledger.

    Returns: "train" and "held_out" (samples, nodes) int32, and "r_hat", of the score.
    """
    name = name_of(graph, nodes, samples, mixing)
    found = stored(name)
    if found is None:
        found = piece(name, draw_data, graph=graph, nodes=nodes, samples=samples, mixing=mixing)
    both = np.unpackbits(found["packed"], axis=1, count=nodes).astype(np.int32)
    return {"train": both[:samples], "held_out": both[samples:], "r_hat": found["r_hat"]}


def name_of(graph: str, nodes: int, samples: int, mixing: int) -> str:
    """Under which two sets of samples are kept."""
    return f"data, {graph}, {nodes} nodes, {samples} samples, {mixing} sweeps"


def stored(name: str) -> dict | None:
    """A committed set of samples, in eight spins a byte; None if there is none of this name."""
    if not DATA.exists():
        return None
    arrays, _ = kept.read(DATA)
    return None if name not in arrays else {"packed": arrays[name], "r_hat": float(arrays["r_hat of " + name])}


def draw_data(graph: str, nodes: int, samples: int, mixing: int) -> dict:
    """Samples of the true model, (2 samples, nodes) in eight spins a byte: sixteen of each chain, well apart.

    Colours in turn; with parallel tempering on the random graph, whose couplings are strong. Chains run for `mixing`
    sweeps and are looked at in the later half. R-hat is that of the score there. No chain gives samples to both
    sets.
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
    """What `draw_data` observes."""
    return observe.score(view), observe.states(view)["x"].astype(jnp.int8)
