"""The README's example runs as it stands, and is as short as it says."""

from pathlib import Path

import numpy as np

README = Path(__file__).parents[1] / "README.md"


def example() -> str:
    return README.read_text().split("```python\n")[1].split("```")[0]


def test_the_example_runs_and_shows_what_it_says(capsys):
    names = {}
    exec(compile(example(), "README.md", "exec"), names)
    assert names["spins"].shape == (200, 10, 10)
    assert "of the spins are up" in capsys.readouterr().out
    filled, half = names["filled"], names["half"]
    assert filled.shape == (25, 8, 8)
    np.testing.assert_array_equal(filled[:, :4], np.broadcast_to(half[:4], (25, 4, 8)))
    assert len(np.unique(filled.reshape(25, -1), axis=0)) > 1


def test_the_example_is_twenty_lines():
    code = [line for line in example().splitlines() if line.strip() and not line.startswith("#")]
    assert len(code) <= 20
