"""Conditionals of the convolutional OR: the effect of setting one variable to 1 on the pixels that it reaches.

Each field is the number of pixels whose violation is removed, minus the number of pixels that become violated.
"""

import jax
import jax.numpy as jnp

from ...engine.planes import like, ones


def field_of_locations(factor, states, position):
    """Return the fields (width, *batch) of entries of S. Only feature pixels that no other AND covers contribute."""
    known, (f, y, x, n) = _unravelled(position, factor.locations)
    count, slot = _counts_of_images(factor, states, n)
    rows, columns = _reach(y, x, factor.features.shape[1:])
    feature = ones(states, factor.features[f])  # (width, fh, fw, *batch)
    own = feature * ones(states, factor.locations[f, y, x, n])[:, None, None]
    pixels = ones(states, factor.images[rows, columns, n[:, None, None]])
    field = _unexplained(count[rows, columns, slot[:, None, None]] - own, pixels)
    return _of_known(known, jnp.sum(feature * field, axis=(1, 2)))


def field_of_features(factor, states, position):
    """Return the fields (width, *batch) of entries of W, summed over all images and locations.

    The computation is skipped if no entry of `position` is in W.
    """
    known, (f, dy, dx) = _unravelled(position, factor.features)

    def compute():
        rows, columns = _reach(dy, dx, factor.locations.shape[1:3])
        locations = ones(states, factor.locations[f])  # (width, h, w, images, *batch)
        own = locations * jnp.expand_dims(ones(states, factor.features[f, dy, dx]), (1, 2, 3))
        count = factor.count(states, factor.locations)[rows, columns]
        field = _unexplained(count - own, ones(states, factor.images[rows, columns]))
        return jnp.sum(locations * field, axis=(1, 2, 3))

    def skip():
        return jnp.zeros((position.size, *states.shape[2:]), states.dtype)

    return _of_known(known, jax.lax.cond(known.any(), compute, skip))


def field_of_pixels(factor, states, position):
    """Return the fields (width, *batch) of entries of X: 1 if some AND is 1 at the pixel, else -1."""
    known, (y, x, n) = _unravelled(position, factor.images)
    count, slot = _counts_of_images(factor, states, n)
    return _of_known(known, jnp.where(count[y, x, slot] > 0.5, 1.0, -jnp.ones_like(states[0, 0])))


def _unravelled(position, ids):
    """Return whether each position is in `ids`, and its index there (an arbitrary index if it is not)."""
    known = position < ids.size
    return known, jnp.unravel_index(jnp.where(known, position, 0), ids.shape)


def _counts_of_images(factor, states, images):
    """Return the number of ANDs that are 1 at each pixel, and the index of each of `images` in this array.

    If `images` are fewer than all images, only these are counted.
    """
    if images.size < factor.images.shape[2]:
        return factor.count(states, factor.locations[..., images]), jnp.arange(images.size, dtype=images.dtype)
    return factor.count(states, factor.locations), images


def _reach(y, x, size):
    """Return the rows and columns of the rectangle of shape `size` that starts at (y, x), (width, *size) each."""
    rows = y[:, None, None] + jnp.arange(size[0], dtype=y.dtype)[:, None]
    columns = x[:, None, None] + jnp.arange(size[1], dtype=x.dtype)
    return jnp.broadcast_arrays(rows, columns)


def _unexplained(count, pixels):
    """Return the field of one more AND at each pixel, where `count` other ANDs are 1."""
    return jnp.where(count < 0.5, 2.0 * pixels - 1.0, 0.0)


def _of_known(known, field):
    return jnp.where(like(known, field), field, 0.0)
