"""The lines on growth, calls and tuning can be met and missed, and every limit has a line."""

import numpy as np
import pytest

from benchmarks import LIMITS, exit_code, flat, judge, report, tuning
from benchmarks.test_bench import NAMES, results_of

ROWS = [{"edges": n, "messages": 40 * n, "ms": [n * 1e-5], "copy_ns": [0.5]} for n in flat.EDGES["full"]]
FOUND = {
    "chosen": "PMP()",
    "samples": 8,
    "loss": 0.0,
    "complete": True,
    "sweeps": {"tuned": 5, "defaults": 5, "best": 5},
    "seconds": {"tuned": [1.0, 1.0], "defaults": [1.5, 1.5], "best": [1.0, 1.0]},
}


def results(**parts) -> dict:
    """Results of the parts on growth, calls and tuning, which meet every limit."""
    found = {
        "flat": dict.fromkeys(flat.GRAPHS, ROWS),
        "calls": {name: [0.3] for name in ("sample", "trace", "solve")},
        "tuning": dict.fromkeys(tuning.NAMES, FOUND),
        "scaling": {
            "variables": {"workload": "dense", "size": [10, 20], "ms": [[1.0], [4.0]]},
            "images": {"workload": "deconvolution", "size": [10, 20], "ms": [[1.0], [2.0]]},
        },
    }
    machine = {"cores": 2, "processor": "none", "backend": "cpu", "jax": "0", "python": "3"}
    return {"profile": "full", "machine": machine, "workloads": {}, **found, **parts}


def test_every_limit_has_a_line():
    lines = {one.line for one in judge(results())}
    for name in NAMES:
        lines |= {one.line for one in judge(results_of(name) | {"exact_maps": {"best": [True]}})}
        lines |= {one.line for one in judge(results_of(name, backend="gpu"))}
    assert lines == LIMITS.keys()


def test_they_can_be_met_and_are_printed():
    assert exit_code(judge(results())) == 0
    printed = report(results())
    assert "random graph    1,000,000" in printed
    assert "a call on a 5 x 5 lattice" in printed
    assert "frustrated lattice" in printed


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        (
            {"flat": {"lattice": [*ROWS[:-1], {**ROWS[-1], "copy_ns": [0.05]}]}},
            "lattice, 1,000,000 edges: message / copy",
        ),
        (
            {"flat": {"random graph": [{**row, "ms": [row["edges"] ** 1.2 * 1e-6]} for row in ROWS]}},
            "random graph: exponent to 64,000 edges",
        ),
        ({"calls": {"trace": [0.4]}}, "a call of trace, ms"),
        (
            {"tuning": {"queens": {**FOUND, "seconds": {**FOUND["seconds"], "best": [0.5, 0.5]}}}},
            "tune, queens: best / tuned",
        ),
        ({"scaling": {"images": {"workload": "", "size": [10, 20], "ms": [[1.0], [2.5]]}}}, "images: exponent"),
        (
            {"scaling": {"variables": {"workload": "", "size": [10, 20], "ms": [[1.0], [5.0]]}}},
            "variables: exponent in messages",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_can_be_missed(parts, line):
    missed = [one.line for one in judge(results(**parts)) if one.missed]
    assert line in missed
    assert all(one.startswith(line.split(",")[0].split(":")[0]) for one in missed)


def test_a_small_measurement_of_each_part():
    rows = flat.costs("quick", seconds=0.001)
    assert rows.keys() == flat.GRAPHS.keys()
    assert [row["edges"] for row in rows["lattice"]] == list(flat.EDGES["quick"])
    assert all(min(row["copy_ns"]) > 0 for row in rows["random graph"])
    assert all(min(times) > 0 for times in flat.calls("quick").values())


def test_the_random_graph_has_no_pair_twice_and_mean_degree_4():
    graph = flat.random_graph(2_000)
    pairs = np.sort(np.asarray(graph.factors[0].pairs).T, axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    assert 2 * len(pairs) / graph.variables.count == pytest.approx(4.0, rel=0.02)


@pytest.mark.slow
def test_a_small_tuning_of_a_puzzle():
    problem = tuning.problems("quick")["Sudoku"]
    found = tuning.measure("Sudoku", problem, "quick")
    assert found["seconds"].keys() == {"tuned", "defaults", "best"}
    assert all(min(times) > 0 for times in found["seconds"].values())
    assert np.isfinite(found["loss"])
    assert tuple(tuning.problems("quick")) == tuning.NAMES
