"""Polish: single flips until none raises the score."""

import numpy as np
import pytest
from pair_models import dense, mixed, some_evidence

import pmp_kit as pk

MODELS = {"dense": dense(1, size=12, scale=4.0), "mixed": mixed(1, 3.0).graph}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.slow
def test_polish_never_lowers_the_score_and_leaves_no_better_flip(name):
    model = MODELS[name]
    variables = model.graph().variables
    evidence = some_evidence(variables, 20)
    rough = pk.MaxProduct(keep_best=False, tolerance=0.0)
    before, after = (pk.solve(model, s, num_sweeps=2, evidence=evidence) for s in (rough, pk.Polished(rough)))
    assert (after.score >= before.score - 1e-4).all()
    assert (after.score > before.score + 1e-2).any()
    flat, known = variables.flatten(after.states), variables.flatten(evidence)
    for i, size in enumerate(variables.cardinalities):
        for state in range(size):
            flipped = np.where((np.arange(variables.count) == i) & (known == pk.FREE), state, flat)
            other = pk.score(model, variables.unflatten(flipped))
            assert (other <= after.score + 1e-3).all()
