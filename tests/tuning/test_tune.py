"""The choice of `tune` from its measurements, its budget, and what it refuses. No test depends on a time."""

import equinox as eqx
import jax
import numpy as np
import pytest

import pmp_kit as pk
import pmp_kit.tuning.tune as tuning
from pmp_kit.tuning.candidates import plan, sampler_of
from pmp_kit.tuning.quality import Losses

KEY = jax.random.key(0)
MODEL = pk.ising_lattice(3, coupling=0.4)
ONE_SIDE = pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.ExactlyOne(range(4))])
LONG = 1e4
"""A budget in seconds that no test uses up."""


@pytest.fixture(scope="module", autouse=True)
def three_rungs():
    """Few measurements of each candidate."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "LADDER", (1, 5, 30))
        patch.setattr(tuning, "ROUNDS", 1)
        yield


@pytest.fixture(scope="module")
def tuned():
    return pk.tune(KEY, MODEL, LONG, num_samples=10)


def test_the_choice_reached_the_target_and_the_others_of_the_race_follow_by_their_times(tuned):
    best = tuned.curves[0]
    assert tuned.complete
    luck = best.error[best.reached] if best.name == "PMP()" else 0.0
    assert best.loss[best.reached] <= tuned.target + luck
    assert (tuned.sampler, tuned.num_sweeps) == (best.sampler, best.num_sweeps[best.reached])
    assert tuned.seconds == best.time == best.seconds[best.reached] > 0
    times = [curve.time for curve in tuned.curves[int(best.name == "PMP()") : tuning.RACERS]]
    assert times == sorted(times)
    assert tuned.num_samples == 10


def test_the_table_has_a_row_for_each_candidate(tuned):
    lines = tuned.table.splitlines()
    assert len(lines) == 2 + len(tuned.curves)
    assert "possible" not in lines[0]
    assert all(f"`{curve.name}`" in line for curve, line in zip(tuned.curves, lines[2:], strict=True))
    assert str(tuned).startswith(f"{tuned.curves[0].name} with {tuned.num_sweeps} sweeps")
    assert tuned._repr_markdown_() == str(tuned)


def test_names_are_expressions_of_the_samplers(tuned):
    names = {**vars(pk), "key": KEY, "fold_in": jax.random.fold_in}
    for curve in tuned.curves:
        written = eval(curve.name, names)
        assert eqx.tree_equal(written, curve.sampler)


def test_the_plan_varies_what_is_fastest_and_repeats_nothing():
    fastest = iter([{"damping": 0.4}, {"damping": 0.4, "start": "zero"}])
    every = list(plan(KEY, MODEL, lambda: next(fastest)))
    assert every[0] == {}
    assert {"damping": 0.4, "keep_best": False, "tolerance": 0.0} in every
    assert {"damping": 0.4, "start": "zero"} in every
    assert {"damping": 0.7, "start": "zero"} in every
    assert all(every.count(settings) == 1 for settings in every)


def test_a_used_budget_leaves_the_defaults():
    result = pk.tune(KEY, MODEL, 0.01, num_samples=4)
    assert [curve.name for curve in result.curves] == ["PMP()"]
    assert not result.complete
    assert "The budget ended before anything else than PMP() was measured." in str(result)
    assert "with 1 sweep:" in str(result._replace(num_sweeps=1))


def test_evidence_with_rows_sets_the_number_of_samples():
    known = np.full((6, 3, 3), pk.FREE)
    known[:, 0, 0] = np.arange(6) % 2
    result = pk.tune(KEY, MODEL, 0.01, evidence={"x": known})
    assert result.num_samples == 6
    with pytest.raises(ValueError, match="the rows of evidence: expected at least 2, got 1"):
        pk.tune(KEY, MODEL, 0.01, evidence={"x": known[:1]})


def test_a_choice_whose_loss_still_fell_says_so(tuned, monkeypatch):
    sentence = "The loss still fell at the most sweeps that were measured"
    assert sentence not in str(tuned._replace(unfinished=False))
    assert sentence in str(tuned._replace(unfinished=True))
    monkeypatch.setattr(tuning, "TOO_SLOW", 1e9)
    monkeypatch.setattr(tuning, "OF_CANDIDATE", 1e-12)  # one rung for each candidate
    assert pk.tune(KEY, MODEL, LONG, num_samples=10).unfinished


def test_the_target_is_near_the_lowest_loss_and_the_soonest_is_first():
    """0.1 + an error of 0.05 + 1 % of the defaults' first 1.0 - 0.1."""

    class Read(tuning.AbstractQuality):
        measure = None

        def losses(self, candidates):
            return [Losses(one, np.full_like(one, 0.05)) for one in candidates]

    rungs, seconds = np.array([1, 5, 30]), np.array([1.0, 2.0, 3.0])
    found = [[1.0, 0.5, 0.15], [0.9, 0.3, 0.2], [0.9, 0.158, 0.1]]
    trials = [
        tuning.Trial(settings, sampler_of(settings), rungs, seconds, np.array(losses), np.ones(3), cut=False)
        for settings, losses in zip([{}, {"damping": 0.3}, {"damping": 0.4}], found, strict=True)
    ]
    curves, target = tuning._curves(Read(), trials)
    curves.sort(key=tuning._rank)
    assert target == pytest.approx(0.1 + 0.05 + 0.01 * 0.9)
    assert [(curve.name, curve.reached) for curve in curves] == [
        ("PMP(damping=0.4)", 1),
        ("PMP()", 2),
        ("PMP(damping=0.3)", None),
    ]
    assert curves[2].time == float("inf")


@pytest.mark.parametrize(
    ("losses", "choice", "sweeps"),
    [
        ([0.5, 0.24, 0.15], "PMP(damping=0.3)", 5),
        ([0.5, 0.22, 0.15], "PMP()", 30),
        ([0.5, 0.4, 0.3], "PMP(damping=0.3)", 5),
        ([0.5, 0.18, 0.15], "PMP()", 5),
    ],
    ids=["beyond its error", "within it", "never", "tie"],
)
def test_the_defaults_are_kept_where_luck_may_explain_that_another_one_is_faster(losses, choice, sweeps, monkeypatch):
    """The target is 0.2, and the error 0.03. A sweep of PMP() takes 4 % longer than one of the other."""
    rungs, errors = np.array([1, 5, 30]), np.full(3, 0.03)
    kinds = {"PMP()": losses, "PMP(damping=0.3)": [0.5, 0.18, 0.17]}
    curves = []
    for name, own in kinds.items():
        sampler, found = eval(name, vars(pk)), np.array(own)
        reached = tuning._first(found <= 0.2)
        curves.append(tuning.Curve(name, sampler, rungs, 1.0 * rungs, found, errors, np.ones(3), reached))
    cost = {id(curves[0].sampler): 1.04, id(curves[1].sampler): 1.0}
    monkeypatch.setattr(tuning, "timed", lambda call, sampler, num_sweeps: cost[id(sampler)] * num_sweeps)
    ordered = tuning._ordered(None, curves, 0.2, LONG)
    assert [curve.name for curve in ordered] in ([*kinds], [*kinds][::-1])
    assert (ordered[0].name, ordered[0].num_sweeps[ordered[0].reached]) == (choice, sweeps)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 0}, r"budget: expected .* got 0"),
        ({"num_samples": 1}, r"num_samples: expected at least 2, got 1"),
        ({"evidence": {"y": 0}}, "evidence: expected blocks"),
        ({"reference": {"x": np.zeros((0, 3, 3), int)}}, r"reference: expected arrays .* got leading axes \(0,\)"),
        (
            {"reference": {"x": np.zeros((4, 3, 3), int)}, "evidence": {"x": np.ones((3, 3))}},
            "reference: .* given the evidence",
        ),
        (
            {"reference": {"x": np.full((4, 3, 3), pk.FREE)}},
            "reference: expected a state for every",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_mistakes_name_the_argument(options, message):
    with pytest.raises((ValueError, KeyError), match=message):
        pk.tune(KEY, MODEL, **{"budget": 0.01, "num_samples": 2, **options})


def test_a_forbidden_reference_is_refused():
    reference = {"x": np.array([[1, 0, 0, 0], [1, 1, 0, 0]])}
    with pytest.raises(ValueError, match="reference: expected states that the model allows, but data point 1 has"):
        pk.tune(KEY, ONE_SIDE, 0.01, num_samples=2, reference=reference)
