"""sample_until: it stops when the targets are reached, says so if the limit came first, and its errors are right."""

import jax
import numpy as np
import pytest

import pmp_kit as pk

KEY = jax.random.key(0)
EASY = pk.ising_lattice(4, coupling=0.15, bias=0.1)
TWO_MODES = pk.ising_lattice(4, coupling=0.7)


def worst(found, truth):
    """The largest error of a mean of the samples, in stated standard errors."""
    return np.abs(found.samples["x"].mean(0) - truth).max() / found.error


def test_an_easy_model_reaches_its_targets_with_the_error_that_it_states():
    truth = pk.exact.marginals(EASY)["x"][..., 1]
    runs = [pk.sample_until(jax.random.key(seed), EASY, error=0.01, effective=1500) for seed in range(12)]
    assert all(run.reached and run.error <= 0.01 and run.effective >= 1500 and run.r_hat <= 1.01 for run in runs)
    deviations = np.array([worst(run, truth) for run in runs])
    assert deviations.max() < 5.0  # of 16 means
    assert 0.7 < deviations.mean() < 3.0
    first = runs[0]
    assert first.sweeps < 10_000
    assert len(first.samples["x"]) == first.samples.sweeps.size
    assert first.samples.sweeps[0] > first.sweeps // 2
    assert first.samples.sweeps[-1] == first.sweeps
    pk.sample(KEY, EASY, pk.Gibbs(pk.colours(EASY)), num_samples=16, num_sweeps=1, previous=first.samples.chains)


def test_chains_in_two_modes_do_not_reach_the_target_and_state_a_large_error():
    for seed in range(4):
        found = pk.sample_until(jax.random.key(seed), TWO_MODES, error=0.02, max_sweeps=2000)
        assert not found.reached
        assert found.sweeps <= 2000
        assert found.r_hat > 1.5
        assert found.effective < 100
        assert worst(found, 0.5) < 5.0


def test_parallel_tempering_reaches_what_gibbs_does_not():
    ladder = pk.ParallelTempering(np.geomspace(1.0, 4.0, 5), pk.Gibbs(pk.colours(TWO_MODES)))
    found = pk.sample_until(KEY, TWO_MODES, ladder, error=0.04, max_sweeps=8000)
    assert found.reached
    assert worst(found, 0.5) < 5.0


def test_evidence_categories_and_frozen_entries():
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=3)), [pk.Potts([[0, 1], [1, 2]], 1.0, states=3)])
    found = pk.sample_until(KEY, graph, effective=1000, evidence={"x": np.array([2, pk.FREE, pk.FREE])})
    assert found.reached
    assert (found.samples["x"][:, 0] == 2).all()


def test_chains_that_cannot_reach_a_possible_state_have_not_mixed():
    variables = pk.Variables(x=pk.Binary(2))
    never = pk.FactorGraph(variables, [pk.ExactlyOne([[0, 1]]), pk.Parity([[0, 1]])])
    found = pk.sample_until(KEY, never, pk.Gibbs(), effective=10, max_sweeps=64)
    assert not found.reached
    assert found.r_hat == np.inf


@pytest.mark.parametrize("sampler", [pk.PMP(), pk.PersistentPMP(), pk.ForwardBackward()])
def test_independent_draws_are_refused_with_the_remedy(sampler):
    with pytest.raises(ValueError, match=r"sampler: expected a Markov chain .* at most 0.5 / sqrt\(N\); use sample"):
        pk.sample_until(KEY, EASY, sampler, error=0.01)
