"""Devices: chains spread over all that JAX sees, the GPUs of one machine or of many processes (`jax.distributed`).

Sample s depends on its own key alone, so that the same key gives the same samples on any number of devices.
"""

import os
import pathlib
import platform

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec

CHAINS = "chains"


def mesh() -> Mesh:
    """All devices of all processes, in one row."""
    return Mesh(np.asarray(jax.devices()), (CHAINS,))


def spread(function, shared, chains):
    """function(shared, chains) with axis 0 of every array of `chains`, and of the result, split over the devices.

    Args:
        function: of two pytrees; treats the entries along axis 0 of the second one by one.
        shared: the same on every device.
        chains: the length of axis 0 is a multiple of the number of devices.
    """
    if jax.device_count() == 1:
        return function(shared, chains)
    each, all_the_same = PartitionSpec(CHAINS), PartitionSpec()
    split = jax.shard_map(
        function, mesh=mesh(), in_specs=(all_the_same, each), out_specs=each, check_vma=False
    )  # fmt: skip
    return split(shared, chains)


def on_all(tree):
    """Arrays that a computation over the devices of several processes can take; unchanged with one process."""
    if jax.process_count() == 1:
        return tree
    from jax.experimental.multihost_utils import host_local_array_to_global_array

    def share(leaf):
        if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return jax.random.wrap_key_data(share(jax.random.key_data(leaf)), impl=jax.random.key_impl(leaf))
        return host_local_array_to_global_array(np.asarray(leaf), mesh(), PartitionSpec())

    return jax.tree.map(share, tree)


def gathered(tree):
    """The whole of every array, on every process; unchanged with one process."""
    if jax.process_count() == 1:
        return tree
    from jax.experimental.multihost_utils import process_allgather

    return process_allgather(tree, tiled=True)


def machine() -> dict:
    """What a measured time depends on."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "jax": jax.__version__,
        "backend": jax.default_backend(),
        "device": jax.devices()[0].device_kind,
    }


def processor(listing: str = "/proc/cpuinfo") -> str:
    """The model of the processor, as far as the system tells."""
    path = pathlib.Path(listing)
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
