"""Layers of pictures: checkboxes show and hide them, the code of a view remembers them."""

import numpy as np
import pytest

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list
from pmp_kit.course.plot import graph, layered


@pytest.fixture(params=[explore.OneSample], scope="module")
def explorer(request):
    return request.param()


def test_the_pictures_open_with_states_and_noise(explorer):
    assert explorer.layers.shown == ("states", "noise")
    assert tuple(explorer.layers.boxes) == graph.LAYERS
    assert len(explorer.controls) <= 5
    assert not set(explorer.layers.boxes) & set(explorer.controls)


@pytest.mark.parametrize("name", graph.LAYERS)
def test_a_checkbox_shows_or_hides_its_layer_without_computing(explorer, name, monkeypatch):
    monkeypatch.setattr(type(explorer), "compute", None)
    state, before = explorer.state, explorer.picture.clip.palettes
    box = explorer.layers.boxes[name]
    box.value = not box.value
    assert explorer.state is state
    assert not np.array_equal(explorer.picture.clip.palettes, before)
    box.value = not box.value
    assert np.array_equal(explorer.picture.clip.palettes, before)
    assert not failure_list.failures()


@pytest.mark.parametrize("shown", [(), ("truth",), ("beliefs", "messages"), layered.SWITCHED])
@pytest.mark.parametrize("fixed", [("states", "noise"), ("noise",)])
def test_a_recording_looks_like_the_live_picture(explorer, shown, fixed):
    """The page hides what it does not show; hidden entries must take the colours of what is behind them."""
    explorer.layers.shown = (*fixed, *shown)
    live, recorded = explorer.picture.clip, explorer.recording()
    explorer.layers.shown = ("states", "noise")
    assert tuple(recorded.layers) == layered.SWITCHED
    assert set(recorded.shown) == set(shown)
    for frame in (0, live.first):
        assert np.array_equal(recorded.pixels(frame), live.pixels(frame))


def test_the_code_of_a_view_remembers_the_layers(explorer):
    explorer.layers.boxes["truth"].value = True
    code = explorer.copy_as_code()
    explorer.layers.boxes["truth"].value = False
    assert "layers=('states', 'noise', 'truth')" in code
    names = {}
    exec(code.replace(f"explore.{type(explorer).__name__}(", f"made = explore.{type(explorer).__name__}("), names)
    assert names["made"].layers.shown == ("states", "noise", "truth")


def test_the_view_before_a_layer_was_switched_is_kept(explorer):
    explorer._tools.history.rest()
    explorer.layers.boxes["truth"].value = True
    kept = list(explorer._tools.history.views.values())[-1]
    explorer.restore(kept.values)
    assert kept.values["layers"] == ("states", "noise")
    assert not explorer.layers.boxes["truth"].value


def test_a_view_with_other_layers_comes_back_in_one_picture(explorer, monkeypatch):
    """None is of the old state, whose settings the controls no longer have."""
    view, shown = explorer.view(), []
    explorer.controls["coupling"].value, explorer.layers.shown = 0.3, ("beliefs", "truth")
    monkeypatch.setattr(explorer.picture, "show", lambda picture: shown.append(picture))
    explorer.restore(view)
    monkeypatch.undo()
    assert len(shown) == 1
    explorer.refresh()
    assert not failure_list.failures()


def test_exercise_switches_every_layer(explorer):
    assert explorer.layers.exercise() == 2 * len(graph.LAYERS)
    assert explorer.layers.shown == ("states", "noise")


def test_a_failure_while_switching_is_recorded(explorer, monkeypatch):
    def broken(state):
        raise RuntimeError("planted")

    monkeypatch.setattr(explorer, "paint", broken)
    explorer.layers.boxes["beliefs"].value = True
    assert len(failure_list.failures()) == 1
    assert "planted" in explorer._frame.status.value
    monkeypatch.undo()
    explorer.layers.boxes["beliefs"].value = False


def test_an_unknown_layer_says_so():
    with pytest.raises(ValueError, match=r"layers: expected names among states, noise, .*, got 'halo'"):
        explore.OneSample(layers=("states", "halo"))
