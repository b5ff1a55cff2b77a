"""Bad input raises an error that names the argument, the expected value, the given value and, if needed, the fix."""

import re

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import scipy.sparse
from jax.experimental import sparse

import pmp_kit as pk
from pmp_kit import measures
from pmp_kit.course.experiments.programs.lattice import lattice_log_partition

KEY = jax.random.key(0)
X = pk.Variables(x=pk.Binary(3))
MIXED = pk.Variables(x=pk.Binary(2), y=pk.Categorical(2, states=3))
GRID = pk.Variables(x=pk.Binary(2, 2))
MODEL = pk.Ising(np.zeros((3, 3)), np.zeros(3))
BIG = pk.FactorGraph(pk.Variables(x=pk.Binary(25)))
NAN = np.array([[0, np.nan], [np.nan, 0]])
SKEW = np.array([[0.0, 1.0], [2.0, 0.0]])
CHAIN = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
POTTS = pk.FactorGraph(pk.Variables(x=pk.Categorical(2, states=3)), [pk.EdgeTables([[0, 1]], np.eye(3))])
DATA = {"x": np.zeros((4, 3), int)}
HOLES = np.array([[0, 1, pk.FREE]])
SPARSE = scipy.sparse.eye_array(3, dtype=int)
HIDDEN = np.ma.masked_array(np.ones((4, 3), int), mask=np.eye(4, 3) > 0)
FRAME = type("DataFrame", (), {"to_numpy": lambda self: DATA["x"]})()  # as in pandas, which need not be installed
CONV = np.arange(4).reshape(1, 2, 2), np.arange(4, 8).reshape(1, 1, 2, 2), np.arange(8, 17).reshape(1, 3, 3)


class Triple(pk.factors.AbstractFactor):
    """A factor of three variables that implements only max-product messages. It is constant, so they are zero."""

    @property
    def scopes(self):
        return (np.arange(3)[None],)

    def check(self, variables):
        pass

    def score(self, states):
        return jnp.zeros(states.shape[2:], states.dtype)

    def neutral_messages(self, batch):
        return jnp.zeros((3, *batch))

    def to_variables(self, messages, beliefs):
        return beliefs

    def update(self, beliefs, messages):
        return messages

    def locate(self, at):
        return at

    def conditional(self, states, at, where):
        return jnp.zeros((states.shape[0], where.size, *states.shape[2:]), states.dtype)

    def couples(self, members):
        return False


TRIPLE = pk.FactorGraph(X, [Triple()])


class Fixed(eqx.Module):
    """A model without parameters."""

    def graph(self):
        return MODEL.graph()


class Silent:
    """A model whose method `graph` returns what it was given, by default nothing."""

    def __init__(self, graph=None):
        self.graph = lambda: graph


class Listed:
    """A model whose `graph` is no method."""

    graph = [MODEL.graph()]  # noqa: RUF012


class Nowhere(pk.factors.AbstractFactor):
    """A factor whose score is not a number."""

    ids: np.ndarray = eqx.field(default_factory=lambda: np.array([[0, 1]]))

    @property
    def scopes(self):
        return (self.ids,)

    def score(self, states):
        return states[0].sum(0) * jnp.nan

    neutral_messages = to_variables = update = None


KERNEL = pk.Kernel(MODEL, num_samples=2)


def sample(**options):
    return pk.sample(**{"key": KEY, "model": MODEL, "num_samples": 2, "num_sweeps": 2, **options})


def trace(**options):
    return pk.trace(**{"key": KEY, "model": MODEL, "num_sweeps": 2, **options})


def fit(**options):
    return pk.fit(**{"key": KEY, "model": MODEL, "data": DATA, "steps": 1, **options})


def cavity(**options):
    return measures.cavity_marginals(KEY, MODEL, pk.PMP(**options))


BAD = [
    # variables
    (lambda: pk.Variables(), ValueError, "blocks: expected at least one"),
    (lambda: pk.Variables(x=3), TypeError, r"x: expected a block such as Binary\(8, 8\).*got int 3"),
    (lambda: pk.Binary(0), ValueError, "shape: expected at least 1, got 0"),
    (lambda: pk.Binary(2.5), TypeError, "shape: expected a whole number, got float 2.5"),
    (lambda: pk.Categorical(3, states=1), ValueError, "states: expected at least 2, got 1"),
    (lambda: X["y"], ValueError, "block name: expected one of x, got 'y'"),
    # factors and graphs
    (lambda: pk.DensePairwise([0, 1], NAN), ValueError, r"weight: expected finite numbers, got nan at index \[0, 1\]"),
    (lambda: pk.DensePairwise([0, 1], np.zeros((3, 3))), ValueError, r"weight: expected shape \(2, 2\), got \(3, 3\)"),
    (lambda: pk.DensePairwise([0, 1], SKEW), ValueError, r"weight: expected a symmetric matrix.*\(weight \+ weight.T"),
    (lambda: pk.DensePairwise([0, 0], np.zeros((2, 2))), ValueError, "at: expected distinct variables.*id 0 twice"),
    (lambda: pk.DensePairwise([0.5, 1], np.zeros((2, 2))), TypeError, "at: expected integer variable ids.*float64"),
    (lambda: pk.DensePairwise([-1, 1], np.zeros((2, 2))), ValueError, "at: expected ids >= 0, got -1"),
    (lambda: pk.Edges([[0, 1, 2]], 1.0), ValueError, r"pairs: expected shape \(any, 2\), got \(1, 3\)"),
    (lambda: pk.Edges([[1, 1]], 1.0), ValueError, r"pairs: expected two different variables, got \[1, 1\] at edge 0"),
    (lambda: pk.Edges([[0, 1]], [1.0, 2.0]), ValueError, r"weight: expected one number or shape \(1,\), got \(2,\)"),
    (lambda: pk.Edges([1, [2]], 1.0), ValueError, "pairs: expected rows of the same length"),
    (lambda: pk.EdgeTables([[0, 1]], [1, [2]]), ValueError, "table: expected rows of the same length"),
    (lambda: pk.EdgeTables([[0, 1]], [[[1.0, 2.0], [3.0]]]), ValueError, "table: expected rows of the same length"),
    (lambda: pk.Parity([0, 1], [True, [True]]), ValueError, "odd: expected rows of the same length"),
    (lambda: pk.FactorGraph(X, unaries={"x": [1, [2], 3]}), ValueError, r"unaries\['x'\]: expected rows of the same"),
    (lambda: pk.Edges([[0, 1]], "1"), TypeError, "weight: expected an array of numbers, got str '1'"),
    (lambda: pk.Edges([[0, 1]], ["1"]), TypeError, "weight: expected an array of numbers, got list"),
    (lambda: pk.Edges([[0, 1]], "heavy"), TypeError, "weight: expected an array of numbers, got str"),
    (lambda: pk.Edges([[0, 1]], np.array([1j])), TypeError, "weight: expected an array of numbers.*dtype complex128"),
    (lambda: pk.Edges([[0, 1]], np.array([None])), ValueError, "weight: expected finite numbers, got nan"),
    (lambda: pk.Edges([[0, 1]], np.array(["2026-01-01"], "M8[D]")), TypeError, "weight: expected .* dtype datetime64"),
    (lambda: pk.Edges([[0, 1]], [10**400]), TypeError, "weight: expected an array of numbers, got list"),
    (lambda: pk.EdgeTables([[0, 1]], np.full((2, 2), None)), ValueError, "table: expected finite numbers, got nan"),
    (lambda: pk.FactorGraph(X, [], {"x": np.full(3, None)}), ValueError, "expected finite numbers, got nan"),
    (lambda: pk.Edges([[0, 1]], jnp.array([1j])), TypeError, "weight: expected an array of numbers.*dtype complex64"),
    (lambda: pk.FactorGraph(X, unaries={"x": 1j * np.ones(3)}), TypeError, r"unaries\['x'\]: expected an array of num"),
    (lambda: pk.Gumbel(np.complex64(1j)), TypeError, "scale: expected a number, got .* dtype complex64"),
    (lambda: pk.EdgeTables([[0, 1]], np.zeros(2)), ValueError, r"table: expected shape \(C, C\) or \(1, C, C\)"),
    (lambda: pk.Bipartite([0], [0], [[1.0]]), ValueError, "rows and columns: expected distinct variables.*id 0 twice"),
    (lambda: pk.Bipartite([0], [1], np.ones((2, 2))), ValueError, r"weight: expected shape \(1, 1\), got \(2, 2\)"),
    (lambda: pk.FactorGraph(X, [pk.Edges([[0, 3]], 1.0)]), ValueError, "pairs: expected ids below n = 3, got 3"),
    (lambda: pk.FactorGraph(MIXED, [pk.Edges([[0, 2]], 1.0)]), ValueError, "pairs: expected binary variables.*EdgeTab"),
    (
        lambda: pk.FactorGraph(MIXED, [pk.EdgeTables([[0, 2]], np.eye(2))]),
        ValueError,
        "expected 3 states at place 1",
    ),
    (lambda: pk.FactorGraph({"x": 3}), TypeError, r"variables: expected Variables such as .*got dict"),
    (lambda: pk.FactorGraph(X, [MODEL]), TypeError, "factors: expected Factor such as Edges"),
    (
        lambda: pk.FactorGraph(X, unaries=np.zeros((2, 2))),
        ValueError,
        r"unaries: expected shape \(3, 2\), got \(2, 2\)",
    ),
    (lambda: pk.FactorGraph(X, unaries={"x": np.zeros(2)}), ValueError, r"unaries\['x'\]: expected shape \(3, 2\) or"),
    (lambda: pk.FactorGraph(X, unaries={"z": np.zeros(3)}), ValueError, "unaries: expected blocks among x, got 'z'"),
    (
        lambda: pk.FactorGraph(pk.Variables(x=pk.Binary(3), y=pk.Binary(2)), unaries={"y": [[0, np.inf], [0, 0]]}),
        ValueError,
        r"unaries\['y'\]: expected finite numbers, got inf at index \[0, 1\]",
    ),
    (lambda: pk.FactorGraph(X, unaries={"x": [np.nan, 0, 0]}), ValueError, r"unaries\['x'\]: expected finite.*nan"),
    (
        lambda: pk.FactorGraph(X, unaries=np.full((3, 2), np.inf)),
        ValueError,
        "unaries: expected finite numbers",
    ),
    # logic, parity, pools
    (lambda: pk.And([0, 1], [1, 2]), ValueError, "child: expected one id for each of 1 factors, got 2"),
    (lambda: pk.And([0, 0], 2), ValueError, "parents: expected distinct variables.*id 0 twice in factor 0"),
    (lambda: pk.Or([0, 1], 1), ValueError, r"parents and child: expected distinct .* id 1 twice in factor 0"),
    (lambda: pk.Or(0, 1), ValueError, r"parents: expected ids \(F, m\), one factor per row, got shape \(\)"),
    (lambda: pk.Or([0.5, 1], 2), TypeError, "parents: expected integer variable ids.*float64"),
    (lambda: pk.Or([[0, 1], [2]], [3, 4]), ValueError, "parents: expected rows of the same length; .*separate group"),
    (lambda: pk.FactorGraph(X, [pk.Or([0, 1], 7)]), ValueError, "parents and child: expected ids below n = 3, got 7"),
    (lambda: pk.FactorGraph(MIXED, [pk.And([0, 1], 2)]), ValueError, "parents and child: expected binary.*3 states"),
    (lambda: pk.Parity([0, 1], odd=1), ValueError, "odd: expected True, False or 1 of them, got int 1"),
    (lambda: pk.Parity([0, 0]), ValueError, r"ids: expected distinct variables in each factor, got id 0 twice"),
    (lambda: pk.Pool([0, 1], [1, 2]), ValueError, "indicator: expected one id for each of 1 factors, got 2"),
    (lambda: pk.Pool([0, 1], 1), ValueError, r"choices and indicator: expected distinct variables.*got id 1 twice"),
    (lambda: pk.FactorGraph(X, [pk.Pool([0, 1], 5)]), ValueError, "choices and indicator: expected ids below n = 3"),
    # cardinality, counts, tables, Potts
    (lambda: pk.ExactlyK([0, 1, 2], 4), ValueError, "k: expected 0 .. 3, the number of variables in a factor, got 4"),
    (lambda: pk.AtMostK([0, 1, 2], -1), ValueError, "k: expected 0 .. 3, .*got -1"),
    (lambda: pk.AtLeastK([0, 1, 2], np.nan), TypeError, "k: expected a whole number, got float64 nan"),
    (lambda: pk.ExactlyK([0, 1, 2], [1, 2]), ValueError, r"k: expected one number or shape \(1,\), got \(2,\)"),
    (lambda: pk.AtMostK([[0, 1], [2]], 1), ValueError, "ids: expected rows of the same length.*a separate group"),
    (lambda: pk.ExactlyOne([0, 0]), ValueError, "ids: expected distinct variables in each factor"),
    (
        lambda: pk.CountPotential([0, 1], np.zeros(2)),
        ValueError,
        r"scores: expected shape \(3,\) or \(1, 3\), got \(2,\)",
    ),
    (lambda: pk.CountPotential([0, 1], [0, np.nan, 0]), ValueError, r"scores: expected finite .* nan at index \[1\]"),
    (lambda: pk.CountPotential([0, 1], [np.inf, 0, 0]), ValueError, r"scores: expected finite .* inf at index \[0\]"),
    (lambda: pk.CountPotential([0, 1], [-np.inf] * 3), ValueError, "scores: expected at least one finite score in eac"),
    (lambda: pk.CountPotential([0, 1], "abc"), TypeError, "scores: expected an array of numbers, got str"),
    (
        lambda: pk.NWise([0, 1, 2], np.zeros((2, 2))),
        ValueError,
        r"table: expected shape \(C, C, C\) or \(1, C, C, C\), got \(2, 2\)",
    ),
    (lambda: pk.NWise([0, 1], np.full((2, 2), -np.inf)), ValueError, "table: expected at least one finite score in ea"),
    (lambda: pk.NWise([0, 1], NAN), ValueError, r"table: expected finite numbers, got nan at index \[0, 1\]"),
    (lambda: pk.NWise([0, 0], np.zeros((2, 2))), ValueError, "ids: expected distinct variables in each factor"),
    (
        lambda: pk.FactorGraph(X, [pk.NWise([0, 1], np.eye(3))]),
        ValueError,
        "table: expected 2 states at place 0.*got 3",
    ),
    (lambda: pk.FactorGraph(X, [pk.NWise([0, 5], np.eye(2))]), ValueError, "ids: expected ids below n = 3, got 5"),
    (lambda: pk.ConvOr(CONV[0][0], *CONV[1:]), ValueError, r"features: expected shape \(features, height, width\)"),
    (lambda: pk.ConvOr(CONV[0], CONV[1][0], CONV[2]), ValueError, r"locations: expected shape \(images, 1, h, w\)"),
    (lambda: pk.ConvOr(*CONV[:2], CONV[2][:, :2]), ValueError, r"images: expected shape \(1, 3, 3\)"),
    (lambda: pk.ConvOr(*CONV[:2], CONV[2] - 8), ValueError, "features, locations and images: expected distinct"),
    (lambda: pk.ConvOr(CONV[0] + 0.5, *CONV[1:]), TypeError, "features: expected integer variable ids.*float64"),
    (lambda: pk.FactorGraph(X, [pk.ConvOr(*CONV)]), ValueError, "features: expected ids below n = 3, got 3"),
    (lambda: pk.blind_deconvolution(0), ValueError, "images: expected at least 1, got 0"),
    (lambda: pk.blind_deconvolution(2, feature_shape=6), ValueError, r"feature_shape: expected \(height, width\), got"),
    (lambda: pk.blind_deconvolution(2, (4, 4)), ValueError, r"feature_shape: expected a shape that fits .*\(4, 4\)"),
    (lambda: pk.blind_deconvolution(2, location_rate=0.0), ValueError, "location_rate: expected a probability above 0"),
    (lambda: pk.matrix_factorisation(2, 2, 0), ValueError, "rank: expected at least 1, got 0"),
    (lambda: pk.matrix_factorisation(2, 2, 1, left_rate=1.0), ValueError, "left_rate: expected a probability above 0"),
    (
        lambda: pk.Binary((4, 4)),
        TypeError,
        r"shape: expected one number for each axis, as in Binary\(4, 4\), got \(4, 4",
    ),
    (lambda: pk.Custom([0, 1], "f", 1.0), TypeError, "function: expected a function of two arguments, .*, got str"),
    (lambda: pk.Custom([0, 1], lambda p, a, b: p, 1.0), TypeError, "function: expected a function of two arguments, p"),
    (
        lambda: pk.Custom([0, 1], lambda p, x: x[0] == x[1], 1.0),
        TypeError,
        r"return jnp.where\(condition, 0.0, -jnp.in",
    ),
    (lambda: pk.Custom([0, 1], lambda p, x: p if x[0] else 0.0, 1.0), TypeError, r"such as `if`, .*; use jnp.where"),
    (lambda: pk.Custom([0, 1], lambda p, x: float(x[0]) * p, 1.0), TypeError, "float.*; use jnp.where .* jax.numpy"),
    (lambda: pk.Custom([0, 1], lambda p, x: np.abs(x[0]) * p, 1.0), TypeError, "NumPy functions; .* jax.numpy"),
    (lambda: pk.Custom([0, 1], lambda p, x: [p, 2 * p][x[0]], 1.0), TypeError, "lists indexed by states, .* jax.numpy"),
    (lambda: pk.Custom([0, 1], lambda x, p: p * x[0], 1.0), TypeError, r"function\(params, x\).* IndexError: Too many"),
    (
        lambda: pk.Custom([0, 1], lambda x, p: p["a"] * x[0], {"a": 1.0}),
        TypeError,
        r"function: expected function\(params, x\) with the states x .*, got TypeError: JAX does not support string",
    ),
    (lambda: pk.Custom([0, 1], lambda x, p: x[0] * p["a"], {"a": 1.0}), TypeError, "got KeyError: 0.*; swap params"),
    (lambda: pk.Custom([0, 1], lambda p, x: p * x, 1.0), ValueError, r"one score .* shape \(2,\); it is called as f"),
    (lambda: pk.Custom([0, 1], lambda p, x: None, 1.0), TypeError, "function: expected a score in nats, got None"),
    (lambda: pk.Custom([0, 1], lambda p, x: np.nan, 1.0), ValueError, "function: expected finite numbers, got nan"),
    (lambda: pk.Custom([0, 1], lambda p, x: -np.inf, 1.0), ValueError, "function: expected at least one finite score"),
    (lambda: pk.Custom([0, 1], lambda p, x: p, 1.0, states=(2, 2, 2)), ValueError, "states: expected one number or"),
    (lambda: pk.Custom(np.arange(20), lambda p, x: p, 1.0), ValueError, "states: expected at most 65536 joint states"),
    (
        lambda: pk.FactorGraph(MIXED, [pk.Custom([2, 3], lambda p, x: p, 1.0)]),
        ValueError,
        "states: expected 3 states at place 0 of factor 0, got 2",
    ),
    (
        lambda: pk.FactorGraph(X, unaries={"x": np.zeros((5, 3))}),
        ValueError,
        r"got \(5, 3\); for many problems at once, build the graph inside jax.vmap",
    ),
    (
        lambda: pk.solve(jax.vmap(lambda w: pk.FactorGraph(X, [pk.Edges([[0, 1]], w)]))(np.ones(4)), num_sweeps=1),
        ValueError,
        r"model: expected unaries of shape \(3, 2\), got \(4, 3, 2\); call the function inside jax.vmap",
    ),
    (
        lambda: pk.exact.log_partition(eqx.tree_at(lambda graph: graph.unaries, TRIPLE, jnp.zeros((3, 1)))),
        ValueError,
        r"model: expected unaries of shape \(3, 2\), got \(3, 1\); build the model again",
    ),
    (lambda: pk.FactorGraph(X, [pk.EdgeTables([[0, 9]], np.eye(2))]), ValueError, "pairs: expected ids below n = 3"),
    (
        lambda: pk.sample(KEY, TRIPLE, pk.ForwardBackward(), num_samples=1, num_sweeps=0),
        ValueError,
        r"use MaxProduct\(\) as a solver, or Exhaustive\(\).*; PMP\(\) as a sampler",
    ),
    (lambda: pk.Potts([[0, 1]], [1.0, 2.0], states=3), ValueError, r"weight: expected one number or shape \(1,\)"),
    (
        lambda: pk.Potts([[0, 1]], np.nan, states=3),
        ValueError,
        "weight: expected finite numbers, got nan; look for 0 / 0",
    ),
    (lambda: pk.Potts([[0, 1]], 1.0, states=1), ValueError, "states: expected at least 2, got 1"),
    (lambda: pk.Potts([[0, 0]], 1.0, states=2), ValueError, r"pairs: expected two different variables, got \[0, 0\]"),
    (lambda: pk.FactorGraph(X, [pk.Potts([[0, 1]], 1.0, states=3)]), ValueError, "states: expected the 2 states of va"),
    # models
    (lambda: pk.lattice_pairs(np.arange(3)), ValueError, "ids: expected a 2-D array of ids.*got an array of shape"),
    (
        lambda: pk.binary_to_spins(np.zeros((2, 3)), 0.0),
        ValueError,
        r"weight: expected a square matrix, got shape \(2, 3",
    ),
    (
        lambda: pk.spins_to_binary(CHAIN, np.zeros(2)),
        ValueError,
        r"bias: expected one number or shape \(3,\), got \(2,",
    ),
    (lambda: pk.spins_to_binary(SKEW, 0.0), ValueError, r"coupling: .* symmetric .*, got coupling\[0, 1\] = 1.0"),
    (lambda: pk.pretrained("mnist"), ValueError, r"name: expected one of digits_rbm, .*, got 'mnist'"),
    (lambda: pk.Ising(SKEW, np.zeros(2)), ValueError, "weight: expected a symmetric matrix"),
    (lambda: pk.Ising(np.zeros((3, 3)), np.zeros(2)), ValueError, r"weight: expected shape \(2, 2\), got \(3, 3\)"),
    (lambda: pk.ising_lattice(2), ValueError, "side: expected at least 3, got 2"),
    (lambda: pk.ising_lattice(3, 0.1, periodic="no"), TypeError, "periodic: expected True or False, got str 'no'"),
    (lambda: pk.lattice_pairs(np.eye(3, dtype=int), 0), TypeError, "periodic: expected True or False, got int 0"),
    (lambda: pk.ising_lattice(4, coupling=[1, 2]), ValueError, r"coupling: expected shape \(\), got \(2,\)"),
    (lambda: pk.CompleteIsing(0.5, spins=1), ValueError, "spins: expected at least 2, got 1"),
    (lambda: pk.rbm(0, 4, 3), TypeError, "key: expected one key such as jax.random.key.*got int 0"),
    (lambda: pk.rbm(KEY, 4, 0), ValueError, "hidden: expected at least 1, got 0"),
    (lambda: pk.RBM(np.zeros((4, 2)), np.zeros(3), np.zeros(2)), ValueError, r"visible_bias: expected shape \(4,\)"),
    (lambda: pk.RBM(np.zeros((4, 2)), np.zeros(4), np.zeros(2), (3, 2)), ValueError, "visible: expected a shape of 4"),
    (
        lambda: pk.spins_to_binary(np.zeros(3), 0.0),
        ValueError,
        r"coupling: expected shape \('any', 'any'\), got \(3,\)",
    ),
    # hyper-parameters
    (lambda: pk.PMP(damping=1.5), ValueError, r"damping: expected a number in \[0.0, 0.999\], got 1.5"),
    (lambda: pk.PMP(damping="half"), TypeError, "damping: expected a number, got str 'half'"),
    (lambda: pk.PMP(damping=float("nan")), ValueError, "damping: .*got nan"),
    (
        lambda: pk.PMP(start="warm"),
        ValueError,
        "start: expected one of 'zero', 'neutral', or RandomStart.*got str 'warm'",
    ),
    (lambda: pk.PMP(tolerance=-1.0), ValueError, "tolerance: .*got -1.0"),
    (lambda: pk.PMP(patience=2.5), TypeError, "patience: expected a whole number"),
    (lambda: pk.PMP(noise=1.0), TypeError, "noise: expected Noise such as Gumbel.*got float"),
    (lambda: pk.Gumbel(scale=-1.0), ValueError, "scale: expected a number in .*got -1.0"),
    (
        lambda: pk.PerturbAndMAP(pk.PMP()),
        TypeError,
        r"such as MaxProduct\(\), got PerturbAndMAP\( solver=",
    ),
    (lambda: pk.SumOfGamma(kappa=0.5), ValueError, r"kappa: expected a number in \[1.0, .*got 0.5"),
    (lambda: pk.SumOfGamma(terms=0), ValueError, "terms: expected at least 1, got 0"),
    (lambda: pk.Gaussian(scale=-1.0), ValueError, "scale: expected a number in .*got -1.0"),
    (lambda: pk.Uniform(scale=-1.0), ValueError, "scale: expected a number in .*got -1.0"),
    (lambda: pk.ReversedGumbel(scale=np.nan), ValueError, "scale: .*got nan"),
    (lambda: pk.StratifiedGumbel(scale=-1.0), ValueError, "scale: expected a number in .*got -1.0"),
    (lambda: pk.PMP(keep_best="no"), TypeError, "keep_best: expected True or False, got str 'no'"),
    (lambda: pk.MPLP(keep_best=2), TypeError, "keep_best: expected True or False, got int 2"),
    (lambda: pk.DiscreteLangevin(step_size=0.0), ValueError, "step_size: expected a number in .*got 0.0"),
    (lambda: pk.PersistentPMP(noise=pk.SumOfGamma()), ValueError, "noise: expected a family .*got SumOfGamma; use PMP"),
    (lambda: pk.PersistentPMP(noise=pk.StratifiedGumbel()), ValueError, "noise: expected a family .*got Stratified"),
    (lambda: pk.PersistentPMP(noise=1.0), TypeError, "noise: expected Noise such as Gumbel"),
    (lambda: pk.PersistentPMP(rho=1.5), ValueError, r"rho: expected a number in \[0.0, 1.0\], got 1.5"),
    (
        lambda: pk.PersistentPMP(solver=pk.Exhaustive()),
        TypeError,
        r"solver: expected MaxProduct such as MaxProduct\(\)",
    ),
    (lambda: pk.ParallelTempering((1.0,)), ValueError, "temperatures: expected at least 2, got 1"),
    (lambda: pk.ParallelTempering((2.0, 1.0)), ValueError, r"temperatures: expected increasing.*got \[2.0, 1.0\]"),
    (lambda: pk.ParallelTempering((1.0, 0.5)), ValueError, r"temperatures: expected increasing.*got \[1.0, 0.5\]"),
    (lambda: pk.ParallelTempering(sampler=pk.PMP()), TypeError, r"sampler: expected Chain such as Gibbs\(\)"),
    (lambda: pk.Gibbs(blocks=3), TypeError, r"blocks: expected names such as \('h', 'v'\), or .*got int 3"),
    (lambda: pk.Gibbs(blocks=[[0.5, 1.0]]), TypeError, "blocks: expected integer variable ids"),
    (lambda: pk.colours(np.zeros(3)), TypeError, r"model: expected a FactorGraph or anything with .graph\(\)"),
    # solve, sample, trace
    (lambda: sample(key=0), TypeError, "key: expected one key.*got int 0"),
    (lambda: sample(key=jax.random.split(KEY)), TypeError, r"key: expected one key.*shape \(2,\)"),
    (lambda: sample(model=np.zeros(3)), TypeError, r"model: expected a FactorGraph or anything with .graph\(\)"),
    (
        lambda: sample(sampler=pk.MaxProduct()),
        TypeError,
        r"sampler: expected Sampler such as PMP\(\), got MaxProduct.*; wrap it in PerturbAndMAP\(\.\.\.\)",
    ),
    (lambda: fit(positive=pk.MPLP()), TypeError, r"positive: expected Sampler .* wrap it in PerturbAndMAP"),
    (lambda: sample(sampler=pk.MaxProduct), TypeError, r"sampler: expected Sampler .*; write MaxProduct\(\)"),
    (
        lambda: sample(sampler=pk.Gibbs(blocks=("z",))),
        ValueError,
        r"blocks: expected each of \('x',\) once, got \('z',",
    ),
    (lambda: sample(sampler=pk.Gibbs(blocks=([0, 1],))), ValueError, r"blocks: expected each of .*got 1 lists of ids"),
    (lambda: sample(sampler=pk.Gibbs(blocks=([0, 1], [1, 2]))), ValueError, "blocks: expected each of .*got 2 lists"),
    (lambda: sample(num_samples=0), ValueError, "num_samples: expected at least 1, got 0"),
    (lambda: jax.jit(lambda n: sample(num_samples=n))(2), TypeError, "num_samples: .*so make it a static argument"),
    (lambda: sample(num_samples=2.0), TypeError, "num_samples: expected a whole number, got float 2.0"),
    (lambda: sample(num_sweeps=-1), ValueError, "num_sweeps: expected at least 0, got -1"),
    (lambda: sample(num_sweeps=2**31), ValueError, "num_sweeps: expected at most 2147483647, got 2147483648"),
    (lambda: pk.solve(MODEL, num_sweeps=2**31), ValueError, "num_sweeps: expected at most 2147483647"),
    (lambda: trace(every=2**31), ValueError, "every: expected at most 2147483647"),
    (lambda: pk.PMP(patience=2**31), ValueError, "patience: expected at most 2147483647"),
    (
        lambda: sample(evidence={"x": [[0, 1, 0], [1]]}),
        ValueError,
        r"evidence\['x'\]: expected rows of the same length",
    ),
    (lambda: sample(chunk=0), ValueError, "chunk: expected at least 1, got 0"),
    (lambda: sample(evidence=[0, 1, 0]), TypeError, "evidence: expected a dict of arrays by block name, got list"),
    (lambda: sample(evidence=[]), TypeError, "evidence: expected a dict of arrays by block name, got list"),
    (lambda: pk.solve(MODEL, evidence=0), TypeError, "evidence: expected a dict of arrays by block name, got int"),
    (lambda: sample(evidence={"v": [0, 1, 0]}), ValueError, "evidence: expected blocks among x, got 'v'"),
    (lambda: sample(evidence={"x": [0, 1]}), ValueError, r"evidence\['x'\]: expected shape \(..., 3\), got \(2,\)"),
    (lambda: pk.exact.marginals(MODEL, {"x": np.ones((2, 3))}), ValueError, r"shape \(one problem\), got leading"),
    (lambda: sample(evidence={"x": [0, 1, 2]}), ValueError, r"evidence\['x'\]: expected states 0 .. 1, or pk.FREE"),
    (lambda: sample(evidence={"x": [0, -2, 0]}), ValueError, r"evidence\['x'\]: .*got -2"),
    (lambda: sample(evidence={"x": [1, -1, 1]}), ValueError, r"got -1; this looks like spins, use \(spins \+ 1\) // 2"),
    (lambda: sample(evidence={"x": [0, -1, 1]}), ValueError, "got -1; write pk.FREE, and not -1, for unknown states"),
    (lambda: pk.solve(POTTS, evidence={"x": [0, -1]}), ValueError, "got -1; write pk.FREE, and not -1, for unknown"),
    (lambda: pk.solve(POTTS, evidence={"x": [2, -1]}), ValueError, "states 0 .. 2, or pk.FREE, got -1$"),
    (
        lambda: fit(data={"x": np.full((2, 3), -1)}),
        ValueError,
        r"data\['x'\]: expected states 0 .. 1.*looks like spins",
    ),
    (lambda: sample(evidence={"x": [0.5, 0, 0]}), TypeError, r"evidence\['x'\]: expected whole-number.*round"),
    (lambda: sample(evidence={"x": [1, np.nan, 0]}), TypeError, r"\['x'\]: .*, got missing values; write pk.FREE"),
    (lambda: sample(evidence={"x": [1, None, 0]}), TypeError, r"\['x'\]: .*, got missing values; write pk.FREE"),
    (lambda: fit(data={"x": np.array([[0, 1, 1]], object)}), TypeError, r"dtype object; write x.astype\(int\)"),
    (lambda: fit(data={"x": [["a", "b", "a"]]}), TypeError, r"\['x'\]: expected an array of numbers"),
    (
        lambda: pk.solve(POTTS, evidence={"x": [True, False]}),
        TypeError,
        r"\['x'\]: .*states 0 .. 2, or pk.FREE .*, got dtype bool",
    ),
    (lambda: sample(evidence={"x": HIDDEN[0]}), ValueError, r"evidence\['x'\]: .*got 1 masked.*\.filled\(pk.FREE\)"),
    (lambda: fit(data={"x": HIDDEN}), ValueError, r"data\['x'\]: expected numbers without a mask, got 3 masked"),
    (lambda: pk.score(MODEL, {"x": HIDDEN}), ValueError, r"states\['x'\]: expected numbers without a mask"),
    (lambda: pk.FactorGraph(X, unaries={"x": HIDDEN[0]}), ValueError, "unaries.*: expected numbers without a mask"),
    (lambda: pk.Edges([[0, 1]], HIDDEN[0, :1]), ValueError, "weight: expected numbers without a mask, got 1 masked"),
    (lambda: pk.Edges(HIDDEN[:, :2], 1.0), ValueError, "pairs: expected numbers without a mask, got 2 masked"),
    (lambda: fit(data={"x": SPARSE}), TypeError, r"a sparse one of shape \(3, 3\); use data\['x'\]\.toarray\(\)"),
    (lambda: pk.Ising(SPARSE, np.zeros(3)), TypeError, r"weight: .* got a sparse one of .*; use weight\.toarray\(\)"),
    (lambda: pk.Ising(sparse.BCOO.fromdense(SKEW), np.zeros(2)), TypeError, r"weight: .*; use weight\.todense\(\)"),
    (lambda: pk.metrics.mmd(HIDDEN, HIDDEN), ValueError, "samples: expected numbers without a mask, got 3 masked"),
    (
        lambda: sample(evidence={"x": np.zeros((5, 3), int)}),
        ValueError,
        "evidence: expected the block's shape, optionally",
    ),
    (
        lambda: sample(sampler=pk.Gibbs(), previous=np.zeros((7, 1, 3))),
        ValueError,
        "previous: expected the .chains of 2 samples, got 7",
    ),
    (lambda: sample(previous=np.zeros((2, 1, 3))), ValueError, "previous: expected a sampler .* use PersistentPMP"),
    (lambda: trace(previous=np.zeros((2, 1, 3))), ValueError, "previous: expected a sampler .* use PersistentPMP"),
    (lambda: sample(devices=3), TypeError, "devices: expected a sequence of JAX devices such as"),
    (lambda: sample(devices=[]), ValueError, "devices: expected distinct devices, at least one, got"),
    (lambda: sample(devices=jax.devices()[:1] * 2), ValueError, "devices: expected distinct devices"),
    (lambda: pk.score(MODEL, {}), ValueError, r"states: expected all of \['x'\], got none for 'x'"),
    (lambda: pk.score(MODEL, {"x": [0, 1, pk.FREE]}), ValueError, "states: expected a state for every variable"),
    (lambda: np.asarray(sample()), TypeError, r"samples: expected one block such as samples\['x'\], got all of"),
    (lambda: pk.Kernel(MODEL, num_samples=0), ValueError, "num_samples: expected at least 1, got 0"),
    (lambda: pk.Kernel(MODEL, pk.MaxProduct(), num_samples=1), TypeError, "sampler: expected Sampler such as PMP"),
    (
        lambda: sample(sampler=pk.Gibbs(), previous=np.zeros((2, 4, 1, 3))),
        ValueError,
        "previous: expected the .chains of the same sampler",
    ),
    (
        lambda: sample(sampler=pk.PersistentPMP(), previous=np.zeros((2, 1, 3))),
        ValueError,
        r"previous: .* in place of PersistentState",
    ),
    (
        lambda: sample(sampler=pk.ParallelTempering(), previous=np.zeros((2, 1, 3))),
        ValueError,
        "previous: .*new chains",
    ),
    (
        lambda: sample(sampler=pk.Gibbs(), previous=sample(sampler=pk.Gibbs())),
        TypeError,
        "previous: expected the .chains of an earlier call, got Samples; write .chains after it",
    ),
    (
        lambda: sample(sampler=pk.Gibbs(), previous=sample()),
        TypeError,
        "previous: expected the .chains .*got Samples; its samples are independent; to start chains at them",
    ),
    (
        lambda: trace(sampler=pk.Gibbs(), previous=trace(sampler=pk.Gibbs())),
        TypeError,
        "previous: expected the .chains of an earlier call, got Trace; write .chains after it",
    ),
    (lambda: pk.solve(pk.RBM), TypeError, r"model: expected a FactorGraph .*, got .*RBM.*; write RBM\(\.\.\.\)"),
    (lambda: trace(observe="beliefs"), TypeError, "observe: expected a function such as"),
    (lambda: trace(every=0), ValueError, "every: expected at least 1, got 0"),
    (
        lambda: trace(observe=pk.observe.messages, sampler=pk.Gibbs()),
        ValueError,
        "observe: expected a sampler that passe",
    ),
    (lambda: trace(num_sweeps=10**9, num_samples=1000), ValueError, "num_sweeps: expected a trace within.*`every`"),
    (
        lambda: pk.sample(KEY, pk.ising_lattice(100), num_samples=10**8, num_sweeps=1),
        ValueError,
        "num_samples: expected samples within .* got 100000000 of 10000 variables, 8000.0 GB; .* pk.stream",
    ),
    (
        lambda: pk.solve(MODEL, pk.PMP()),
        TypeError,
        r"solver: expected Solver such as MaxProduct\(\), got PerturbAndMAP",
    ),
    (lambda: pk.solve(BIG, pk.Exhaustive()), ValueError, "model: expected at most 1048576 joint states"),
    # solvers
    (
        lambda: pk.MaxProduct(schedule="alternating"),
        TypeError,
        r"schedule: expected Schedule such as Flooding\(\), got",
    ),
    (lambda: pk.MaxProduct(start=0.5), ValueError, "start: expected one of 'zero', 'neutral', or RandomStart"),
    (lambda: pk.RandomMask(KEY, 0.0), ValueError, r"probability: expected a number in \[0.001, 1.0\], got 0.0"),
    (lambda: pk.RandomMask(0), TypeError, "key: expected one key.*got int 0"),
    (lambda: pk.RandomStart(KEY, -1.0), ValueError, "scale: expected a number in .*got -1.0"),
    (lambda: pk.NeutralStart("w"), TypeError, "share: expected a number, got str 'w'"),
    (lambda: pk.NeutralStart(4.1), ValueError, r"share: expected a number in \[-4.0, 4.0\], got 4.1"),
    (lambda: pk.Portfolio(), ValueError, "solvers: expected at least one solver.*write Portfolio"),
    (lambda: pk.Portfolio("zero"), TypeError, r"solvers: expected Solver such as MaxProduct\(\), got str 'zero'"),
    (
        lambda: pk.Portfolio([pk.MaxProduct()]),
        TypeError,
        r"solvers: .*got a list of them; write Portfolio\(\*solvers\)",
    ),
    (lambda: pk.sample(MODEL, KEY, num_samples=1, num_sweeps=1), TypeError, "key: .*; the key comes before the model"),
    (
        lambda: pk.FactorGraph(GRID, unaries=np.zeros((2, 2, 2))),
        ValueError,
        r"unaries: .*\(2, 2, 2\); write \{'x': ...\} for",
    ),
    (lambda: pk.AtMostK(np.zeros((2, 2, 2), int), k=1), ValueError, r"ids: .*\(F, m\).*; use .reshape\(-1, m\)"),
    (lambda: pk.Polished(pk.PMP()), TypeError, r"solver: expected Solver such as MaxProduct\(\), got PerturbAndMAP"),
    (lambda: pk.SumProduct(temperature=0.0), ValueError, r"temperature: expected a number in \[0.0001, inf\], got 0.0"),
    (lambda: pk.SumProduct(damping=1.0), ValueError, "damping: .*got 1.0"),
    (lambda: pk.MPLP(tolerance=-1), ValueError, "tolerance: .*got -1.0"),
    (lambda: pk.MPLP(key=3), TypeError, "key: expected one key.*got int 3"),
    (
        lambda: pk.solve(pk.Ising(-CHAIN, np.zeros(3)), pk.MaxFlow()),
        ValueError,
        r"attractive model for MaxFlow.*got -1 between variables \[0, 1\]; use MaxProduct",
    ),
    (
        lambda: pk.solve(POTTS, pk.MaxFlow()),
        ValueError,
        "expected binary variables for MaxFlow, got 3 states; use MPLP",
    ),
    (
        lambda: pk.solve(pk.ising_lattice(3), pk.TreePass()),
        ValueError,
        "expected a tree or a forest.*at most 8 pairs, got 18",
    ),
    (
        lambda: sample(sampler=pk.PerturbAndMAP(pk.TreePass()), model=pk.CompleteIsing(0.5)),
        ValueError,
        "a tree or a fo",
    ),
    (
        lambda: fit(sampler=pk.PerturbAndMAP(pk.MaxFlow()), model=pk.CompleteIsing(-0.5)),
        ValueError,
        "an attractive mod",
    ),
    (
        lambda: pk.solve(TRIPLE, pk.MPLP()),
        ValueError,
        "expected a pairwise model, got Triple; use MaxProduct",
    ),
    (lambda: pk.solve(TRIPLE, pk.LinearProgram()), ValueError, "expected a pairwise model, got Triple"),
    (lambda: pk.solve(TRIPLE, pk.SumProduct()), ValueError, "got Triple; define its soft_update, or"),
    # exact
    (lambda: pk.exact.log_partition(BIG), ValueError, "model: expected at most 1048576 joint states.*enumerate"),
    (lambda: pk.exact.log_partition(MODEL, {"x": [5, 0, 0]}), ValueError, r"evidence\['x'\]: expected states 0 .. 1"),
    (lambda: pk.exact.kl(np.ones(2), np.ones(3)), ValueError, r"q: expected the shape \(2,\) of p, got \(3,\)"),
    (lambda: pk.exact.kl([np.nan, 1], [0, 1]), ValueError, r"p: expected finite numbers, got nan at index \[0\]"),
    (
        lambda: pk.exact.kl([1.0, 2.0], [0.5, 0.5]),
        ValueError,
        "p: expected probabilities that sum to 1, got .* sum 3;",
    ),
    (lambda: pk.exact.kl([0.5, 0.5], [1.5, -0.5]), ValueError, "q: expected probabilities .* numbers from -0.5 with"),
    (lambda: pk.exact.marginals(CHAIN), TypeError, r"model: expected a FactorGraph or anything with .graph\(\)"),
    (
        lambda: pk.exact.index_of(X, {"x": np.array([[0, 1, pk.FREE]])}),
        ValueError,
        "samples: expected a state for every",
    ),
    (lambda: pk.exact.index_of(X, {"x": [0, 1]}), ValueError, r"samples\['x'\]: expected shape"),
    (
        lambda: pk.exact.frequencies(X, {"x": [0, 1, 1]}),
        ValueError,
        r"samples: expected arrays \(N, .* leading axes \(\)",
    ),
    (
        lambda: pk.exact.frequencies(X, {"x": np.zeros((0, 3), int)}),
        ValueError,
        r"samples: .* with N >= 1, got .*\(0,\)",
    ),
    (
        lambda: jax.jit(lambda x: pk.exact.frequencies(X, {"x": x}))(np.zeros((2, 3), int)),
        TypeError,
        "index_of: expected arrays with values, got traced ones",
    ),
    # fit
    (lambda: fit(model=Fixed()), ValueError, "model: expected a model with parameters, got Fixed without any; derive"),
    (lambda: pk.fit_pseudo_likelihood(KEY, Fixed(), DATA, steps=1), ValueError, "model: expected a model with param"),
    (lambda: fit(key=3), TypeError, "key: expected one key"),
    (lambda: fit(steps=0), ValueError, "steps: expected at least 1, got 0"),
    (lambda: fit(data=None), ValueError, "data: expected either data or moments, got neither"),
    (lambda: fit(moments=MODEL), ValueError, "data: expected either data or moments, got both"),
    (
        lambda: fit(data={"x": np.zeros(3, int)}),
        ValueError,
        r"data: expected arrays \(N, \*block shape\) with N >= 1, got leading axes \(\); .* one row with x\[None\]",
    ),
    (lambda: fit(data={}), ValueError, r"data: expected a dict of arrays by block name, got an empty one; .*'x': ..."),
    (lambda: fit(data={"x": np.full((2, 3), pk.FREE)}), ValueError, "data: expected some known .* FREE everywhere"),
    (lambda: fit(data=FRAME), TypeError, r"data: expected a dict .*got DataFrame.*; write \{'x': data.to_numpy\(\)\}"),
    (lambda: fit(data=DATA["x"]), TypeError, r"data: expected a dict .*array of shape \(4, 3\).*; write \{'x': data\}"),
    (lambda: fit(data={"x": np.full((2, 3), 7)}), ValueError, r"data\['x'\]: expected states 0 .. 1.*got 7"),
    (lambda: fit(data={"v": np.zeros((2, 3), int)}), ValueError, "data: expected blocks among x, got 'v'"),
    (lambda: fit(batch_size=0), ValueError, "batch_size: expected at least 1"),
    (lambda: fit(optimizer={}), TypeError, "optimizer: expected an optax optimiser.*got dict"),
    (lambda: fit(persistent=[]), TypeError, "persistent: expected True or False, got list"),
    (lambda: fit(l1="1"), TypeError, "l1: expected a number, got str '1'"),
    (lambda: fit(optimizer=0.01), TypeError, "optimizer: expected an optax optimiser.*got float 0.01"),
    (lambda: fit(optimizer=optax.lbfgs()), TypeError, "missing .* required keyword-only arguments: 'value'"),
    (lambda: fit(l1=-1.0), ValueError, "l1: expected a number in"),
    (lambda: fit(moments=np.zeros(3), data=None), ValueError, "moments: expected the form of the model's parameters"),
    (lambda: fit(optimizer=optax.adam(0.1), positive=0), TypeError, "positive: expected Sampler such as PMP"),
    (lambda: fit(positive="means"), ValueError, "positive: expected a sampler or 'exact', got 'means'"),
    (lambda: fit(l2=-1.0), ValueError, "l2: expected a number in"),
    (lambda: fit(learning_rate=0.1), TypeError, "unexpected keyword argument 'learning_rate'"),
    (lambda: fit(sampler=pk.PMP(), persistent=True), ValueError, "persistent: .*got PerturbAndMAP.*PersistentPMP"),
    (lambda: fit(resume=MODEL.bias), TypeError, "resume: expected a TrainingState or the path of one"),
    (
        lambda: pk.data_moments(MODEL, {"x": HOLES}),
        ValueError,
        r"data\['x'\]: expected the states of all variables.*fit",
    ),
    (lambda: pk.fit_pseudo_likelihood(KEY, MODEL, {"x": HOLES}, steps=1), ValueError, "of all variables; use fit"),
    (lambda: pk.fit_pseudo_likelihood(KEY, MODEL, DATA, steps=0), ValueError, "steps: expected at least 1"),
    (lambda: pk.fit_pseudo_likelihood(0, MODEL, DATA, steps=1), TypeError, "key: expected one key"),
    (lambda: pk.log_pseudo_likelihood(MODEL, {"x": [0, 1, 0]}), ValueError, r"data: expected arrays \(N, \*block"),
    (lambda: pk.log_likelihood_gradient(MODEL, {"x": HOLES}, DATA), ValueError, "data: expected a state for every"),
    (lambda: pk.log_likelihood_gradient(MODEL, DATA, {"y": [0]}), ValueError, "samples: expected blocks among"),
    (lambda: pk.data_moments(MODEL, {"x": [0, 1, 0]}), ValueError, r"data: expected arrays \(N, \*block shape\)"),
    (lambda: pk.data_moments(MODEL, {"x": np.full((4, 3), 2)}), ValueError, r"data\['x'\]: expected states 0 .. 1"),
    (lambda: next(pk.training(KEY, MODEL, DATA, sampler=pk.MaxProduct())), TypeError, "sampler: expected Sampler such"),
    (lambda: next(pk.training(KEY, MODEL, DATA, num_chains=0)), ValueError, "num_chains: expected at least 1, got 0"),
    (lambda: next(pk.pseudo_training(0, MODEL, DATA)), TypeError, "key: expected one key"),
    (
        lambda: pk.fit_pseudo_likelihood(KEY, MODEL, DATA, steps=1, optimizer=1),
        TypeError,
        "optimizer: expected an optax optimiser such as",
    ),
    # storage
    (lambda: pk.save(3, MODEL), TypeError, "path: expected the path of a file such as 'model.eqx', got int 3"),
    (lambda: pk.load(3, MODEL), TypeError, "path: expected the path of a file"),
    (lambda: pk.load("missing.eqx", MODEL), OSError, "missing.eqx"),
    (lambda: pk.save("x.eqx", np.zeros(3)), TypeError, "thing: expected a model or a TrainingState, got an array"),
    (lambda: pk.load(__file__, MODEL), ValueError, "expected a complete file written by pmp_kit.save"),
    # measures
    (lambda: measures.log_partition_upper(KEY, MODEL, pk.PMP()), TypeError, "solver: expected Solver such as MaxProd"),
    (lambda: measures.log_partition_lower(KEY, MODEL, num_samples=1), ValueError, "num_samples: expected at least 2"),
    (lambda: measures.annealed_log_partition(KEY, MODEL, pk.PMP()), TypeError, r"sampler: expected Gibbs such as Gib"),
    (lambda: measures.annealed_log_partition(KEY, MODEL, num_chains=1), ValueError, "num_chains: expected at least 2"),
    (
        lambda: measures.annealed_log_partition(KEY, MODEL, num_chains=4, evidence=DATA),
        ValueError,
        "evidence: expected the block's shape",
    ),
    (
        lambda: measures.annealed_log_partition(KEY, MODEL, base={"z": [1]}),
        ValueError,
        "base: expected blocks among x, got 'z'",
    ),
    (lambda: measures.annealed_log_partition(KEY, MODEL, base={"x": [1]}), ValueError, r"base\['x'\]: expected shape"),
    (
        lambda: lattice_log_partition(MODEL),
        ValueError,
        "model: expected a lattice such as ising_lattice.*bloc",
    ),
    (lambda: lattice_log_partition(pk.ising_lattice(3, periodic=False)), ValueError, "lattice.*other factors"),
    (lambda: lattice_log_partition(pk.ising_lattice(19)), ValueError, "side of at most 18, got 19; use"),
    (lambda: measures.cavity_marginals(KEY, MODEL, pk.Gibbs()), TypeError, "sampler: expected PerturbAndMAP such as"),
    (lambda: cavity(noise=pk.Uniform()), TypeError, "sampler.noise: expected Gumbel such as Gumbel"),
    (lambda: cavity(noise=pk.Gumbel(0.0)), ValueError, "sampler.noise.scale: expected a number"),
    (
        lambda: measures.cavity_marginals(KEY, MODEL, pk.PerturbAndMAP(pk.Exhaustive())),
        ValueError,
        "sampler: expected one that passes messages",
    ),
    (
        lambda: measures.effective_sample_size(np.zeros((7, 2))),
        ValueError,
        r"values: expected shape \(at least 8 draws",
    ),
    (lambda: measures.effective_sample_size([[np.nan, 1]] * 9), ValueError, "values: expected finite numbers, got NaN"),
    (lambda: measures.log_partition_upper(KEY, MODEL, num_sweeps=-1), ValueError, "num_sweeps: expected at least 0"),
    (lambda: measures.cavity_marginals(KEY, MODEL, num_samples=1), ValueError, "num_samples: expected at least 2"),
    (lambda: measures.moment_errors(3, DATA), TypeError, "samples, reference: expected two arrays or two dicts, got i"),
    (lambda: measures.r_hat(HIDDEN), ValueError, "values: expected numbers without a mask, got 3 masked entries"),
    (lambda: measures.r_hat(np.zeros(9)), ValueError, r"values: expected shape .*got \(9,\)"),
    (lambda: measures.r_hat(np.full((9, 2), "a")), TypeError, "values: expected an array of numbers, got an array"),
    (lambda: measures.r_hat(np.zeros((9, 1))), ValueError, r"values: expected shape .*at least 2 chains.*got \(9, 1\)"),
    (lambda: measures.parameter_errors(MODEL, pk.CompleteIsing(1.0)), ValueError, "model: expected the blocks"),
    (
        lambda: measures.parameter_errors(MODEL, pk.FactorGraph(X)),
        ValueError,
        "model: expected the factors of the trut",
    ),
    (lambda: measures.moment_errors({"x": HOLES}, DATA), ValueError, "expected states 0, 1, ..., got -1"),
    (lambda: measures.divergence(MODEL, DATA, pseudo_count=-1), ValueError, "pseudo_count: expected a number in"),
    (lambda: measures.divergence(MODEL, {"x": [0, 1]}), ValueError, r"samples\['x'\]: expected shape"),
    (lambda: measures.divergence(MODEL, {"x": [0, 1, 0]}), ValueError, r"samples: expected arrays .* axes \(\)"),
    (lambda: measures.divergence(MODEL, {"x": np.zeros((0, 3), int)}), ValueError, r"samples: .* with N >= 1"),
    (lambda: measures.divergence(BIG, {"x": np.zeros((4, 25), int)}), ValueError, "at most 1048576 joint states"),
    (lambda: measures.panel(KEY, DATA["x"], DATA), TypeError, "samples: expected dict such as"),
    (
        lambda: measures.panel(KEY, {"real data": DATA}, DATA),
        ValueError,
        "samples: expected names other than 'real dat",
    ),
    (lambda: measures.panel(0, {"a": DATA}, DATA), TypeError, "key: expected one key"),
    (lambda: measures.panel(KEY, {}, {}), ValueError, "reference: expected at least one block, got an empty dict"),
    (
        lambda: measures.panel(KEY, {"a": {}}, DATA),
        ValueError,
        r"samples: expected the blocks \['x'\] of the reference",
    ),
    (lambda: measures.panel(KEY, {"a": 3}, DATA["x"]), ValueError, r"samples: expected shape .*, got \(\)"),
    (lambda: jax.jit(lambda x: measures.panel(KEY, {"a": x}, DATA["x"]))(DATA["x"]), TypeError, "samples: .* traced"),
    (lambda: sample(sampler=pk.PMP), TypeError, r"sampler: expected Sampler such as PMP\(\), got .*; write PMP\(\)"),
    (
        lambda: pk.save("x.eqx", {"x": DATA["x"]}),
        TypeError,
        r"thing: (?s:.*); save samples with np.savez\(path",
    ),
    (lambda: pk.Edges([[0, 2**32 + 1]], 1.0), ValueError, r"pairs: expected ids below 2\*\*31, got 4294967297"),
    (lambda: sample(sampler=pk.Gibbs(blocks=())), ValueError, r"blocks: expected each of \('x',\) once, got \(\)"),
    (
        lambda: pk.exact.states(MODEL.graph()),
        TypeError,
        "variables: expected Variables .*write .variables after",
    ),
    (
        lambda: pk.solve(Listed()),
        TypeError,
        r"model: expected a method .graph\(\) that returns a FactorGraph, got list",
    ),
    (lambda: pk.solve(Silent()), TypeError, r"model: expected a method .graph\(\) that returns a FactorGraph, got Non"),
    (
        lambda: pk.exact.moments(Silent(pk.FactorGraph(X))),
        ValueError,
        "model: expected a model with parameters, got",
    ),
    (lambda: pk.exact.marginals(pk.FactorGraph(X, [Nowhere()])), ValueError, "impossible or has a score of NaN"),
    (lambda: pk.FactorGraph(X, [Nowhere(np.array([[0, -2]]))]), ValueError, "ids: expected ids >= 0, got -2"),
    (lambda: pk.save("x.eqx", pk.PMP()), TypeError, "thing: expected a model .*; for a sampler, use pickle"),
    (lambda: pk.save("x.eqx", pk.Ising), TypeError, "thing: expected a model or a TrainingState, got"),
    (lambda: sample(previous=[[0, 1, 0]], sampler=pk.Gibbs()), TypeError, "previous: expected the .chains .*got list"),
    (lambda: sample(devices=[0]), TypeError, r"devices: expected a sequence of JAX devices .*, got list \[0\]"),
    (
        lambda: pk.Edges([[0, 1]], 1e39),
        ValueError,
        r"weight: expected finite numbers, got 1e\+39; it is too large for",
    ),
    (lambda: pk.Binary(3, auxiliary="yes"), TypeError, "auxiliary: expected True or False, got str 'yes'"),
    (lambda: KERNEL.sweep(KERNEL.init(KEY), KEY), TypeError, "state: expected KernelState such as kernel.init"),
    (lambda: jax.jit(lambda n: sample(num_sweeps=n))(np.array([3])), TypeError, "num_sweeps: expected a whole number"),
    (
        lambda: jax.jit(lambda d: sample(sampler=pk.PMP(d)))(np.zeros(3)),
        TypeError,
        "damping: expected a number, got",
    ),
    (
        lambda: jax.jit(lambda x: measures.moment_errors(x, x))(DATA["x"]),
        TypeError,
        "samples: expected arrays with",
    ),
    (lambda: jax.jit(measures.r_hat)(np.zeros((9, 2))), TypeError, "values: expected arrays with values, got traced"),
    (
        lambda: trace(observe=lambda view: view.states.mean(-1)),
        ValueError,
        r"observe: .* samples \(1\) on the last",
    ),
    (lambda: pk.metrics.mmd({}, {}), ValueError, "reference: expected at least one block, got an empty dict"),
    (lambda: pk.metrics.mmd([[0], [0, 1]], DATA["x"]), ValueError, "samples: expected rows of the same length"),
    (lambda: pk.metrics.mmd(np.full((4, 2), 2**40), DATA["x"][:, :2]), ValueError, "samples: expected states up to"),
    (
        lambda: pk.solve(pk.FactorGraph(X, [pk.ExactlyOne([0, 1, 2])], {"x": [2e30, 0, 0]})),
        ValueError,
        r"model: expected parameters of at most 1e\+20 nats, got 2e\+30 in .unaries",
    ),
    (
        lambda: pk.solve(
            eqx.tree_at(lambda g: g.factors[0].weight, pk.FactorGraph(X, [pk.Edges([[0, 1]], 3.0)]), float("nan"))
        ),
        ValueError,
        r"model: expected parameters of at most 1e\+20 nats, got nan in .factors\[0\].weight",
    ),
    (
        lambda: pk.FactorGraph(MIXED, [], {"y": -1e7 + np.array([[0.0, 0.3, 0.6], [0.0, 0.0, 0.0]])}),
        ValueError,
        r"unaries\['y'\]: expected scores whose differences float32 can hold, got -9999999.\d+ at index \[0, 1\]",
    ),
    (
        lambda: pk.FactorGraph(X, [], 1e8 + np.array([[0.0, 1.0]] * 3)),
        ValueError,
        r"unaries: expected scores whose differences float32 can hold, got 100000001 at index \[0, 1\]",
    ),
    (
        lambda: pk.EdgeTables([[0, 1]], 1e8 + np.eye(2)),
        ValueError,
        "table: expected scores whose differences float32 can hold.*from all scores of a factor",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD, ids=[message[:40] for _, _, message in BAD])
def test_bad_input_is_refused_with_a_clear_error(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda graph: sample(model=graph),
        lambda graph: trace(model=graph),
        lambda graph: pk.solve(graph),
        lambda graph: next(pk.stream(jax.random.key(0), graph, num_samples=2, num_sweeps=1)),
        lambda graph: pk.Kernel(graph, num_samples=2),
        lambda graph: pk.measures.log_partition_lower(jax.random.key(0), graph, num_samples=2, num_sweeps=1),
        lambda graph: pk.measures.cavity_marginals(jax.random.key(0), graph, num_samples=2, num_sweeps=1),
        lambda graph: pk.measures.annealed_log_partition(jax.random.key(0), graph, num_chains=2, num_temperatures=1),
        lambda graph: pk.measures.divergence(graph, {"x": np.zeros((2, 3, 3), int)}),
    ],
    ids=["sample", "trace", "solve", "stream", "Kernel", "lower bound", "cavity", "annealed", "divergence"],
)
@pytest.mark.parametrize("where", ["factors[0].weight", "unaries"])
def test_parameters_that_became_nan_are_refused(call, where):
    graph = pk.ising_lattice(3)
    parts = {"factors[0].weight": lambda graph: graph.factors[0].weight, "unaries": lambda graph: graph.unaries}
    spoiled = eqx.tree_at(parts[where], graph, replace_fn=lambda values: values * jnp.nan)
    call(graph)
    for _ in range(2):  # the second time, the answer is remembered
        with pytest.raises(ValueError, match=re.escape(f"got nan in .{where}; use a smaller learning rate")):
            call(spoiled)


def test_large_scores_are_accepted_if_float32_can_hold_their_differences():
    far = [0.0, 0.3, -1e9], [-1e9, -np.inf, -np.inf]  # 1e9 rounds to a multiple of 64, but far below the other scores
    graph = pk.FactorGraph(MIXED, [], {"x": [[1e7, 1e7 + 2], [0, 640422.65]], "y": far})
    marginals = pk.exact.marginals(graph)
    np.testing.assert_allclose(marginals["x"][0], [1 / (1 + np.exp(2)), 1 / (1 + np.exp(-2))], rtol=1e-5)
    np.testing.assert_allclose(marginals["y"][0], [1 / (1 + np.exp(0.3)), 1 / (1 + np.exp(-0.3)), 0], rtol=1e-5)


def test_masked_arrays_without_a_masked_entry_are_accepted():
    known = np.ma.masked_array([1, 0, pk.FREE], mask=False)
    assert sample(evidence={"x": known})["x"][:, :2].tolist() == [[1, 0], [1, 0]]


def test_raw_keys_are_accepted():
    old, new = jax.random.PRNGKey(7), jax.random.key(7)
    np.testing.assert_array_equal(sample(key=old, num_samples=20)["x"], sample(key=new, num_samples=20)["x"])
    with jax.default_prng_impl("rbg"):  # raw keys then have four numbers
        old, new = jax.random.PRNGKey(7), jax.random.key(7)
        np.testing.assert_array_equal(sample(key=old, num_samples=20)["x"], sample(key=new, num_samples=20)["x"])
