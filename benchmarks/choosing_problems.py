"""The problems on which solvers are compared, as random instances with known facts about their best score."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import permutations
from typing import NamedTuple

import jax
import numpy as np

import pmp_kit as pk
from pmp_kit.solvers import AbstractSolver


class Instance(NamedTuple):
    """A model and the values with which scores are compared."""

    model: pk.FactorGraph
    ceiling: float
    """The score if every unary and every factor could have its best value at once: the score of cost 0."""
    known: float = -np.inf
    """The score of a known configuration, which is found without the solvers."""


class Problem(NamedTuple):
    """A family of instances of one structure, and the solvers that are compared on it."""

    title: str
    make: Callable[[np.random.Generator], Instance]
    runs: int
    solvers: Mapping[str, tuple[AbstractSolver, int]]
    """Name -> the solver and its largest number of sweeps. Times are relative to the first solver."""


def stereo(rng, slope: float, height: int = 40, width: int = 60, disparities: int = 8) -> Instance:
    """Estimate the disparity of each pixel. The scene has rectangles at random depths in front of a random texture.

    A pixel's cost is the absolute difference of the two images, at most 1.5. The noise is 0.5 of the texture's standard
    deviation. Neighbours cost 0.5 if they differ (slope 0, a Potts model), or `slope` for each of at most 3 steps.
    """
    texture = rng.normal(size=(height, width + disparities))
    texture = (texture + np.roll(texture, 1, 0) + np.roll(texture, 1, 1)) / np.sqrt(3.0)
    truth = np.ones((height, width), int)
    for _ in range(8):
        high, wide = rng.integers(height // 6, height // 2), rng.integers(width // 8, width // 3)
        top, left = rng.integers(height - high), rng.integers(width - wide)
        truth[top : top + high, left : left + wide] = rng.integers(1, disparities)
    seen = np.take_along_axis(texture, np.arange(width) + disparities - 1 - truth, axis=1)
    seen = seen + 0.5 * rng.normal(size=seen.shape)
    shifted = np.stack([texture[:, disparities - 1 - d :][:, :width] for d in range(disparities)], axis=-1)
    cost = np.minimum(np.abs(seen[..., None] - shifted), 1.5)
    variables = pk.Variables(disparity=pk.Categorical(height, width, states=disparities))
    pairs = pk.lattice_pairs(variables["disparity"])
    steps = np.abs(np.subtract.outer(np.arange(disparities), np.arange(disparities)))
    smooth = pk.EdgeTables(pairs, -slope * np.minimum(steps, 3.0)) if slope else pk.Potts(pairs, 0.5, disparities)
    model = pk.FactorGraph(variables, [smooth], {"disparity": -cost})
    return Instance(model, -cost.min(-1).sum() + (0.0 if slope else 0.5 * len(pairs)))


def code(rng, bits: int = 600, flipped: float = 0.06) -> Instance:
    """A random low-density parity-check code with each bit in 3 checks of 6. A channel flips some bits of word 0."""
    checks = rng.permutation(np.repeat(np.arange(bits), 3)).reshape(-1, 6)
    while (wrong := np.flatnonzero([len(set(row)) < 6 for row in checks])).size:
        row, column = checks[wrong[0]], rng.integers(6)
        other = rng.integers(len(checks))
        row[column], checks[other, column] = checks[other, column], row[column]
    log_odds = np.log(1.0 / flipped - 1.0) * np.where(rng.random(bits) < flipped, 1.0, -1.0)
    variables = pk.Variables(bit=pk.Binary(bits))
    model = pk.FactorGraph(variables, [pk.Parity(checks)], {"bit": log_odds})
    return Instance(model, np.maximum(log_odds, 0.0).sum(), 0.0)


def hidden_markov(rng, length: int = 200, states: int = 6) -> Instance:
    """A path of a hidden Markov model. A state stays with 0.85 and is observed with 0.5, and is random otherwise."""
    path = np.zeros(length, int)
    for step in range(1, length):
        path[step] = path[step - 1] if rng.random() < 0.85 else rng.integers(states)
    observed = np.where(rng.random(length) < 0.5, path, rng.integers(states, size=length))
    table = np.log(0.85 * np.eye(states) + 0.15 / states)
    scores = np.log(0.5 * (np.arange(states) == observed[:, None]) + 0.5 / states)
    variables = pk.Variables(path=pk.Categorical(length, states=states))
    pairs = np.stack([np.arange(length - 1), np.arange(1, length)], axis=1)
    model = pk.FactorGraph(variables, [pk.EdgeTables(pairs, table)], {"path": scores})
    return Instance(model, scores.max(1).sum() + (length - 1) * table.max())


def ising(rng, attractive: bool, height: int = 30, width: int = 30) -> Instance:
    """A lattice of spins with normal couplings. If attractive, it has their absolute values and a random field."""
    variables = pk.Variables(x=pk.Binary(height, width))
    pairs = pk.lattice_pairs(variables["x"])
    coupling, field = rng.normal(size=len(pairs)), (1.5 if attractive else 0.3) * rng.normal(size=height * width)
    coupling = np.abs(coupling) if attractive else coupling
    matrix = np.zeros((height * width,) * 2)
    matrix[pairs[:, 0], pairs[:, 1]] = matrix[pairs[:, 1], pairs[:, 0]] = coupling
    weight, bias, shift = pk.spins_to_binary(matrix, field)
    weight, bias, shift = np.asarray(weight), np.asarray(bias), float(shift)  # score of spins = score of states + shift
    edges = pk.Edges(pairs, weight[pairs[:, 0], pairs[:, 1]])
    model = pk.FactorGraph(variables, [edges], {"x": bias.reshape(height, width)})
    known = -np.inf if attractive else best_of_lattice(matrix, field, width) - shift
    return Instance(model, np.abs(coupling).sum() + np.abs(field).sum() - shift, known)


def best_of_lattice(coupling, field, width: int) -> float:
    """The best score of spins on a lattice, by dynamic programming over the states of the last `width` spins."""
    spin = np.array([-1.0, 1.0])
    value = np.zeros((2,) * width)
    for site, own in enumerate(field):
        column = site % width
        value = np.moveaxis(value, column, 0)  # the spin above this one
        above = coupling[site - width, site] if site >= width else 0.0
        value = (value[:, None] + above * np.multiply.outer(spin, spin).reshape(2, 2, *(1,) * (width - 1))).max(0)
        value = np.moveaxis(value + own * spin.reshape(2, *(1,) * (width - 1)), 0, column)
        if column:
            both = coupling[site - 1, site] * np.multiply.outer(spin, spin)
            value = value + both.reshape(*(1,) * (column - 1), 2, 2, *(1,) * (width - column - 1))
    return float(value.max())


def queens(rng, size: int = 8) -> Instance:
    """Queens that do not attack each other on a board whose squares have random scores."""
    scores = rng.normal(size=(size, size))
    variables = pk.Variables(queen=pk.Binary(size, size))
    q = variables["queen"]
    slants = [np.diagonal(board, k) for board in (q, q[:, ::-1]) for k in range(2 - size, size - 1)]
    groups = [pk.AtMostK([d for d in slants if len(d) == length], k=1) for length in range(2, size + 1)]
    model = pk.FactorGraph(variables, [pk.ExactlyK(np.concatenate([q, q.T]), k=1), *groups], {"queen": scores})
    rows, columns = np.arange(size), np.array(list(permutations(range(size))))
    free = [len(set(rows + c)) == len(set(rows - c)) == size for c in columns]
    return Instance(model, np.maximum(scores, 0.0).sum(), scores[rows, columns[free]].sum(-1).max())


def orders(number: int = 4) -> pk.Portfolio:
    """Max-product with several random orders of the messages."""
    return pk.Portfolio(*(pk.MaxProduct(schedule=pk.RandomMask(jax.random.key(one))) for one in range(number)))


def problems(quick: bool = False) -> list[Problem]:
    """Return all problems. With `quick` they are small, for the test."""
    some = {"MaxProduct()": (pk.MaxProduct(), 200), "CoordinateAscent()": (pk.CoordinateAscent(), 200)}
    bounds = {"MPLP()": (pk.MPLP(), 200), "LinearProgram()": (pk.LinearProgram(), 1)}
    both = {"Portfolio(MaxProduct(), MPLP())": (pk.Portfolio(pk.MaxProduct(), pk.MPLP()), 200)}
    lattice = {"MaxProduct(0.05, schedule=Alternating())": (pk.MaxProduct(0.05, schedule=pk.Alternating()), 200)}
    cut, tree = {"MaxFlow()": (pk.MaxFlow(), 1)}, {"TreePass()": (pk.TreePass(), 1)}
    polished = {"Polished(MaxProduct())": (pk.Polished(pk.MaxProduct()), 200)}
    many = {"Portfolio of 4 RandomMask": (orders(), 200)}
    many_polished = {"Polished(Portfolio of 4 RandomMask)": (pk.Polished(orders()), 200)}
    sums = {"SumProduct()": (pk.SumProduct(), 200)}
    image = {"height": 12, "width": 16, "disparities": 4} if quick else {}
    bits, length, size = (60, 30, 5) if quick else (600, 200, 8)
    grid, strip = ((6, 6), (6, 5)) if quick else ((30, 30), (30, 12))
    few, more = (1, 2) if quick else (3, 20)
    loops = some | bounds | both
    return [
        Problem("Stereo, Potts", partial(stereo, slope=0.0, **image), few, loops | lattice),
        Problem("Stereo, truncated linear", partial(stereo, slope=0.5, **image), few, loops),
        Problem("Stereo, truncated linear, twice as strong", partial(stereo, slope=1.0, **image), few, loops),
        Problem("LDPC code", partial(code, bits=bits), more, some | sums | many),
        Problem("Hidden Markov model", partial(hidden_markov, length=length), more, some | bounds | tree),
        Problem("Ising, attractive", partial(ising, attractive=True, height=grid[0], width=grid[1]), more // 2,
                loops | lattice | cut),
        Problem("Ising, frustrated", partial(ising, attractive=False, height=strip[0], width=strip[1]), more // 2,
                loops | polished | many_polished),
        Problem("Queens", partial(queens, size=size), more,
                {name: (solver, 1000) for name, (solver, _) in (some | lattice | many).items()}),
    ]  # fmt: skip
