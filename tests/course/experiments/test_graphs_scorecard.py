"""What notebook 08 says of Section 5.4 at the paper's size is what the scorecard has."""

import re
from pathlib import Path

CARD = Path(__file__).parents[3] / "docs" / "scorecard.md"
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


def test_every_method_had_a_thousand_steps_and_five_seeds_but_one():
    for graph in ("lattice", "Erdos-Renyi"):
        for method in METHODS:
            seeds = 1 if (graph, method) == ("lattice", "Gibbs-with-gradients") else 5
            assert all(f"1000 iterations, seeds: {seeds} " in f"{size} " for _, _, size in rows(graph, method, FAR))


def test_on_the_lattice_the_couplings_of_pmp_are_the_best_and_its_samples_are_not():
    ours = values("lattice", "PMP", RMSE)
    assert (round(min(ours), 4), round(max(ours), 4)) == (0.0076, 0.0078)
    for method in METHODS[1:]:
        assert {round(value, 4) for value in values("lattice", method, RMSE)} == {0.0104}
    far = {method: values("lattice", method, FAR) for method in METHODS}
    assert (round(min(far["PMP"])), round(max(far["PMP"]))) == (40, 44)
    others = [*far["Gibbs"], *far["Gibbs-with-gradients"]]
    assert (round(min(others)), round(max(others))) == (37, 40)
    (alone,) = re.findall(r"lattice, independent pixels: sd from new data, scale 10 \|  \|  \| (\S+) ", section())
    assert round(float(alone)) == 22 < min(far["PMP"] + others)
    assert max(errors("lattice", "PMP") + errors("lattice", "Gibbs")) < 1.25


def test_on_the_random_graph_the_samples_of_pmp_are_the_best_and_its_couplings_are_not():
    far = {method: values("Erdos-Renyi", method, FAR) for method in METHODS}
    assert [round(end(far["PMP"])) for end in (min, max)] == [21, 33]
    assert [round(end(far["Gibbs"])) for end in (min, max)] == [35, 84]
    assert [round(end(far["Gibbs-with-gradients"])) for end in (min, max)] == [43, 65]
    for method in METHODS[1:]:
        assert all(mine < one for mine, one in zip(far["PMP"], far[method], strict=True))
    assert round(max(errors("Erdos-Renyi", "PMP"))) == 5
    assert round(max(error for method in METHODS[1:] for error in errors("Erdos-Renyi", method))) == 24
    rmse = {method: values("Erdos-Renyi", method, RMSE) for method in METHODS}
    assert {round(value, 3) for value in rmse["PMP"]} <= {0.055, 0.056}
    assert {round(value, 3) for method in METHODS[1:] for value in rmse[method]} == {0.052}
