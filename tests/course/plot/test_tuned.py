"""The picture of `tune` says and shows which sampler is best."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import pmp_kit as pk
from pmp_kit.course import plot
from pmp_kit.course.plot.tuned import tuned_figure
from pmp_kit.tuning.result import Curve, Tuned


def result(*names: str) -> Tuned:
    """A result whose curves fall in different times, with the fastest first."""
    steps = np.array([1, 2, 4])
    curves = tuple(
        Curve(
            name,
            pk.PMP(),
            steps,
            0.002 * (place + 1) * steps,
            np.array([1.0, 0.4, 0.0]),
            np.full(3, 0.05),
            np.ones(3),
            2,
        )
        for place, name in enumerate(names)
    )
    return Tuned(pk.PMP(), 4, curves[0].time, 20, 0.01, curves, complete=True, unfinished=False)


@pytest.mark.parametrize("names", [["PMP()"], ["PMP(damping=0.3)", "PMP()"], ["PMP(damping=0.3)", "PMP(damping=0.4)"]])
def test_it_names_the_fastest(names):
    figure = tuned_figure(result(*names))
    number = f"{len(names)} settings" if len(names) > 1 else "1 setting (the budget ended)"
    assert repr(figure).startswith(f"loss against time of {number}; {names[0]} reaches")
    shown = np.asarray(Image.open(BytesIO(figure.data)).convert("RGB"))
    assert (shown == plot.rgb(plot.METHODS["PMP"].colour)).all(-1).sum() > 50
