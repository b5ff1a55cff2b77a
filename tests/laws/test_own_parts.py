"""Samples and answers of one's own samplers and solvers are compared with the evidence."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from own_solver import Decoded

import pmp_kit as pk
from pmp_kit.samplers.chain import AbstractChain

KEY = jax.random.key(0)
EDGES = [[0, 1], [1, 2]]
LATTICE = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(EDGES, [1.0, -2.0])], {"x": [0.3, -0.2, 0.1]})


def draw(sampler, model=LATTICE):
    return pk.sample(KEY, model, sampler, num_samples=5, num_sweeps=2)


def chain(sweep):
    return type("Mine", (AbstractChain,), {"sweep": lambda self, keys, graph, unaries, state: sweep(state)})()


def a_solver(**methods):
    return type("Mine", (Decoded,), {name: lambda self, *a, f=f: f(*a) for name, f in methods.items()})()


IGNORING = chain(lambda state: 1.0 - state)
"""A chain that flips every variable, also the observed ones."""
KEEPING = type("Mine", (AbstractChain,), {"sweep": lambda self, keys, graph, unaries, state: state})()
ROWS = np.array([[0, pk.FREE, 1]] * 4 + [[pk.FREE] * 3] * 2 + [[1, pk.FREE, 0]])


@pytest.mark.parametrize("chunk", [None, 3])
@pytest.mark.parametrize(
    ("known", "got"),
    [
        (ROWS, "state 1 of variable 0, observed as 0, in sample 0"),
        (np.where(np.arange(7)[:, None] < 6, pk.FREE, ROWS), "state 0 of variable 0, observed as 1, in sample 6"),
    ],
    ids=["rows", "last row"],
)
def test_samples_that_contradict_the_evidence(known, got, chunk):
    options = {"num_samples": 7, "num_sweeps": 1, "evidence": {"x": known}, "chunk": chunk}
    message = rf"evidence: expected states that agree with it, got {got} from Mine\(\); keep the states of .*clamped"
    with pytest.raises(ValueError, match=message):
        pk.sample(KEY, LATTICE, IGNORING, **options)
    with pytest.raises(ValueError, match=message):
        list(pk.stream(KEY, LATTICE, IGNORING, **options))
    assert pk.sample(KEY, LATTICE, KEEPING, **options)["x"].shape == (7, 3)


def test_answers_that_contradict_the_evidence():
    solver = a_solver(init=lambda graph, unaries: jnp.ones_like(unaries))
    assert pk.solve(LATTICE, solver).possible
    for known, number in (([0, pk.FREE, 1], 0), ([[1, pk.FREE, 1], [0, pk.FREE, 1]], 1)):
        message = rf"got state 1 of variable 0, observed as 0, in problem {number} from Mine\(\)"
        with pytest.raises(ValueError, match=message):
            pk.solve(LATTICE, solver, evidence={"x": known})


def test_samples_are_not_compared_with_evidence_inside_jit():
    draw = jax.jit(lambda known: pk.sample(KEY, LATTICE, IGNORING, num_samples=7, num_sweeps=1, evidence={"x": known}))
    assert (draw(ROWS[0])["x"][:, 0] == 1).all()
