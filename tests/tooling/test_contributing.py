"""The explorer that CONTRIBUTING.md shows is short, and it works."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import latency
from pmp_kit.course import explore

GUIDE = Path(__file__).parents[2] / "CONTRIBUTING.md"


@pytest.fixture(scope="module")
def source() -> str:
    (section,) = re.findall(r"\*\*Write your own explorer\.\*\*(.*?)\n## ", GUIDE.read_text("utf-8"), re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return code


@pytest.fixture(scope="module")
def explorer(source) -> explore.Explorer:
    names = {"__name__": "__main__"}
    exec(source, names)
    return names["FourSpins"]()


def test_it_is_short(source):
    assert len([line for line in source.splitlines() if line.strip()]) <= 40


def test_its_controls_work_and_its_numbers_are_right(explorer):
    assert explorer.exercise() == 5
    explorer.controls["coupling"].value = 0.0
    np.testing.assert_allclose(explorer.state, np.array([1, 4, 6, 4, 1]) / 16, rtol=1e-5)
    assert "probability 0.12" in explorer._repr_mimebundle_()["text/plain"]


def test_what_the_base_adds(explorer, tmp_path):
    explorer.controls["coupling"].value = 0.5
    assert explorer.copy_as_code() == "FourSpins(coupling=0.5)"
    with Image.open(explorer.export(tmp_path / "four.gif", over="coupling")) as gif:
        assert gif.n_frames == 25


def test_every_explorer_is_timed():
    kinds = {name for name in explore.__all__ if isinstance(getattr(explore, name), type)}
    explorers = {name for name in kinds if issubclass(getattr(explore, name), explore.Explorer)}
    concrete = {name for name in explorers if not getattr(explore, name).__abstractmethods__}
    assert {re.match(r"explore\.(\w+)", made)[1] for made in latency.EXPLORERS} == concrete
