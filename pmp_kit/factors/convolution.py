"""Sliding windows of images and their adjoint, without index arrays."""

from functools import partial, reduce

import jax
import jax.numpy as jnp
from jax import lax

# JAX would compute in each step whether an index is negative
cut = partial(lax.dynamic_slice, allow_negative_indices=False)
paste = partial(lax.dynamic_update_slice, allow_negative_indices=False)


def windows(image, height: int, width: int):
    """Return result[dy, dx, y, x] = image[y + dy, x + dx], (H, W, ...) -> (height, width, h, w, ...).

    Here h = H - height + 1 and w = W - width + 1.
    """
    shape = image.shape[0] - height + 1, image.shape[1] - width + 1, *image.shape[2:]
    window = lambda dy, dx: cut(image, (dy, dx, *[0] * (image.ndim - 2)), shape)  # noqa: E731
    row = jax.vmap(window, (None, 0))  # slices in jnp.stack are as fast, but take twice as long to compile
    return jax.vmap(row, (0, None))(jnp.arange(height), jnp.arange(width))


def fold(values, combine, empty):
    """Combine all values[dy, dx, y, x] with equal (y + dy, x + dx), (height, width, h, w, ...) -> (H, W, ...).

    Here H = h + height - 1 and W = w + width - 1, and `empty` is the neutral element of `combine`.
    """
    forms = {"cpu": one_after_another, "default": all_at_once}
    return jax.lax.platform_dependent(values, **{k: partial(f, combine=combine, empty=empty) for k, f in forms.items()})


def one_after_another(values, combine, empty):
    """Return `fold` by a loop that adds one (h, w, ...) at a time, for which a CPU keeps the result in its cache.

    Images and batch are one axis here. Otherwise XLA copies the layers of a batch of 1 to move the axis of length 1.
    """
    height, width, h, w, *batch = values.shape
    layers = values.reshape(height, width, h, w, -1)

    def lay(dy, dx, canvas):
        layer = cut(layers, (dy, dx, 0, 0, 0), (1, 1, *layers.shape[2:]))[0, 0]
        return paste(canvas, combine(cut(canvas, (dy, dx, 0), layer.shape), layer), (dy, dx, 0))

    def lay_row(dy, canvas):
        return lax.fori_loop(0, width, partial(lay, dy), canvas)

    canvas = jnp.full((h + height - 1, w + width - 1, layers.shape[-1]), empty, values.dtype)
    return lax.fori_loop(0, height, lay_row, canvas).reshape(*canvas.shape[:2], *batch)


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
