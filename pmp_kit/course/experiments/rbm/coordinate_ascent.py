"""Appendix B.4: RBMs learned with perturb-and-coordinate-ascent and with PMP, with three samplers for each."""

import jax
import numpy as np

from ...pretrained import pretrained
from .. import adam
from .learn import COORDINATE_ASCENT, WEIGHTS, draw, flat, judge, learn, sampler, split

DRAWN_BY = ("Gibbs-reset", "PMP", COORDINATE_ASCENT)
SHOWN = 10


def crossed(seed: int, data: str, sweeps: list[int], number: int, learning: dict[str, dict]) -> dict:
    """Learn with coordinate ascent and with PMP, and draw from both with block Gibbs, PMP and coordinate ascent.

    Args:
        sweeps: sweeps of each sampler in `DRAWN_BY`.
        learning: COORDINATE_ASCENT and "PMP" -> "rate" of Adam and options of `learn`. If "PMP" is missing, the
            pretrained MNIST weights are used.

    Returns: arrays with axes (weights, drawn by, ...): "u" and "null" (scales) of `judge`; "ink", the share of pixels
        that are on; "images", a few samples. "ink of the data" is a number.
    """
    rows = []
    for number_of, method in enumerate((COORDINATE_ASCENT, "PMP")):
        key, after = jax.random.split(jax.random.fold_in(jax.random.key(seed), number_of))
        if method in learning:
            options = dict(learning[method])
            optimizer = adam(options.pop("rate"))
            model = learn(key, split(data)[0], method, optimizer=optimizer, **options).model
        else:
            model = pretrained(WEIGHTS[method])
        for by, total in zip(DRAWN_BY, sweeps, strict=True):
            (images,) = draw(after, model, sampler(by), [total], number)
            rows.append(judge(images, data) | {"ink": images.mean(), "images": images[:SHOWN].astype(np.uint8)})
    arrays = {name: np.array([row[name] for row in rows]) for name in ("u", "null", "ink", "images")}
    crossed = {name: x.reshape(2, len(DRAWN_BY), *x.shape[1:]) for name, x in arrays.items()}
    return crossed | {"ink of the data": float(flat(split(data)[0]).mean())}
