"""The properties in `scale_properties` hold in 200 random cases with scores from 1e-3 to 1e6 nats in one model."""

import pytest
import scale_properties as properties
from factor_examples import first_of_each_type
from hypothesis import given
from hypothesis import strategies as st
from random_graphs import FORESTS, WITH_LOOPS
from scale_cases import FACTORS, Problem, cases
from slow_parameters import some

SEEDS = st.integers(0, 2**32 - 1)
MIXED = WITH_LOOPS[4]
WIRED, TREE = "ExactlyOne beside categorical", "EdgeTables, shared"
QUICK = [name for name in FACTORS if not name.startswith("ConvOr")]  # its colouring takes seconds


@pytest.mark.parametrize("name", some(FACTORS, first_of_each_type()))
@cases(2)
@given(SEEDS)
def test_factors(name, seed):
    properties.factors_score_as_their_tables(Problem.of_factor(name, seed))


@cases(14)
@given(SEEDS)
def test_forests(seed):
    properties.forests_are_solved(Problem.of_forest(FORESTS[3], seed))


@pytest.mark.slow
@pytest.mark.parametrize("name", properties.SOLVERS)
@cases(4)
@given(SEEDS)
def test_solvers(name, seed):
    problem = Problem.of_recipe(MIXED, seed)
    properties.solvers_keep_their_promises(problem, properties.SOLVERS[name], name in properties.EXACT)


@pytest.mark.parametrize("name", some(properties.SAMPLERS, {"PMP"}))
@cases(4)
@given(SEEDS)
def test_samplers(name, seed):
    problem = Problem.of_factor(TREE if name in properties.ONLY_TREES else WIRED, seed)
    properties.samplers_keep_evidence(problem, name, seed)


@cases(24)
@given(st.sampled_from(QUICK), SEEDS)
def test_checks(name, seed):
    properties.checks_do_not_look_at_values(Problem.of_factor(name, seed), seed)
