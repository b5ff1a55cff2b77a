"""Small random spin models for two explorers: max-product, MPLP, LP and exact MAP of many perturbations at once.

For spins each message is one formula. With l, the belief of a spin without the message of the edge (cavity), and
f_J(l) = sgn(J) clip(l, -|J|, |J|), the message through an edge of coupling J:

    max-product  u(i->j) = f_J(l_i),        MPLP  u(i->j) = 1/2 (f_J(l_i) - l_j).

NumPy in 64 bits, because these models are small and their size is a slider, so that JAX would compile again. Tests
compare with the solvers of the kit.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from pmp_kit.solvers.max_flow import best_cut

DAMPING = 0.5
STOP = 1e-6
"""MPLP stops when the largest message update is below this, in nats."""


class Glass(NamedTuple):
    """score(s) = sum_{i<j} J_ij s_i s_j + sum_i h_i s_i, once for each draw of the noise in h."""

    coupling: Float[np.ndarray, "n n"]
    field: Float[np.ndarray, " n"]
    noise: Float[np.ndarray, "n draws"]
    """Half the difference of two Gumbels, for each spin."""

    @property
    def fields(self) -> Float[np.ndarray, "n draws"]:
        """The field h plus the noise of each draw."""
        return self.field[:, None] + self.noise

    def score(self, spins: Float[np.ndarray, "... n draws"]) -> Float[np.ndarray, "... draws"]:
        """Perturbed score of spins -1 and +1."""
        pull = 0.5 * np.einsum("ij,...jk->...ik", self.coupling, spins) + self.fields
        return (pull * spins).sum(-2)


def glass(size: int, reach: float, draws: int, seed: int) -> Glass:
    """J_ij the sum of two draws from U[-reach, reach], h_i from U[-0.1, 0.1], as in Section 5.2 with reach = 2.

    The draws behind it are the same for every size and reach: sliders change the model and not its noise.
    """
    draw = np.random.default_rng(seed)
    pull, field = draw.uniform(-1, 1, (2, 16, 16)).sum(0), draw.uniform(-0.1, 0.1, 16)
    upper = np.triu(reach * pull, 1)[:size, :size]
    return Glass(upper + upper.T, field[:size], draw.logistic(size=(draws, 16)).T[:size] / 2)


@functools.cache
def configurations(size: int) -> Float[np.ndarray, "M n"]:
    """All spins -1 and +1."""
    return 2.0 * ((np.arange(2**size)[:, None] >> np.arange(size)) & 1) - 1.0


def enumerated(model: Glass) -> tuple[Float[np.ndarray, " M"], Float[np.ndarray, "n draws"]]:
    """Scores of all configurations without noise, and the exact MAP of every draw."""
    every = configurations(len(model.field))
    plain = (0.5 * (every @ model.coupling) * every).sum(1) + every @ model.field
    return plain, every[(plain[:, None] + every @ model.noise).argmax(0)].T


def hand_on(coupling, lean):
    """Return the message through an edge: the cavity belief with the sign of J, clipped at |J|."""
    most = np.abs(coupling)
    return np.minimum(np.maximum(lean * np.sign(coupling), -most), most)


def max_product(model: Glass, start: str, sweeps: int) -> Float[np.ndarray, "looks n draws"]:
    """Beliefs after 0, 1, ... sweeps of damped max-product, all messages at once.

    Args:
        start: "zero", zero messages of states {0, 1}, which are -J for spins, or "neutral".
    """
    coupling, fields = model.coupling[..., None], model.fields
    messages = np.broadcast_to(0.0 if start == "neutral" else -coupling, (*coupling.shape[:2], fields.shape[1]))
    beliefs = [fields + messages.sum(0)]
    for _ in range(sweeps):  # messages[i, j]: from i to j
        new = hand_on(coupling, beliefs[-1][:, None] - messages.swapaxes(0, 1))
        messages = DAMPING * messages + (1 - DAMPING) * new
        beliefs.append(fields + messages.sum(0))
    return np.array(beliefs)


class MPLPPath(NamedTuple):
    """Beliefs and dual values after 0, 1, ... sweeps, until MPLP stops."""

    beliefs: Float[np.ndarray, "looks n draws"]
    dual: Float[np.ndarray, "looks draws"]


def mplp(model: Glass, sweeps: int, seed: int) -> MPLPPath:
    """Run MPLP. A sweep updates all edges once, one after the other, in a new random order.

    Edges without a common spin do not affect each other, so they are updated together: the order is a
    random tournament.
    """
    size, draws = model.fields.shape
    draw, rounds = np.random.default_rng(seed), tournament(size)
    messages, beliefs = np.zeros((size, size, draws)), model.fields.copy()  # messages[i, j]: from i to j
    path, sent = [beliefs.copy()], [messages.copy()]
    for _ in range(sweeps):
        names = draw.permutation(size)
        ends = names[rounds[draw.permutation(len(rounds))]]  # (rounds, 2, pairs): both ends of an edge
        across = ends[:, ::-1]
        couplings = model.coupling[across, ends, None]
        for end, other, coupling in zip(ends, across, couplings, strict=True):
            lean = beliefs[end] - messages[other, end]
            renewed = (hand_on(coupling, lean[::-1]) - lean) / 2
            messages[other, end], beliefs[end] = renewed, lean + renewed
        path.append(beliefs.copy())
        sent.append(messages.copy())
        if np.abs(sent[-1] - sent[-2]).max() < STOP:
            break
    return MPLPPath(np.array(path), dual_values(model, np.array(sent), np.array(path)))


def dual_values(model: Glass, messages, beliefs) -> Float[np.ndarray, "looks draws"]:
    """sum_i |belief_i| + sum_{i<j} max over s, t of [J s t - u_i s - u_j t]: at least the best score."""
    i, j = np.triu_indices(len(model.field), 1)
    there, back, coupling = messages[:, i, j], messages[:, j, i], model.coupling[i, j, None]
    edges = np.maximum(coupling + np.abs(there + back), np.abs(there - back) - coupling)
    return np.abs(beliefs).sum(1) + edges.sum(1)


@functools.cache
def tournament(size: int) -> Int[np.ndarray, "rounds 2 pairs"]:
    """All pairs of `size` players in rounds; no player is in a round twice (circle method)."""
    circle, rounds = list(range(size + size % 2)), []
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = [(a, b) for a, b in zip(circle[:half], circle[: half - 1 : -1], strict=True) if max(a, b) < size]
        rounds.append(np.array(pairs).T)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return np.array(rounds)


def relaxed(model: Glass) -> tuple[Float[np.ndarray, "n draws"], Float[np.ndarray, " draws"]]:
    """The LP relaxation (Appendix D) of all draws by one minimum cut: fractions of s_i = +1, and values.

    Roof duality (Hammer, Hansen and Simeone 1984): give every spin a mirror image t_i that need not be -s_i. An edge
    that pushes s_i and s_j apart pulls s_i to t_j and t_i to s_j, so all edges pull together, and that is a cut. Its
    (s_i - t_i) / 2 solves the LP: -1, 0 or +1, of which 0 is one half.
    """
    size, draws = model.fields.shape
    i, j = np.triu_indices(size, 1)
    weight = model.coupling[i, j]
    other = np.where(weight < 0, size, 0)  # from j to its mirror image
    first, second = np.concatenate([i, i + size]), np.concatenate([j + other, j + size - other])
    apart = 2 * size * np.arange(draws)[:, None, None]
    pairs = (np.stack([first, second], 1) + apart).reshape(-1, 2)
    field = np.concatenate([model.fields, -model.fields]).T.reshape(-1)
    cut = best_cut(pairs, np.tile(np.abs(weight), 2 * draws), field).reshape(draws, 2, size)
    lean = (cut[:, 0] - cut[:, 1]).T
    edges = np.abs(weight) @ (1 - np.abs(lean[i] - np.sign(weight)[:, None] * lean[j]))
    return (1 + lean) / 2, edges + (model.fields * lean).sum(0)


def decoded(beliefs) -> np.ndarray:
    """Return the spins that beliefs decode to."""
    return np.where(beliefs > 0, 1.0, -1.0)
