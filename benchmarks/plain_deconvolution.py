"""A plain implementation of blind deconvolution: the ANDs and ORs of Section 5.6 with the messages of C.3.

Messages are arrays over images, features, rows and columns of a feature, rows and columns of an image: one AND for each
pixel and each pixel of a feature that may lie on it, as in the sums of C.3. Every message of a factor is stored and
damped as in Algorithm 1, except the message of an OR to its pixel, because the pixel is observed.
"""

from functools import partial

import jax
import jax.numpy as jnp

from benchmarks.plain_pairwise import noise

CERTAIN = 1000.0
"""Log-odds of an observed pixel."""


@partial(jax.jit, static_argnames=("feature_size", "num_sweeps"))
def deconvolution(key, images, feature_odds, location_odds, damping, *, feature_size, num_sweeps: int):
    """Run Algorithm 1 layer by layer (Section 5.6): ANDs to ORs, ORs to ANDs, ANDs to features and locations.

    Args:
        images: X, (N, H, W), all observed.
        feature_odds, location_odds: prior log-odds of a pixel of a feature, of a feature at a location.
        feature_size: (F, fh, fw).
    Returns: the flat states of W and S in this order, (1, .) bool. All images form one sample.
    """
    number, height, width = images.shape
    kinds, rows, columns = feature_size
    place = (number, kinds, height - rows + 1, width - columns + 1)
    split = kinds * rows * columns
    perturbation = noise(key, 0, split + place[0] * place[1] * place[2] * place[3] + images.size)
    of_features = feature_odds + perturbation[:split].reshape(feature_size)
    of_locations = location_odds + perturbation[split : -images.size].reshape(place)
    pixels = jnp.where(images[:, None, None, None] == 1, CERTAIN, -CERTAIN)
    exists = at_pixels(jnp.ones(place), rows, columns) > 0

    def beliefs(to_locations, to_features):
        return of_locations + at_locations(to_locations), of_features + to_features.sum((0, 4, 5))

    def damp(old, new):
        return jnp.where(exists, damping * old + (1.0 - damping) * new, 0.0)

    def sweep(messages, _):
        up, down, to_locations, to_features = messages
        locations, features = beliefs(to_locations, to_features)
        s = at_pixels(locations, rows, columns) - to_locations
        w = features[None, :, :, :, None, None] - to_features
        up = damp(up, s + w - jnp.maximum(0.0, jnp.maximum(s, w)))
        down = damp(down, or_to_parents(jnp.where(exists, up, -jnp.inf), pixels))
        return (up, down, damp(to_locations, to_parent(w, down)), damp(to_features, to_parent(s, down))), None

    messages, _ = jax.lax.scan(sweep, (jnp.zeros(exists.shape),) * 4, None, length=num_sweeps)
    locations, features = beliefs(*messages[2:])
    return (jnp.concatenate([features.reshape(-1), locations.reshape(-1)]) >= 0)[None]


def or_to_parents(parents, pixels):
    """Messages of an OR to its parents: min(b + sum_j max(0, t_j), max(0, k) - k), k the largest t_j, j not i (C.3)."""
    positive = jnp.maximum(0.0, parents)
    rest = positive.sum((1, 2, 3), keepdims=True) - positive
    largest = parents.max((1, 2, 3), keepdims=True)
    is_largest = parents == largest
    second = jnp.where(is_largest, -jnp.inf, parents).max((1, 2, 3), keepdims=True)
    second = jnp.where(is_largest.sum((1, 2, 3), keepdims=True) > 1, largest, second)
    rival = jnp.where(is_largest, second, largest)
    return jnp.minimum(pixels + rest, jnp.maximum(0.0, rival) - rival)


def to_parent(other, child):
    """Message of an AND to one parent, from the other parent and the child: max(0, t + c) - max(0, t) (C.3)."""
    return jnp.maximum(0.0, other + child) - jnp.maximum(0.0, other)


def at_pixels(locations, rows: int, columns: int):
    """Values of the locations (N, F, h, w) at every AND (N, F, rows, columns, H, W). Features extend down and right."""
    border = ((0, 0), (0, 0), (rows - 1, rows - 1), (columns - 1, columns - 1))
    padded = jnp.pad(locations, border)
    height, width = padded.shape[2] - rows + 1, padded.shape[3] - columns + 1
    shifted = [
        [padded[:, :, rows - 1 - y :, columns - 1 - x :][:, :, :height, :width] for x in range(columns)]
        for y in range(rows)
    ]
    return jnp.stack([jnp.stack(row, 2) for row in shifted], 2)


def at_locations(messages):
    """Sums of the ANDs' messages (N, F, rows, columns, H, W) at every location (N, F, h, w)."""
    rows, columns = messages.shape[2:4]
    height, width = messages.shape[4] - rows + 1, messages.shape[5] - columns + 1
    parts = [messages[:, :, y, x, y : y + height, x : x + width] for y in range(rows) for x in range(columns)]
    return sum(parts[1:], start=parts[0])
