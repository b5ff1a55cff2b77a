"""Convolutional OR: images made of features at some locations (the deconvolution layer of Section 5.6)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine import checks
from ..engine.arrays import on_device
from ..engine.planes import Planes, add_log_odds, like, log_odds, of_log_odds, ones
from ..engine.reductions import along
from ..engine.signatures import ArrayLike
from .base import AbstractDetermining, check_binary, positions
from .convolution import fold, windows
from .hard import without


class ConvOrMessages(NamedTuple):
    """Messages as log-odds; arrays with one entry for each AND are (features, fh, fw, h, w, images, *batch)."""

    to_locations: Array
    to_features: Array
    to_images: Float[Array, "H W images *batch"]
    upwards: Array
    """From each AND to its output, which is a parent of the OR at one pixel."""
    downwards: Array
    """From the OR at that pixel to the output of the AND."""


class ConvOr(AbstractDetermining):
    """X[n, y, x] = OR over f, dy, dx of S[n, f, y - dy, x - dx] AND W[f, dy, dx] (Section 5.6).

    The score is 0 if this holds and -inf otherwise. The outputs of the ANDs are not variables of the graph. They are
    eliminated through their messages. The messages have three parts (`sides`), in the order of the authors' layered
    sweep: AND to OR, OR to AND and image, AND to locations and features. `update` computes the parts one after the
    other: the second and the third read the new messages of the parts before. Memory: 4 numbers for each AND and batch
    element. Cost of a sweep: O(number of ANDs) for each batch element. Boolean matrix factorisation is the special case
    of one-row images and features at one location.
    """

    features: Int[Array, "features fh fw"]
    locations: Int[Array, "features h w images"]
    images: Int[Array, "H W images"]
    places: Int[Array, " ids"]
    """Position of each id in the concatenation of features, locations and images; its length if the id is absent."""

    def __init__(self, features: ArrayLike, locations: ArrayLike, images: ArrayLike):
        """Args:
        features: ids of W, (features, fh, fw).
        locations: ids of S, (images, features, h, w).
        images: ids of X, (images, h + fh - 1, w + fw - 1).

        Raises: TypeError or ValueError that names the argument.
        """
        w, s, x = (
            checks.ids(name, ids).reshape(np.shape(ids))
            for name, ids in (("features", features), ("locations", locations), ("images", images))
        )
        _check_shapes(w.shape, s.shape, x.shape)
        parts = w, s.transpose(1, 2, 3, 0), x.transpose(1, 2, 0)
        every = np.concatenate([ids.reshape(-1) for ids in parts])
        checks.distinct("features, locations and images", every[None])
        self.features, self.locations, self.images = map(on_device, parts)
        places = np.full(every.max() + 1, every.size, np.int32)
        places[every] = np.arange(every.size)
        self.places = on_device(places)

    @property
    def sides(self) -> int:
        return 3

    @property
    def scopes(self):
        """One array for each pixel, with its id, and the feature and location ids of each AND that reaches it."""
        w, s, x = (np.asarray(ids) for ids in (self.features, self.locations, self.images))
        scopes = []
        for row, column in np.ndindex(x.shape[:2]):
            ids = [x[row, column][None]]
            for (f, dy, dx), feature in np.ndenumerate(w):
                if 0 <= row - dy < s.shape[1] and 0 <= column - dx < s.shape[2]:
                    ids += [np.full_like(ids[0], feature), s[f, row - dy, column - dx][None]]
            scopes.append(np.concatenate(ids).T)
        return tuple(scopes)

    @property
    def determined(self):
        return tuple((scope[:, 0], scope[:, 1:]) for scope in self.scopes)

    def check(self, variables):
        check_binary("features", np.asarray(self.features).reshape(-1), variables)
        check_binary("locations", np.asarray(self.locations).reshape(-1), variables)
        check_binary("images", np.asarray(self.images).reshape(-1), variables)

    def score(self, states):
        return jnp.where(self.violations(states) > 0, -jnp.inf, self.finite_score(states))

    def finite_score(self, states):
        return jnp.zeros(states.shape[2:], states.dtype)

    def violations(self, states):
        """Return the number of pixels that are 1 although no AND is 1, or 0 although some AND is 1."""
        explained = self.count(states, self.locations) > 0.5
        wrong = explained != (ones(states, self.images) > 0.5)
        return jnp.sum(wrong.reshape(self.images.size, *states.shape[2:]).astype(states.dtype), axis=0)

    def count(self, states: Planes, locations: Array) -> Array:
        """Return the number of ANDs that are 1 at each pixel of the images of `locations`, (H, W, images, *batch)."""
        w, s = jnp.expand_dims(ones(states, self.features), (3, 4, 5)), ones(states, locations)[:, None, None]
        return fold(along(jnp.add, w * s), jnp.add, 0.0)

    def neutral_messages(self, batch):
        """Return zeros, because the mean of a hard constraint's score is not finite."""
        ands = (*self.features.shape, *self.locations.shape[1:], *batch)
        zero = jnp.zeros(ands, jnp.result_type(float))
        return ConvOrMessages(zero, zero, jnp.zeros((*self.images.shape, *batch), zero.dtype), zero, zero)

    def to_variables(self, messages, beliefs):
        """Return the beliefs plus messages by one gather; three scatters run longer and compile much longer."""
        sums = messages.to_features.sum((3, 4, 5)), messages.to_locations.sum((1, 2)), messages.to_images
        ids = self.features, self.locations, self.images
        parts = [part.reshape(at.size, *beliefs.shape[2:]) for part, at in zip(sums, ids, strict=True)]
        arriving = jnp.concatenate(parts)
        arriving = jnp.pad(arriving, ((0, 1), *((0, 0),) * (arriving.ndim - 1)))  # 0 for ids that are not in this group
        return add_log_odds(beliefs, slice(0, self.places.size), arriving[self.places])

    def update(self, beliefs, messages):
        for side in range(self.sides):
            messages = self.update_side(beliefs, messages, side)
        return messages

    def update_side(self, beliefs, messages, side):
        if side == 0:
            s, w = self._incoming(beliefs, messages)
            up = jnp.minimum(s, 0.0) + jnp.minimum(w, 0.0) + jnp.maximum(jnp.minimum(s, w), 0.0)
            return messages._replace(upwards=up)
        if side == 1:
            pixels = without(log_odds(beliefs, self.images), messages.to_images)
            down, to_images = or_layer(messages.upwards, pixels)
            return messages._replace(downwards=down, to_images=to_images)
        s, w = self._incoming(beliefs, messages)
        return messages._replace(
            to_locations=_and_parent(w, messages.downwards),
            to_features=_and_parent(s, messages.downwards),
        )

    def _incoming(self, beliefs, messages):
        """Return the cavity log-odds of the location and of the feature pixel of each AND."""
        s = without(log_odds(beliefs, self.locations)[:, None, None], messages.to_locations)
        w = without(jnp.expand_dims(log_odds(beliefs, self.features), (3, 4, 5)), messages.to_features)
        return s, w

    def locate(self, at):
        """Return the positions among locations, features and images, or their number for absent variables."""
        return tuple(positions(ids.reshape(-1), at) for ids in (self.locations, self.features, self.images))

    def conditional(self, states, at, where):
        location, feature, pixel = where
        field = _field_of_locations(self, states, location) + _field_of_pixels(self, states, pixel)
        field = field + _field_of_features(self, states, feature)
        return jnp.zeros((states.shape[0], *field.shape), field.dtype), of_log_odds(-field, states.shape[0])

    def couples(self, members):
        marked = np.asarray(members)
        w, s, number = (marked[np.asarray(ids)] for ids in (self.features, self.locations, self.images))
        number, at_location = number.astype(int), s.sum(0)
        for dy, dx in np.ndindex(w.shape[1:]):  # the ANDs of one pixel of each feature
            number[dy : dy + s.shape[1], dx : dx + s.shape[2]] += at_location + w[:, dy, dx].sum()
        return bool((number > 1).any())


def or_layer(parents, pixels):
    """Return the messages of the OR at each pixel to its parents and to the pixel, for all pixels at once.

    They are the messages of `Or`. A parent that does not have the largest log-odds gets
    min(b + sum of the others' max(0, t), max(0, -largest)). For the parent with the largest log-odds, the second
    largest takes the place of the largest. The sum is computed without the largest term, which is added separately,
    so that large numbers do not cancel.

    Args:
        parents: cavity log-odds t of the AND outputs, (features, fh, fw, h, w, images, *batch).
        pixels: cavity log-odds b of the pixels, (H, W, images, *batch).

    Returns: the messages to the parents and to the pixels, with the shapes of the arguments.
    """
    size = parents.shape[1:3]
    largest = fold(along(jnp.maximum, parents), jnp.maximum, -jnp.inf)
    threshold = windows(largest, *size)
    is_largest = parents == threshold
    positive, reserve = jnp.maximum(parents, 0.0), jnp.maximum(largest, 0.0)
    number = fold(along(jnp.add, is_largest.astype(parents.dtype)), jnp.add, 0.0)
    second = fold(along(jnp.maximum, jnp.where(is_largest, -jnp.inf, parents)), jnp.maximum, -jnp.inf)
    rest = fold(along(jnp.add, jnp.where(is_largest, 0.0, positive)), jnp.add, 0.0)
    rival = jnp.where(number > 1.5, largest, second)
    shared = jnp.where(number > 1.5, (number - 1.0) * reserve, 0.0)  # avoids 0 * inf = NaN
    to_largest = jnp.minimum(pixels + rest + shared, jnp.maximum(-rival, 0.0))
    others = pixels + rest + number * reserve
    to_others = jnp.minimum(windows(others, *size) - positive, jnp.maximum(-threshold, 0.0))
    to_parents = jnp.where(is_largest, windows(to_largest, *size), to_others)
    return to_parents, rest + number * reserve + jnp.minimum(largest, 0.0)


def _and_parent(other, output):
    """Return the message max(0, b + c) - max(0, b) of an AND of two to one parent.

    Here b is the log-odds from the other parent and c the log-odds from the output.
    """
    return jnp.maximum(-jnp.maximum(other, 0.0), jnp.minimum(other, 0.0) + output)


def _check_shapes(w: tuple, s: tuple, x: tuple) -> None:
    """Raise ValueError unless the shapes of the three blocks are consistent."""
    if len(w) != 3:
        raise ValueError(f"features: expected shape (features, height, width), got {w}")
    if len(s) != 4 or s[1] != w[0]:
        raise ValueError(f"locations: expected shape (images, {w[0]}, h, w), got {s}")
    wanted = (s[0], s[2] + w[1] - 1, s[3] + w[2] - 1)
    if x != wanted:
        raise ValueError(f"images: expected shape {wanted} for features {w} and locations {s}, got {x}")


# Log-conditionals: each field is the number of pixels whose violation is removed if a variable becomes 1, minus the
# number of pixels that become violated.


def _field_of_locations(factor, states, position):
    """Return the fields (width, *batch) of entries of S. Only feature pixels that no other AND covers contribute."""
    known, (f, y, x, n) = _unravelled(position, factor.locations)
    count, slot = _counts_of_images(factor, states, n)
    rows, columns = _reach(y, x, factor.features.shape[1:])
    feature = ones(states, factor.features[f])  # (width, fh, fw, *batch)
    explained = feature * ones(states, factor.locations[f, y, x, n])[:, None, None]
    pixels = ones(states, factor.images[rows, columns, n[:, None, None]])
    field = _unexplained(count[rows, columns, slot[:, None, None]] - explained, pixels)
    return _of_known(known, jnp.sum(feature * field, axis=(1, 2)))


def _field_of_features(factor, states, position):
    """Return the fields (width, *batch) of entries of W, summed over all images and locations.

    The computation is skipped if no entry of `position` is in W.
    """
    known, (f, dy, dx) = _unravelled(position, factor.features)

    def compute():
        rows, columns = _reach(dy, dx, factor.locations.shape[1:3])
        locations = ones(states, factor.locations[f])  # (width, h, w, images, *batch)
        explained = locations * jnp.expand_dims(ones(states, factor.features[f, dy, dx]), (1, 2, 3))
        count = factor.count(states, factor.locations)[rows, columns]
        field = _unexplained(count - explained, ones(states, factor.images[rows, columns]))
        return jnp.sum(locations * field, axis=(1, 2, 3))

    def skip():
        return jnp.zeros((position.size, *states.shape[2:]), states.dtype)

    return _of_known(known, jax.lax.cond(known.any(), compute, skip))


def _field_of_pixels(factor, states, position):
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
