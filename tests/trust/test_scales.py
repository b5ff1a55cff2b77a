"""Each property in `scale_properties` holds in many random cases with scores from 1e-3 to 1e6 nats in one model."""

import pytest
import scale_properties as properties
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import FORESTS, WITH_LOOPS
from scale_cases import FACTORS, Problem, cases

from trust.tally import attempt

SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.sampled_from(["binary", "ternary", "mixed"]), st.sampled_from([0.0, 0.1, 0.4])
WIRED = ["DensePairwise", "EdgeTables, hard", "ExactlyOne beside categorical"]
"""Factors with fixed wiring for the samplers, because the colouring is a constant of their compiled programs."""
TREES = ["Edges, shared", "EdgeTables, shared", "NWise of pairs"]


def case(kind, call, must_refuse=False):
    """Count one case. The property makes its own assertions, so an answer needs no further check."""
    attempt(kind, call, lambda nothing: None, must_refuse)


def factor(name, seed):
    problem = Problem.of_factor(name, seed)
    case("factors_at_any_scale", lambda: properties.factors_score_as_their_tables(problem))


def mixed_graph(recipe, seed):
    problem = Problem.of_recipe(recipe, seed)
    case("mixed_graphs_at_any_scale", lambda: properties.factors_score_as_their_tables(problem))


def forest(recipe, seed):
    problem = Problem.of_forest(recipe, seed)
    case("forests_at_any_scale", lambda: properties.forests_are_solved(problem))


def solver(recipe, name, seed):
    problem, method, exact = Problem.of_recipe(recipe, seed), properties.SOLVERS[name], name in properties.EXACT
    case("solvers_at_any_scale", lambda: properties.solvers_keep_their_promises(problem, method, exact))


def schedule(name, seed):
    """Test `Alternating`, which must refuse a graph with only one group of messages."""
    problem, method = Problem.of_factor(name, seed), properties.SOLVERS["max-product, alternating"]
    must_refuse = properties.refuses_to_alternate(problem.graph)
    case("schedules_at_any_scale", lambda: properties.solvers_keep_their_promises(problem, method, False), must_refuse)


def solver_of_pairs(name, seed, levels, forbidden):
    call = lambda: properties.solvers_of_pairs_keep_their_promises(name, levels, forbidden, seed)  # noqa: E731
    case("solvers_of_pairs_at_any_scale", call)


def sampler(factor, name, seed):
    problem = Problem.of_factor(factor, seed)
    case("samplers_at_any_scale", lambda: properties.samplers_keep_evidence(problem, name, seed))


def checks(name, seed):
    problem = Problem.of_factor(name, seed)
    case("checks_at_any_scale", lambda: properties.checks_do_not_look_at_values(problem, seed))


@pytest.mark.parametrize("name", FACTORS)
@cases(15)
@given(SEEDS)
def test_factors_at_any_scale(name, seed):
    factor(name, seed)


@pytest.mark.parametrize("recipe", range(len(WITH_LOOPS)))
@cases(30)
@given(SEEDS)
def test_mixed_graphs_at_any_scale(recipe, seed):
    mixed_graph(WITH_LOOPS[recipe], seed)


@pytest.mark.parametrize("recipe", range(len(FORESTS)))
@cases(30)
@given(SEEDS)
def test_forests_at_any_scale(recipe, seed):
    forest(FORESTS[recipe], seed)


@pytest.mark.parametrize("name", properties.SOLVERS)
@pytest.mark.parametrize("recipe", range(len(WITH_LOOPS)))
@cases(12)
@given(SEEDS)
def test_solvers_at_any_scale(recipe, name, seed):
    solver(WITH_LOOPS[recipe], name, seed)


@pytest.mark.parametrize("name", FACTORS)
@cases(4)
@given(SEEDS)
def test_schedules_at_any_scale(name, seed):
    schedule(name, seed)


@pytest.mark.parametrize("name", properties.PAIRS)
@cases(40)
@given(SEEDS, *SHAPES)
def test_solvers_of_pairs_at_any_scale(name, seed, levels, forbidden):
    solver_of_pairs(name, seed, levels, forbidden)


@pytest.mark.parametrize("name", properties.SAMPLERS)
@pytest.mark.parametrize("place", range(len(TREES)))
@cases(15)
@given(SEEDS)
def test_samplers_at_any_scale(place, name, seed):
    sampler((TREES if name in properties.ONLY_TREES else WIRED)[place], name, seed)


@pytest.mark.parametrize("name", FACTORS)
@cases(3)
@given(SEEDS)
def test_checks_at_any_scale(name, seed):
    checks(name, seed)
