"""What the numbers of docs/speed.md and docs/choosing.md rest on: references, times and verdicts of `benchmarks`."""

import re
from pathlib import Path
from types import SimpleNamespace

import jax
import numpy as np
import pytest

import pmp_kit as pk
from benchmarks import bench, exit_code, judge
from benchmarks.choosing_problems import ising
from benchmarks.plain import plain
from pmp_kit.course.experiments.speed import timing, workloads

PAGE = Path(__file__).parents[2] / "docs" / "choosing.md"


@pytest.mark.parametrize("name", workloads.BUILDERS)
def test_plain_transcription_and_kit_decode_the_same(name):
    num_sweeps, work, key = 6, workloads.build(name, "quick"), jax.random.key(3)
    kit, form = work.flat(work.sample(key, work.algorithm, num_sweeps)), plain(work)
    assert 0 < kit.mean() < 1
    np.testing.assert_array_equal(kit, form.run(key, damping=0.5, num_sweeps=num_sweeps))
    if form.edge_list is not None:
        np.testing.assert_array_equal(kit, form.edge_list(key, damping=0.5, num_sweeps=num_sweeps))


def test_sweep_times_are_differences_of_two_runs(monkeypatch):
    """On a clock that only the runs move: 100 ms for a call and 1 ms for a sweep."""
    clock = [0.0]
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: clock[0]))

    def run(sweeps):
        clock[0] += 0.1 + 0.001 * sweeps

    (times,) = timing.sweep_times({"run": run}, rounds=3, seconds=0.02).values()
    assert times == pytest.approx([1.0] * 3)


def test_a_limit_can_be_met_and_missed_and_noise_excuses_a_near_miss():
    results = {"profile": "full", "machine": {"backend": "cpu"}, "workloads": {}}
    met, missed, near = (judge(results | {"calls": {"sample": ms}}) for ms in ([0.3], [0.4], [0.3, 0.36, 0.45]))
    assert [exit_code(verdicts) for verdicts in (met, missed, near)] == [0, 1, 0]
    assert [one.text() for (one,) in (met, missed, near)] == ["met", "MISSED by 0.05", "met within noise"]


@pytest.mark.slow
def test_the_quick_profile_of_a_workload_runs(capsys):
    assert bench.main(["--profile", "quick", "--only", "erdos-renyi"]) == 0
    assert "erdos-renyi" in capsys.readouterr().out


def test_the_known_best_of_a_lattice_is_that_of_enumeration():
    instance = ising(np.random.default_rng(0), attractive=False, height=4, width=3)
    assert instance.known == pytest.approx(float(pk.solve(instance.model, pk.Exhaustive()).score), rel=1e-5)


def test_the_probabilities_of_one_of_three_binary_variables():
    """Perturb-and-MAP chooses the largest of three log-odds with logistic noise; p(x) is their softmax."""
    odds, grid = np.array([0.0, 1.0, 3.0]), np.linspace(-40.0, 40.0, 80_001)[:, None]
    below = 1.0 / (1.0 + np.exp(odds - grid))  # probability that the perturbed log-odds are below the grid
    density = below[:, 2] * (1.0 - below[:, 2])
    perturbed = (density * below[:, 0] * below[:, 1]).sum() * 1e-3
    exact = np.exp(3.0) / np.exp(odds).sum()
    words = r"third one is chosen with probability (0\.\d+), under p\(x\) (0\.\d+)"
    said = re.search(words, PAGE.read_text(encoding="utf-8"))
    np.testing.assert_allclose([float(one) for one in said.groups()], [perturbed, exact], atol=0.005)
