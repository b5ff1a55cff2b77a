"""The five timed workloads, at full size and at a quick size for tests."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ....engine.devices import Devices
from ....factors import Edges
from ....graph import FactorGraph
from ....models import Ising, blind_deconvolution, ising_lattice, lattice_pairs, rbm
from ....sample import Samples, sample
from ....samplers import PMP, AbstractSampler
from ....solvers import Alternating
from ....solvers.max_product import paper_settings
from ....variables import Binary, Variables

SIZES: dict[str, dict[str, dict[str, Any]]] = {
    "full": {
        "dense": {"variables": 900, "chains": 100},
        "rbm": {"visible": 784, "hidden": 500, "chains": 100},
        "lattice": {"side": 25, "chains": 20},
        "erdos-renyi": {"variables": 200, "chains": 20},
        "deconvolution": {"images": 100, "size": 14, "features": 5, "feature": 6},
    },
    "quick": {
        "dense": {"variables": 40, "chains": 6},
        "rbm": {"visible": 24, "hidden": 16, "chains": 6},
        "lattice": {"side": 6, "chains": 4},
        "erdos-renyi": {"variables": 30, "chains": 4},
        "deconvolution": {"images": 4, "size": 8, "features": 2, "feature": 3},
    },
}


class Effort(NamedTuple):
    """The effort of a measurement."""

    rounds: int
    seconds: float
    """Minimum time difference between the longer and the shorter of two runs."""
    first_calls: int


EFFORT = {"full": Effort(9, 0.3, 3), "quick": Effort(3, 0.01, 1)}


ALGORITHM_1 = PMP(**paper_settings())
"""The paper's Algorithm 1: messages start at zero, flooding schedule, all sweeps, the last decoded state."""
LAYERED = PMP(**paper_settings(schedule=Alternating()))
"""The same algorithm with one layer after the other, as in the authors' code for blind deconvolution."""
SEED = 1
"""Seed of the samples in all measurements, so that two runs of the benchmark do the same work."""


class Workload(NamedTuple):
    """A model and the settings for sampling from it."""

    name: str
    model: Any
    chains: int
    evidence: dict | None
    blocks: tuple[str, ...]
    """Blocks whose states `flat` returns, in this order."""
    messages: int
    """Directed messages in a sweep of all chains."""
    algorithm: AbstractSampler = ALGORITHM_1
    """The paper's algorithm as a sampler of the package."""

    def sample(self, key, sampler: AbstractSampler, num_sweeps: int, devices: Devices | None = None) -> Samples:
        numbers = {"num_samples": self.chains, "num_sweeps": num_sweeps}
        return sample(key, self.model, sampler, **numbers, evidence=self.evidence, devices=devices)

    def flat(self, samples) -> np.ndarray:
        """Return the states of `blocks`, (chains, variables)."""
        return np.concatenate([samples[name].reshape(self.chains, -1) for name in self.blocks], axis=1)


def dense(variables: int, chains: int) -> Workload:
    """Build a fully connected spin glass with couplings N(0, 1/n), of the size of Section 5.3."""
    spins = np.random.default_rng(0).normal(size=(variables, variables)) / np.sqrt(2 * variables)
    spins = spins + spins.T
    np.fill_diagonal(spins, 0.0)
    weight, bias = jnp.asarray(4.0 * spins, jnp.float32), jnp.asarray(-2.0 * spins.sum(1), jnp.float32)
    messages = variables * (variables - 1) * chains
    return Workload("dense", Ising(weight, bias), chains, None, ("x",), messages)


def restricted(visible: int, hidden: int, chains: int) -> Workload:
    """Build an RBM of the size of Section 5.5. Its weights N(0, 0.1^2) are about as large as trained ones."""
    model = rbm(jax.random.key(0), visible, hidden, scale=0.1)
    messages = 2 * visible * hidden * chains
    return Workload("rbm", model, chains, None, ("v", "h"), messages)


def lattice(side: int, chains: int) -> Workload:
    """Build the periodic antiferromagnet of the authors' code, J = -0.2 (Section 5.4)."""
    model = ising_lattice(side, coupling=-0.2)
    pairs = lattice_pairs(model.variables["x"], periodic=True)
    return Workload("lattice", model, chains, None, ("x",), 2 * len(pairs) * chains)


def erdos_renyi(variables: int, chains: int) -> Workload:
    """Build the random graph of Section 5.4: mean degree 4, couplings J ~ N(0, 1) of spins, J = 2 W, and fields 0.1."""
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(variables, 1)
    coupled = rng.random(first.size) < 4.0 / variables
    pairs = np.stack([first[coupled], second[coupled]], 1)
    return Workload(
        "erdos-renyi", random_couplings(rng, variables, pairs), chains, None, ("x",), 2 * len(pairs) * chains
    )


def random_couplings(rng: np.random.Generator, variables: int, pairs: np.ndarray) -> FactorGraph:
    """Build spins with couplings N(0, 1) on the pairs (E, 2), and fields 0.1."""
    spins = rng.normal(size=len(pairs))
    bias = np.full(variables, 2 * 0.1)  # a field is half a log-odds
    for side in (0, 1):
        np.subtract.at(bias, pairs[:, side], 2.0 * spins)
    return FactorGraph(Variables(x=Binary(variables)), [Edges(pairs, 4.0 * spins)], {"x": bias})


def deconvolution(images: int, size: int, features: int, feature: int) -> Workload:
    """Build a blind deconvolution of images of four random shapes into features and locations (Section 5.6)."""
    observed = _images(images, size, feature - 1)
    model = blind_deconvolution(images, (size, size), features, (feature, feature))
    places = (size - feature + 1) ** 2
    messages = 4 * features * feature**2 * images * places + observed.size
    return Workload("deconvolution", model, 1, {"X": observed}, ("W", "S"), messages, LAYERED)


def _images(number: int, size: int, feature: int) -> np.ndarray:
    """Draw images (number, size, size), with two to four random shapes (feature, feature) out of four in each."""
    rng = np.random.default_rng(0)
    shapes = rng.random((4, feature, feature)) < 0.5
    images = np.zeros((number, size, size), bool)
    for image in images:
        for _ in range(rng.integers(2, 5)):
            row, column = rng.integers(0, size - feature + 1, 2)
            image[row : row + feature, column : column + feature] |= shapes[rng.integers(4)]
    return images.astype(np.int32)


BUILDERS: dict[str, Callable[..., Workload]] = {
    "dense": dense,
    "rbm": restricted,
    "lattice": lattice,
    "erdos-renyi": erdos_renyi,
    "deconvolution": deconvolution,
}


def build(name: str, profile: str, **changes) -> Workload:
    """Build a workload at the sizes of a profile. `changes` replace some of these sizes."""
    return BUILDERS[name](**{**SIZES[profile][name], **changes})
