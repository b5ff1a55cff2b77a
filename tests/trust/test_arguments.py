"""Every argument accepts exactly the valid ones of many unusual values and refuses the others with a clear error."""

import jax
import numpy as np
import pytest

import pmp_kit as pk
from trust.attempts import asked, attempt

KEY = jax.random.key(0)
ODD = {
    "None": None,
    "text": "1",
    "complex": 1j,
    "no items": [],
    "no columns": [[]],
    "ragged": [1, [2]],
    "no names": {},
    "object": object(),
    "array of text": np.array("x"),
    "True": True,
    "-1": -1,
    "0": 0,
    "2.5": 2.5,
    "nan": np.nan,
    "inf": np.inf,
    "3": np.int8(3),
    "ids": [1, 2],
    "0.5": 0.5,
    "zeros": np.zeros(3),
    "matrix": np.zeros((3, 3)),
}
"""Values that a user could pass as a number or an array."""
COUNTS, WHOLE, NUMBERS = {"True", "3"}, {"True", "0", "3"}, {"True", "0", "0.5", "2.5", "3"}
ANY_NUMBER = NUMBERS | {"-1"}
ISING = pk.Ising(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, -2.0], [0.0, -2.0, 0.0]]), np.array([0.5, 0.0, -0.5]))

# The values that each argument must accept. All others must be refused. True counts as 1, as everywhere in Python.
OF_SAMPLE = {
    "num_samples": COUNTS,
    "num_sweeps": WHOLE,
    "chunk": COUNTS | {"None"},
    "key": set(),
    "evidence": {"None", "no names"},
    "previous": {"None"},
}
OF_MAX_PRODUCT = {
    "damping": {"0", "0.5"},
    "start": set(),
    "keep_best": {"True"},
    "tolerance": NUMBERS,
    "patience": WHOLE,
    "schedule": {"None"},
}
NO_PAIRS = {"no items", "no columns"}  # a factor without pairs
OF_FACTORS = {
    "Edges": {"pairs": NO_PAIRS, "weight": ANY_NUMBER},
    "EdgeTables": {"pairs": NO_PAIRS, "table": set()},
    "DensePairwise": {"at": set(), "weight": {"matrix"}},
    "ExactlyK": {"ids": {"ids"}, "k": {"0", "3"}},
    "Or": {"parents": set(), "child": {"3"}},
}
OF_FIT = {
    "model": set(),
    "data": set(),
    "sampler": {"None"},
    "optimizer": {"None"},
    "steps": COUNTS,
    "batch_size": COUNTS,
    "num_chains": COUNTS | {"None"},
    "num_sweeps": COUNTS,
    "persistent": {"True"},
    "positive": {"None"},
    "l1": NUMBERS,
    "l2": NUMBERS,
    "resume": {"None"},
    "callback": {"None"},
}
IDS = pk.Variables(x=pk.Binary(4), y=pk.Categorical(2, states=3))
FACTORS = {
    "Edges": {"pairs": [[0, 1]], "weight": 1.0},
    "EdgeTables": {"pairs": [[0, 1]], "table": np.eye(2)},
    "DensePairwise": {"at": [0, 1, 2], "weight": np.zeros((3, 3))},
    "ExactlyK": {"ids": [[0, 1, 2]], "k": 1},
    "Or": {"parents": [[0, 1]], "child": [2]},
}


def each_odd_value(takes: set, call, right) -> None:
    """Try each unusual value. `call` gets the value, and `right` checks the result."""
    for name, value in ODD.items():
        attempt(lambda value=value: call(value), right, must_refuse=name not in takes)


def states_and_a_score(answer) -> None:
    """Check that a model made from accepted unusual arguments can be sampled and scored."""
    solution, samples = answer
    for name, block in samples.items():
        assert np.isin(block, np.arange(3 if name == "y" else 2)).all()  # y is the only categorical block, see IDS
    assert not np.isnan(solution.score)


def binary(samples) -> None:
    assert np.isin(samples["x"], (0, 1)).all()


@pytest.mark.parametrize("name", OF_SAMPLE)
def test_arguments_of_sample(name):
    def call(value):
        options = {"key": KEY, "num_samples": 2, "num_sweeps": 3} | {name: value}
        return pk.sample(options.pop("key"), ISING, **options)

    each_odd_value(OF_SAMPLE[name], call, binary)


@pytest.mark.parametrize("name", OF_MAX_PRODUCT)
def test_arguments_of_max_product(name):
    def call(value):
        return pk.solve(ISING, pk.MaxProduct(**{name: value}), num_sweeps=5)

    def right(solution):
        binary(solution.states)
        assert np.isfinite(solution.score)

    each_odd_value(OF_MAX_PRODUCT[name], call, right)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in OF_FACTORS.items() for name in names])
def test_arguments_of_factors(kind, name):
    def call(value):
        return asked(pk.FactorGraph(IDS, [getattr(pk, kind)(**FACTORS[kind] | {name: value})]))

    each_odd_value(OF_FACTORS[kind][name], call, states_and_a_score)


@pytest.mark.parametrize("name", OF_FIT)
def test_arguments_of_fit(name):
    def call(value):
        options = {"model": ISING, "data": {"x": np.eye(3, dtype=int)}, "steps": 2, "num_sweeps": 2} | {name: value}
        options |= {"sampler": pk.Gibbs()} if name == "persistent" else {}
        return pk.fit(KEY, options.pop("model"), options.pop("data"), **options)

    def right(result):
        assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(result.model))

    each_odd_value(OF_FIT[name], call, right)
