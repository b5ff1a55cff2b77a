"""What `measures.tempering` counts: swap rates against enumeration, round trips against a written-out run."""

import jax
import numpy as np
from small_models import ising

import pmp_kit as pk
from pmp_kit import measures
from pmp_kit.tuning.ladder import Measured

KEY = jax.random.key(0)


def test_swap_rates_are_those_of_independent_draws_at_both_temperatures():
    model, temperatures = ising(scale=1.5), np.array([1.0, 2.5, np.inf])
    seen = measures.tempering(KEY, model, pk.ParallelTempering(temperatures), num_samples=64, num_sweeps=2000)
    score = np.asarray(pk.exact.log_weights(model), np.float64)
    inverse = 1.0 / temperatures
    p = np.exp(inverse[:, None] * score)
    p /= p.sum(1, keepdims=True)
    for pair in range(2):
        ratio = np.exp((inverse[pair] - inverse[pair + 1]) * (score - score[:, None]))
        wanted = p[pair] @ np.minimum(ratio, 1.0) @ p[pair + 1]
        assert abs(seen.swap_rates[pair] - wanted) < 0.01


def test_a_round_trip_ends_when_a_state_from_the_highest_temperature_reaches_the_lowest():
    runs = [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0], [2, 0, 1], [0, 2, 1], [0, 1, 2]]  # 2 and then 0 come down
    origin = np.array(runs)[:, None]
    assert Measured(None, origin, None).round_trips() == 2 / 7
    assert Measured(None, np.concatenate([origin, origin[:1].repeat(7, 0)], 1), None).round_trips() == 1 / 7


def test_log_z_needs_an_infinite_temperature_and_finite_scores():
    variables = pk.Variables(x=pk.Binary(3))
    hard = pk.FactorGraph(variables, [pk.AtMostK([[0, 1, 2]], k=1)])
    for model, ladder in ((hard, (1.0, np.inf)), (ising(), (1.0, 9.0))):
        seen = measures.tempering(KEY, model, pk.ParallelTempering(ladder), num_samples=4, num_sweeps=20)
        assert seen.log_partition is None
        assert seen.log_partition_error is None
