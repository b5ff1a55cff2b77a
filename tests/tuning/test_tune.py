"""The choice of `tune` from its measurements, its budget, and what it refuses. No test depends on a time."""

import equinox as eqx
import jax
import numpy as np
import pytest

import pmp_kit as pk
import pmp_kit.tuning.tune as tuning
from pmp_kit.tuning.candidates import name_of, plan, sampler_of, schedules
from pmp_kit.tuning.quality import Losses

KEY = jax.random.key(0)
MODEL = pk.ising_lattice(3, coupling=0.4)
ONE_SIDE = pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.ExactlyOne(range(4))])
SEVERAL_ORDERS = (
    "PerturbAndMAP(Portfolio(*(MaxProduct(schedule=RandomMask(fold_in(key, 4294967295 - i))) for i in range(4))))"
)
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


def test_what_is_returned_draws_samples(tuned):
    samples = pk.sample(KEY, MODEL, tuned.sampler, num_samples=3, num_sweeps=tuned.num_sweeps)
    assert samples["x"].shape == (3, 3, 3)


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


@pytest.mark.parametrize(
    ("graph", "wanted"),
    [
        (MODEL, ["PMP()", "PMP(schedule=Alternating())", "PMP(schedule=Alternating(), damping=0.05)"]),
        (ONE_SIDE, ["PMP()", "PMP(schedule=RandomMask(fold_in(key, 4294967295)))", SEVERAL_ORDERS]),
    ],
    ids=["lattice", "one group"],
)
def test_schedules_without_an_effect_are_left_out(graph, wanted):
    assert [name_of(settings) for settings in schedules(KEY, graph)] == wanted


def test_hard_constraints_are_also_tried_in_random_orders():
    variables = pk.Variables(x=pk.Binary(2, 3))
    graph = pk.FactorGraph(variables, [pk.ExactlyOne(variables["x"])])
    samplers = [sampler_of(settings) for settings in plan(KEY, graph, lambda: {"solver": None})]
    assert [type(sampler.solver).__name__ for sampler in samplers[:3]] == ["MaxProduct", "MaxProduct", "Portfolio"]
    assert isinstance(samplers[1].solver.schedule, pk.RandomMask)
    for sampler in samplers:
        sampler.check(graph)


def test_random_orders_come_from_the_key_and_are_named_by_it():
    graph = ONE_SIDE
    settings = list(plan(KEY, graph, lambda: {"solver": None}))
    names = {**vars(pk), "key": KEY, "fold_in": jax.random.fold_in}
    for one, other in zip(settings, plan(jax.random.key(1), graph, lambda: {"solver": None}), strict=True):
        assert eqx.tree_equal(eval(name_of(one), names), sampler_of(one))
        assert ("RandomMask" in name_of(one)) != bool(eqx.tree_equal(sampler_of(one), sampler_of(other)))


def test_a_used_budget_leaves_the_defaults():
    result = pk.tune(KEY, MODEL, 0.01, num_samples=4)
    assert [curve.name for curve in result.curves] == ["PMP()"]
    assert not result.complete
    assert "The budget ended before anything else than PMP() was measured." in str(result)
    assert "with 1 sweep:" in str(result._replace(num_sweeps=1))


@pytest.mark.slow
def test_more_sweeps_for_more_possible_samples_are_chosen(monkeypatch):
    """A loss that grows with the number of violations rose from 5 to 30 sweeps, while more samples kept all rules."""
    board = pk.Binary(6, 6)
    variables = pk.Variables(queen=board)
    ids = variables["queen"]
    lines = [pk.ExactlyOne(ids), pk.ExactlyOne(ids.T)]
    diagonals = [np.diagonal(side, k) for side in (ids, ids[::-1]) for k in range(-4, 5)]
    model = pk.FactorGraph(variables, [*lines, *(pk.AtMostK(one[None], 1) for one in diagonals)])
    monkeypatch.setattr(tuning, "plan", lambda *_: [{}, {"schedule": pk.Alternating()}])
    result = pk.tune(KEY, model, LONG, num_samples=60)
    defaults = next(curve for curve in result.curves if curve.name == "PMP()")
    assert defaults.possible[0] < defaults.possible[-1]
    assert (np.diff(defaults.loss) < 0).all()
    best = result.curves[0]
    assert best.possible[best.reached] >= defaults.possible[-1]
    assert result.table.splitlines()[0].endswith("| possible |")
    assert result.table.splitlines()[2].endswith(f"| {best.possible[best.reached]:.0%} |")


def test_a_number_of_samples_fits_the_budget(monkeypatch):
    """A call takes a millisecond, and each sweep of it another one, so 100 sweeps of SAMPLES samples take 0.1 s."""
    calls = []
    monkeypatch.setattr(tuning, "timed", lambda draw, number, sampler, sweeps: 1e-3 * (1 + sweeps))
    affordable = [tuning._affordable(lambda *call: calls.append(call[0]), budget) for budget in (1e9, 10.0, 1e-6)]
    assert affordable == [tuning.MOST_SAMPLES, round(tuning.SAMPLES * 10.0 * tuning.OF_CALL / 0.1), 2]
    assert set(calls) == {tuning.SAMPLES}


@pytest.mark.parametrize("seconds", [[5.0, 2.0, 2.0, 2.0, 2.0, 2.0], [2.0] * 6, [2.0, 2.0, 2.0, 5.0, 2.0, 2.0]])
def test_a_slow_call_does_not_make_sweeps_look_free(seconds, monkeypatch):
    """100 sweeps take at least the two seconds of 11. From 5 s and 2 s, a sweep seemed to take no time."""
    times = iter(seconds)
    monkeypatch.setattr(tuning, "timed", lambda *call: next(times))
    budget = 2.0 * 10 / tuning.OF_CALL
    assert tuning._affordable(lambda *call: None, budget) == tuning.SAMPLES * 10


def test_evidence_with_rows_sets_the_number_of_samples():
    known = np.full((6, 3, 3), pk.FREE)
    known[:, 0, 0] = np.arange(6) % 2
    result = pk.tune(KEY, MODEL, 0.01, evidence={"x": known})
    assert result.num_samples == 6
    with pytest.raises(ValueError, match="the rows of evidence: expected at least 2, got 1"):
        pk.tune(KEY, MODEL, 0.01, evidence={"x": known[:1]})


@pytest.mark.parametrize(
    ("sampler", "budget", "rungs", "unfinished"),
    [(pk.PMP(patience=5), LONG, 3, False), (pk.PMP(tolerance=0.0), LONG, 3, True), (pk.PMP(), 1e-9, 1, True)],
    ids=["all finish", "no sample finishes", "budget"],
)
def test_a_climb_reports_whether_more_sweeps_may_change_samples(sampler, budget, rungs, unfinished):

    def call(sampler, num_sweeps):
        return pk.sample(KEY, MODEL, sampler, num_samples=4, num_sweeps=num_sweeps)

    quality = tuning.PerturbedScores(KEY, MODEL.graph(), pk.PMP(), MODEL.graph().variables.evidence(None, 4))
    *measured, cut = tuning.climb(quality, call, sampler, budget, float("inf"))
    assert cut == unfinished
    assert [len(numbers) for numbers in measured] == [rungs] * 4


def test_a_model_without_possible_samples_is_said_to_be_so(tuned):
    sentence = "No sample satisfies all constraints"
    assert sentence not in str(tuned)
    none = [curve._replace(possible=np.zeros_like(curve.possible)) for curve in tuned.curves]
    assert sentence in str(tuned._replace(curves=tuple(none)))
    assert sentence not in str(tuned._replace(curves=(*none[:-1], tuned.curves[-1])))


@pytest.mark.parametrize(
    ("cut", "losses", "unfinished"),
    [
        (True, [1.0, 0.5, 0.4], True),
        (False, [1.0, 0.5, 0.4], False),
        (True, [1.0, 0.5, 0.46], False),
        (True, [1.0], True),
    ],
    ids=["still falls", "all samples finished", "within the error", "one measurement"],
)
def test_a_loss_that_falls_in_the_second_half_of_the_sweeps_is_unfinished(cut, losses, unfinished):
    number = len(losses)
    measured = np.array([10, 20, 40])[:number], np.ones(number), np.array(losses)
    trial = tuning.Trial({}, pk.PMP(), *measured, np.ones(number), cut)
    curve = tuning.Curve("PMP()", pk.PMP(), *measured, np.full(number, 0.05), np.ones(number), None)
    worse = curve._replace(loss=np.array([2.0]))
    target = losses[-1] + 0.05 + tuning.SHARE * (losses[0] - losses[-1])  # as in the docstring of `tune`
    assert tuning._unfinished([trial, trial._replace(cut=not cut)], [curve, worse], target) == unfinished


@pytest.mark.parametrize(("time", "said"), [(0.5, True), (2.0, False)], ids=["faster", "slower"])
def test_defaults_that_are_kept_beside_a_faster_row_are_explained(tuned, time, said):
    one = tuned.curves[0]._replace(seconds=np.ones(3), reached=2)
    curves = one._replace(name="PMP()"), one._replace(name="other", seconds=np.full(3, time))
    assert ("It is kept, because luck" in str(tuned._replace(curves=curves, seconds=1.0))) == said
    named = curves[0]._replace(name="another")
    assert "It is kept" not in str(tuned._replace(curves=(named, curves[1]), seconds=1.0))


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


def test_a_loss_that_rises_again_does_not_reach_the_target():
    """The states of a candidate may alternate: it had a loss of 0.1 after 5 sweeps, 0.5 after 6, and 0.1 after 75."""
    losses = tuning._lasting(Losses(np.array([0.9, 0.1, 0.5, 0.2, 0.3, 0.1]), np.zeros(6)))
    assert losses.mean.tolist() == [0.9, 0.5, 0.5, 0.3, 0.3, 0.1]


def test_those_of_the_race_come_first_also_where_another_time_is_shorter(monkeypatch):
    """All of seven took a second in a single call. In the race, the defaults take 7 s and the others 2 to 6 s."""
    samplers = [pk.PMP(), *(pk.PMP(damping=0.1 * number) for number in range(6))]
    numbers = *[np.ones(1)] * 3, np.zeros(1), np.ones(1)
    curves = [tuning.Curve(str(place), sampler, *numbers, reached=0) for place, sampler in enumerate(samplers)]
    curves[0] = curves[0]._replace(seconds=np.array([1.5]))
    medians = {id(sampler): 7.0 - number for number, sampler in enumerate(samplers[:6])}
    monkeypatch.setattr(tuning, "timed", lambda call, sampler, num_sweeps: medians[id(sampler)])
    ordered = tuning._ordered(None, curves, 1.0, LONG)
    assert [(curve.name, curve.time) for curve in ordered] == [
        ("5", 2.0), ("4", 3.0), ("3", 4.0), ("2", 5.0), ("1", 6.0), ("0", 7.0), ("6", 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("losses", "choice", "sweeps"),
    [
        ([0.5, 0.24, 0.15], "PMP(damping=0.3)", 5),
        ([0.5, 0.22, 0.15], "PMP()", 30),
        ([0.24, 0.23, 0.15], "PMP()", 30),
        ([0.5, 0.4, 0.22], "PMP(damping=0.3)", 5),
        ([0.5, 0.22, 0.21], "PMP()", 5),
        ([0.5, 0.4, 0.3], "PMP(damping=0.3)", 5),
        ([0.5, 0.18, 0.15], "PMP()", 5),
    ],
    ids=["beyond its error", "within it", "sooner within it", "within it but later", "only within it", "never", "tie"],
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
        ({"reference": {"x": np.zeros(3)}}, "reference"),
        ({"reference": {"x": np.zeros((0, 3, 3), int)}}, r"reference: expected arrays .* got leading axes \(0,\)"),
        ({"reference": {"x": np.zeros((3, 3), int)}}, r"reference: expected arrays \(N, .* got leading axes \(\)"),
        (
            {"reference": {"x": np.zeros((4, 3, 3), int)}, "evidence": {"x": np.ones((3, 3))}},
            "reference: .* given the evidence",
        ),
        ({"reference": {}}, r"reference: expected all of \['x'\], got none for 'x'"),
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
