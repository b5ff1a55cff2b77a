"""Parallel MPLP (Section 5.2): its bound stays a bound, its states keep the evidence, its arguments are checked."""

import numpy as np
import pytest
from scale_models import Case, check_answer
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.course.experiments.programs.parallel_mplp import ParallelMPLP


def test_states_that_only_the_first_decoding_finds_possible_are_scored():
    """All later ones are impossible; the first was kept with a score of -inf, which a portfolio reads."""
    check_answer(Case("loops", "ternary", 4414, forbidden=0.1), ParallelMPLP(), exact=False)


@pytest.mark.parametrize("num_sweeps", [20, 1000])
def test_the_bound_of_parallel_mplp_stays_a_bound_where_its_messages_grow(num_sweeps):
    """Its messages overflowed on twelve spins, and the bound was NaN."""
    rng = np.random.default_rng(0)
    weight = np.triu(rng.normal(size=(12, 12)), 1).astype(np.float32)
    model = pk.Ising(symmetric(weight), rng.normal(size=12).astype(np.float32))
    best = pk.solve(model, pk.Exhaustive()).score
    solved = pk.solve(model, ParallelMPLP(), num_sweeps=num_sweeps)
    assert best - 1e-4 <= solved.bound < 100.0
    assert not solved.converged


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("levels", ["binary", "mixed"])
def test_bounds_and_evidence_with_scores_of_any_scale(levels, seed):
    check_answer(Case("loops", levels, seed, forbidden=0.1), ParallelMPLP(), exact=False)


def test_a_damping_above_one_is_refused():
    with pytest.raises(ValueError, match=r"damping: .*got 2\.0"):
        ParallelMPLP(damping=2)
