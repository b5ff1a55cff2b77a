"""Phase maps: every setting once, rough first; the same values as one by one; stopping, loading and failing."""

import base64
import io
import re
import threading
import time
from types import SimpleNamespace

import ipywidgets as widgets
import jax
import numpy as np
import pytest
from explorers import EXPLORERS, params_of, parts, wait_for
from PIL import Image
from slow_parameters import some

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, film, filmed, phase_map
from pmp_kit.course.explore.phase_map import compute, paint
from pmp_kit.course.explore.shared import many


class Toy(explore.Explorer):
    """Three controls and a state that is their values; notes what was computed, and how many at once."""

    title, caption, width = "Toy", "", 100

    def __init__(self):
        self.seen = []
        super().__init__({})

    def make_controls(self):
        level = {"level": widgets.FloatSlider(min=0.0, max=1.0, step=0.01), "seed": widgets.IntSlider(max=9)}
        return {
            "model": {"kind": widgets.Dropdown(options=["a", "b", "c"]), "sweeps": widgets.IntSlider(max=30)} | level
        }

    def compute(self, params):
        self.seen.append(dict(params))
        return params

    def paint(self, state):
        return np.full((4, 4, 3), state["sweeps"], np.uint8)

    def describe(self, state):
        return str(state)


def high(state) -> float:
    return state["level"] + state["sweeps"] + 100 * (state["kind"] == "b")


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


def computed(chart):
    """Press the button and wait until the map is complete."""
    chart.press()
    wait_for(lambda: chart.work.over and not chart.job.running)
    chart.job.join()
    return chart.work.values


def line(count, ordered=True):
    return compute.Axis("line", tuple(range(count)), ordered)


@pytest.mark.parametrize(("columns", "rows"), [(20, 20), (19, 5), (18, 20), (3, 20), (1, 2)])
@pytest.mark.parametrize("ordered", [True, False])
def test_every_cell_once_and_rough_first(columns, rows, ordered):
    x, y = line(columns, ordered), line(rows)
    levels = compute.order(x, y)
    cells = [cell for level in levels for cell in level]
    assert len(cells) == len(set(cells)) == rows * columns
    assert len(levels[0]) == -(-rows // 4) * (-(-columns // 4) if ordered else columns)
    known = np.full((rows, columns), np.nan)
    for number, level in enumerate(levels):
        for row, column in level:
            known[row, column] = number
        assert not np.isnan(compute.filled(known, x, y)).any(), "each level covers the whole map"


def test_a_block_has_the_value_of_a_setting_inside_it():
    x = y = line(20)
    known = np.full((20, 20), np.nan)
    for row, column in compute.order(x, y)[0]:
        known[row, column] = 100 * row + column
    rows, columns = np.divmod(compute.filled(known, x, y), 100)
    assert (np.abs(rows - np.arange(20)[:, None]) <= 2).all()
    assert (np.abs(columns - np.arange(20)) <= 2).all()


@pytest.mark.parametrize(("last", "ticks"), [(19, 5), (30, 6), (60, 6), (64, 5), (100, 6), (3, 4), (0, 1), (97, 6)])
def test_stops_and_their_numbers_have_equal_distances(last, ticks):
    stops = tuple(film.spread(last, compute._even(last)))
    assert (stops[0], stops[-1]) == (0, last)
    assert min(last + 1, 11) <= len(stops) <= compute.MOST
    assert last == 97 or len(set(np.diff(stops))) <= 1, "97 is a prime number, and too many stops"
    places = paint._ticks(compute.Axis("line", stops, True))
    assert len(places) == ticks
    assert places[0] == 0
    assert len(set(np.diff(places))) <= 1


def test_the_shares_of_the_categories_sum_to_100():
    assert paint.percent(np.array([1, 1, 1])).tolist() == [34, 33, 33]
    assert paint.percent(np.array([5, 5, 190])).tolist() == [3, 2, 95]
    for counts in np.random.default_rng(0).integers(0, 50, (100, 3)) + 1:
        shares = paint.percent(counts)
        assert shares.sum() == 100
        assert (np.abs(shares - 100 * counts / counts.sum()) < 1).all()


def test_the_values_are_those_of_the_settings_one_by_one(toy, chart):
    values = computed(chart)
    assert values.shape == (16, 21)
    for row, sweeps in enumerate(chart.y.stops):
        for column, level in enumerate(chart.x.stops):
            assert values[row, column] == high({**toy.params(), "level": level, "sweeps": sweeps})
    assert len(toy.seen) == 16 * 21
    assert {one["sweeps"] for one in toy.seen[:24]} == {chart.y.stops[k] for k in (2, 6, 10, 14)}
    assert chart.y.stops == tuple(range(0, 31, 2))
    assert "100 % computed" in chart.describe()
    assert chart.button.disabled
    assert threading.active_count() < 20
    assert "phase map" not in {thread.name for thread in threading.enumerate()}


def test_a_column_of_sweeps_is_what_fewer_sweeps_give():
    studio = EXPLORERS["digits"].make_small()
    chart = phase_map.PhaseMap(studio, "damping", "sweeps", phase_map.SETTLED)
    values = computed(chart)
    assert 1 < np.unique(values).size
    for row, column in ((0, 0), (5, 4), (10, 8), (12, 0), (19, 10), (19, 19)):
        asked = {"sweeps": chart.y.stops[row], "damping": chart.x.stops[column]}
        state = studio.compute({**studio.params, **asked})
        assert values[row, column] == (state.sweeps < state.allowed).mean()
    assert values.max() > 0


@pytest.mark.slow
def test_the_sample_s_map_counts_exact_answers_over_seeds():
    sample = explore.OneSample(model="spin glass")
    chart = phase_map.PhaseMap(sample, "coupling", "sweep", phase_map.EXACT)
    values, column = computed(chart), 13
    asked = {**sample.params(), "coupling": chart.x.stops[column]}
    states = [sample.compute({**asked, "seed": seed}) for seed in range(phase_map.EXACT.draws)]
    exact = np.mean([(one.states == one.exact).all(1) for one in states], axis=0)
    np.testing.assert_allclose(values[:, column], exact[list(chart.y.stops)])
    assert 0 < values[-1, column] < 1


@pytest.mark.parametrize("name", ["sampler", "messages"])
def test_many_at_once_are_the_states_one_by_one(name):
    explorer, draw = EXPLORERS[name].make_small(), np.random.default_rng(0)
    stops = {key: film.stops(control) for key, control in explorer.controls.items()}
    settings = [
        {**params_of(explorer), **{key: values[draw.integers(len(values))] for key, values in stops.items()}}
        for _ in range(many.BATCH + 7)
    ]
    for asked, together in zip(settings, explorer.compute_many(settings), strict=True):
        alone = explorer.compute(asked)
        assert jax.tree.structure(alone) == jax.tree.structure(together)
        named = jax.tree_util.tree_leaves_with_path(alone)
        for (field, mine), its in zip(named, jax.tree.leaves(together), strict=True):
            assert np.shape(mine) == np.shape(its), field
            assert np.asarray(mine).dtype == np.asarray(its).dtype, field
            if isinstance(mine, str):
                assert mine == its
            else:
                np.testing.assert_allclose(mine, its, atol=1e-4, err_msg=field)


def test_batches_have_one_size():
    sizes = []

    def run(first, second):
        sizes.append(len(first))
        return {"sum": first + second}

    for count in (1, many.BATCH, 2 * many.BATCH + 3):
        numbers = np.arange(count)
        assert [one["sum"] for one in many.in_batches(run, numbers, 10 * numbers)] == (11 * numbers).tolist()
    assert set(sizes) == {many.BATCH}
    assert len(sizes) == 5


def test_another_control_starts_the_map_again_and_its_own_do_not(toy, chart):
    first = computed(chart)
    toy.controls["level"].value, toy.controls["sweeps"].value = 0.5, 7
    assert chart.work.over
    assert chart.picture.widget.marker == [chart.y.nearest(7), chart.x.nearest(0.5)]
    toy.controls["kind"].value = "b"
    wait_for(lambda: chart.work.over and not chart.job.running)
    chart.job.join()
    np.testing.assert_array_equal(chart.work.values, first + 100)
    shown = np.frombuffer(chart.picture.widget.values, "<f4").reshape(16, 21)
    np.testing.assert_allclose(shown, first + 100, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "x", "y", "other", "value"),
    [("zeros", "stroke", "damping", "sweeps", 7), ("energies", "strength", "temperature", "factor", "J34")],
)
def test_what_follows_from_the_axes_does_not_start_the_map_again(name, x, y, other, value):
    """Another stroke brings its own evidence, and the strength of a factor is kept among those of all factors."""
    explorer = EXPLORERS[name].make_small()
    chart = phase_map.PhaseMap(explorer, x, y, lambda state: 1.0)
    chart.work.step()
    assert chart.work.done
    for row, column in ((0, 0), (1, 1), (2, 2)):
        chart.picture.choose(row, column)
        assert chart.work.done
    explorer.controls[other].value = value
    assert not chart.work.done


def test_a_map_over_strokes_depends_on_what_is_painted():
    brush = EXPLORERS["zeros"].make_small()
    chart = phase_map.PhaseMap(brush, "stroke", "damping", lambda state: 1.0)
    chart.work.step()
    brush.painter.values = np.full(brush.painter.values.shape, 1)
    assert not chart.work.done


def test_the_map_waits_while_a_control_moves(toy, chart, monkeypatch):
    monkeypatch.setattr(phase_map, "CALM", 60.0)
    chart.press()
    wait_for(lambda: chart.work.over)
    toy.controls["kind"].value = "c"
    toy.seen.clear()
    wait_for(lambda: "first settings" in chart._frame.status.value)
    assert chart.job.running
    time.sleep(0.1)
    assert not toy.seen
    assert np.isnan(chart.work.values).all()


def test_stop_and_go_on(toy, chart, monkeypatch):
    monkeypatch.setattr(chart.work, "_compute", lambda settings: time.sleep(0.02) or settings)
    chart.press()
    wait_for(lambda: chart.work.done > 3)
    assert chart.button.description == "stop"
    chart.press()
    chart.job.join()
    done = chart.work.done
    assert 0 < done < 16 * 21
    assert chart.button.description == "compute"
    toy.controls["level"].value = 0.2
    assert chart.work.done == done
    monkeypatch.setattr(chart.work, "_compute", list)
    computed(chart)
    assert chart.work.done == 16 * 21


def test_a_change_after_stop_clears_the_map(toy, chart):
    computed(chart)
    chart._following = False
    toy.controls["kind"].value = "b"
    assert np.isnan(chart.work.values).all()
    assert not chart.job.running
    assert not chart.button.disabled


def observers(explorer) -> int:
    """How many callbacks the controls and the picture of an explorer have."""
    watched = [*explorer.controls.values(), explorer.picture.widget]
    return sum(len(calls) for one in watched for kinds in one._trait_notifiers.values() for calls in kinds.values())


def test_a_new_map_of_an_explorer_ends_the_old_one(toy, chart, monkeypatch):
    """The reader runs the cell of a map again while it is computed."""
    monkeypatch.setattr(chart.work, "_compute", lambda settings: time.sleep(0.02) or settings)
    watching = observers(toy)
    chart.press()
    wait_for(lambda: chart.work.done > 3)
    again = phase_map.PhaseMap(toy, "level", "sweeps", high)
    chart.job.join()
    assert observers(toy) == watching
    assert chart.button.disabled
    assert "Run its cell again" in chart._frame.status.value
    done = chart.work.done
    toy.controls["kind"].value = "b"
    chart.press()
    assert (chart.work.done, chart.job.running) == (done, False)
    assert computed(again).min() >= 100


def test_words_of_the_reader_are_no_html(toy, monkeypatch):
    monkeypatch.setattr(toy, "title", "<b>&")
    chart = phase_map.PhaseMap(toy, "level", "sweeps", phase_map.Measure(high, "<b>&"))
    (head,) = (part.value for part in parts(chart.widget) if "Each cell" in str(getattr(part, "value", "")))
    assert "of <i>&lt;b&gt;&amp;</i>. The colour shows the &lt;b&gt;&amp;." in head


def test_a_closed_map_ends(toy, monkeypatch):
    watching = observers(toy)
    chart = phase_map.PhaseMap(toy, "level", "sweeps", high)
    monkeypatch.setattr(chart.work, "_compute", lambda settings: time.sleep(0.02) or settings)
    chart.press()
    wait_for(lambda: chart.work.done > 3)
    chart.close()
    chart.job.join()
    assert not chart.work.over
    assert observers(toy) == watching
    failure_list.assert_no_failures()


@pytest.mark.parametrize(("name", "y", "measure"), [("messages", "damping", "OUTCOME"), ("sampler", "sweep", "EXACT")])
def test_a_press_that_arrives_after_the_last_setting_does_nothing(name, y, measure):
    chart = phase_map.PhaseMap(EXPLORERS[name].make_small(), "coupling", y, getattr(phase_map, measure))
    chart.work.done = chart.work.total
    chart._show()
    chart.press()
    chart.job.join()
    failure_list.assert_no_failures()
    assert (chart.button.description, chart.button.disabled) == ("compute", True)


@pytest.mark.parametrize("name", ["kind", "level"])
def test_an_older_picture_changes_neither_the_progress_nor_the_outline(name, toy, chart, monkeypatch):
    """The reader moves a control while the thread shows the last values of the map before."""
    mark, shown = chart.picture.mark, threading.Event()

    def late(*place):
        if not shown.is_set():
            shown.set()
            time.sleep(0.3)
        mark(*place)

    chart.work.step()
    monkeypatch.setattr(chart.picture, "mark", late)
    thread = threading.Thread(target=chart._show)
    thread.start()
    assert shown.wait(10)
    toy.controls[name].value = {"kind": "b", "level": toy.controls["level"].max}[name]
    thread.join()
    assert chart._progress.value == chart.work.done
    assert chart.picture.widget.marker[1] == chart.x.nearest(toy.controls["level"].value)


def test_the_values_of_the_explorer_are_read_under_its_lock(toy, chart, monkeypatch):
    """Some explorers set controls when their values are read."""
    read, params = [], toy.params

    def locked():
        taken = []
        other = threading.Thread(target=lambda: taken.append(toy.lock.acquire(blocking=False)))
        other.start()
        other.join()
        if taken == [True]:
            read.append("free")
        return params()

    monkeypatch.setattr(toy, "params", locked)
    toy.controls["kind"].value = "b"
    assert not read


def test_results_of_an_outdated_setting_are_dropped(toy, chart):
    def restart(settings):
        chart.work.restart(toy.params())
        return settings

    chart.work._compute = restart
    chart.work.step()
    assert chart.work.done == 0
    assert np.isnan(chart.work.values).all()


def test_steps_are_short(chart, monkeypatch):
    sizes, reached, clock = [], [], [0.0]

    def slow(settings):
        sizes.append(len(settings))
        clock[0] += (0.01 if len(sizes) < 10 else 0.04) * len(settings)
        return settings

    chart.work._compute = slow
    monkeypatch.setattr(compute.time, "perf_counter", lambda: clock[0])
    for _ in range(16):
        chart.work.step()
        reached.append(chart.work.done)
    assert chart.work.rough in reached, "the first rough picture waits for no finer setting"
    assert 1 < max(sizes) <= 8  # doubled at most while a step takes less than 30 ms
    assert sizes[-1] == 1  # halved while it takes more than 70 ms


def test_steps_are_short_after_many_quick_maps(toy, chart, monkeypatch):
    """The reader moves a slider, so that many quick rough maps are interrupted; then each setting takes longer."""
    sizes, clock, cost = [], [0.0], 0.0001

    def work(settings):
        sizes.append(len(settings))
        clock[0] += cost * len(settings)
        return settings

    chart.work._compute = work
    monkeypatch.setattr(compute.time, "perf_counter", lambda: clock[0])
    for _ in range(30):
        chart.work.restart(toy.params())
        while chart.work.done < chart.work.rough:
            chart.work.step()
    cost = 0.04
    sizes.clear()
    chart.work.restart(toy.params())
    while not chart.work.over:
        chart.work.step()
    assert sizes[:5] == [24, 12, 6, 3, 1]


def test_a_click_loads_the_setting(toy, chart):
    chart.picture.choose(3, 5)
    assert toy.controls["sweeps"].value == chart.y.stops[3]
    assert toy.controls["level"].value == chart.x.stops[5]
    assert toy.state["sweeps"] == chart.y.stops[3]
    assert chart.picture.widget.marker == [3, 5]
    toy.controls["sweeps"].value = 0
    chart.picture.choose(3, 5)
    assert toy.controls["sweeps"].value == chart.y.stops[3], "a second click on the same cell counts"


def test_a_click_keeps_the_noise_of_the_map():
    """With new noise in every picture, the explorer showed another outcome than the cell."""
    lab = explore.PerturbationLab()
    lab.tools["noise"].value = "new"
    chart = phase_map.PhaseMap(lab, "samples", "coupling", lambda state: 1.0)
    seed = lab.seed
    chart.picture.choose(0, 0)
    assert lab.seed == seed
    assert lab.controls["samples"].value == chart.x.stops[0]
    failure_list.assert_no_failures()


def test_a_click_moves_the_player_where_sweeps_are_its_frames():
    sample = explore.OneSample()
    chart = phase_map.PhaseMap(sample, "coupling", "sweep", phase_map.EXACT)
    assert chart.picture.widget.marker == [-1, chart.x.nearest(0.8)]
    chart.picture.choose(4, 2)
    assert sample.controls["coupling"].value == chart.x.stops[2]
    assert sample.picture.widget.wanted == [chart.y.stops[4], 1]


@pytest.mark.parametrize(("x", "y"), [("strength", "factor"), ("factor", "strength")])
def test_a_click_loads_both_values_where_one_follows_from_the_other(x, y):
    """Another factor sets its own strength, so the strength that was clicked has to come after the factor."""
    table = EXPLORERS["energies"].make_small()
    chart, before = phase_map.PhaseMap(table, x, y, lambda state: 1.0), table.params()
    row, column = (6, 3) if y == "factor" else (3, 6)
    clicked = {x: chart.x.stops[column], y: chart.y.stops[row]}
    chart.picture.choose(row, column)
    assert {name: table.params()[name] for name in clicked} == clicked
    assert table.params() == table.moved(before, clicked), "the strengths of the other factors stay"


def test_a_locked_control_stays_locked(toy, chart):
    toy.controls["level"].disabled = True
    chart.press()
    assert not chart.job.running
    assert chart.work.done == 0
    assert "level is locked" in chart._frame.status.value
    chart.picture.choose(3, 5)
    assert toy.controls["sweeps"].value == toy.controls["level"].value == 0
    assert chart.exercise() == 26
    assert toy.controls["level"].disabled
    assert not failure_list.failures()


def test_a_failure_is_said_and_recorded(toy, chart):
    def fail(settings):
        raise ValueError("planted")

    chart.work._compute = fail
    chart.press()
    wait_for(lambda: not chart.job.running)
    chart.job.join()
    assert "ValueError while computing the map: planted" in chart._frame.status.value
    assert [one.where for one in failure_list.failures()] == ["PhaseMap, computing"]
    assert chart.button.description == "compute"
    with pytest.raises(ValueError, match="planted"):
        chart.exercise()


def test_exercise_raises_what_was_recorded(toy, chart):
    toy.controls["level"].observe(lambda change: failure_list.record("planted", KeyError("level")), "value")
    with pytest.raises(AssertionError, match=r"(?s)exercising PhaseMap.*level"):
        chart.exercise()


def test_without_threads_the_button_computes_here(toy, chart, no_threads):
    chart.press()
    assert chart.work.over
    assert not chart.job.running
    assert chart.button.disabled
    toy.controls["kind"].value = "b"
    assert chart.work.done == 0
    assert not chart.button.disabled
    chart.press()
    assert chart.work.over
    assert not failure_list.failures()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("speed", "sweeps", high), "x: expected a control of Toy"),
        (("level", "sweep", high), "y: expected a control of Toy"),
        (("level", "level", high), "x: expected a control other than"),
        (("level", "kind", phase_map.SETTLED), "y: expected the sweeps"),
        (("level", "sweeps", explore.Measure(high, "", {"a": "#000000"}, draws=2)), "measure: expected draws=1"),
    ],
)
def test_wrong_arguments(toy, arguments, said):
    with pytest.raises(ValueError, match=said):
        phase_map.PhaseMap(toy, *arguments)


def test_a_frame_needs_a_measure_by_sweeps():
    with pytest.raises(ValueError, match="y: expected a control, because"):
        phase_map.PhaseMap(explore.OneSample(), "coupling", "sweep", high)


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (explore.Measure(lambda state: np.zeros(3), "three"), "expected one number of a state"),
        (explore.Measure(lambda state: np.nan, "none"), "measure: expected finite numbers, got nan; return"),
        (explore.Measure(lambda state: np.array([0.5, np.inf]), "some", by_sweep=True), "expected finite numbers, got"),
        (explore.Measure(lambda state: 0.5, "half", by_sweep=True), "one number for each number of sweeps"),
        (explore.Measure(lambda state: 2, "which", {"a": "#000000", "b": "#FFFFFF"}), "index of one of"),
    ],
)
def test_wrong_values_of_a_measure(measure, said):
    with pytest.raises(ValueError, match=said):
        measure.value(None, (0,))


def test_the_outcomes_of_the_triangle():
    scope = explore.MessageScope("triangle", -1.0, damping=0.0, start="zero", seed=0)
    chart = phase_map.PhaseMap(scope, "coupling", "damping", phase_map.OUTCOME)
    names, (x, y) = list(phase_map.OUTCOME.names), (chart.x, chart.y)
    outcome = np.array(names)[computed(chart).astype(int)]
    frustrated = outcome[:, x.nearest(-1.0)]
    assert frustrated[y.nearest(0.0)] == "cycles"
    assert set(frustrated[y.nearest(0.4) : y.nearest(0.65)]) == {"settles, undecided"}, "all beliefs tend to 0"
    assert frustrated[y.nearest(0.95)] == "still moving"
    assert set(outcome[y.nearest(0.5), x.nearest(0.0) :]) == {"settles on the best"}
    assert "cycles" in chart.describe()


def test_a_wrong_fixed_point_is_called_wrong():
    state = EXPLORERS["messages"].make_small().compute(explore.MessageScope("triangle").params)
    decided = state._replace(beliefs=np.ones_like(state.beliefs), residuals=np.zeros_like(state.residuals))
    names = list(phase_map.OUTCOME.names)
    for gap, name in ((0.0, "settles on the best"), (1.0, "settles, but wrong")):
        found = phase_map.OUTCOME.value(decided._replace(gaps=np.full_like(state.gaps, gap)), ())
        assert names[int(found)] == name


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([30.0, 30.0, 30.0, 30.0], "too close to tell"),  # before the first sweep all samplers have the same states
        ([31.0, 30.0, 90.0, 90.0], "too close to tell"),
        ([1.5, -1.0, 90.0, 90.0], "too close to tell"),
        ([2.9, -1.0, 90.0, 90.0], "too close to tell"),  # the grey band is from -2 to 2: half of it is 2
        ([3.1, -1.0, 90.0, 90.0], "Gibbs"),
        ([50.0, -30.0, 90.0, 90.0], "Gibbs"),
    ],
)
def test_the_closest_sampler_is_named_if_it_is_closer_by_more_than_the_error(values, name):
    state = SimpleNamespace(values=np.array(values), band=1.0)
    assert list(phase_map.CLOSEST.names)[int(phase_map.CLOSEST.value(state, ()))] == name


@pytest.mark.parametrize("name", some(["race", "messages", "digits", "sampler"], ("messages", "digits", "sampler")))
def test_the_maps_of_the_course_can_be_exercised(name):
    x, y, measure = {
        "race": ("model", "sweeps", phase_map.CLOSEST),
        "messages": ("coupling", "damping", phase_map.OUTCOME),
        "digits": ("damping", "sweeps", phase_map.SETTLED),
        "sampler": ("coupling", "sweep", phase_map.EXACT),
    }[name]
    explorer = EXPLORERS[name].make_small()
    chart, before = phase_map.PhaseMap(explorer, x, y, measure), params_of(explorer)
    assert chart.exercise() == chart.work.rough + 2
    after = params_of(explorer)
    assert all(np.array_equal(after[key], value) for key, value in before.items())
    assert "Nothing is computed yet" in chart.describe()
    bundle, _ = chart._repr_mimebundle_()
    assert bundle["text/plain"].startswith("Phase map.")
    assert 1_000 < len(bundle["image/png"]) < 150_000


def test_a_page_without_a_kernel_shows_the_finished_map(toy, chart, monkeypatch):
    assert "text/html" not in chart._repr_mimebundle_()[0]
    monkeypatch.setenv(filmed.PLAYERS, "1")
    page, before = chart._repr_mimebundle_()[0]["text/html"], toy.params()
    assert not re.search(r"https?:|<details", page)
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(re.search(r"base64,([^\"]*)", page)[1]))))
    values = [[high({**before, "level": x, "sweeps": y}) for x in chart.x.stops] for y in chart.y.stops]
    assert (shown == paint.Painter(chart.x, chart.y, chart.measure).paint(np.array(values))).all()
    assert "high: 0 to 31, largest at level 1, sweeps 30" in page
    assert "open its notebook in JupyterLab" in page
    assert toy.params() == before
    assert not chart.work.done


def test_a_map_that_answers_a_question_is_folded(toy, chart, monkeypatch):
    monkeypatch.setenv(filmed.PLAYERS, "1")
    toy.controls["level"].disabled = True
    fold = chart._repr_mimebundle_()[0]["text/html"].split("<details", 1)[1].split("</details>")[0]
    assert "The map answers the question about level." in fold
    assert "<img" in fold


def test_colours_of_numbers_and_categories():
    x = y = line(20)
    values = np.full((20, 20), np.nan)
    values[0, 0], values[0, 1] = 0.0, 1.0
    for measure in (
        explore.Measure(high, "number"),
        explore.Measure(high, "kind", {"low": "#00204D", "high": "#FFEA46"}),
    ):
        painter = paint.Painter(x, y, measure)
        picture, grid = painter.paint(values), painter.grid
        bottom = grid["top"] + grid["rows"] * grid["high"] - 3
        low, top, unknown = (picture[bottom, grid["left"] + k * grid["wide"] + 3].tolist() for k in range(3))
        assert low[2] > low[0] < 30
        assert top[0] > 240 > 100 > top[2]
        assert len(set(unknown)) == 1
