"""Devices: samples are distributed over all JAX devices of one machine or of many processes (`jax.distributed`).

Sample s depends only on its own key, so the same key gives the same samples on any number of devices.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from . import checks

SAMPLES = "samples"
Devices = Sequence[Any]  # of jax.Device, which type checkers do not accept as a type


def chosen(devices: Devices | None = None) -> tuple[Any, ...]:
    """Return the devices to use after checking them.

    By default these are all devices of all processes, or the one of `jax.default_device` in a single process.
    """
    if devices is None:
        default = jax.config.jax_default_device  # pyright: ignore[reportAttributeAccessIssue]
        if default is None or jax.process_count() > 1:
            return tuple(jax.devices())
        return (jax.local_devices(backend=default)[0] if isinstance(default, str) else default,)
    if not isinstance(devices, Sequence) or not all(isinstance(device, jax.Device) for device in devices):
        got = checks.describe(devices)
        raise TypeError(f"devices: expected a sequence of JAX devices such as jax.devices()[:2], got {got}")
    processes = {device.process_index for device in devices}
    count = jax.process_count()
    if len(set(devices)) != len(devices) or processes != set(range(count)):
        of_each = f" of each of {count} processes" if count > 1 else ""
        raise ValueError(f"devices: expected distinct devices, at least one{of_each}, got {list(devices)}")
    return tuple(devices)


def everywhere(devices: Devices) -> bool:
    """Return whether these are all devices of all processes, in JAX's order."""
    return tuple(devices) == tuple(jax.devices())


def mesh(devices: Devices) -> Mesh:
    """Return a one-dimensional mesh of the devices."""
    return Mesh(np.asarray(devices), (SAMPLES,))


def sharded(function, shared, of_samples, devices: Devices):
    """Return function(shared, of_samples) with axis 0 of all arrays but the shared ones split over the devices.

    Args:
        function: a function of two pytrees that processes the entries along axis 0 of the second one independently.
        shared: a pytree that is the same on every device.
        of_samples: a pytree of arrays; the length of axis 0 is a multiple of the number of devices.
        devices: the devices; with a single device, JAX places the arrays.
    """
    if len(devices) == 1:
        return function(shared, of_samples)
    each, all_the_same = PartitionSpec(SAMPLES), PartitionSpec()
    split = jax.shard_map(
        function, mesh=mesh(devices), in_specs=(all_the_same, each), out_specs=each, check_vma=False
    )  # fmt: skip
    return split(shared, of_samples)


def placed(tree, devices: Devices):
    """Return arrays that a computation on these devices accepts.

    The arrays are unchanged if `devices` are all devices of a single process.
    """
    if jax.process_count() == 1:
        return tree if everywhere(devices) else jax.device_put(tree, NamedSharding(mesh(devices), PartitionSpec()))
    from jax.experimental.multihost_utils import host_local_array_to_global_array

    def share(leaf):
        if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return jax.random.wrap_key_data(share(jax.random.key_data(leaf)), impl=jax.random.key_impl(leaf))
        return host_local_array_to_global_array(np.asarray(leaf), mesh(devices), PartitionSpec())

    return jax.tree.map(share, tree)


def gathered(tree, devices: Devices):
    """Return complete arrays on every process, committed to no device.

    The arrays are unchanged if `devices` are all devices of a single process.
    """
    if jax.process_count() == 1:
        return tree if everywhere(devices) else jax.tree.map(np.asarray, tree)
    from jax.experimental.multihost_utils import process_allgather

    return process_allgather(tree, tiled=True)
