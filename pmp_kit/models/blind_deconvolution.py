"""Blind deconvolution: images made of a few unknown features at unknown locations (Section 5.6)."""

import numpy as np

from ..engine import validate
from ..engine.signatures import Shape
from ..factors import ConvOr
from ..graph import FactorGraph
from ..variables import Binary, Variables


def blind_deconvolution(
    images: int, image_shape: Shape = (14, 14), features: int = 5, feature_shape: Shape = (6, 6),
    feature_rate: float = 0.25, location_rate: float = 0.01,
) -> FactorGraph:  # fmt: skip
    """Binary images X, each pixel the OR of all features that reach it (Section 5.6). Blocks "W", "S" and "X".

    W (features, *feature_shape) are the features, S (images, features, h, w) says where each is put, top left pixel
    by top left pixel; a feature lies inside its image. Give the images as evidence, {"X": images}; a pixel that is
    FREE is not observed, so that a border of such pixels lets features reach over the edge.

    Args:
        images: the number of images.
        image_shape: (H, W).
        features: the number of features.
        feature_shape: (fh, fw), at most the image's.
        feature_rate: prior probability of a pixel of a feature to be on (the authors' 0.25).
        location_rate: prior probability of a feature at a location (the authors' 0.01).
    """
    number, kinds = validate.count("images", images), validate.count("features", features)
    outer, inner = _height_and_width("image_shape", image_shape), _height_and_width("feature_shape", feature_shape)
    if inner[0] > outer[0] or inner[1] > outer[1]:
        raise ValueError(f"feature_shape: expected a shape that fits into images of {outer}, got {inner}")
    places = tuple(o - i + 1 for o, i in zip(outer, inner, strict=True))
    variables = Variables(
        W=Binary(kinds, *inner), S=Binary(number, kinds, *places), X=Binary(number, *outer, auxiliary=True)
    )
    factor = ConvOr(variables["W"], variables["S"], variables["X"])
    priors = {"W": prior("feature_rate", feature_rate), "S": prior("location_rate", location_rate)}
    unaries = {name: np.full(variables[name].shape, odds) for name, odds in priors.items()}
    return FactorGraph(variables, [factor], unaries)


def _height_and_width(name: str, shape: Shape) -> tuple[int, int]:
    if np.shape(shape) != (2,):
        raise ValueError(f"{name}: expected (height, width), got {validate.describe(shape)}")
    return validate.count(name, shape[0]), validate.count(name, shape[1])


def prior(name: str, rate: float) -> float:
    """Log-odds of a probability between 0 and 1."""
    value = validate.number(name, rate)
    if not 0.0 < value < 1.0:
        raise ValueError(f"{name}: expected a probability above 0 and below 1, got {value}")
    return float(np.log(value) - np.log1p(-value))
