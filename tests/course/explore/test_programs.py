"""Relaxation scope and bound meter: NumPy's solvers against the updates, the LP and enumeration."""

import numpy as np
import pytest

from pmp_kit.course.experiments.programs import linear_programs
from pmp_kit.course.explore.bounds import compute as bounds
from pmp_kit.course.explore.programs import compute as programs
from pmp_kit.course.explore.shared import spin_glass


def scope(size=8, reach=2.0, version="paper: last state", sweeps=200, seed=0):
    return programs.state(size, reach, version, sweeps, seed)


def binary(model, draw):
    """Weight and bias of one draw for states 0 and 1."""
    return 4 * model.coupling, 2 * model.fields[:, draw] - 2 * model.coupling.sum(1)


@pytest.mark.parametrize("start", ["zero", "neutral"])
def test_max_product_is_the_update_of_the_paper(start):
    """n(i->j) = max(0, P + w) - max(0, P), half of it mixed in, for states 0 and 1."""
    model = spin_glass.glass(5, 2.0, 3, 1)
    beliefs = spin_glass.max_product(model, start, 4)
    for draw in range(3):
        weight, bias = binary(model, draw)
        messages = np.zeros_like(weight) if start == "zero" else weight / 2
        for t in range(5):
            total = bias + messages.sum(0)
            np.testing.assert_allclose(2 * beliefs[t][:, draw], total, atol=1e-9)
            lean = total[:, None] - messages.T
            new = np.maximum(0, lean + weight) - np.maximum(0, lean)
            messages = 0.5 * messages + 0.5 * new


@pytest.mark.parametrize(("size", "reach"), [(7, 1.0), (10, 2.0)])
def test_mplp_falls_to_the_value_of_the_linear_program(size, reach):
    model = spin_glass.glass(size, reach, 4, 3)
    fractions, value = spin_glass.relaxed(model)
    path = spin_glass.mplp(model, 300, 0)
    assert (np.diff(path.dual, axis=0) < 1e-9).all()
    np.testing.assert_allclose(path.dual[-1], value, atol=1e-3)
    for draw in range(4):
        weight, bias = binary(model, draw)
        p, reduced = linear_programs.reduced(weight, bias).solve()
        offset = np.triu(model.coupling).sum() - model.fields[:, draw].sum()
        np.testing.assert_allclose(value[draw], reduced + offset, atol=1e-6)
        np.testing.assert_allclose(fractions[:, draw], p, atol=1e-6)


def test_the_exact_answer_is_the_best_of_all():
    model = spin_glass.glass(6, 2.0, 5, 2)
    plain, exact = spin_glass.enumerated(model)
    every = spin_glass.configurations(6)
    scores = np.array([model.score(np.repeat(each[:, None], 5, 1)) for each in every])
    np.testing.assert_allclose(model.score(exact), scores.max(0))
    np.testing.assert_allclose(plain, scores[:, 0] - every @ model.noise[:, 0])


def test_strong_couplings_make_the_lp_answer_one_half_and_no_coupling_makes_it_exact():
    strong, none = scope(size=10), scope(reach=0.0)
    np.testing.assert_allclose(strong.fractions, 0.5)
    mplp, max_product = strong.found
    assert max_product > mplp
    for answer in (2 * none.fractions - 1, none.mplp, none.max_product):
        np.testing.assert_allclose(answer, none.exact)


@pytest.mark.parametrize("seed", [0, 3])
def test_scores_are_below_and_bounds_above_the_best(seed):
    last = np.inf
    for sweeps in programs.SWEEPS:
        state = scope(sweeps=sweeps, seed=seed)
        assert (state.lp_value > -1e-6).all()
        assert (state.dual > state.lp_value - 1e-6).all()
        assert max(state.mplp_score.max(), state.max_product_score.max()) < 1e-9
        assert state.dual.mean() <= last
        last = state.dual.mean() + 1e-9
    best = [scope(version="kit: best state", sweeps=sweeps, seed=seed).max_product_score for sweeps in programs.SWEEPS]
    assert (np.diff(best, axis=0) >= 0).all()


@pytest.mark.parametrize("reach", [0.3, 2.0])
def test_log_z_lies_between_the_bounds_within_their_errors(reach):
    for seed in range(3):
        state = bounds.state(7, reach, 40, 100, seed)
        (low, low_error), (high, high_error) = state.at("lower"), state.at("dual")
        assert low < 3 * low_error
        assert high > -3 * high_error
        assert (np.diff(state.means["lower"]) > -1e-9).all()
        assert (np.diff(state.means["dual"]) < 1e-9).all()
        assert (state.means["primal"] <= state.means["exact"] + 1e-9).all()


def test_both_forms_of_the_program_agree_and_count_as_the_paper_says():
    found = linear_programs.compare(spins=6, models=4, seed=0)
    assert max(found["value_gap"], found["fraction_gap"]) < 1e-6
    for n in (3, 6):
        weight, bias = np.ones((n, n)), np.ones(n)
        standard, reduced = (build(weight, bias) for build in (linear_programs.standard, linear_programs.reduced))
        assert (standard.variables, standard.constraints) == (4 * n**2 - 2 * n, 9 * n**2 - 6 * n)
        assert (reduced.variables, reduced.constraints) == (n**2, 4 * n**2 - 3 * n)
