"""A user's script that a strict type checker accepts without unknown or ignored types. `test_typing.py` runs it."""

import tempfile
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import pmp_kit as pk

key = jax.random.key(0)

# samples, their moments, and traces over the sweeps
lattice = pk.ising_lattice(side=4, coupling=0.3)
samples: pk.Samples = pk.sample(key, lattice, pk.PMP(damping=0.5, noise=pk.Gumbel(0.9)), num_samples=20, num_sweeps=10)
up: float = samples["x"].mean(0).max()
for sampler in (pk.Gibbs(blocks=pk.colours(lattice)), pk.GibbsWithGradients(), pk.PerturbAndMAP(pk.MPLP())):
    print(type(sampler).__name__, pk.sample(key, lattice, sampler, num_samples=4, num_sweeps=5)["x"].shape)
history = pk.trace(key, lattice, num_sweeps=6, observe=pk.observe.beliefs, every=2, num_samples=3)
print(up, samples.sweeps.max(), history.sweeps.tolist(), history.values["x"].shape)

# learning, which returns the model's type; evidence with a free lower half; files
digits = pk.datasets.digits(only=3)
ready: pk.RBM = pk.pretrained("digits_rbm")
seen: list[float] = []
result = pk.fit(
    key, pk.rbm(key, visible=(8, 8), hidden=4), digits, pk.PMP(), steps=2, batch_size=5, num_sweeps=5,
    callback=lambda state: seen.append(float(state.gap)),
)  # fmt: skip
learned: pk.RBM = result.model
half = np.where(np.arange(8)[:, None] < 4, digits["v"][0], pk.FREE)
filled = pk.sample(key, learned, num_samples=5, num_sweeps=10, evidence={"v": half})["v"]
with tempfile.TemporaryDirectory() as folder:
    pk.save(Path(folder) / "model.npz", learned)
    weight: jax.Array = pk.load(Path(folder) / "model.npz", like=learned).weight
print(weight.shape, ready.weight.shape, learned.weight.mean(), result.history["gap"].tolist(), seen)
print(pk.metrics.mmd(filled, digits["v"]), pk.measures.moment_errors({"v": filled}, digits).first)

# a graph made by slicing, its best configuration, and the marginals and bounds that some solvers give
labels = pk.Variables(label=pk.Categorical(3, 4, states=3), on=pk.Binary(4))
ids = labels["label"]
pairs = [pk.Potts(pk.lattice_pairs(ids), weight=1.0, states=3), pk.EdgeTables([[0, 5]], [[0.0, -np.inf, 1.0]] * 3)]
gates = [pk.AtMostK(labels["on"], k=2), pk.Or(labels["on"][:3], labels["on"][3]), pk.Parity([12, 13], odd=True)]
image = pk.FactorGraph(
    labels,
    [*pairs, *gates],
    {"label": np.linspace(-1.0, 1.0, 36).reshape(3, 4, 3), "on": [0.1, 0.2, 0.3, 0.4]},
)
solution = pk.solve(image, pk.MaxProduct(schedule=pk.Alternating(), start="zero"), num_sweeps=50)
print(solution.states["label"].tolist(), float(solution.score), bool(solution.possible), solution.bound is None)
soft = pk.solve(lattice, pk.SumProduct(temperature=1.5), evidence={"x": np.full((4, 4), pk.FREE)})
if soft.marginals is not None and soft.log_partition is not None:
    print(soft.marginals["x"][..., 1].max() + float(soft.log_partition))


# a factor from a function, learned; exact answers by enumeration
def closeness(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    """A score for equal states of neighbours."""
    return -params["stiffness"] * jnp.abs(x[0] - x[1])


pair = pk.Variables(x=pk.Categorical(2, states=3))
custom = pk.FactorGraph(pair, [pk.Custom([[0, 1]], closeness, {"stiffness": 1.0}, states=3)])
found = pk.fit(key, custom, moments=pk.exact.moments(custom), steps=2, num_chains=8, num_sweeps=5).model
print(found.variables.count, float(pk.exact.log_partition(custom)), pk.exact.marginals(custom)["x"].sum(-1))
print(pk.measures.log_partition_upper(key, custom, pk.Exhaustive(), num_samples=5).value)


# many models in one compiled call, and loops in user code
def draw(weight: jax.Array) -> jax.Array:
    """The mean state under one weight of a pair."""
    model = pk.Ising(weight * np.eye(2)[::-1], [0.0, 0.0])
    return pk.sample(key, model, pk.PMP(damping=weight / 10.0), num_samples=8, num_sweeps=5)["x"].mean()


weights = jax.random.uniform(key, (3,))
print(jax.vmap(draw)(weights), eqx.filter_jit(draw)(weights[0]))
kernel = pk.Kernel(lattice, pk.DiscreteLangevin(step_size=0.5), num_samples=6)
state = kernel.init(key)
for _ in range(3):
    state = kernel.sweep(key, state)
scores: np.ndarray = pk.score(lattice, kernel.states(state))
print(scores.max(), kernel.done(state).any(), int(state.sweeps))
