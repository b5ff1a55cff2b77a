"""What the paper's shelf claims of Section 5.4 and Appendix B holds for the numbers of the scorecard."""

import re
from pathlib import Path

from pmp_kit.course.experiments import scorecard

ROOT = Path(__file__).parents[3]
CARD = scorecard.sections((ROOT / "docs" / "scorecard.md").read_text(encoding="utf-8"))
ROW = re.compile(
    r"^\| (\S+), (\S+), (\d+) (sweeps|updates): ([^|]+) \| \S+ \|  \| (\S+)(?: ± (\S+))? \|  \| (.+) \|", re.MULTILINE
)
OTHERS, GRAPHS = ("Gibbs", "Gibbs-with-gradients"), ("lattice", "Erdos-Renyi")
FAR, RMSE = "sd from new data, scale 10", "RMSE of W"
NUMBERS = 5  # of sweeps, or of updates


def values(section: str, graph: str, method: str, number: str) -> list[float]:
    """Return the mean for every number of sweeps or updates."""
    found = [float(row[5]) for row in ROW.findall(CARD[section]) if (row[0], row[1], row[4]) == (graph, method, number)]
    assert len(found) == NUMBERS
    return found


def independent_pixels(graph: str) -> float:
    """Their distance from new data."""
    (found,) = re.findall(rf"{graph}, independent pixels: sd from new data, scale 10 \|  \|  \| (\S+) ", CARD["5.4"])
    return float(found)


def test_on_the_lattice_pmp_has_the_best_couplings_and_independent_pixels_have_the_best_samples():
    others = [value for method in OTHERS for value in values("5.4", "lattice", method, RMSE)]
    assert max(values("5.4", "lattice", "PMP", RMSE)) < min(others)
    assert independent_pixels("lattice") < min(
        min(values("5.4", "lattice", method, FAR)) for method in ("PMP", *OTHERS)
    )


def test_on_the_random_graph_pmp_has_the_best_samples_and_the_worst_couplings():
    for method in OTHERS:
        far, mine = (values("5.4", "Erdos-Renyi", name, FAR) for name in (method, "PMP"))
        assert all(one < other for one, other in zip(mine, far, strict=True))
        assert max(values("5.4", "Erdos-Renyi", method, RMSE)) < min(values("5.4", "Erdos-Renyi", "PMP", RMSE))


def test_with_single_updates_pmp_has_the_best_samples():
    for graph in GRAPHS:
        best = values("B", graph, "PMP", FAR)
        for method in OTHERS:
            assert all(2 * one < other for one, other in zip(best, values("B", graph, method, FAR), strict=True))
