"""The picture of `tune` shows all curves, and says which sampler is best."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import pmp_kit as pk
from pmp_kit.course.plot.style import METHODS
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


def pixels(figure, colour: tuple[int, int, int]) -> int:
    """The number of pixels of this colour. A few grey ones are the edges of letters."""
    return int((np.asarray(Image.open(BytesIO(figure.data)).convert("RGB")) == colour).all(-1).sum())


@pytest.mark.parametrize("names", [["PMP()"], ["PMP(damping=0.3)", "PMP()"], ["PMP(damping=0.3)", "PMP(damping=0.4)"]])
def test_it_names_the_fastest(names):
    figure = tuned_figure(result(*names))
    number = f"{len(names)} settings" if len(names) > 1 else "1 setting (the budget ended)"
    assert repr(figure).startswith(f"loss against time of {number}; {names[0]} reaches")
    assert pixels(figure, (0, 114, 178)) > 50


def test_a_single_setting_gets_a_note_in_the_picture():
    def darkest(*names):
        picture = np.asarray(Image.open(BytesIO(tuned_figure(result(*names)).data)).convert("L"))
        height, width = picture.shape
        return picture[int(0.1 * height) : int(0.17 * height), int(0.6 * width) : int(0.97 * width)].min()

    assert darkest("PMP()") < 100 < darkest("PMP()", "PMP(damping=0.3)")


def test_the_defaults_are_drawn_in_grey_beside_the_fastest():
    grey = (107, 107, 107)
    assert pixels(tuned_figure(result("PMP(damping=0.3)", "PMP()")), grey) > 50
    assert pixels(tuned_figure(result("PMP(damping=0.3)", "PMP(damping=0.4)")), grey) < 30


def test_the_marks_are_where_the_target_is_reached(drawn):
    tuned = result("PMP(damping=0.3)", "PMP()")
    late, early = (curve._replace(loss=np.array([1.0, 0.4, 0.008]), reached=2) for curve in tuned.curves)
    early = early._replace(loss=np.array([1.0, 0.005, 0.001]), reached=1)
    tuned_figure(tuned._replace(curves=(late, early)))
    marks = [line.get_xydata()[0] for line in drawn[0].figure.axes[0].lines if line.get_marker() == "o"]
    np.testing.assert_allclose(sorted(map(tuple, marks)), [(8.0, 0.005), (8.0, 0.008)])


def test_the_chosen_sampler_is_named_above_the_defaults_in_its_colour(drawn):
    tuned_figure(result("PMP(damping=0.3)", "PMP()"))
    chosen, defaults = sorted(drawn[0].figure.texts, key=lambda text: -text.get_position()[1])
    assert (chosen.get_text(), defaults.get_text()) == ("PMP(damping=0.3)", "PMP() (defaults)")
    assert chosen.get_color() == METHODS["PMP"].colour != defaults.get_color()
