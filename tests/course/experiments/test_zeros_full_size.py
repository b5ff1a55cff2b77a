"""The kept run of Section 5.3 at the paper's size: what the page 5_3 says of it, and that it is kept as it was."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
import text_boxes

from pmp_kit.course.experiments.zeros import figures
from pmp_kit.course.experiments.zeros import full_size as zeros_full
from pmp_kit.course.experiments.zeros import learn as zeros
from pmp_kit.measures.errors import mean_and_error

METHODS = list(zeros.SWEEPING)
PAGE = Path(__file__).parents[3] / "notebooks" / "paper" / "5_3_zeros.ipynb"


def a_run() -> zeros_full.Run:
    draw = np.random.default_rng(0)

    def row() -> dict:
        numbers = {"log MMD^2": draw.normal(size=5), "kept out": draw.normal(size=(5, 3)), "null": np.ones((5, 3))}
        return numbers | {"seconds a sweep": 0.5, "steps": 7, "seconds": 3.0}

    tested = {method: [row() for _ in range(zeros.NUMBER_OF_SEEDS[method])] for method in METHODS}
    samples = {method: draw.integers(0, 2, (12, 30, 30)) for method in METHODS}
    return zeros_full.Run(
        tested, samples, {"log MMD^2": -7.0}, {"log MMD^2": -6.0, "kept out": draw.normal(size=3)}, "sizes"
    )


def far(method: str, sweeps: int, scale: int = 1) -> list[float]:
    """Standard deviations from a perfect sampler at one of the scales, one a seed."""
    return zeros.far(zeros_full.load().tested[method], sweeps, scale)


def test_the_kept_runs_are_of_the_sizes_that_the_code_states():
    kept, steps = zeros_full.load(), zeros.SIZES["paper"].steps
    assert {method: len(runs) for method, runs in kept.tested.items()} == zeros.NUMBER_OF_SEEDS
    assert all(one["steps"] == steps[method] for method, runs in kept.tested.items() for one in runs)


def text_of_the_page() -> str:
    """Its Markdown, in one line."""
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    return " ".join(" ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown").split())


def rounded(method: str, sweeps: int) -> str:
    """Mean and standard error over seeds, as the page writes them."""
    mean, error = mean_and_error(far(method, sweeps))
    return f"{mean:.1f} ± {error:.1f}"


def test_what_the_page_says_of_the_papers_size():
    """Every number is computed from the kept run and looked up in the text."""
    gradients, persistent = far("Gibbs-with-gradients, reset", 10), mean_and_error(far("PMP, persistent", 50))
    first, third = ([far(method, 50)[seed] for method in ("PMP", "Gibbs, reset")] for seed in (0, 2))
    said = [
        f"{rounded('PMP', 100)} sd after 100 sweeps",
        f"as many as in learning ({rounded('Gibbs, reset', 50)})",
        f"After 100 sweeps it is at {rounded('Gibbs, reset', 100)}",
        f"improves after 100 sweeps ({rounded('Gibbs', 100)})",
        f"it is at {gradients[0]:.0f} sd after 10 sweeps, where PMP is at {mean_and_error(far('PMP', 10))[0]:.0f}",
        f"Persistent chains are then at {far('Gibbs-with-gradients', 10)[0]:.1f}",
        f"After 50 sweeps it is at {far('Gibbs-with-gradients, reset', 50)[0]:.1f} sd",
        f"it is then at {far('Gibbs-with-gradients, reset', 5)[0]:.0f} sd, "
        f"with persistent chains at {far('Gibbs-with-gradients', 5)[0]:.0f}",
        f"with {persistent[0]:.0f} ± {persistent[1]:.1f} sd after 50 sweeps",
        f"PMP at {first[0]:.1f} sd and Gibbs with reset chains at {first[1]:.1f}",
        f"{third[0]:.1f} and {third[1]:.1f}",
    ]
    text = text_of_the_page()
    assert not [words for words in said if words not in text]
    for sweeps in (25, 50, 100):
        assert mean_and_error(far("PMP", sweeps)) == pytest.approx((5.5, 0.5), abs=0.1)
    for sweeps in (50, 100):
        assert far("Gibbs-with-gradients, reset", sweeps) == pytest.approx([6.1], abs=0.05)
    pace = {method: runs[0]["seconds a sweep"] for method, runs in zeros_full.load().tested.items()}
    assert pace["PMP"] / pace["Gibbs, reset"] == pytest.approx(2.0, abs=0.2)
    assert pace["Gibbs-with-gradients, reset"] / pace["PMP"] == pytest.approx(5.0, abs=0.5)


def test_independent_pixels_win_where_the_kernel_is_wide():
    pixels = zeros_full.load().pixels
    alone = pixels["kept out"] / pixels["null"]
    for method in METHODS:
        assert alone[0] < np.mean(far(method, 50, scale=0))
    for method in ("PMP", "Gibbs, reset", "Gibbs-with-gradients", "Gibbs-with-gradients, reset"):
        assert all(alone[scale] > np.mean(far(method, 50, scale)) for scale in (1, 2))
    for runs in zeros_full.load().tested.values():
        assert pixels["log MMD^2"] < np.mean([one["log MMD^2"] for one in runs], axis=0).min()


def test_no_word_of_the_figure_lies_on_a_curve():
    run = zeros_full.load()
    assert text_boxes.of_figure(lambda: figures.quality(run.tested, run.floor, run.pixels)) == []


def test_the_table_has_a_line_for_each_method_and_a_column_for_each_number_of_sweeps():
    lines = zeros_full.table(zeros_full.load().tested).splitlines()
    assert lines[0].split()[1:] == [str(sweeps) for sweeps in zeros.SWEEPS]
    assert [line[:30].strip() for line in lines[1:]] == METHODS
    assert lines[1].endswith(rounded("PMP", 100))
    assert lines[-1].split()[-1] == f"{far('Gibbs-with-gradients, reset', 100)[0]:.1f}", "one seed has no error"


def test_a_run_of_the_papers_size_is_kept_as_it_was(tmp_path, monkeypatch):
    run = a_run()
    monkeypatch.setattr(zeros_full, "learned", lambda seed: run)
    monkeypatch.setattr(zeros_full, "FILE", tmp_path / "run.npz")
    zeros_full.main(["--output", str(tmp_path / "run.npz")])
    again = zeros_full.load.__wrapped__()
    assert again.words == "sizes"
    assert list(again.tested) == list(again.samples) == METHODS
    rows = [[*itertools.chain(*one.tested.values()), one.samples, one.floor, one.pixels] for one in (again, run)]
    for kept, made in zip(*rows, strict=True):
        assert set(kept) == set(made)
        for name in made:
            np.testing.assert_allclose(kept[name], made[name], rtol=1e-6)
