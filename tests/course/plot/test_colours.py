"""Colours as readers see them who are colour-blind, and as they print in grey."""

import itertools

import numpy as np
import pytest

from pmp_kit.course import plot

# Of linear RGB, for readers without one kind of cone (Machado, Oliveira and Fernandes 2009).
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deuteranopia": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritanopia": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colours: np.ndarray) -> np.ndarray:
    """Light of (..., 3) uint8 colours of a screen, 0 to 1."""
    share = np.asarray(colours) / 255.0
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(colours: np.ndarray, eye: str = "all cones") -> np.ndarray:
    """Lightness 0 to 100, and the two axes of hue of CIELAB: (..., 3)."""
    seen = np.clip(linear(colours) @ EYES[eye].T, 0, 1)
    share = seen @ TO_XYZ.T / TO_XYZ.sum(1)
    root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """The ratio of WCAG, 1 to 21."""
    light, dark = sorted(((linear(colour) @ TO_XYZ[1]) + 0.05 for colour in (one, other)), reverse=True)
    return float(light / dark)


JUST_NOTICEABLE = 2.3  # of CIELAB
PAIRS = [pair for pair in itertools.combinations(plot.METHODS, 2) if set(pair) != {"LP", "MPLP"}]


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_methods_differ_in_colour_for_every_reader(one, other, eye):
    apart = lab(plot.rgb(plot.METHODS[one].colour), eye) - lab(plot.rgb(plot.METHODS[other].colour), eye)
    assert np.linalg.norm(apart) > 4 * JUST_NOTICEABLE


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(plot.METHODS, 2)))
def test_in_grey_lightness_or_marks_tell_methods_apart(one, other):
    first, second = plot.METHODS[one], plot.METHODS[other]
    lightness = [lab(plot.rgb(style.colour))[0] for style in (first, second)]
    assert abs(lightness[0] - lightness[1]) > 10 or (first.mark, first.line) != (second.mark, second.line)


@pytest.mark.parametrize("method", ["PMP", "Gibbs", "Gibbs-with-gradients", "DMALA", "MPLP", "LP"])
def test_names_of_methods_are_readable_on_paper(method):
    assert contrast(plot.rgb(plot.readable(plot.METHODS[method].colour)), np.full(3, 255)) > 4.3
