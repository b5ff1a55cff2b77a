"""The explorer and the exercise that CONTRIBUTING.md shows are short, and they work."""

import re
from pathlib import Path

import numpy as np
import pytest
from exercise import exercise

from pmp_kit.course import explore

GUIDE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def section(title: str) -> str:
    """The code of a section of the guide."""
    found = GUIDE.read_text("utf-8").partition(f"**{title}.**")[2]
    return re.search(r"```python\n(.*?)```", found, re.DOTALL)[1]


def run(title: str, name: str):
    """Run the code of a section and return the object with this name."""
    names = {"__name__": "__main__"}
    exec(section(title), names)
    return names[name]


@pytest.fixture(scope="module")
def explorer() -> explore.Explorer:
    return run("Write your own explorer", "FourSpins")()


def test_the_explorer_is_short():
    lines = [line for line in section("Write your own explorer").splitlines() if line.strip()]
    assert len(lines) <= 50


def test_its_controls_work_and_its_numbers_are_right(explorer):
    assert exercise(explorer) == 5 + 1  # of its control, and the reset
    explorer.controls["coupling"].value = 0.0
    np.testing.assert_allclose(explorer.state.shares, np.array([1, 4, 6, 4, 1]) / 16, rtol=1e-5)
    assert "probability 0.12" in explorer._repr_mimebundle_()[0]["text/plain"]


def test_what_the_base_adds(explorer, tmp_path):
    explorer.controls["coupling"].value = 0.5
    assert explorer.copy_as_code() == "FourSpins(coupling=0.5)"
    assert "25 recorded states" in explorer.export(tmp_path / "four.html")
    assert "25 recorded states" in (tmp_path / "four.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda scores: np.exp(scores) / np.exp(scores).sum(), "The probabilities agree"),
        (np.exp, "do not sum to 1"),
        (lambda scores: scores - np.log(np.exp(scores).sum()), "These are log-probabilities"),
        (lambda scores: None, "The function returned nothing"),
    ],
)
def test_the_exercise_names_mistakes(answer, says):
    verdict = run("Add an exercise", "check_softmax")(answer)
    assert says in verdict.message
    assert verdict.passed == ("agree" in says)
