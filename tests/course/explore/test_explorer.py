"""The base: pictures, recorded failures, threads."""

import base64
import os
import subprocess
import sys
import threading
import time
import traceback

import ipywidgets as widgets
import numpy as np
import pytest
from toys import Toy

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, layout
from pmp_kit.course.explore.meter import WARM_UP, Meter


def test_a_moved_control_makes_a_new_picture():
    toy = Toy()
    before = toy.picture.png()
    toy.controls["number"].value = 77
    assert toy.picture.png() != before
    assert toy.state["number"] == 77
    assert "number 77 of kind a" in toy._frame.status.value


def test_only_arguments_are_first_values():
    class Own(Toy):
        def __init__(self, kind="b"):
            number = perturbation = 50
            self.breaks, self.computed = "", []
            super(Toy, self).__init__(locals())

    assert Own().params() == {"number": 0, "kind": "b", "perturbation": False}


def test_every_page_gets_something():
    toy = Toy()
    bundle = toy._repr_mimebundle_()
    assert bundle["text/plain"] == "Toy. number 10 of kind a"
    assert base64.b64decode(bundle["image/png"]) == toy.picture.png()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == toy.widget.model_id


@pytest.mark.parametrize("step", ["compute", "paint"])
def test_a_planted_failure_is_recorded_and_shown(step):
    toy = Toy()
    old = toy.picture.png()
    toy.breaks = step
    toy.controls["number"].value = 11
    (failure,) = failure_list.failures()
    assert failure.where == "Toy, painting a picture"
    assert f"planted in {step}" in failure.text
    assert "planted" in toy._frame.status.value
    assert "pmp-error" in toy._frame.status._dom_classes
    assert "pmp-stale" in toy.widget._dom_classes
    assert toy.picture.png() == old
    with pytest.raises(AssertionError, match=f"planted in {step}"):
        failure_list.assert_no_failures()


def test_the_next_good_picture_clears_the_failure_on_the_page_but_not_in_the_list():
    toy = Toy()
    toy.breaks = "paint"
    toy.controls["number"].value = 11
    toy.breaks = ""
    toy.controls["number"].value = 12
    assert "pmp-error" not in toy._frame.status._dom_classes
    assert "pmp-stale" not in toy.widget._dom_classes
    assert len(failure_list.failures()) == 1


def test_a_failure_in_the_first_picture_is_shown_too():
    toy = Toy(breaks="paint")
    assert toy._repr_mimebundle_()["text/plain"] == "Toy. No picture yet."
    assert "image/png" not in toy._repr_mimebundle_()
    assert len(failure_list.failures()) == 1


def test_a_failure_in_a_thread_is_recorded():
    toy = Toy()
    toy.breaks = "compute"
    thread = threading.Thread(target=lambda: toy.controls["number"].set_state({"value": 11}))
    thread.start()
    thread.join()
    assert len(failure_list.failures()) == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_watched_threads_record_what_they_raise(monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda details: None)
    failure_list.watch_threads()
    failure_list.watch_threads()  # twice is once
    thread = threading.Thread(target=lambda: 1 / 0, name="divider")
    thread.start()
    thread.join()
    (failure,) = failure_list.failures()
    assert failure.where == "thread divider"
    assert "ZeroDivisionError: division by zero" in failure.text


TOOLS = 5  # settings of the tools: pinned or not, code shown or not, one view returned to


def test_exercise_reaches_every_setting_and_comes_back():
    toy = Toy()
    assert toy.exercise() == 5 + 2 + 2 + TOOLS
    seen = toy.computed
    assert {0, 25, 50, 75, 100} <= {params["number"] for params in seen}
    assert {params["kind"] for params in seen} == {"a", "b"}
    assert {params["perturbation"] for params in seen} == {True, False}
    assert toy.params() == {"number": 10, "kind": "a", "perturbation": False}


@pytest.mark.parametrize("step", ["compute", "paint"])
def test_exercise_raises_what_was_recorded(step):
    toy = Toy()
    toy.breaks = step
    with pytest.raises(AssertionError, match=f"planted in {step}"):
        toy.exercise()


def test_old_failures_do_not_fail_a_new_exercise():
    failure_list.record("elsewhere", ValueError("old"))
    assert Toy().exercise() == 9 + TOOLS


def test_threads_leave_a_consistent_state():
    """Random events from several threads: nothing raised, and the last picture is that of the last values."""
    toy = Toy()
    errors = []

    def drag(seed):
        draw = np.random.default_rng(seed)
        try:
            for _ in range(250):
                name = draw.choice(["number", "kind", "perturbation"])
                value = {"number": int(draw.integers(0, 101)), "kind": "ab"[draw.integers(2)]}
                toy.controls[name].value = value.get(name, bool(draw.integers(2)))
        except Exception:
            errors.append(traceback.format_exc())

    threads = [threading.Thread(target=drag, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    failure_list.assert_no_failures()
    assert toy.state == toy.params()
    assert (toy.picture.pixels() == toy.paint(toy.params())).all()


def test_waiting_callbacks_are_skipped():
    """While a picture is being made, later values wait; all that waited are served by one more picture."""
    toy = Toy()
    started, release = threading.Event(), threading.Event()
    plain = toy.compute

    def slow(params):
        if params["number"] == 50:
            started.set()
            assert release.wait(10)
        return plain(params)

    toy.compute = slow
    toy.computed.clear()
    first = threading.Thread(target=lambda: toy.controls["number"].set_state({"value": 50}))
    first.start()
    assert started.wait(10)
    waiting = []
    for name, change in (("kind", {"index": 1}), ("perturbation", {"value": True})):
        waiting.append(threading.Thread(target=toy.controls[name].set_state, args=(change,)))
        waiting[-1].start()
    deadline = time.monotonic() + 10
    while not (toy.controls["perturbation"].value and toy.controls["kind"].value == "b"):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    release.set()
    for thread in (first, *waiting):
        thread.join()
    assert toy.state == {"number": 50, "kind": "b", "perturbation": True}
    assert len(toy.computed) <= 3


def test_a_player_starts_where_its_control_stands_and_does_not_flash():
    toy = Toy()
    toy.controls["kind"].value = "b"
    toy.play("kind", moves="index", max=1, interval=layout.CALM)
    player = toy.column.children[toy.column.children.index(toy.controls["kind"]) + 1]
    assert player.value == 1
    with pytest.raises(ValueError, match=r"interval: expected at least 170 ms, .* got 100"):
        toy.play("number", max=100, interval=100)
    with pytest.raises(ValueError, match=r"interval: .* got 166"):
        toy.play("number", max=100, interval=1000 // 6)  # two pictures are a flash, three flashes a second too many
    with pytest.raises(ValueError, match=r"interval: .* got None"):
        toy.play("number", max=100)


def test_the_readout_leaves_out_the_warm_up():
    meter = Meter()
    for _ in range(WARM_UP):
        meter.add(sweeps=10, computing=9.0, frame=9.0)
    assert str(meter) == ""
    for seconds in (0.010, 0.012, 5.0):
        meter.add(sweeps=123, computing=seconds, frame=seconds)
    assert str(meter) == "10,000 sweeps/s · 12 ms per frame"


def test_a_clock_that_has_not_moved_gives_no_rate():
    meter = Meter()
    for _ in range(WARM_UP + 1):
        meter.add(sweeps=10, computing=0.0, frame=0.0)
    assert str(meter) == "0 ms per frame"


def test_unknown_controls_need_their_own_exercise():
    toy = Toy()
    toy.controls["text"] = widgets.Text()
    with pytest.raises(TypeError, match="exercise_more"):
        toy.exercise()


@pytest.mark.slow
def test_no_pyplot():
    code = "import sys; from explorers import EXPLORERS; [row.make_small() for row in EXPLORERS.values()]; "
    code += "assert 'matplotlib.pyplot' not in sys.modules"
    path = {"PYTHONPATH": os.pathsep.join(folder for folder in sys.path if folder)}
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | path)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("PMP after 1 sweeps: 11 samples", "PMP after 1 sweep: 11 samples"),
        ("1 different completions, 1,001 sweeps, 0.1 samples", "1 different completion, 1,001 sweeps, 0.1 samples"),
        ("PCD-1 is at -0.5 nats, Gibbs-reset at +2", "PCD-1 is at −0.5 nats, Gibbs-reset at +2"),
    ],
)
def test_a_status_line_has_singulars_and_minus_signs(line, shown):
    assert layout.typeset(line) == shown


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: explore.OneSample(coupling=-0.8), "coupling: expected from 0 to 1.5, got -0.8"),
        (lambda: explore.EnergyTable(temperature=float("nan")), "temperature: expected from 0.2 to 4, got nan"),
        (lambda: explore.BoundMeter(size=4.5), "size: expected from 4 to 10, got 4.5"),
        (lambda: explore.ZerosBrush(perturbation=0.5), "perturbation: expected one of [False, True], got 0.5"),
        (lambda: explore.MessageScope("square"), "topology: expected one of ['chain', 'tree', "),
        (lambda: explore.MessageScope(topology=None), "topology: expected one of ['chain', 'tree', "),
        (lambda: explore.ZerosBrush(stroke="round"), "stroke: expected one of ['narrow', 'wide', "),
        (lambda: explore.MessageScope(seed=-1), "seed: expected at least 0, got -1"),
        (lambda: explore.NoiseRibbon(seed=-1), "seed: expected at least 0, got -1"),
        (lambda: explore.WrongModelDial(seed=-1), "seed: expected at least 0, got -1"),
    ],
    ids=[
        "too small",
        "no number",
        "not whole",
        "no checkbox",
        "no option",
        "none",
        "no option of a painter",
        "seed",
        "seed of a ribbon",
        "seed of a dial",
    ],
)
def test_a_value_that_a_control_cannot_have_is_refused(make, says):
    """Sliders took the nearest end without a word."""
    with pytest.raises(ValueError) as caught:
        make()
    assert str(caught.value).startswith(says)
