"""Tools of explorers that compare: the noise stands still or not, a picture is pinned, the view is copied as code."""

import ipywidgets as widgets
import jax
import numpy as np
import pytest
from toys import Toy

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.comparing import ComparingExplorer
from pmp_kit.course.explore.page import code as view_code


@pytest.fixture(params=[explore.PerturbationLab], scope="module")
def explorer(request):
    return request.param()


def agree(one, other) -> bool:
    numbers = np.asarray(one).dtype.kind == "f"
    return np.allclose(one, other, rtol=1e-9, atol=1e-9) if numbers else np.array_equal(one, other)


def same(one, other) -> bool:
    shapes = jax.tree.structure(one) == jax.tree.structure(other)
    return shapes and jax.tree.all(jax.tree.map(agree, one, other))


def run(code: str) -> explore.Explorer:
    """What the last line of a cell shows."""
    *before, last = code.split("\n\n")
    names: dict = {}
    exec("\n\n".join(before), names)
    return eval(last, names)


def test_the_code_of_a_view_makes_it_again(explorer):
    for control in explorer.controls.values():
        if hasattr(control, "index"):
            control.index = 1
        else:
            control.value = control.max - 3 * control.step
    explorer.tools["noise"].value = "new"
    explorer.tools["noise"].value = "frozen"
    again = run(explorer.copy_as_code())
    assert type(again) is type(explorer)
    assert same(again.params(), explorer.params())
    assert same(again.state, explorer.state)
    assert again.picture.png() == explorer.picture.png()
    assert not same(type(explorer)().state, explorer.state)


def test_the_code_is_written_while_it_is_shown(explorer):
    view = explorer._tools.code.widget
    assert view.code == ""
    view.shown = True
    assert view.code == explorer.copy_as_code()
    explorer.controls["coupling"].value = 0.25
    assert "coupling=0.25" in view.code
    view.shown = False
    assert view.code == ""


def test_a_view_that_needs_more_says_so():
    class Closed(Toy):
        def __init__(self, number=10):
            super().__init__(number=number)

    with pytest.raises(TypeError, match=r"expected those of Closed\(number\), got unknown .*kind.*override arguments"):
        Closed().copy_as_code()
    assert view_code.code_of(Toy, {"breaks": np.float32(0.5)}) == "Toy(breaks=0.5)"


def test_frozen_noise_stays_while_the_model_changes_and_new_noise_does_not(explorer):
    coupling = explorer.controls["coupling"]
    coupling.value = 0.1
    first, seed = explorer.state, explorer.seed
    coupling.value = 0.2
    coupling.value = 0.1
    assert explorer.seed == seed
    assert same(first, explorer.state)
    explorer.tools["noise"].value = "new"
    coupling.value = 0.2
    coupling.value = 0.1
    assert explorer.seed == explorer.state.seed == seed + 3
    assert not same(first, explorer.state)
    assert f"seed {seed + 3}" in explorer._frame.status.value
    explorer.tools["noise"].value = "frozen"
    assert explorer.seed == seed + 3


def test_a_pinned_picture_stays(explorer):
    explorer.controls["coupling"].value = 0.3
    kept = explorer.picture.png()
    trait = "image" if isinstance(explorer.picture, explore.Still) else "clip"
    sent = getattr(explorer.picture.widget, trait)
    explorer.tools["pin"].value = True
    explorer.controls["coupling"].value = -0.3
    picture, words = explorer._tools.pin.widget.children
    assert explorer.picture.png() != kept
    assert "coupling 0.3 · " in words.value
    assert f"seed {explorer.seed}" in words.value
    assert getattr(picture, trait) == sent != getattr(explorer.picture.widget, trait)
    assert picture.comm is not None
    explorer.tools["pin"].value = False
    assert explorer._tools.pin.widget.children == ()
    assert explorer._tools.pin.widget.layout.display == "none"
    assert picture.comm is None


class Loud(ComparingExplorer):
    """Shows its seed as a grey; `breaks` makes it fail."""

    title, caption, width, breaks = "Loud", "A grey.", 2, False

    def __init__(self, number=3, seed=0):
        super().__init__(locals())

    def make_controls(self):
        return {"model": {"number": widgets.IntSlider(max=10)}}

    def compute(self, params):
        return {**params, "seed": self.seed}

    def paint(self, state):
        if self.breaks:
            raise RuntimeError("planted")
        return np.full((2, 2, 3), state["seed"], np.uint8)

    def describe(self, state):
        return f"seed {state['seed']}"


def test_a_failure_while_pinning_is_recorded():
    loud = Loud()
    loud.breaks = True
    loud.tools["pin"].value = True
    (failure,) = failure_list.failures()
    assert failure.where == "Loud, pinning a picture"
    assert "planted" in loud._frame.status.value
    assert loud._tools.pin.widget.children == ()
    assert not loud.tools["pin"].value
    loud.breaks = False
    loud.tools["pin"].value = True
    assert loud._tools.pin.full
