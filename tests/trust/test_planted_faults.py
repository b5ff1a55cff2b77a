"""The check of each row of `make trust` fails if a fault is planted in the library."""

from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scale_properties as properties
from drawn_toy import DrawnToy
from random_graphs import FORESTS, WITH_LOOPS

import pmp_kit as pk
from pmp_kit.engine import checks
from pmp_kit.solvers import max_flow
from trust import tally, test_arguments, test_files, test_models, test_scales, test_soak

KEY = jax.random.key(0)
SOLVE, SAMPLE, LOAD, FIT = pk.solve, pk.sample, pk.load, pk.fit
ISING, EDGES, FACTOR_GRAPH, CUT = pk.Ising, pk.Edges, pk.FactorGraph, max_flow.best_cut
COMPUTE = DrawnToy.compute


# --- faults


def one_nat_off(*arguments, **options):
    solution = SOLVE(*arguments, **options)
    return solution._replace(score=solution.score + 1.0)


def always_converged(*arguments, **options):
    solution = SOLVE(*arguments, **options)
    return solution._replace(converged=np.ones_like(solution.converged))


def always_impossible(*arguments, **options):
    return SOLVE(*arguments, **options)._replace(score=np.float32(-np.inf))


def bound_of_nan(*arguments, **options):
    return SOLVE(*arguments, **options)._replace(bound=np.full(properties.BATCH, np.nan))


def without_evidence(model, solver=None, *, evidence, **options):
    nothing = {name: np.full_like(states, pk.FREE) for name, states in evidence.items()}
    return SOLVE(model, solver, evidence=nothing, **options)


def without_sweeps(*arguments, num_sweeps, **options):
    return SOLVE(*arguments, num_sweeps=0, **options)


def samples_without_evidence(*arguments, evidence=None, **options):
    return SAMPLE(*arguments, **options)


def samples_by_chunk(key, *arguments, chunk=None, **options):
    return SAMPLE(key if chunk is None else jax.random.fold_in(key, chunk), *arguments, chunk=chunk, **options)


def samples_by_jit(*arguments, **options):
    samples = SAMPLE(*arguments, **options)
    return {"x": 1 - samples["x"]} if jax.config.jax_disable_jit else samples


class HalfDone:
    """A sampler whose samples change after a call was interrupted."""

    def __init__(self):
        self.lost = 0

    def __call__(self, *arguments, **options):
        try:
            return {"x": SAMPLE(*arguments, **options)["x"] + self.lost}
        except KeyboardInterrupt:
            self.lost += 1
            raise


def damage_ignored(path, like):
    try:
        return LOAD(path, like)
    except ValueError:
        return jax.tree.map(jnp.zeros_like, like)


def numbers_for_nan(weight, bias, **options):
    return ISING(np.nan_to_num(weight), np.nan_to_num(bias), **options)


def another_model(**options):
    try:
        return ISING(**options)
    except (TypeError, ValueError):
        return test_arguments.ISING


def unclear(**options):
    try:
        return EDGES(**options)
    except (TypeError, ValueError):
        raise ValueError("something is wrong") from None


def learns_nan(*arguments, **options):
    result = FIT(*arguments, **options)
    return result._replace(model=jax.tree.map(lambda leaf: leaf * np.nan, result.model))


def any_count(name, value, minimum=1):
    try:
        return max(minimum, int(value))
    except (TypeError, ValueError, OverflowError):
        return minimum


def any_number(name, value, low=-np.inf, high=np.inf):
    try:
        return float(np.clip(float(value), low, min(high, 1e6)))
    except (TypeError, ValueError):
        return 0.0


def clipped_edges(pairs, weight):
    return EDGES(pairs, np.clip(weight, -1e3, 1e3))


def without_unaries(variables, factors=(), unaries=None):
    return FACTOR_GRAPH(variables, factors)


def couples_by_value(factor, members):
    return bool((np.abs(np.asarray(factor.weight))[np.ix_(members[:4], members[:4])] > 0).any())


def coarse_cut(pairs, capacity, field):
    return CUT(pairs, capacity, np.round(field, -5))


def forgetful(explorer, params):
    state = COMPUTE(explorer, params)
    return state._replace(number=len(explorer.computed) % 100)


def leaking(explorer, params):
    """Keep 0.1 MB in each call."""
    explorer.computed.append(np.ones(100_000, np.uint8))
    return COMPUTE(explorer, params)


# --- checks of the rows on a few cases; each check gets an empty folder


def of_seeds(check, *arguments, number=10):
    return lambda _: [check(*arguments, seed) for seed in range(number)]


def damaged(folder):
    for seed in range(20):
        test_files.damaged_file(folder / "damaged.npz", seed)


def killed(folder):
    test_files.killed_fit(folder, (3,))


def interrupted(_):
    model = pk.ising_lattice(12, 0.3)
    call = lambda: pk.sample(KEY, model, num_samples=400, num_sweeps=60)["x"]  # noqa: E731
    test_files.interrupts_of(call, (0.3, 0.5, 0.7))


def soaked(_):
    test_soak.soak("toy", DrawnToy(), 20, 20)


def pairs(_):
    for seed in range(30):
        test_scales.solver_of_pairs("minimum cut", seed, "binary", 0.0)


OTHER_KEY = test_files.TRAINING.replace("jax.random.key(0)", "jax.random.key(1 if resume else 0)")
FROM_THE_START = test_files.TRAINING.replace("resume=resume", "resume=None")
ANY_COUNT, ANY_NUMBER = (checks, "count", any_count), (checks, "number", any_number)
LOOPS, LOGIC = WITH_LOOPS[0], "ExactlyOne beside categorical"
PLANTED = [  # the row, the replaced name with its replacement, and the check of the row
    ("damaged_model_files", (pk, "load", damage_ignored), damaged),
    ("killed_fits", (test_files, "TRAINING", OTHER_KEY), killed),
    ("killed_fits", (test_files, "TRAINING", FROM_THE_START), killed),
    ("interrupts_at_any_moment", (pk, "sample", HalfDone()), interrupted),
    ("graphs_of_any_shape", (pk, "solve", one_nat_off), of_seeds(test_models.graph_of_any_shape)),
    ("graphs_of_any_shape", (pk, "solve", without_sweeps), of_seeds(test_models.graph_of_any_shape)),
    ("weights_of_any_size", (pk, "Ising", numbers_for_nan), of_seeds(test_models.weights_of_any_size)),
    ("evidence_of_any_kind", (pk, "solve", without_evidence), of_seeds(test_models.evidence_of_any_kind)),
    ("evidence_of_any_kind", (pk, "solve", always_impossible), of_seeds(test_models.evidence_of_any_kind)),
    ("samples_do_not_depend_on_chunks", (pk, "sample", samples_by_chunk), of_seeds(test_models.samples_of_any_chunk)),
    (
        "samples_do_not_depend_on_jit",
        (pk, "sample", samples_by_jit),
        of_seeds(test_models.samples_without_jit, number=2),
    ),
    ("arguments_of_sample", ANY_COUNT, lambda _: test_arguments.test_arguments_of_sample("num_samples")),
    ("arguments_of_max_product", ANY_NUMBER, lambda _: test_arguments.test_arguments_of_max_product("damping")),
    ("arguments_of_ising", (pk, "Ising", another_model), lambda _: test_arguments.test_arguments_of_ising("bias")),
    (
        "arguments_of_factors",
        (pk, "Edges", unclear),
        lambda _: test_arguments.test_arguments_of_factors("Edges", "pairs"),
    ),
    ("arguments_of_rbm", ANY_COUNT, lambda _: test_arguments.test_arguments_of_rbm("hidden")),
    ("arguments_of_fit", (pk, "fit", learns_nan), lambda _: test_arguments.test_arguments_of_fit("l1")),
    ("events_on_explorers", (DrawnToy, "compute", forgetful), soaked),
    ("events_on_explorers", (DrawnToy, "compute", leaking), soaked),
    ("factors_at_any_scale", (pk, "Edges", clipped_edges), of_seeds(test_scales.factor, "Edges")),
    ("mixed_graphs_at_any_scale", (pk, "FactorGraph", without_unaries), of_seeds(test_scales.mixed_graph, LOOPS)),
    ("forests_at_any_scale", (pk, "solve", without_sweeps), of_seeds(test_scales.forest, FORESTS[0])),
    ("solvers_at_any_scale", (pk, "solve", one_nat_off), of_seeds(test_scales.solver, LOOPS, "max-product")),
    ("solvers_at_any_scale", (pk, "solve", always_converged), of_seeds(test_scales.solver, LOOPS, "max-product")),
    ("solvers_at_any_scale", (pk, "solve", without_evidence), of_seeds(test_scales.solver, LOOPS, "exhaustive")),
    ("solvers_at_any_scale", (pk, "solve", bound_of_nan), of_seeds(test_scales.solver, LOOPS, "exhaustive")),
    ("schedules_at_any_scale", (pk.Alternating, "check", pk.Flooding.check), of_seeds(test_scales.schedule, "Parity")),
    ("solvers_of_pairs_at_any_scale", (max_flow, "best_cut", coarse_cut), pairs),
    ("samplers_at_any_scale", (pk, "sample", samples_by_chunk), of_seeds(test_scales.sampler, LOGIC, "PMP")),
    ("samplers_at_any_scale", (pk, "sample", samples_without_evidence), of_seeds(test_scales.sampler, LOGIC, "Gibbs")),
    (
        "checks_at_any_scale",
        (pk.DensePairwise, "couples", couples_by_value),
        of_seeds(test_scales.checks, "DensePairwise"),
    ),
]


def test_a_fault_is_planted_for_each_row():
    assert {row for row, _, _ in PLANTED} == set(tally.LEAST)


@pytest.mark.parametrize(
    ("row", "replaced", "check"), PLANTED, ids=[f"{n}-{row}" for n, (row, *_) in enumerate(PLANTED)]
)
def test_planted_faults(row, replaced, check, tmp_path_factory, monkeypatch):
    """The check passes without the fault and raises an error with it."""
    counted = {}
    monkeypatch.setattr(tally, "TALLY", counted)
    monkeypatch.setattr(test_soak, "GROWTH", {})
    check(tmp_path_factory.mktemp("sound"))
    monkeypatch.setattr(*replaced)
    with pytest.raises(AssertionError):
        check(tmp_path_factory.mktemp("faulty"))
    assert set(counted) == {row}


def test_a_row_with_too_few_answers_is_named():
    counts = {"killed_fits": Counter(answered=3), "arguments_of_fit": Counter(answered=1, refused=99)}
    assert tally.too_few_answers(counts) == ["arguments_of_fit"]


def test_a_row_without_cases_is_named():
    counts = {kind: Counter(answered=1) for kind in tally.LEAST}
    del counts["killed_fits"], counts["arguments_of_fit"]
    assert tally.without_cases(counts) == ["killed_fits", "arguments_of_fit"]
    assert tally.without_cases(counts, ["tests/trust/test_files.py::test_killed_fits"]) == ["arguments_of_fit"]


@pytest.mark.parametrize(
    ("call", "must_refuse"),
    [
        (lambda: 1, True),
        (lambda: int("1.5"), False),
        (lambda: int("1.5"), True),
        (lambda: int("1.5"), None),
        (lambda: float("x"), True),
    ],
)
def test_refusals_count_only_where_they_are_due_and_clear(call, must_refuse, monkeypatch):
    monkeypatch.setattr(tally, "TALLY", {})
    with pytest.raises(AssertionError):
        tally.attempt("killed_fits", call, lambda answer: None, must_refuse)
