"""The base of pictures that the page draws: params, errors, threads, jobs, closing, and what every page gets."""

import base64
import threading
import time
import traceback

import numpy as np
import pytest
from drawn_toy import DrawnToy
from explorers import EXPLORERS, small_digits
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, stops
from pmp_kit.course.explore.live import parts
from pmp_kit.course.explore.picture import frame, page, still

QUICK = {"digits", "energies", "factors", "learning", "messages", "own", "zeros"}
"""Explorers whose code of a view `make test` runs: they have more to keep than controls, or are used most."""
OF_EACH_KIND = ["digits", "factors", "learning", "messages"]
"""One that is painted, one with sliders beside its controls, one with a job, and one with frames that play."""


@pytest.fixture(scope="module", params=OF_EACH_KIND)
def explorer(request):
    return EXPLORERS[request.param].make_small()


def shown(toy: DrawnToy) -> dict:
    return frame.unpack(toy.picture.frame)


def test_a_moved_control_sends_a_new_state():
    toy = DrawnToy()
    toy.controls["number"].value = 7
    assert toy.params == {"number": 7, "kind": "b", "found": 0}
    assert shown(toy)["says"] == "number 7 of kind b, 0 found"
    assert (shown(toy)["values"] == 7 + np.arange(8).reshape(4, 2)).all()


def test_a_control_follows_another_one_with_one_computation():
    toy = DrawnToy(number=80)
    toy.controls["kind"].value = "a"
    assert (toy.params["number"], toy.controls["number"].value, shown(toy)["number"]) == (40, 40, 40)
    assert len(toy.computed) == 2
    assert toy.moved(toy.params, {"number": 90})["number"] == 45
    assert toy.params["number"] == 40


@pytest.mark.parametrize("step", ["compute", "frame", "says"])
def test_a_planted_failure_is_recorded_and_shown(step):
    toy = DrawnToy()
    old = toy.picture.frame
    toy.breaks = step
    toy.controls["number"].value = 11
    (failure,) = failure_list.failures()
    assert failure.where == "DrawnToy, computing a picture"
    assert f"planted in {step}" in failure.text
    assert toy.picture.error == f"RuntimeError while computing a picture: planted in {step}"
    assert toy.picture.frame == old
    toy.breaks = ""
    toy.controls["number"].value = 12
    assert toy.picture.error == ""
    assert shown(toy)["number"] == 12
    assert len(failure_list.failures()) == 1
    failure_list.clear_failures()


def test_buttons_of_the_page_reset_and_give_the_code(monkeypatch):
    toy, sent = DrawnToy(number=3), []
    monkeypatch.setattr(toy.picture, "send", sent.append)
    toy.controls["number"].value = 20
    toy.picture._handle_custom_msg({"ask": "code", "copy": True}, [])
    assert sent == [{"code": toy.copy_as_code(), "copy": True}]
    assert "number=20" in sent[0]["code"]
    toy.picture._handle_custom_msg({"ask": "reset"}, [])
    assert toy.params["number"] == toy.controls["number"].value == shown(toy)["number"] == 3


def test_threads_leave_a_consistent_state():
    toy, errors = DrawnToy(), []

    def drag(seed):
        draw = np.random.default_rng(seed)
        try:
            for _ in range(250):
                if draw.random() < 0.5:
                    toy.controls["number"].set_state({"value": int(draw.integers(0, 101))})
                else:
                    toy.controls["kind"].set_state({"index": int(draw.integers(2))})
        except Exception:
            errors.append(traceback.format_exc())

    threads = [threading.Thread(target=drag, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    failure_list.assert_no_failures()
    assert toy.params == {name: control.value for name, control in toy.controls.items()} | {"found": 0}
    assert shown(toy)["number"] == toy.params["number"]


def test_waiting_moves_are_skipped():
    """While a picture is being made, later values wait; all that waited are served by one more picture."""
    toy = DrawnToy()
    started, release, plain = threading.Event(), threading.Event(), toy.compute

    def slow(params):
        if params["number"] == 50:
            started.set()
            assert release.wait(10)
        return plain(params)

    toy.compute = slow
    toy.computed.clear()
    threads = [threading.Thread(target=toy.controls["number"].set_state, args=({"value": 50},))]
    threads[0].start()
    assert started.wait(10)
    for number in (60, 70, 80):
        threads.append(threading.Thread(target=toy.controls["number"].set_state, args=({"value": number},)))
        threads[-1].start()
        deadline = time.monotonic() + 10
        while toy.controls["number"].value != number:
            assert time.monotonic() < deadline
            time.sleep(0.001)
    release.set()
    for thread in threads:
        thread.join()
    assert toy.params["number"] == shown(toy)["number"] == 80
    assert [params["number"] for params in toy.computed] in ([50, 80], [50, 80, 80])


def test_a_job_hands_over_what_it_finds_and_ends_with_the_explorer():
    toy = DrawnToy()
    toy.job.start()
    deadline = time.monotonic() + 10
    while shown(toy)["found"] < 3:
        assert time.monotonic() < deadline
        toy.controls["number"].value = (toy.controls["number"].value + 1) % 100
    toy.close()
    toy.job.join()
    assert not toy.job.running
    toy.refresh()
    toy.step()
    assert toy.state is None
    failure_list.assert_no_failures()


def move_one(explorer) -> str:
    """Move the last control to another value, and return its name."""
    for name, control in reversed(explorer.controls.items()):
        if others := [stop for stop in stops.stops(control, 5) if stop != control.value]:
            control.value = others[0]
            return name
    raise AssertionError("no control has another value")


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_a_closed_explorer_leaves_no_comm(name):
    one = EXPLORERS[name].make_small()
    made = parts([one.widget])
    assert len(made) < 60
    assert all(part.comm is not None for part in made)
    one.close()
    assert all(part.comm is None for part in made)
    move_one(one)
    assert one._repr_mimebundle_()[0] == {"text/plain": f"{one.title}. No picture."}
    failure_list.assert_no_failures()


def test_every_page_gets_something(explorer, monkeypatch, tmp_path):
    data, _ = explorer._repr_mimebundle_()
    assert data["text/plain"].startswith(f"{explorer.title}. ")
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.widget.model_id
    monkeypatch.setattr(still, "FOLDER", tmp_path)
    assert "image/png" not in explorer._repr_mimebundle_()[0]
    (tmp_path / still.name_of(explorer)).write_bytes(b"a picture")
    assert base64.b64decode(explorer._repr_mimebundle_()[0]["image/png"]) == b"a picture"
    kept = dict(explorer.params)
    name = move_one(explorer)
    assert "image/png" not in explorer._repr_mimebundle_()[0], "a still of another setting would be wrong"
    explorer.restore(kept)
    assert "text/html" not in data
    monkeypatch.setenv(page.PLAYERS, "1")
    monkeypatch.setattr(type(explorer), "telling", {name: [kept[name]]})
    assert "<script>" in explorer._repr_mimebundle_()[0]["text/html"]


@pytest.mark.parametrize("name", some(EXPLORERS, QUICK))
def test_the_code_of_a_view_makes_it_again(name):
    row = EXPLORERS[name]
    given = (row.small or row.full)()
    first = row.kind(**given)
    for control_name, control in first.controls.items():
        control.value = next((stop for stop in stops.stops(control, 5) if stop != control.value), control.value)
        assert first.params[control_name] == control.value
    if first.picture.painted is not None:
        first.picture.set_state({"painted": memoryview(bytes([1, 2] * (len(first.picture.painted) // 2)))})
    again = row.kind(**first.arguments())
    assert again.params == first.params
    assert again.picture.frame == first.picture.frame != row.kind(**given).picture.frame


def test_layers_that_do_not_exist_are_named():
    with pytest.raises(ValueError, match=r"layers: expected names among states, noise, .*, got 'halo'"):
        explore.MessageScope(layers=("states", "halo"))


def painted() -> explore.SixtySecondPMP:
    return explore.SixtySecondPMP(**small_digits())


def test_a_stroke_arrives_and_another_digit_replaces_it():
    studio = painted()
    studio.picture.set_state({"painted": memoryview(bytes([1] * 63 + [2]))})
    assert studio.params["painted"] == ("1" * 8,) * 7 + ("1" * 7 + ".",)
    assert (studio.state.evidence == pk.FREE).sum() == 1
    studio.controls["digit"].value = 7
    given = studio.given(7)
    assert (studio.state.evidence == given).all()
    assert studio.picture.painted == frame.unpack(studio.picture.frame)["evidence"].tobytes()
    assert (np.frombuffer(studio.picture.painted, np.uint8) == 2).sum() == 32
    assert (studio.evidence(studio.moved(studio.params, {"digit": 3})) == studio.given(3)).all()
