"""The form of a prediction on a plain page: mouse, keyboard, and what a reader of the screen hears."""

import pytest

from browser import lab, plain
from helpers.drawn_toy import DrawnToy
from pmp_kit.course import explore
from pmp_kit.course.explore.predict.questions import QUESTIONS, Question

pytestmark = lab.MARKS
TOY = Question(
    "What does <it> do?", ("it grows", "it falls", "it waits"), "It must.",
    locked="number", before={"number": 10, "kind": "a"}, shows={"number": 50},
)  # fmt: skip


@pytest.fixture
def asked(page, monkeypatch):
    monkeypatch.setitem(QUESTIONS, "toy", TOY)
    prediction = explore.Predict("toy", DrawnToy())
    plain.mount(page, prediction.form)
    return prediction


def follow(page, prediction):
    """Do what the page has asked the kernel for, and send back what follows from it."""
    for content in page.evaluate("() => window.sent.splice(0)"):
        prediction._hear(prediction.form, content, [])
    plain.send(page, prediction.form)


def test_a_reader_answers_with_the_mouse(asked, page):
    assert page.locator("legend").inner_text() == "What does <it> do?"
    assert not page.get_by_role("button").all()
    page.get_by_label("it waits").click()
    follow(page, asked)
    assert "You chose: it waits." in page.locator(".pmp-said").inner_text()
    assert "It must" not in page.content()
    page.get_by_role("button", name="show me").click()
    follow(page, asked)
    assert page.locator(".pmp-outcome").inner_text() == "The answer is: it grows. It must."
    assert page.get_by_label("it waits").is_disabled()
    page.get_by_role("button", name="yes").click()
    follow(page, asked)
    assert "You were surprised" in page.locator(".pmp-reaction").inner_text()


def test_a_reader_answers_with_the_keyboard(asked, page):
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    follow(page, asked)
    assert asked.guess == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    follow(page, asked)
    assert page.locator(".pmp-outcome").inner_text().endswith("It must.")


def test_places_that_change_are_spoken(asked, page):
    for name in ("said", "outcome", "reaction"):
        assert page.locator(f".pmp-{name}").get_attribute("role") == "status"
