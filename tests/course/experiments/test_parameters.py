"""The parameters of a page of the paper's shelf: a wrong one is named, and every page checks its own."""

import json
import pathlib

import pytest

from pmp_kit.course.experiments import EXPERIMENTS, check_parameters

SHELF = pathlib.Path(__file__).parents[3] / "notebooks" / "paper"


@pytest.mark.parametrize(
    ("profile", "seed", "words"),
    [
        ("Paper", 40, "profile: expected 'quick' or 'paper', got 'Paper'; "),
        ("quick", -1, "seed: expected an integer, at least 0, got -1; "),
        ("quick", 4.0, "seed: expected an integer, at least 0, got 4.0; "),
    ],
)
def test_a_wrong_parameter_is_named(profile, seed, words):
    with pytest.raises(ValueError) as caught:
        check_parameters(profile, seed)
    assert str(caught.value) == words + "set it in the cell below the imports"


@pytest.mark.parametrize("section", EXPERIMENTS)
def test_every_page_checks_its_parameters_first(section):
    page = json.loads((SHELF / f"{EXPERIMENTS[section].notebook}.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in page["cells"] if cell["cell_type"] == "code"]
    place = next(k for k, cell in enumerate(code) if "parameters" in cell["metadata"].get("tags", []))
    checks = [k for k, cell in enumerate(code) if "check_parameters(profile, seed)\n" in cell["source"]]
    defined = ["".join(cell["source"]).startswith("def ") for cell in code]
    first = next(k for k in range(place + 1, len(code)) if not defined[k])
    assert checks == [first]
    assert code[first]["source"][0] == "check_parameters(profile, seed)\n"
