"""Bad input raises an error that names the argument, the expected value, the given value and, if needed, the fix."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import scipy.sparse

import pmp_kit as pk
from pmp_kit import measures
from pmp_kit.course.experiments.programs.lattice import lattice_log_partition

KEY = jax.random.key(0)
X = pk.Variables(x=pk.Binary(3))
MIXED = pk.Variables(x=pk.Binary(2), y=pk.Categorical(2, states=3))
GRID = pk.Variables(x=pk.Binary(2, 2))
MODEL = pk.Ising(np.zeros((3, 3)), np.zeros(3))
BIG = pk.FactorGraph(pk.Variables(x=pk.Binary(25)))
SKEW = np.array([[0.0, 1.0], [2.0, 0.0]])
CHAIN = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
POTTS = pk.FactorGraph(pk.Variables(x=pk.Categorical(2, states=3)), [pk.EdgeTables([[0, 1]], np.eye(3))])
DATA = {"x": np.zeros((4, 3), int)}
HOLES = np.array([[0, 1, pk.FREE]])
SPARSE = scipy.sparse.eye_array(3, dtype=int)
HIDDEN = np.ma.masked_array(np.ones((4, 3), int), mask=np.eye(4, 3) > 0)
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
    (lambda: X["y"], ValueError, "block name: expected one of x, got 'y'"),
    # factors and graphs
    (lambda: pk.DensePairwise([0, 1], np.zeros((3, 3))), ValueError, r"weight: expected shape \(2, 2\), got \(3, 3\)"),
    (lambda: pk.DensePairwise([0, 1], SKEW), ValueError, r"weight: expected a symmetric matrix.*\(weight \+ weight.T"),
    (lambda: pk.DensePairwise([0, 0], np.zeros((2, 2))), ValueError, "at: expected distinct variables.*id 0 twice"),
    (lambda: pk.DensePairwise([0.5, 1], np.zeros((2, 2))), TypeError, "at: expected integer variable ids.*float64"),
    (lambda: pk.Edges([[0, 1, 2]], 1.0), ValueError, r"pairs: expected shape \(any, 2\), got \(1, 3\)"),
    (lambda: pk.Edges([[1, 1]], 1.0), ValueError, r"pairs: expected two different variables, got \[1, 1\] at edge 0"),
    (lambda: pk.Edges([[0, 1]], [1.0, 2.0]), ValueError, r"weight: expected one number or shape \(1,\), got \(2,\)"),
    (lambda: pk.Edges([1, [2]], 1.0), ValueError, "pairs: expected rows of the same length"),
    (lambda: pk.Edges([[0, 1]], "1"), TypeError, "weight: expected an array of numbers, got str '1'"),
    (lambda: pk.Edges([[0, 1]], np.array([1j])), TypeError, "weight: expected an array of numbers.*dtype complex128"),
    (lambda: pk.EdgeTables([[0, 1]], np.zeros(2)), ValueError, r"table: expected shape \(C, C\) or \(1, C, C\)"),
    (lambda: pk.FactorGraph(X, [pk.Edges([[0, 3]], 1.0)]), ValueError, "pairs: expected ids below n = 3, got 3"),
    (lambda: pk.FactorGraph(MIXED, [pk.Edges([[0, 2]], 1.0)]), ValueError, "pairs: expected binary variables.*EdgeTab"),
    (lambda: pk.FactorGraph(MIXED, [pk.EdgeTables([[0, 2]], np.eye(2))]), ValueError, "expected 3 states at place 1"),
    (lambda: pk.FactorGraph({"x": 3}), TypeError, r"variables: expected Variables such as .*got dict"),
    (lambda: pk.FactorGraph(X, [MODEL]), TypeError, "factors: expected Factor such as Edges"),
    (lambda: pk.FactorGraph(X, unaries={"x": np.zeros(2)}), ValueError, r"unaries\['x'\]: expected shape \(3, 2\) or"),
    (lambda: pk.FactorGraph(X, unaries={"z": np.zeros(3)}), ValueError, "unaries: expected blocks among x, got 'z'"),
    (
        lambda: pk.FactorGraph(pk.Variables(x=pk.Binary(3), y=pk.Binary(2)), unaries={"y": [[0, np.inf], [0, 0]]}),
        ValueError,
        r"unaries\['y'\]: expected finite numbers, got inf at index \[0, 1\]",
    ),
    # logic, parity, pools
    (lambda: pk.And([0, 1], [1, 2]), ValueError, "child: expected one id for each of 1 factors, got 2"),
    (lambda: pk.Or([0, 1], 1), ValueError, r"parents and child: expected distinct .* id 1 twice in factor 0"),
    (lambda: pk.Or([[0, 1], [2]], [3, 4]), ValueError, "parents: expected rows of the same length; .*for each size"),
    (lambda: pk.Parity([0, 1], odd=2), ValueError, r"odd: expected True or False \(1 or 0\), or 1 of them, got int 2"),
    # cardinality, counts, tables, Potts
    (lambda: pk.ExactlyK([0, 1, 2], 4), ValueError, "k: expected 0 .. 3, the number of variables in a factor, got 4"),
    (lambda: pk.ExactlyOne([0, 0]), ValueError, "ids: expected distinct variables in each factor"),
    (lambda: pk.CountPotential([0, 1], np.zeros(2)), ValueError, r"scores: expected shape \(3,\) or \(1, 3\), got \(2"),
    (lambda: pk.CountPotential([0, 1], [np.inf, 0, 0]), ValueError, r"scores: expected finite .* inf at index \[0\]"),
    (lambda: pk.CountPotential([0, 1], [-np.inf] * 3), ValueError, "scores: expected at least one finite score in eac"),
    (lambda: pk.NWise([0, 1, 2], np.zeros((2, 2))), ValueError, r"table: expected shape \(C, C, C\) or \(1, C, C, C\)"),
    (lambda: pk.Tables([], []), ValueError, "scopes: expected at least one factor, got none"),
    (lambda: pk.Tables([[0, 1], 2], [np.eye(2), [0, 1]]), ValueError, r"scopes\[1\]: expected one or more ids"),
    (lambda: pk.Tables([[0, 1], [1, 1]], [np.eye(2)] * 2), ValueError, r"scopes\[1\]: expected distinct variables"),
    (lambda: pk.Tables([[0, 1]], np.eye(2)), TypeError, "tables: expected a list of arrays, one for each factor"),
    (lambda: pk.Tables([[0, 1]], [np.eye(2)] * 2), ValueError, "tables: expected one for each of 1 scopes, got 2"),
    (lambda: pk.Tables([[0, 1]], [np.zeros(4)]), ValueError, r"tables\[0\]: expected shape \(C_1, C_2\).*use .reshape"),
    (lambda: pk.Tables([[0]], [[-np.inf] * 2]), ValueError, r"tables\[0\]: expected at least one finite score"),
    (lambda: pk.FactorGraph(X, [pk.Tables([[0, 1]], [np.eye(3)])]), ValueError, "tables: expected 2 states at place 0"),
    (lambda: pk.FactorGraph(X, [pk.NWise([0, 1], np.eye(3))]), ValueError, "table: expected 2 states at place 0.*got"),
    (lambda: pk.ConvOr(CONV[0][0], *CONV[1:]), ValueError, r"features: expected shape \(features, height, width\)"),
    (lambda: pk.ConvOr(*CONV[:2], CONV[2][:, :2]), ValueError, r"images: expected shape \(1, 3, 3\)"),
    (lambda: pk.blind_deconvolution(2, feature_shape=6), ValueError, r"feature_shape: expected \(height, width\), got"),
    (lambda: pk.blind_deconvolution(2, (4, 4)), ValueError, r"feature_shape: expected a shape that fits .*\(4, 4\)"),
    (lambda: pk.blind_deconvolution(2, location_rate=0.0), ValueError, "location_rate: expected a probability above 0"),
    (lambda: pk.Binary((4, 4)), TypeError, r"shape: expected one number for each axis, as in Binary\(4, 4\), got \(4,"),
    (lambda: pk.Custom([0, 1], "f", 1.0), TypeError, "function: expected a function of two arguments, .*, got str"),
    (lambda: pk.Custom([0, 1], lambda p, x: x[0] == x[1], 1.0), TypeError, r"return jnp.where\(condition, 0.0, -jnp.i"),
    (lambda: pk.Custom([0, 1], lambda p, x: p if x[0] else 0.0, 1.0), TypeError, r"such as `if`, .*; use jnp.where"),
    (lambda: pk.Custom([0, 1], lambda x, p: p * x[0], 1.0), TypeError, r"function\(params, x\).* IndexError: Too many"),
    (lambda: pk.Custom([0, 1], lambda x, p: x[0] * p["a"], {"a": 1.0}), TypeError, "got KeyError: 0.*; swap params"),
    (lambda: pk.Custom([0, 1], lambda p, x: p * x, 1.0), ValueError, r"one score .* shape \(2,\); it is called as f"),
    (lambda: pk.Custom([0, 1], lambda p, x: None, 1.0), TypeError, "function: expected a score in nats, got None"),
    (lambda: pk.Custom(np.arange(20), lambda p, x: p, 1.0), ValueError, "states: expected at most 65536 joint states"),
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
        lambda: pk.sample(KEY, TRIPLE, pk.ForwardBackward(), num_samples=1, num_sweeps=0),
        ValueError,
        r"use MaxProduct\(\) as a solver, or Exhaustive\(\).*; PMP\(\) as a sampler",
    ),
    (lambda: pk.Potts([[0, 1]], np.nan, states=3), ValueError, "weight: expected finite numbers, got nan; look for 0"),
    (lambda: pk.FactorGraph(X, [pk.Potts([[0, 1]], 1.0, states=3)]), ValueError, "states: expected the 2 states of va"),
    # models
    (lambda: pk.lattice_pairs(np.arange(3)), ValueError, "ids: expected a 2-D array of ids.*got an array of shape"),
    (lambda: pk.binary_to_spins(np.zeros((2, 3)), 0.0), ValueError, r"weight: expected a square matrix, got shape \(2"),
    (lambda: pk.spins_to_binary(SKEW, 0.0), ValueError, r"coupling: .* symmetric .*, got coupling\[0, 1\] = 1.0"),
    (lambda: pk.pretrained("mnist"), ValueError, r"name: expected one of digits_rbm, .*, got 'mnist'"),
    (lambda: pk.ising_lattice(2), ValueError, "side: expected at least 3, got 2"),
    (lambda: pk.ising_lattice(3, 0.1, periodic="no"), TypeError, "periodic: expected True or False, got str 'no'"),
    (lambda: pk.CompleteIsing(0.5, spins=1), ValueError, "spins: expected at least 2, got 1"),
    (lambda: pk.rbm(0, 4, 3), TypeError, "key: expected one key such as jax.random.key.*got int 0"),
    (lambda: pk.RBM(np.zeros((4, 2)), np.zeros(3), np.zeros(2)), ValueError, r"visible_bias: expected shape \(4,\)"),
    (lambda: pk.RBM(np.zeros((4, 2)), np.zeros(4), np.zeros(2), (3, 2)), ValueError, "visible: expected a shape of 4"),
    # hyper-parameters
    (lambda: pk.PMP(damping=1.5), ValueError, r"damping: expected a number in \[0.0, 0.999\], got 1.5"),
    (lambda: pk.PMP(damping="half"), TypeError, "damping: expected a number, got str 'half'"),
    (lambda: pk.PMP(start="warm"), ValueError, "start: expected one of 'zero', 'neutral', or RandomStart.*got str 'wa"),
    (lambda: pk.PMP(tolerance=-1.0), ValueError, "tolerance: .*got -1.0"),
    (lambda: pk.PMP(tolerance=b"1"), TypeError, "tolerance: expected a number"),
    (lambda: pk.PMP(noise=1.0), TypeError, "noise: expected Noise such as Gumbel.*got float"),
    (lambda: pk.Gumbel(scale=-1.0), ValueError, "scale: expected a number in .*got -1.0"),
    (lambda: pk.PerturbAndMAP(pk.PMP()), TypeError, r"such as MaxProduct\(\), got PerturbAndMAP\( solver="),
    (lambda: pk.SumOfGamma(kappa=0.5), ValueError, r"kappa: expected a number in \[1.0, .*got 0.5"),
    (lambda: pk.DiscreteLangevin(step_size=0.0), ValueError, "step_size: expected a number in .*got 0.0"),
    (lambda: pk.PersistentPMP(noise=pk.SumOfGamma()), ValueError, "noise: expected a family .*got SumOfGamma; use PMP"),
    (lambda: pk.PersistentPMP(rho=1.5), ValueError, r"rho: expected a number in \[0.0, 1.0\], got 1.5"),
    (lambda: pk.PersistentPMP(solver=pk.Exhaustive()), TypeError, r"solver: expected MaxProduct such as MaxProduct"),
    (lambda: pk.ParallelTempering((2.0, 1.0)), ValueError, r"temperatures: expected increasing.*got \[2.0, 1.0\]"),
    (lambda: pk.ParallelTempering(sampler=pk.PMP()), TypeError, r"sampler: expected Chain such as Gibbs\(\)"),
    (lambda: pk.Gibbs(blocks=3), TypeError, r"blocks: expected names such as \('h', 'v'\), or .*got int 3"),
    # solve, sample, trace
    (lambda: sample(key=0), TypeError, "key: expected one key.*got int 0"),
    (lambda: sample(key=jax.random.split(KEY)), TypeError, r"key: expected one key.*shape \(2,\)"),
    (lambda: sample(model=np.zeros(3)), TypeError, r"model: expected a FactorGraph or anything with .graph\(\)"),
    (
        lambda: sample(sampler=pk.MaxProduct()),
        TypeError,
        r"sampler: expected Sampler such as PMP\(\), got MaxProduct.*; wrap it in PerturbAndMAP\(\.\.\.\)",
    ),
    (lambda: sample(sampler=pk.MaxProduct), TypeError, r"sampler: expected Sampler .*; write MaxProduct\(\)"),
    (lambda: sample(sampler=pk.Gibbs(blocks=("z",))), ValueError, r"blocks: expected each of \('x',\) once, got \('z'"),
    (lambda: sample(sampler=pk.Gibbs(blocks=([0, 1],))), ValueError, r"blocks: expected each of .*got 1 lists of ids"),
    (lambda: sample(num_samples=0), ValueError, "num_samples: expected at least 1, got 0"),
    (lambda: jax.jit(lambda n: sample(num_samples=n))(2), TypeError, "num_samples: .*so make it a static argument"),
    (lambda: sample(num_sweeps=-1), ValueError, "num_sweeps: expected at least 0, got -1"),
    (lambda: sample(num_sweeps=2**31), ValueError, "num_sweeps: expected at most 2147483647, got 2147483648"),
    (lambda: sample(chunk=0), ValueError, "chunk: expected at least 1, got 0"),
    (lambda: sample(evidence=[0, 1, 0]), TypeError, "evidence: expected a dict of arrays by block name, got list"),
    (lambda: sample(evidence={"v": [0, 1, 0]}), ValueError, "evidence: expected blocks among x, got 'v'"),
    (lambda: sample(evidence={"x": [0, 1]}), ValueError, r"evidence\['x'\]: expected shape \(..., 3\), got \(2,\)"),
    (lambda: pk.exact.marginals(MODEL, {"x": np.ones((2, 3))}), ValueError, r"shape \(one problem\), got leading"),
    (lambda: sample(evidence={"x": [0, 1, 2]}), ValueError, r"evidence\['x'\]: expected states 0 .. 1, or pk.FREE"),
    (lambda: sample(evidence={"x": [1, -1, 1]}), ValueError, r"got -1; this looks like spins, use \(spins \+ 1\) // 2"),
    (lambda: sample(evidence={"x": [0, -1, 1]}), ValueError, "got -1; write pk.FREE, and not -1, for unknown states"),
    (lambda: sample(evidence={"x": [0.5, 0, 0]}), TypeError, r"evidence\['x'\]: expected whole-number.*round"),
    (lambda: sample(evidence={"x": [1, np.nan, 0]}), TypeError, r"\['x'\]: .*, got missing values; write pk.FREE"),
    (lambda: fit(data={"x": np.array([[0, 1, 1]], object)}), TypeError, r"dtype object; write x.astype\(int\)"),
    (lambda: fit(callback="stop"), TypeError, "callback: expected a function of the TrainingState, got str"),
    (lambda: pk.solve(POTTS, evidence={"x": [True, False]}), TypeError, r"\['x'\]: .*states 0 .. 2, or pk.FREE .*, go"),
    (lambda: sample(evidence={"x": HIDDEN[0]}), ValueError, r"evidence\['x'\]: .*got 1 masked.*\.filled\(pk.FREE\)"),
    (lambda: fit(data={"x": HIDDEN}), ValueError, r"data\['x'\]: expected numbers without a mask, got 3 masked"),
    (lambda: fit(data={"x": SPARSE}), TypeError, r"a sparse one of shape \(3, 3\); use data\['x'\]\.toarray\(\)"),
    (lambda: sample(evidence={"x": np.zeros((5, 3), int)}), ValueError, "evidence: expected the block's shape, option"),
    (
        lambda: sample(sampler=pk.Gibbs(), previous=np.zeros((7, 1, 3))),
        ValueError,
        "previous: expected the .chains of 2 samples, got 7",
    ),
    (lambda: sample(previous=np.zeros((2, 1, 3))), ValueError, "previous: expected a sampler .* use PersistentPMP"),
    (lambda: sample(devices=3), TypeError, "devices: expected a sequence of JAX devices such as"),
    (lambda: sample(devices=jax.devices()[:1] * 2), ValueError, "devices: expected distinct devices"),
    (lambda: pk.score(MODEL, {}), ValueError, r"states: expected all of \['x'\], got none for 'x'"),
    (lambda: pk.score(MODEL, {"x": [0, 1, pk.FREE]}), ValueError, "states: expected a state for every variable"),
    (lambda: np.asarray(sample()), TypeError, r"samples: expected one block such as samples\['x'\], got all of"),
    (
        lambda: sample(sampler=pk.Gibbs(), previous=np.zeros((2, 4, 1, 3))),
        ValueError,
        "previous: expected the .chains of the same sampler",
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
    (lambda: pk.solve(pk.RBM), TypeError, r"model: expected a FactorGraph .*, got .*RBM.*; write RBM\(\.\.\.\)"),
    (lambda: trace(observe="beliefs"), TypeError, "observe: expected a function such as"),
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
    (lambda: pk.solve(MODEL, pk.PMP()), TypeError, r"solver: expected Solver such as MaxProduct\(\), got PerturbAndMA"),
    (lambda: pk.solve(BIG, pk.Exhaustive()), ValueError, "model: expected at most 1048576 joint states"),
    # solvers
    (lambda: pk.MaxProduct(schedule="alternating"), TypeError, r"schedule: expected Schedule such as Flooding\(\), go"),
    (lambda: pk.NeutralStart(4.1), ValueError, r"share: expected a number in \[-4.0, 4.0\], got 4.1"),
    (lambda: pk.Portfolio(), ValueError, "solvers: expected at least one solver.*write Portfolio"),
    (lambda: pk.Portfolio([pk.MaxProduct()]), TypeError, r"solvers: .*got a list of them; write Portfolio\(\*solvers"),
    (lambda: pk.sample(MODEL, KEY, num_samples=1, num_sweeps=1), TypeError, "key: .*; the key comes before the model"),
    (lambda: pk.FactorGraph(GRID, unaries=np.zeros((2, 2, 2))), ValueError, r"unaries: .*\(2, 2, 2\); write \{'x':"),
    (lambda: pk.AtMostK(np.zeros((2, 2, 2), int), k=1), ValueError, r"ids: .*\(F, m\).*; use .reshape\(-1, m\)"),
    (lambda: pk.SumProduct(temperature=0.0), ValueError, r"temperature: expected a number in \[0.0001, inf\], got 0.0"),
    (
        lambda: pk.solve(pk.Ising(-CHAIN, np.zeros(3)), pk.MaxFlow()),
        ValueError,
        r"attractive model for MaxFlow.*got -1 between variables \[0, 1\]; use MaxProduct",
    ),
    (lambda: pk.solve(POTTS, pk.MaxFlow()), ValueError, "expected binary variables for MaxFlow, got 3 states; use MPL"),
    (lambda: pk.solve(pk.ising_lattice(3), pk.TreePass()), ValueError, "expected a tree or a forest.*at most 8 pairs,"),
    (lambda: pk.solve(TRIPLE, pk.MPLP()), ValueError, "expected a pairwise model, got Triple; use MaxProduct"),
    (lambda: pk.solve(TRIPLE, pk.SumProduct()), ValueError, "got Triple; define its soft_update, or"),
    # exact
    (lambda: pk.exact.kl(np.ones(2), np.ones(3)), ValueError, r"q: expected the shape \(2,\) of p, got \(3,\)"),
    (lambda: pk.exact.kl([1.0, 2.0], [0.5, 0.5]), ValueError, "p: expected probabilities that sum to 1, got .* sum 3;"),
    (lambda: pk.exact.frequencies(X, {"x": [0, 1, 1]}), ValueError, r"samples: expected arrays \(N, .* leading axes"),
    # fit
    (lambda: fit(model=Fixed()), ValueError, "model: expected a model with parameters, got Fixed without any; derive"),
    (lambda: fit(data=None), ValueError, "data: expected either data or moments, got neither"),
    (lambda: fit(moments=MODEL), ValueError, "data: expected either data or moments, got both"),
    (
        lambda: fit(data={"x": np.zeros(3, int)}),
        ValueError,
        r"data: expected arrays \(N, \*block shape\) with N >= 1, got leading axes \(\); .* one row with x\[None\]",
    ),
    (lambda: fit(data={}), ValueError, r"data: expected a dict of arrays by block name, got an empty one; .*'x': ..."),
    (lambda: fit(data={"x": np.full((2, 3), pk.FREE)}), ValueError, "data: expected some known .* FREE everywhere"),
    (lambda: fit(data=DATA["x"]), TypeError, r"data: expected a dict .*array of shape \(4, 3\).*; write \{'x': data\}"),
    (lambda: fit(optimizer=0.01), TypeError, "optimizer: expected an optax optimiser.*got float 0.01"),
    (lambda: fit(optimizer=optax.lbfgs()), TypeError, "missing .* required keyword-only arguments: 'value'"),
    (lambda: fit(moments=np.zeros(3), data=None), ValueError, "moments: expected the form of the model's parameters"),
    (lambda: fit(positive="means"), ValueError, "positive: expected a sampler or 'exact', got 'means'"),
    (lambda: fit(sampler=pk.PMP(), persistent=True), ValueError, "persistent: .*got PerturbAndMAP.*PersistentPMP"),
    (lambda: fit(resume=MODEL.bias), TypeError, "resume: expected a TrainingState or the path of one"),
    (lambda: pk.data_moments(MODEL, {"x": HOLES}), ValueError, r"data\['x'\]: expected the states of all variables.*f"),
    # storage
    (lambda: pk.save(3, MODEL), TypeError, "path: expected the path of a file such as 'model.eqx', got int 3"),
    (lambda: pk.save("x.eqx", np.zeros(3)), TypeError, "thing: expected a model or a TrainingState, got an array"),
    # measures
    (lambda: measures.log_partition_upper(KEY, MODEL, pk.PMP()), TypeError, "solver: expected Solver such as MaxProd"),
    (lambda: measures.log_partition_lower(KEY, MODEL, num_samples=1), ValueError, "num_samples: expected at least 2"),
    (lambda: measures.annealed_log_partition(KEY, MODEL, pk.PMP()), TypeError, r"sampler: expected Gibbs such as Gib"),
    (lambda: measures.annealed_log_partition(KEY, MODEL, base={"x": [1]}), ValueError, r"base\['x'\]: expected shape"),
    (lambda: lattice_log_partition(MODEL), ValueError, "model: expected a lattice such as ising_lattice.*bloc"),
    (lambda: lattice_log_partition(pk.ising_lattice(19)), ValueError, "side of at most 18, got 19; use"),
    (lambda: measures.cavity_marginals(KEY, MODEL, pk.Gibbs()), TypeError, "sampler: expected PerturbAndMAP such as"),
    (lambda: cavity(noise=pk.Uniform()), TypeError, "sampler.noise: expected Gumbel such as Gumbel"),
    (
        lambda: measures.cavity_marginals(KEY, MODEL, pk.PerturbAndMAP(pk.Exhaustive())),
        ValueError,
        "sampler: expected one that passes messages",
    ),
    (lambda: measures.effective_sample_size(np.zeros((7, 2))), ValueError, r"values: expected shape \(at least 8 draw"),
    (lambda: measures.effective_sample_size([[np.nan, 1]] * 9), ValueError, "values: expected finite numbers, got NaN"),
    (lambda: measures.moment_errors(3, DATA), TypeError, "samples, reference: expected two arrays or two dicts, got i"),
    (lambda: measures.r_hat(np.zeros((9, 1))), ValueError, r"values: expected shape .*at least 2 chains.*got \(9, 1\)"),
    (lambda: measures.parameter_errors(MODEL, pk.CompleteIsing(1.0)), ValueError, "model: expected the blocks"),
    (lambda: measures.parameter_errors(MODEL, pk.FactorGraph(X)), ValueError, "model: expected the factors of the tru"),
    (lambda: measures.panel(KEY, DATA["x"], DATA), TypeError, "samples: expected dict such as"),
    (lambda: measures.panel(KEY, {"real data": DATA}, DATA), ValueError, "samples: expected names other than 'real da"),
    (lambda: measures.panel(KEY, {"a": {}}, DATA), ValueError, r"samples: expected the blocks \['x'\] of the referenc"),
    (lambda: pk.save("x.eqx", {"x": DATA["x"]}), TypeError, r"thing: (?s:.*); save samples with np.savez\(path"),
    (lambda: pk.Edges([[0, 2**32 + 1]], 1.0), ValueError, r"pairs: expected ids below 2\*\*31, got 4294967297"),
    (lambda: pk.exact.states(MODEL.graph()), TypeError, "variables: expected Variables .*write .variables after"),
    (lambda: pk.solve(Silent()), TypeError, r"model: expected a method .graph\(\) that returns a FactorGraph, got Non"),
    (lambda: pk.exact.moments(Silent(pk.FactorGraph(X))), ValueError, "model: expected a model with parameters, got"),
    (lambda: pk.save("x.eqx", pk.PMP()), TypeError, "thing: expected a model .*; for a sampler, use pickle"),
    (lambda: sample(previous=[[0, 1, 0]], sampler=pk.Gibbs()), TypeError, "previous: expected the .chains .*got list"),
    (lambda: pk.Edges([[0, 1]], 1e39), ValueError, r"weight: expected finite numbers, got 1e\+39; it is too large for"),
    (lambda: KERNEL.sweep(KERNEL.init(KEY), KEY), TypeError, "state: expected KernelState such as kernel.init"),
    (lambda: trace(observe=lambda view: view.states.mean(-1)), ValueError, r"observe: .* samples \(1\) on the last"),
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
        lambda graph: next(pk.stream(KEY, graph, num_samples=2, num_sweeps=1)),
        lambda graph: pk.Kernel(graph, num_samples=2),
        lambda graph: measures.log_partition_lower(KEY, graph, num_samples=2, num_sweeps=1),
        lambda graph: measures.annealed_log_partition(KEY, graph, num_chains=2, num_temperatures=1),
    ],
    ids=["sample", "trace", "solve", "stream", "Kernel", "lower bound", "annealed"],
)
def test_parameters_that_became_nan_are_refused(call):
    graph = pk.ising_lattice(3)
    spoiled = eqx.tree_at(lambda graph: graph.factors[0].weight, graph, replace_fn=lambda values: values * jnp.nan)
    call(graph)
    for _ in range(2):  # the second time, the answer is remembered
        with pytest.raises(ValueError, match=r"got nan in \.factors\[0\]\.weight; use a smaller learning rate"):
            call(spoiled)


def test_masked_arrays_without_a_masked_entry_are_accepted():
    known = np.ma.masked_array([1, 0, pk.FREE], mask=False)
    assert sample(evidence={"x": known})["x"][:, :2].tolist() == [[1, 0], [1, 0]]


def test_raw_keys_are_accepted():
    old, new = jax.random.PRNGKey(7), jax.random.key(7)
    np.testing.assert_array_equal(sample(key=old, num_samples=20)["x"], sample(key=new, num_samples=20)["x"])
    with jax.default_prng_impl("rbg"):  # raw keys then have four numbers
        old, new = jax.random.PRNGKey(7), jax.random.key(7)
        np.testing.assert_array_equal(sample(key=old, num_samples=20)["x"], sample(key=new, num_samples=20)["x"])
