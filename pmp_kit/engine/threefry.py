"""Threefry: the random bits of JAX's default keys, which a CPU computes here in a seventh of the time.

On a CPU, JAX computes the twenty rounds of this hash by a loop of five iterations, each of which writes all numbers to
memory. Here a number stays in a register until it is finished. The bits are the same.

The hash is Threefry-2x32 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np

ROTATIONS = (13, 15, 26, 6), (17, 29, 16, 24)
PARITY = np.uint32(0x1BD11BDA)


def fast(key: jax.Array) -> jax.Array:
    """Return a key, or an array of keys, from which `jax.random` draws the same numbers, faster on a CPU.

    Keys of other generators are returned unchanged. So are all keys with `jax_threefry_partitionable` off, where JAX
    numbers the bits in another way.
    """
    usual = jnp.issubdtype(key.dtype, jax.dtypes.prng_key) and jax.random.key_impl(key) == "threefry2x32"
    if not usual or not jax.threefry_partitionable.value or jax.default_backend() != "cpu":
        return key
    return jax.random.wrap_key_data(jax.random.key_data(key), impl=UNROLLED)


def hashed(key, low):
    """Return the two uint32 arrays that the hash makes of the numbers `low` with a key (2,)."""
    keys = key[0], key[1], key[0] ^ key[1] ^ PARITY
    high, low = jnp.broadcast_to(keys[0], low.shape), low + keys[1]
    for group in range(5):
        for distance in ROTATIONS[group % 2]:
            high = high + low
            low = high ^ (low << np.uint32(distance) | low >> np.uint32(32 - distance))
        high = high + keys[(group + 1) % 3]
        low = low + keys[(group + 2) % 3] + np.uint32(group + 1)
    return high, low


def random_bits(key, width: int, shape: tuple[int, ...]):
    """Return unsigned integers of 8, 16, 32 or 64 random bits.

    They are made in two halves, one after the other. Otherwise XLA would mix the hash with the computation that uses
    the bits, and compute both without vector instructions.
    """
    size, kind = int(np.prod(shape)), np.dtype(f"uint{width}")
    half = -(-size // 2)
    if size >= 2**32:
        raise ValueError(f"shape: expected fewer than 2**32 random numbers for each key, got {shape}; use more keys")

    def bits(first):
        high, low = hashed(key, first + jax.lax.iota(np.uint32, half))
        if width == 64:
            return high.astype(kind) << np.uint64(32) | low.astype(kind)
        return (high ^ low).astype(kind)

    return jax.lax.map(bits, np.array([0, half], np.uint32)).reshape(-1)[:size].reshape(shape)


def split(key, shape: tuple[int, ...]):
    """Return keys (*shape, 2)."""
    return jnp.stack(hashed(key, jax.lax.iota(np.uint32, int(np.prod(shape))).reshape(shape)), axis=-1)


def fold_in(key, data):
    """Return the key (2,) of a key and a number."""
    return jnp.stack(hashed(key, data))


def seed(number):
    """Refuse, because `fast` makes these keys from keys of the user."""
    raise NotImplementedError("these keys come from `fast`, never from a seed")


UNROLLED = jax.extend.random.define_prng_impl(
    key_shape=(2,),
    seed=seed,
    split=split,
    random_bits=random_bits,
    fold_in=fold_in,
    name="unrolled threefry",
    tag="fry",
)
