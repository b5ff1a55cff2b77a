"""The factor, the sampler and the experiment that CONTRIBUTING.md shows are short, and they work."""

import json
import re
from pathlib import Path

import jax
import numpy as np
import pytest
from sampler_examples import chi_square, small_ising, small_potts

import pmp_kit as pk

GUIDE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
LONGEST = 40


def code(section: str) -> str:
    """The block of Python in a section of the guide."""
    (text,) = re.findall(rf"^## {section}$(.*?)^## ", GUIDE, re.DOTALL | re.MULTILINE)
    (found,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in found.splitlines() if line.strip()]) <= LONGEST
    return found


def names(section: str) -> dict:
    """Run the block of a section and return the names that it defines."""
    found = {"__name__": section}
    exec(code(section), found)
    return found


def test_the_factor_passes_the_check():
    kind, table = names("Add a factor")["Both"], np.array([[0.0, 0.0], [0.0, 1.0]])
    pk.testing.check_factor(kind([[0, 2]], [1.3]), pk.Variables(x=pk.Binary(3)))
    tables = [((0, 1), 0.5 * table), ((2, 1), -2.0 * table)]
    pk.testing.check_factor(kind([[0, 1], [2, 1]], [0.5, -2.0]), pk.Variables(x=pk.Binary(4)), tables)


def test_the_factor_gives_the_samples_and_the_sum_of_its_tables():
    kind, rng = names("Add a factor")["Both"], np.random.default_rng(0)
    variables = pk.Variables(x=pk.Binary(6))
    pairs = np.stack([variables["x"], np.roll(variables["x"], -1)], axis=1)  # (6, 2), a ring
    weight, bias = rng.normal(size=6).astype(np.float32), rng.normal(size=6).astype(np.float32)
    own = pk.FactorGraph(variables, [kind(pairs, weight)], {"x": bias})
    built_in = pk.FactorGraph(variables, [pk.Edges(pairs, weight)], {"x": bias})
    assert pk.exact.log_partition(own) == pytest.approx(float(pk.exact.log_partition(built_in)), rel=1e-5)
    observed = {"x": [1, *[pk.FREE] * 4, 0]}
    for sampler in (pk.PMP(), pk.Gibbs()):
        drawn = [
            pk.sample(jax.random.key(0), model, sampler, num_samples=200, num_sweeps=30, evidence=observed)["x"]
            for model in (own, built_in)
        ]
        np.testing.assert_array_equal(*drawn)


def test_the_factor_may_become_a_file_of_the_library():
    """There it must not import its own folder, shapes are checked at run time, and scores need full precision."""
    assert "from pmp_kit.factors import" not in code("Add a factor")
    kind, variables = names("Add a factor")["Both"], pk.Variables(x=pk.Binary(3))
    graph, states = pk.FactorGraph(variables, [kind([[0, 1], [1, 2]], np.ones(2))]), np.ones((1, 3, 2), np.float32)
    compiled = jax.jit(lambda states: graph.score(states)).lower(states)
    products = [line for line in compiled.as_text().splitlines() if "dot_general" in line]
    assert [line for line in products if "HIGHEST" not in line] == []


def test_the_sampler_draws_from_the_model():
    kind, model = names("Add a sampler")["Metropolis"], small_ising()
    samples = pk.sample(jax.random.key(0), model, kind(), num_samples=5000, num_sweeps=60)
    assert chi_square(model, samples) > 1e-4
    early = pk.sample(jax.random.key(0), model, kind(), num_samples=5000, num_sweeps=1)
    assert chi_square(model, early) < 1e-4  # a test with 5,000 samples detects the difference
    with pytest.raises(ValueError, match="sampler: Metropolis expected binary variables"):
        pk.sample(jax.random.key(0), small_potts(), kind(), num_samples=2, num_sweeps=2)


def test_the_sampler_passes_the_check():
    pairs = np.array([[0, 1], [1, 2], [2, 0]])
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(pairs, [0.5, -1.0, 0.7])], {"x": [0.3, -0.2, 0.1]})
    pk.testing.check_sampler(names("Add a sampler")["Metropolis"](), model)


def test_the_schedule_passes_the_check():
    """Two groups: after 60 sweeps the states are those of flooding, on a tree."""
    schedule = names("Add a schedule")["ThereAndBack"]()
    groups = [pk.Edges([[0, 1], [1, 2]], [0.5, -1.0]), pk.Edges([[2, 3]], [0.7])]
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(4)), groups, {"x": [0.3, -0.2, 0.1, -0.4]})
    pk.testing.check_solver(pk.MaxProduct(schedule=schedule), model)
    assert pk.solve(model, pk.MaxProduct(schedule=schedule)).score == pk.solve(model, pk.Exhaustive()).score


def test_the_experiment_is_recorded_and_kept(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PMP_KIT_LEDGER", str(tmp_path))
    first, second = names("Add an experiment")["found"], names("Add an experiment")["found"]
    assert first == second
    assert 0.5 < first["exact"] < 0.7
    assert capsys.readouterr().out.count("agrees") == 2
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [event["kept"] for event in log] == [False, True]
