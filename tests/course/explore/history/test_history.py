"""The last views: which are kept, and that a click returns to one."""

import io

import numpy as np
import pytest
from PIL import Image
from toys import Toy

from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.history import HEIGHT, MOST


def rest(toy) -> None:
    """Let the reader look at the view that is shown."""
    toy._tools.history.rest()


@pytest.fixture
def toy():
    return Toy()


def click(toy, serial) -> None:
    """Do what a click on the picture with a serial number does."""
    toy._tools.history.widget.asked = [serial, (toy._tools.history.widget.asked or [0, 0])[1] + 1]


def shown(toy) -> list[int]:
    """The serial numbers of the pictures that the page shows, from left to right."""
    return list(toy._tools.history.widget.serials)


def numbers(toy) -> list[int]:
    return [view.values["number"] for view in toy._tools.history.views.values()]


def test_only_views_on_which_the_reader_rested_are_kept(toy):
    for number in range(20, 30):
        toy.controls["number"].value = number
    assert numbers(toy) == []
    rest(toy)
    toy.controls["number"].value = 40
    assert numbers(toy) == [29]


def test_a_click_returns_and_the_view_that_was_left_is_kept(toy):
    rest(toy)
    toy.controls["kind"].value = "b"
    rest(toy)
    click(toy, shown(toy)[0])
    assert toy.params() == {"number": 10, "kind": "a", "perturbation": False}
    assert toy.state["kind"] == "a"
    assert [view.values["kind"] for view in toy._tools.history.views.values()] == ["a", "b"]
    click(toy, shown(toy)[1])
    assert toy.state["kind"] == "b"


def test_the_same_view_is_kept_once_and_the_last_ten_in_all(toy):
    for number in (50, 60, 50, 60):
        toy.controls["number"].value = number
        rest(toy)
    assert numbers(toy) == [60, 50]
    for number in range(MOST + 5):
        toy.controls["number"].value = number
        rest(toy)
    assert numbers(toy) == list(range(4, 4 + MOST))


def test_more_results_of_the_same_view_are_no_other_view(toy):
    rest(toy)
    toy.refresh()  # as a reader's sampler does after each of its calls
    assert numbers(toy) == []
    toy.controls["number"].value = 90  # it rested before the results came
    assert numbers(toy) == [10]


def test_small_pictures_show_what_was_shown(toy):
    rest(toy)
    toy.controls["number"].value = 90
    (view,) = toy._tools.history.views.values()
    picture = np.asarray(Image.open(io.BytesIO(view.picture)))
    assert picture.shape == (HEIGHT, 2 * HEIGHT, 3)
    assert (picture == 10).all()
    assert view.words == "number 10 · kind a · perturbation False · number 10 of kind a"
    assert toy._tools.history.widget.words == [view.words]


def test_the_strip_waits_for_the_next_picture(toy, monkeypatch):
    views = []
    show = toy.picture.show
    monkeypatch.setattr(toy.picture, "show", lambda picture: views.append(numbers(toy)) or show(picture))
    rest(toy)
    toy.controls["number"].value = 90
    assert views == [[]]
    assert numbers(toy) == [10]


def test_frames_that_are_only_passed_are_not_described_for_the_strip(toy, monkeypatch):
    described = []
    monkeypatch.setattr(toy, "describe", lambda state: described.append(state) or "words")
    for number in range(20, 25):
        toy.controls["number"].value = number
    assert len(described) == 5


def fill(toy) -> None:
    """Fill the strip with the views 0, 1, ..., and show another one."""
    toy.controls["number"].value = 0
    for number in range(1, MOST + 1):
        rest(toy)
        toy.controls["number"].value = number


def test_a_click_while_a_view_is_added_returns_to_the_view_that_was_clicked(toy):
    fill(toy)
    seen = shown(toy)[1]  # what the page shows while the kernel adds a view, so that the first one is gone
    rest(toy)
    toy.controls["number"].value = 90
    assert numbers(toy) == list(range(1, MOST + 1))
    click(toy, seen)
    assert toy.state["number"] == 1


def test_a_click_on_a_picture_that_is_gone_does_nothing(toy):
    fill(toy)
    seen = shown(toy)[0]
    rest(toy)
    toy.controls["number"].value = 90
    count = len(toy.computed)
    for serial in (seen, -1, 99):
        click(toy, serial)
    assert len(toy.computed) == count
    assert toy.state["number"] == 90


def test_a_view_that_is_kept_again_keeps_its_serial_number(toy):
    for number in (50, 60, 50):
        toy.controls["number"].value = number
        rest(toy)
    first, second = shown(toy)
    toy.controls["number"].value = 70
    assert shown(toy) == [second, first]


def test_a_view_that_fails_is_recorded_and_keeps_the_picture(toy):
    rest(toy)
    toy.controls["number"].value = 90
    toy.breaks = "compute"
    click(toy, shown(toy)[0])
    (failure,) = failure_list.failures()
    assert "planted in compute" in failure.text
    assert toy.state["number"] == 90


def test_the_words_of_a_small_picture_are_written_as_in_the_status_line(toy, monkeypatch):
    monkeypatch.setattr(toy, "describe", lambda state: "1 different completions at -1 nats")
    rest(toy)
    toy.controls["number"].value = 90
    assert toy._tools.history.widget.words[0].endswith("1 different completion at −1 nats")
