"""What the paper's shelf says of Section 5.4 and Appendix B at the paper's sizes is what the scorecard has."""

import json
import re
from pathlib import Path

import numpy as np

from pmp_kit.course.experiments import scorecard
from pmp_kit.course.experiments.graphs import data, learn

ROOT = Path(__file__).parents[3]
CARD = scorecard.sections((ROOT / "docs" / "scorecard.md").read_text(encoding="utf-8"))
ROW = re.compile(
    r"^\| (\S+), (\S+), (\d+) (sweeps|updates): ([^|]+) \| \S+ \|  \| (\S+)(?: ± (\S+))? \|  \| (.+) \|", re.MULTILINE
)
METHODS = {"PMP": "PMP", "Gibbs": "Gibbs", "Gibbs-with-gradients": "GWG"}
GRAPHS = {"lattice": "lattice", "Erdos-Renyi": "random graph"}
FAR, RMSE = "sd from new data, scale 10", "RMSE of W"
NUMBERS = 5  # of sweeps, or of updates
NODES = learn.SIZES["paper"]["nodes"]


def rows(section: str, graph: str, method: str, number: str) -> list[tuple[float, float, str]]:
    """Value, standard error (0 with one seed) and sizes, for every number of sweeps or updates."""
    found = [row[5:] for row in ROW.findall(CARD[section]) if (row[0], row[1], row[4]) == (graph, method, number)]
    assert len(found) == NUMBERS
    return [(float(value), float(error or 0), size) for value, error, size in found]


def values(section: str, graph: str, method: str, number: str) -> list[float]:
    return [value for value, _, _ in rows(section, graph, method, number)]


def largest_error(graph: str, method: str) -> str:
    """The largest standard error of the distance, as the page writes it; empty with one seed."""
    error = max(error for _, error, _ in rows("5.4", graph, method, FAR))
    return f"{error:.2g}" if error else ""


def independent_pixels(graph: str) -> float:
    """Their distance from new data."""
    (found,) = re.findall(rf"{graph}, independent pixels: sd from new data, scale 10 \|  \|  \| (\S+) ", CARD["5.4"])
    return float(found)


def text(page: str) -> str:
    cells = json.loads((ROOT / "notebooks" / "paper" / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def span(numbers: list[float], digits: int = 0) -> str:
    """The least and the largest, as the page writes them."""
    low, high = (f"{end(numbers):.{digits}f}" for end in (min, max))
    return low if low == high else f"{low} to {high}"


def test_every_method_had_a_thousand_steps_and_five_seeds_but_one():
    for graph in GRAPHS:
        for method in METHODS:
            seeds = 1 if (graph, method) == ("lattice", "Gibbs-with-gradients") else 5
            sizes = [f"{size} " for _, _, size in rows("5.4", graph, method, FAR)]
            assert all(f"1000 iterations, seeds: {seeds} " in size for size in sizes)


def test_the_tables_of_reset_chains_are_those_of_the_scorecard():
    page = text("5_4_graphs")
    for graph, digits in (("lattice", 4), ("Erdos-Renyi", 3)):
        rmse = [span(values("5.4", graph, method, RMSE), digits) for method in METHODS]
        far = [span(values("5.4", graph, method, FAR)) for method in METHODS]
        weight = data.truth(graph, NODES[graph])[0]
        none = np.sqrt(np.mean(weight**2))  # of couplings of 0
        assert line("RMSE of W", *rmse, f"{none:.{digits}f}") in page
        assert line("distance", *far, f"{independent_pixels(graph):.0f}") in page
        errors = [largest_error(graph, method) for method in METHODS]
        assert line("its error, up to", *errors, "|")[:-2] in page


def test_on_the_lattice_pmp_has_the_best_couplings_and_independent_pixels_have_the_best_samples():
    others = [value for method in ("Gibbs", "Gibbs-with-gradients") for value in values("5.4", "lattice", method, RMSE)]
    assert max(values("5.4", "lattice", "PMP", RMSE)) < min(others)
    assert independent_pixels("lattice") < min(min(values("5.4", "lattice", method, FAR)) for method in METHODS)


def test_on_the_random_graph_pmp_has_the_best_samples_and_the_worst_couplings():
    for method in ("Gibbs", "Gibbs-with-gradients"):
        far, mine = (values("5.4", "Erdos-Renyi", name, FAR) for name in (method, "PMP"))
        assert all(one < other for one, other in zip(mine, far, strict=True))
        assert max(values("5.4", "Erdos-Renyi", method, RMSE)) < min(values("5.4", "Erdos-Renyi", "PMP", RMSE))


def test_the_tables_of_single_updates_are_those_of_the_scorecard():
    page = text("appendix_b")
    for graph, words in GRAPHS.items():
        for method, short in METHODS.items():
            far, rmse = (values("B", graph, method, number) for number in (FAR, RMSE))
            assert line(f"{words}, {short}", *(f"{value:,.0f}" for value in far)) in page
            assert line(f"{words}, {short}", *(f"{value:.3f}" for value in rmse)) in page
            best = values("B", graph, "PMP", FAR)
            assert method == "PMP" or all(2 * one < other for one, other in zip(best, far, strict=True))


def test_what_the_page_says_of_warm_starts_is_what_the_scorecard_has():
    found = dict(re.findall(r"\| (.*PMP.*), 1 sweep a step: .*?\|.*?\|  \| (\S+) \|", CARD["B"]))
    fresh, half, most = (float(found[name]) for name in
                         ("PMP, fresh", "persistent PMP, rho 0.5", "persistent PMP, rho 0.9"))  # fmt: skip
    page = text("appendix_b")
    assert f"fresh PMP is at {fresh:,.0f} sd and persistent PMP with rho 0.5 at {half:.0f}" in page
    assert most > 200_000
    assert "beyond 200,000" in page
