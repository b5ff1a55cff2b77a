"""The same key gives the same samples on one device, on three, and on two processes with a device each."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
WORK = """
import sys
import jax, numpy as np
if len(sys.argv) > 2:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(sys.argv[2], num_processes=2, process_id=int(sys.argv[3]))
import optax
import pmp_kit as pk

key, lattice = jax.random.key(3), pk.ising_lattice(side=6, coupling=0.2)
evidence = {"x": np.where(np.eye(6) > 0, 1, pk.FREE)}
maps = pk.sample(key, lattice, pk.PMP(), num_samples=37, num_sweeps=30, evidence=evidence)
gibbs = pk.sample(key, lattice, pk.Gibbs(), num_samples=37, num_sweeps=5)
later = pk.sample(key, lattice, pk.Gibbs(), num_samples=37, num_sweeps=5, previous=gibbs.chains)
few = {"num_samples": 37, "num_sweeps": 5, "devices": jax.devices()[:2]}
few = pk.sample(key, lattice, pk.Gibbs(), previous=gibbs.chains, **few)
again = pk.sample(key, lattice, pk.Gibbs(), num_samples=37, num_sweeps=5, previous=few.chains)
rbm, data = pk.rbm(key, visible=(8, 8), hidden=16), {"v": pk.datasets.digits()["v"][:60]}
model = pk.fit(key, rbm, data, pk.PMP(), optimizer=optax.sgd(0.1), steps=3, batch_size=20, num_sweeps=5).model
half = {}
if jax.process_count() == 1:
    for number, some in enumerate((jax.devices()[:2], jax.devices()[-1:])):
        options = {"optimizer": optax.sgd(0.1), "steps": 3, "batch_size": 20, "num_sweeps": 5, "devices": some}
        result = pk.fit(key, rbm, data, pk.PMP(), **options)
        pk.sample(key, result.model, pk.PMP(), num_samples=4, num_sweeps=2)  # on all devices again
        half[f"weight of {number}"] = result.model.weight
        state = next(pk.training(key, rbm, data, pk.PMP(), batch_size=20, num_sweeps=5, devices=some))
        assert state.model.weight.devices() == set(some)
half |= {"maps": maps["x"], "sweeps": maps.sweeps, "later": later["x"], "few": few["x"]}
half |= {"again": again["x"], "weight": model.weight}
np.savez(sys.argv[1], devices=jax.device_count(), **half)
"""


def start(*arguments, devices: int = 1):
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices}"
    environment = os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WORK, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(*processes):
    for process in processes:
        said, _ = process.communicate(timeout=300)
        assert process.returncode == 0, said


@pytest.fixture(scope="module")
def one_device(tmp_path_factory):
    file = tmp_path_factory.mktemp("one") / "one.npz"
    finish(start(file))
    return np.load(file)


def assert_same(results, one_device, devices):
    assert results["devices"] == devices
    np.testing.assert_array_equal(results["few"], results["later"])
    for name in ("maps", "sweeps", "later", "few", "again"):
        np.testing.assert_array_equal(results[name], one_device[name])
    np.testing.assert_allclose(results["weight"], one_device["weight"], atol=1e-6)  # sums in another order


def test_three_devices_give_the_same_samples(one_device, tmp_path):
    finish(start(tmp_path / "three.npz", devices=3))
    results = np.load(tmp_path / "three.npz")
    assert_same(results, one_device, 3)
    for some in (0, 1):
        np.testing.assert_allclose(results[f"weight of {some}"], one_device["weight"], atol=1e-6)


def test_two_processes_give_the_same_samples(one_device, tmp_path):
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    files = [tmp_path / f"{number}.npz" for number in range(2)]
    finish(*[start(file, address, number) for number, file in enumerate(files)])
    for file in files:
        assert_same(np.load(file), one_device, 2)
