"""Sliding windows of images and their adjoint, without index arrays."""

from functools import reduce

import jax
import jax.numpy as jnp
from jax import lax


def windows(image, height: int, width: int):
    """Return result[dy, dx, y, x] = image[y + dy, x + dx], (H, W, ...) -> (height, width, h, w, ...).

    Here h = H - height + 1 and w = W - width + 1.
    """
    down, across = image.shape[0] - height + 1, image.shape[1] - width + 1
    rows = jnp.stack([image[dy : dy + down] for dy in range(height)])
    return jnp.stack([rows[:, :, dx : dx + across] for dx in range(width)], axis=1)


def fold(values, combine, empty):
    """Combine all values[dy, dx, y, x] with equal (y + dy, x + dx), (height, width, h, w, ...) -> (H, W, ...).

    Here H = h + height - 1 and W = w + width - 1, and `empty` is the neutral element of `combine`.
    """
    return (one_after_another if jax.default_backend() == "cpu" else all_at_once)(values, combine, empty)


def one_after_another(values, combine, empty):
    """Return `fold` by a loop that adds one (h, w, ...) at a time, for which a CPU keeps the result in its cache."""
    height, width, h, w, *batch = values.shape
    layers = values.reshape(height * width, h, w, *batch)

    def lay(k, canvas):
        corner = (k // width, k % width, *[0] * len(batch))
        under = lax.dynamic_slice(canvas, corner, (h, w, *batch))
        layer = lax.dynamic_index_in_dim(layers, k, keepdims=False)
        return lax.dynamic_update_slice(canvas, combine(under, layer), corner)

    return lax.fori_loop(0, height * width, lay, jnp.full((h + height - 1, w + width - 1, *batch), empty, values.dtype))


def all_at_once(values, combine, empty):
    """Return `fold` in one expression: a GPU needs longer to start each step of a loop than to compute it."""
    rows = _shifted_and_combined(values, 1, 2, combine, empty)  # (height, h, W, ...)
    return _shifted_and_combined(rows, 0, 0, combine, empty)


def _shifted_and_combined(values, layers: int, axis: int, combine, empty):
    """Combine slices of `values` along axis `layers`, slice k shifted by k places along `axis` of the result."""
    number = values.shape[layers]

    def shifted(k):
        layer = lax.index_in_dim(values, k, layers, keepdims=False)
        widths = [(k, number - 1 - k) if place == axis else (0, 0) for place in range(layer.ndim)]
        return jnp.pad(layer, widths, constant_values=empty)

    return reduce(combine, map(shifted, range(number)))
