"""Phase maps: the values of all settings, what the button and a click do, and what is said of the map."""

import time
from types import SimpleNamespace
from typing import NamedTuple

import ipywidgets as widgets
import jax
import numpy as np
import pytest
from explorers import EXPLORERS, wait_for

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, phase_map, picture
from pmp_kit.course.explore.picture.frame import unpack
from pmp_kit.course.explore.shared import many
from pmp_kit.course.explore.stops import stops


class State(NamedTuple):
    kind: str
    level: float
    sweeps: int
    seed: int


class Toy(picture.Explorer):
    """Four controls; kind c brings its own level. The state is the params."""

    title, caption = "<b>Toy</b>", ""
    script = explore.MessageScope.script

    def __init__(self):
        self.seen = []
        super().__init__({})

    def make_controls(self):
        level = {"level": widgets.FloatSlider(min=0.0, max=1.0, step=0.05), "seed": widgets.IntSlider(max=9)}
        return {
            "model": {"kind": widgets.Dropdown(options=["a", "b", "c"]), "sweeps": widgets.IntSlider(max=30)} | level
        }

    def changed(self, params, name, value):
        return super().changed(params, name, value) | ({"level": 1.0} if (name, value) == ("kind", "c") else {})

    def compute(self, params):
        self.seen.append(params)
        return State(**params)

    def says(self, state):
        return str(state)


def high(state) -> float:
    return state.level + state.sweeps + 100 * (state.kind == "b")


NOISY = phase_map.Measure(lambda state: state.level + state.seed + np.arange(7.0), "sum", draws=3, by_sweep=True)


@pytest.fixture
def toy():
    return Toy()


@pytest.fixture
def chart(toy):
    made = phase_map.PhaseMap(toy, "level", "sweeps", high)
    toy.seen.clear()
    yield made
    made.job.pause()
    made.job.join()


def computed(chart) -> np.ndarray:
    """Press the button and wait until the map is complete."""
    chart.press()
    wait_for(lambda: chart.work.over and not chart.job.running)
    chart.job.join()
    return chart.state.values


def load(chart, row, column):
    """Do what a click on a cell does."""
    chart._answer(chart.picture, {"load": [row, column]}, [])


def test_the_values_are_those_of_the_settings_one_by_one(toy, chart):
    assert "Nothing is computed yet" in chart.says(chart.state)
    values = computed(chart)
    expected = [[level + sweeps for level in chart.x.stops] for sweeps in chart.y.stops]
    np.testing.assert_array_equal(values, expected)
    assert values.shape == (16, 21)
    assert len(toy.seen) == 16 * 21
    assert chart.says(chart.state) == "100 % computed · high 0 to 31"
    assert chart.button.disabled
    np.testing.assert_allclose(unpack(chart.picture.frame)["values"], values, rtol=1e-6)


def test_a_column_of_sweeps_is_the_mean_over_draws_of_one_state_each(toy):
    chart = phase_map.PhaseMap(toy, "level", "sweep", NOISY)
    toy.seen.clear()
    values = computed(chart)
    np.testing.assert_allclose(values, np.arange(7.0)[:, None] + np.array(chart.x.stops) + 1)  # the mean of 0, 1, 2
    assert len(toy.seen) == 21 * 3
    assert chart.state.here == (-1, 0), "only the page knows the sweep that the player shows"


def test_many_at_once_are_the_states_one_by_one():
    explorer, draw = EXPLORERS["messages"].make_small(), np.random.default_rng(0)
    choices = {name: stops(control) for name, control in explorer.controls.items()}
    settings = [
        {"seed": 1} | {name: values[draw.integers(len(values))] for name, values in choices.items()}
        for _ in range(many.BATCH + 7)
    ]
    for asked, together in zip(settings, explorer.compute_many(settings), strict=True):
        alone = explorer.compute(asked)
        for (field, mine), its in zip(
            jax.tree_util.tree_leaves_with_path(alone), jax.tree.leaves(together), strict=True
        ):
            if isinstance(mine, str):
                assert mine == its
            else:
                np.testing.assert_allclose(mine, its, atol=1e-4, err_msg=field)


def test_the_outline_follows_the_axes_and_the_map_stays(toy, chart):
    first = computed(chart)
    toy.controls["level"].value, toy.controls["sweeps"].value = 0.5, 7
    assert chart.state.here == (chart.y.nearest(7), chart.x.nearest(0.5))
    assert chart.button.disabled
    toy.controls["kind"].value = "b"
    assert chart.state.here is None
    assert "for kind a: press compute for the present setting" in chart.says(chart.state)
    np.testing.assert_array_equal(chart.state.values, first)
    np.testing.assert_array_equal(computed(chart), first + 100)
    assert chart.state.here is not None


def test_a_click_loads_the_setting_that_was_computed(toy, chart):
    computed(chart)
    toy.controls["kind"].value = "b"
    load(chart, 3, 5)
    wanted = {"kind": "a", "sweeps": chart.y.stops[3], "level": chart.x.stops[5], "seed": 0}
    assert toy.params == wanted
    assert {name: control.value for name, control in toy.controls.items()} == wanted
    assert high(toy.state) == chart.state.values[3, 5]
    assert chart.state.here == (3, 5)


def test_a_locked_control_stays_locked(toy, chart):
    toy.controls["level"].disabled = True
    toy.refresh()
    assert chart.button.disabled
    assert chart.says(chart.state) == "level is locked: answer the question about it first."
    chart.press()
    load(chart, 3, 5)
    assert (chart.work.done, toy.params["sweeps"]) == (0, 0)
    toy.controls["level"].disabled = False
    toy.refresh()
    assert not chart.button.disabled


def test_stop_and_go_on(toy, chart, monkeypatch):
    monkeypatch.setattr(Toy, "compute_many", lambda toy, all: time.sleep(0.02) or [State(**one) for one in all])
    chart.press()
    wait_for(lambda: chart.work.done > 3)
    assert chart.button.description == "stop"
    chart.press()
    chart.job.join()
    done = chart.work.done
    assert 0 < done < 16 * 21
    assert chart.button.description == "compute"
    monkeypatch.undo()
    toy.seen.clear()
    computed(chart)
    assert len(toy.seen) == 16 * 21 - done


def test_a_failure_is_said_and_recorded(toy, chart, monkeypatch):
    monkeypatch.setattr(Toy, "compute_many", lambda toy, all: [None])
    chart.press()
    wait_for(lambda: not chart.job.running)
    chart.job.join()
    assert chart.picture.error.startswith("AttributeError while computing the map:")
    assert [one.where for one in failure_list.failures()] == ["PhaseMap, computing the map"]
    assert chart.button.description == "compute"
    failure_list.clear_failures()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("speed", "sweeps", high), "x: expected one of .* of Toy"),
        (("level", "sweep", high), "y: expected one of .* of Toy"),
        (("level", "sweeps", explore.Measure(high, "", {"a": "#000000"}, draws=2)), "or draws=1, got 2"),
    ],
)
def test_wrong_arguments(toy, arguments, said):
    with pytest.raises(ValueError, match=said):
        phase_map.PhaseMap(toy, *arguments)


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (explore.Measure(lambda state: np.zeros(3), "three"), "expected one finite number, got"),
        (explore.Measure(lambda state: 2, "which", {"a": "#000000", "b": "#FFFFFF"}), "index of one of"),
    ],
)
def test_wrong_values_of_a_measure(measure, said):
    with pytest.raises(ValueError, match=said):
        measure.value(None)


def test_the_outcomes_of_the_triangle():
    scope = explore.MessageScope("triangle", -1.0, damping=0.0, start="zero", seed=0)
    chart = phase_map.PhaseMap(scope, "coupling", "damping", phase_map.OUTCOME)
    x, y = chart.x, chart.y
    outcome = np.array(list(phase_map.OUTCOME.names))[computed(chart).astype(int)]
    frustrated = outcome[:, x.nearest(-1.0)]
    assert frustrated[y.nearest(0.0)] == "cycles"
    assert set(frustrated[y.nearest(0.4) : y.nearest(0.65)]) == {"settles, undecided"}, "all beliefs tend to 0"
    assert frustrated[y.nearest(0.95)] == "still moving"
    assert set(outcome[y.nearest(0.5), x.nearest(0.0) :]) == {"settles on the best"}
    assert "cycles" in chart.says(chart.state)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([30.0, 30.0, 30.0, 30.0], "too close to tell"),  # before the first sweep all samplers have the same states
        ([2.9, -1.0, 90.0, 90.0], "too close to tell"),  # the grey band is from -2 to 2: half of it is 2
        ([3.1, -1.0, 90.0, 90.0], "Gibbs"),
    ],
)
def test_the_closest_sampler_is_named_if_it_is_closer_by_more_than_the_error(values, name):
    state = SimpleNamespace(values=np.array(values), band=1.0)
    assert list(phase_map.CLOSEST.names)[int(phase_map.CLOSEST.value(state))] == name


def test_a_page_without_a_kernel_shows_the_finished_map(toy, chart, monkeypatch):
    assert "text/html" not in chart._repr_mimebundle_()[0]
    assert "of <i>&lt;b&gt;Toy&lt;/b&gt;</i>" in chart.caption, "words of a reader are no HTML"
    monkeypatch.setenv(picture.page.PLAYERS, "1")
    page = chart._repr_mimebundle_()[0]["text/html"]
    assert "<details" not in page
    np.testing.assert_array_equal(chart.compute(chart.params).values, computed(chart))
    toy.controls["level"].disabled = True
    folded = chart._repr_mimebundle_()[0]["text/html"]
    assert folded.startswith("<details")
    assert "The map answers the question about level." in folded
    assert "is locked" not in chart.says(chart.compute(chart.params))
