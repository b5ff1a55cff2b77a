"""Blind deconvolution: images made of a few unknown features at unknown locations (Section 5.6)."""

import numpy as np

from ..engine import checks
from ..engine.signatures import Shape
from ..factors import ConvOr
from ..graph import FactorGraph
from ..variables import Binary, Variables


def blind_deconvolution(
    images: int, image_shape: Shape = (14, 14), features: int = 5, feature_shape: Shape = (6, 6),
    feature_rate: float = 0.25, location_rate: float = 0.01,
) -> FactorGraph:  # fmt: skip
    """Return a model of binary images X in which each pixel is the OR of all features that cover it (Section 5.6).

    The blocks are "W", "S" and "X". W (features, *feature_shape) are the features. S (images, features, h, w) marks the
    location of the top left pixel of each feature in each image. Features lie inside the image. Pass the images as
    evidence, {"X": images}. Pixels that are FREE are not observed. With a border of FREE pixels, features can extend
    over the edge of the observed part.

    Args:
        images: the number of images.
        image_shape: (H, W).
        features: the number of features.
        feature_shape: (fh, fw), at most the shape of the image.
        feature_rate: prior probability that a pixel of a feature is 1 (0.25 in the paper).
        location_rate: prior probability of a feature at a location (0.01 in the paper).

    Returns: a FactorGraph. Raises: TypeError or ValueError that names the argument.
    """
    number, kinds = checks.count("images", images), checks.count("features", features)
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
        raise ValueError(f"{name}: expected (height, width), got {checks.describe(shape)}")
    return checks.count(name, shape[0]), checks.count(name, shape[1])


def prior(name: str, rate: float) -> float:
    """Return the log-odds of a probability between 0 and 1."""
    value = checks.number(name, rate)
    if not 0.0 < value < 1.0:
        raise ValueError(f"{name}: expected a probability above 0 and below 1, got {value}")
    return float(np.log(value) - np.log1p(-value))
