"""The unrolled hash draws the numbers that JAX draws."""

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np
import pytest

from pmp_kit import loops
from pmp_kit.engine import threefry

KEYS = jax.random.split(jax.random.key(3), 5)


def same(one, other):
    assert one.dtype == other.dtype
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("shape", [(), (1,), (7,), (0,), (3, 5, 2)])
@pytest.mark.parametrize("width", [8, 16, 32])
def test_bits(width, shape):
    draw = jax.jit(jax.vmap(lambda key: jax.random.bits(key, shape, f"uint{width}")))
    same(draw(KEYS), draw(threefry.fast(KEYS)))


@pytest.mark.parametrize("shape", [(), (4,), (2, 3)])
def test_new_keys(shape):
    for derive in (
        lambda key: jax.random.key_data(jax.random.split(key, shape)),
        lambda key: jax.random.key_data(jax.random.fold_in(key, 2**32 - 1)),
    ):
        same(jax.vmap(derive)(KEYS), jax.vmap(derive)(threefry.fast(KEYS)))


@pytest.mark.parametrize(
    "draw",
    [
        lambda key: jax.random.uniform(key, (6,)),
        lambda key: jax.random.gumbel(key, (6,)),
        lambda key: jax.random.logistic(key, (6,)),
        lambda key: jax.random.normal(key, (6,)),
        lambda key: jax.random.gamma(key, 0.3, (6,)),
        lambda key: jax.random.bernoulli(key, 0.3, (6,)),
        lambda key: jax.random.randint(key, (6,), 0, 10),
        lambda key: jax.random.permutation(key, 10),
        lambda key: jax.random.categorical(key, jnp.zeros(4), shape=(6,)),
    ],
)
def test_draws(draw):
    for keys in (KEYS[0], KEYS):
        every = draw if keys.ndim == 0 else jax.vmap(draw)
        same(every(keys), every(threefry.fast(keys)))
        usual, fast = (jax.jit(every)(each) for each in (keys, threefry.fast(keys)))
        # the bits are equal, but in one compiled function the steps after them may be rounded in another way
        np.testing.assert_allclose(usual, fast, rtol=1e-6 if jnp.issubdtype(usual.dtype, jnp.floating) else 0)


def test_the_keys_of_samples_are_fast():
    fast, usual = (
        loops.keys_of(KEYS[0], jnp.arange(3)),
        jax.vmap(lambda i: jax.random.fold_in(KEYS[0], i))(jnp.arange(3)),
    )
    assert fast.dtype == threefry.fast(KEYS).dtype != usual.dtype
    same(jax.random.key_data(fast), jax.random.key_data(usual))


def test_keys_of_other_generators_are_left_alone():
    for key in (jax.random.key(0, impl="rbg"), threefry.fast(KEYS), jnp.zeros(2, jnp.uint32)):
        assert threefry.fast(key) is key
    with jax.threefry_partitionable(False):
        assert threefry.fast(KEYS) is KEYS
    assert threefry.fast(KEYS) is not KEYS


def test_too_many_numbers_for_one_key():
    draw = jax.jit(lambda key: jax.random.bits(key, (2**16, 2**16)))
    with pytest.raises(ValueError, match="fewer than 2"):
        draw.lower(threefry.fast(KEYS[0]))
