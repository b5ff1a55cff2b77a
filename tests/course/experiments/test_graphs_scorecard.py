"""What notebook 08 says of Section 5.4 at the paper's size is what the scorecard has."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
CARD = ROOT / "docs" / "scorecard.md"
ROW = re.compile(
    r"^\| (\S+), (\S+), (\d+) sweeps: ([^|]+) \| \S+ \|  \| (\S+)(?: ± (\S+))? \|  \| (.+) \|", re.MULTILINE
)
METHODS = "PMP", "Gibbs", "Gibbs-with-gradients"
FAR, RMSE = "sd from new data, scale 10", "RMSE of W"


def section() -> str:
    """That of 5.4."""
    return next(text for text in CARD.read_text(encoding="utf-8").split("\n## ") if text.startswith("5.4"))


def rows(graph: str, method: str, number: str) -> list[tuple[float, float, str]]:
    """Value, standard error (0 with one seed) and sizes, of every number of sweeps."""
    found = [row[4:] for row in ROW.findall(section()) if (row[0], row[1], row[3]) == (graph, method, number)]
    assert len(found) == 5
    return [(float(value), float(error or 0), size) for value, error, size in found]


def values(graph: str, method: str, number: str) -> list[float]:
    return [value for value, _, _ in rows(graph, method, number)]


def errors(graph: str, method: str) -> list[float]:
    return [error for _, error, _ in rows(graph, method, FAR)]


def said(words: str) -> bool:
    """Whether the Markdown of notebook 08 says this."""
    cells = json.loads(next((ROOT / "notebooks").glob("08_*.ipynb")).read_text(encoding="utf-8"))["cells"]
    text = " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return words in " ".join(text.split())


def ends(numbers: list[float], digits: int = 0) -> list[str]:
    """The least and the largest, as the notebook writes them."""
    return [f"{end(numbers):.{digits}f}" for end in (min, max)]


def test_every_method_had_a_thousand_steps_and_five_seeds_but_one():
    for graph in ("lattice", "Erdos-Renyi"):
        for method in METHODS:
            seeds = 1 if (graph, method) == ("lattice", "Gibbs-with-gradients") else 5
            assert all(f"1000 iterations, seeds: {seeds} " in f"{size} " for _, _, size in rows(graph, method, FAR))


def test_on_the_lattice_the_couplings_of_pmp_are_the_best_and_its_samples_are_not():
    low, high = ends(values("lattice", "PMP", RMSE), 4)
    (same,) = {f"{value:.4f}" for method in METHODS[1:] for value in values("lattice", method, RMSE)}
    assert said(f"{low} to {high} against {same} of Gibbs and of GWG")
    assert float(high) < float(same)
    far = {method: values("lattice", method, FAR) for method in METHODS}
    others = [*far["Gibbs"], *far["Gibbs-with-gradients"]]
    assert said("{} to {} sd from new data at scale 10".format(*ends(far["PMP"])))
    assert said("those of Gibbs and GWG {} to {} (five seeds".format(*ends(others)))
    (alone,) = re.findall(r"lattice, independent pixels: sd from new data, scale 10 \|  \|  \| (\S+) ", section())
    assert said(f"Independent pixels beat them all, at {float(alone):.0f}:")
    assert float(alone) < min(far["PMP"] + others)
    assert said(f"standard errors up to {max(errors('lattice', 'PMP') + errors('lattice', 'Gibbs')):.1f})")


def test_on_the_random_graph_the_samples_of_pmp_are_the_best_and_its_couplings_are_not():
    far = {method: values("Erdos-Renyi", method, FAR) for method in METHODS}
    words = "{} to {} sd against {} to {} of Gibbs and {} to {} of GWG"
    assert said(words.format(*(end for method in METHODS for end in ends(far[method]))))
    for method in METHODS[1:]:
        assert all(mine < one for mine, one in zip(far["PMP"], far[method], strict=True))
    most = max(error for method in METHODS[1:] for error in errors("Erdos-Renyi", method))
    assert said(f"errors are up to {max(errors('Erdos-Renyi', 'PMP')):.0f}, those of the others up to {most:.0f})")
    rmse = {method: values("Erdos-Renyi", method, RMSE) for method in METHODS}
    (same,) = {f"{value:.3f}" for method in METHODS[1:] for value in rmse[method]}
    assert said("{} to {} against ".format(*ends(rmse["PMP"], 3)) + same)
