"""Errors that tell a person to change numbers: the advice, followed as it is written, keeps the answer."""

import re

import numpy as np
import pytest
from oracle import joint_states

import pmp_kit as pk

PAIR, TRIPLE = pk.Variables(x=pk.Binary(2)), pk.Variables(x=pk.Binary(3))
LARGE = np.array([[-40000001.0, -40000003.0], [-40000000.0, -40000002.0]])
LEVELS = np.array([[1e7, 1e7 + 0.3], [2e7 + 0.7, 2e7 + 0.2]])
UPPER = np.triu(np.array([[0, 0.5, -0.2], [0, 0, 0.9], [0, 0, 0]]), 1)
LOPSIDED = np.array([[0.0, 1.0, 0.2], [0.4, 0.0, -0.6], [0.0, 0.3, 0.0]])


def refused(call) -> str:
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    return str(error.value)


def written(pattern, call, **names):
    """The code or the number in the text of an error, evaluated."""
    return eval(re.search(pattern, refused(call))[1], {"np": np, "pk": pk, **names})


def best_of_table(factor):
    """The best entry of the whole table. A row minus its own highest score would have another one."""
    make = lambda table: pk.FactorGraph(PAIR, [factor(table)])  # noqa: E731
    highest = written(r"subtract the highest score, (\S+), from all scores of this factor", lambda: make(LARGE))
    return pk.solve(make(LARGE - highest), pk.Exhaustive()).states["x"], [1, 0]


def best_of_unaries():
    rows = LEVELS.copy()
    for row in rows:
        row -= written(
            r"score, (\S+), from .* \(in unaries: of this variable\)", lambda: pk.FactorGraph(PAIR, [], rows)
        )
    return pk.solve(pk.FactorGraph(PAIR, [], rows)).states["x"], LEVELS.argmax(1)


def scores_of(weight, share):
    """The scores of all states, against share * x'Wx."""
    make = lambda weight: pk.FactorGraph(TRIPLE, [pk.DensePairwise(np.arange(3), weight)])  # noqa: E731
    advised = written(r"(?:use|symmetrise it with) (.*)$", lambda: make(weight), weight=weight)
    every = joint_states((2, 2, 2))
    return pk.score(make(advised), {"x": every}), share * np.einsum("ni,ij,nj->n", every, weight, every)


def scores_of_a_diagonal():
    weight = UPPER + UPPER.T + np.diag([1.0, -2.0, 0.3])
    make = lambda weight, bias: pk.FactorGraph(TRIPLE, [pk.DensePairwise(np.arange(3), weight)], {"x": bias})  # noqa: E731
    assert "add half of it to the bias of the variable, and set it to 0" in refused(lambda: make(weight, np.zeros(3)))
    every, diagonal = joint_states((2, 2, 2)), np.diag(weight)
    return (
        pk.score(make(weight - np.diag(diagonal), 0.5 * diagonal), {"x": every}),
        0.5 * np.einsum("ni,ij,nj->n", every, weight, every),
    )


def evidence(x, wanted):
    code = r"(?:such as|use) (\(spins \+ 1\) // 2|.*$)"
    call = lambda: pk.solve(pk.FactorGraph(pk.Variables(x=pk.Binary(4))), evidence={"x": x})  # noqa: E731
    return written(code, call, x=x, spins=x), wanted


def divergence_of_counts():
    p, q = np.array([0.2, 0.3, 0.5]), np.array([0.5, 0.25, 0.25])
    assert "divide counts by their sum" in refused(lambda: pk.exact.kl(40 * p, q))
    counts = 40 * p
    return pk.exact.kl(counts / counts.sum(), q), np.sum(p * np.log(p / q))


ADVICE = {
    "EdgeTables near 4e7": lambda: best_of_table(lambda table: pk.EdgeTables([[0, 1]], table)),
    "NWise near 4e7": lambda: best_of_table(lambda table: pk.NWise([[0, 1]], table[None])),
    "Tables near 4e7": lambda: best_of_table(lambda table: pk.Tables([[0, 1]], [table])),
    "unaries near 1e7": best_of_unaries,
    "upper triangle": lambda: scores_of(UPPER, 1.0),
    "lower triangle": lambda: scores_of(UPPER.T, 1.0),
    "not symmetric": lambda: scores_of(LOPSIDED, 0.5),
    "diagonal": scores_of_a_diagonal,
    "spins": lambda: evidence(np.array([1, -1, 1, -1]), [1, 0, 1, 0]),
    "grey values": lambda: evidence(np.array([0, 255, 3, 250]), [0, 1, 0, 1]),
    "grey values, some unknown": lambda: evidence(np.array([0, 255, pk.FREE, 250]), [0, 1, pk.FREE, 1]),
    "counts": divergence_of_counts,
}


@pytest.mark.parametrize("name", ADVICE)
def test_advice_to_change_numbers_keeps_the_answer(name):
    got, wanted = ADVICE[name]()
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6)
