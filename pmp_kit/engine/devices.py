"""Devices: chains spread over all that JAX sees, the GPUs of one machine or of many processes (`jax.distributed`).

Sample s depends on its own key alone, so that the same key gives the same samples on any number of devices.
"""

import os
import pathlib
import platform
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

CHAINS = "chains"
Devices = Sequence[Any]  # of jax.Device, which type checkers do not take for a type


def chosen(devices: Devices | None = None) -> tuple[Any, ...]:
    """The devices to work on, checked; by default all devices of all processes."""
    if devices is None:
        return tuple(jax.devices())
    if not isinstance(devices, Sequence) or not all(isinstance(device, jax.Device) for device in devices):
        got = type(devices).__name__
        raise TypeError(f"devices: expected a sequence of JAX devices such as jax.devices()[:2], got {got}")
    processes = {device.process_index for device in devices}
    if len(set(devices)) != len(devices) or processes != set(range(jax.process_count())):
        raise ValueError(
            f"devices: expected distinct devices, at least one of each of {jax.process_count()} processes, got "
            f"{list(devices)}"
        )
    return tuple(devices)


def mesh(devices: Devices) -> Mesh:
    """The devices in one row."""
    return Mesh(np.asarray(devices), (CHAINS,))


def spread(function, shared, chains, devices: Devices):
    """function(shared, chains) with axis 0 of every array of `chains`, and of the result, split over the devices.

    Args:
        function: of two pytrees; treats the entries along axis 0 of the second one by one.
        shared: the same on every device.
        chains: the length of axis 0 is a multiple of the number of devices.
        devices: one device leaves the choice to JAX.
    """
    if len(devices) == 1:
        return function(shared, chains)
    each, all_the_same = PartitionSpec(CHAINS), PartitionSpec()
    split = jax.shard_map(
        function, mesh=mesh(devices), in_specs=(all_the_same, each), out_specs=each, check_vma=False
    )  # fmt: skip
    return split(shared, chains)


def placed(tree, devices: Devices):
    """Arrays that a computation over these devices can take; unchanged if they are all of one process's."""
    if jax.process_count() == 1:
        everywhere = tuple(devices) == tuple(jax.devices())
        return tree if everywhere else jax.device_put(tree, NamedSharding(mesh(devices), PartitionSpec()))
    from jax.experimental.multihost_utils import host_local_array_to_global_array

    def share(leaf):
        if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return jax.random.wrap_key_data(share(jax.random.key_data(leaf)), impl=jax.random.key_impl(leaf))
        return host_local_array_to_global_array(np.asarray(leaf), mesh(devices), PartitionSpec())

    return jax.tree.map(share, tree)


def gathered(tree, devices: Devices):
    """The whole of every array, on every process, and bound to no device; unchanged for all devices of one process."""
    if jax.process_count() == 1:
        return tree if tuple(devices) == tuple(jax.devices()) else jax.tree.map(np.asarray, tree)
    from jax.experimental.multihost_utils import process_allgather

    return process_allgather(tree, tiled=True)


def machine() -> dict[str, Any]:
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
