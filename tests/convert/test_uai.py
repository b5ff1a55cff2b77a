"""UAI files are read and written as they are meant, and errors name the line."""

import gzip
import lzma
from itertools import product

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.convert import read_uai, write_uai

# The example of the description of the format in toulbar2's documentation
EXAMPLE = """MARKOV
3
2 2 3
2
2 0 1
3 0 1 2

4
 4.000 2.400
 1.000 0.000

12
 2.2500 3.2500 3.7500
 0.0000 0.0000 10.0000
 1.8750 4.0000 3.3330
 2.0000 2.0000 3.4000
"""

# One-state variables 1 and 3, arity 0 (twice), arity 1 (twice on 2), the scope {0, 2} in both orders, three states
ODD = """BAYES
5
2 1 3 1 2
9
0
0
1 2
2 1 2
1 3
2 0 2
2 2 0
3 4 3 0
3 2 4 0
1 2.5e-05 1 3 3 1 2 3 3 0.5 .25 1e0 1 7
6 1 2 3 4 5 6
6 .1 .2 .3 .4 .5 .6
4 1 0.5 0.25 2
12 1 2 3 4 5 6 7 8 9 10 11 12
"""


def value(text: str, states: dict[int, int]) -> float:
    """Return the product of the functions of a file at some states, in plain Python."""
    words = iter(text.split())
    next(words)
    sizes = [int(next(words)) for _ in range(int(next(words)))]
    scopes = [[int(next(words)) for _ in range(int(next(words)))] for _ in range(int(next(words)))]
    result = 1.0
    for scope in scopes:
        table = [float(next(words)) for _ in range(int(next(words)))]
        index = 0
        for variable in scope:
            index = index * sizes[variable] + states[variable]
        result *= table[index]
    return result


def written(folder, text, name="model.uai"):
    """Return the path of a new file with this text."""
    (folder / name).write_text(text)
    return folder / name


def test_the_example_of_the_format(tmp_path):
    model = read_uai(written(tmp_path, EXAMPLE))
    assert pk.exact.log_partition(model) + model.constant == pytest.approx(4.2514623, abs=1e-6)
    solution = pk.solve(model, pk.Exhaustive(), num_sweeps=0)
    assert model.states(solution.states) == {0: 0, 1: 1, 2: 2}
    assert solution.score == pytest.approx(3.1780538, abs=1e-6)


@pytest.mark.parametrize("text", [EXAMPLE, ODD])
def test_values_of_all_states_are_those_of_the_file_also_after_writing(tmp_path, text):
    """ODD has variables with one state, functions of no and of one variable, and several on the same variables."""
    first = read_uai(written(tmp_path, text))
    write_uai(tmp_path / "again.uai", first)
    again = read_uai(tmp_path / "again.uai")
    for model in (first, again):
        every = list(product(*map(range, model.cardinalities)))
        found = np.exp(np.asarray(pk.score(model, model.blocks(every)), float) + model.constant)
        np.testing.assert_allclose(found, [value(text, dict(enumerate(states))) for states in every], rtol=1e-5)
        np.testing.assert_array_equal(model.in_order(model.blocks(every)), every)
        np.testing.assert_allclose(np.exp(-model.energy(every)), found, rtol=1e-5)
    ids = [tuple(row) for factor in first.graph().factors for scope in factor.scopes for row in scope]
    assert len(set(ids)) == len(ids) == (2 if text == EXAMPLE else 3)


def test_a_factor_graph_is_written_in_the_order_of_its_ids(tmp_path):
    lattice = pk.ising_lattice(3, coupling=-0.4, bias=0.3, periodic=False)
    write_uai(tmp_path / "lattice.uai", lattice)
    model = read_uai(tmp_path / "lattice.uai")
    exact = float(pk.exact.log_partition(lattice))
    assert pk.exact.log_partition(model) + model.constant == pytest.approx(exact, rel=1e-5)
    best = pk.exact.map_state(lattice)["x"].reshape(-1)
    np.testing.assert_array_equal(model.in_order(pk.exact.map_state(model)), best)


def test_large_scores_are_written_relative_to_the_best_one(tmp_path):
    variables = pk.Variables(x=pk.Binary(2))
    graph = pk.FactorGraph(variables, [pk.NWise([0, 1], [[2000.0, 1999.0], [1998.5, -np.inf]])])
    write_uai(tmp_path / "large.uai", graph)
    model = read_uai(tmp_path / "large.uai")
    found = pk.score(model, pk.exact.states(model.graph().variables)) + model.constant
    np.testing.assert_allclose(found, [2000.0, 1999.0, 1998.5, -np.inf])
    wide = pk.FactorGraph(variables, [pk.NWise([0, 1], [[0.0, 0.0], [0.0, -2000.0]])])
    with pytest.raises(ValueError, match="within 700 nats, got -2000 to 0"):
        write_uai(tmp_path / "wide.uai", wide)
    long = pk.Variables(x=pk.Binary(40))  # a table of 2^40 entries
    with pytest.raises(ValueError, match="got ExactlyK"):
        write_uai(tmp_path / "long.uai", pk.FactorGraph(long, [pk.ExactlyK(long["x"], k=1)]))


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip), (".xz", lzma)])
def test_compressed_files_are_known_by_their_content(tmp_path, ending, pack):
    (tmp_path / "plain_name.uai").write_bytes(pack.compress(EXAMPLE.encode()))
    model = read_uai(tmp_path / "plain_name.uai")
    write_uai(tmp_path / f"again.uai{ending}", model)
    assert b"MARKOV" in pack.decompress((tmp_path / f"again.uai{ending}").read_bytes())
    again = read_uai(tmp_path / f"again.uai{ending}")
    assert pk.exact.log_partition(again) == pk.exact.log_partition(model)


@pytest.mark.parametrize("text", ["2 1 0 3 0", "1 2 1 0 3 0", "\n2\n3 0\n1 0\n"])
def test_evidence_with_and_without_a_sample_count_is_kept(tmp_path, text):
    """The variables 1 and 3 have one state, so their evidence fixes nothing."""
    model = read_uai(written(tmp_path, ODD), written(tmp_path, text, "model.evid"))
    assert model.observed == {1: 0, 3: 0}
    write_uai(tmp_path / "again.uai", model, tmp_path / "again.evid")
    assert read_uai(tmp_path / "again.uai", tmp_path / "again.evid").observed == model.observed


def test_evidence_is_conditioning_in_the_order_of_the_file(tmp_path):
    model = read_uai(written(tmp_path, ODD), written(tmp_path, "1 2 0 1 2 2", "model.evid"))
    assert {name: list(states) for name, states in model.evidence().items()} == {"x2": [1, pk.FREE], "x3": [2]}
    exact = np.log(sum(value(ODD, {0: 1, 1: 0, 2: 2, 3: 0, 4: state}) for state in (0, 1)))
    assert pk.exact.log_partition(model, model.evidence()) + model.constant == pytest.approx(exact, rel=1e-6)
    rows = model.evidence({4: [0, 1, pk.FREE], 2: 1})
    assert rows["x2"].tolist() == [[pk.FREE, 0], [pk.FREE, 1], [pk.FREE, pk.FREE]]
    for wrong, got in [({4: 2}, "a state 0 .. 1 of 4, got 2"), ({1: 1}, "a state 0 .. 0 of 1, got 1")]:
        with pytest.raises(ValueError, match=got):
            model.evidence(wrong)
    with pytest.raises(ValueError, match="labels of variables such as 0, 1, 2, got 9"):
        model.evidence({9: 0})


WRONG = [
    ("MARKOV", "LIMID", "line 1: expected MARKOV or BAYES, got 'LIMID'"),
    ("2 2 3", "2 2 x3", "line 3: expected a number, got 'x3'"),
    ("2 2 3", "2 0 3", "line 3: expected the number of states of a variable, a whole number at least 1, got '0'"),
    ("2 0 1", "2 0 3", "line 5: expected a variable of function 0, a whole number from 0 to 2, got '3'"),
    ("2 0 1", "2 0 0", "line 5: expected different variables in function 0, got '0'"),
    ("\n12\n", "\n11\n", "line 12: expected the number of values of function 1, 12, got '11'"),
    ("3.2500", "-3.25", "line 13: expected a number that is finite and not negative, got '-3.25'"),
    ("3.2500", "nan", "line 13: expected a number that is finite and not negative, got 'nan'"),
    ("3.2500", "2,5", "line 13: expected a number, got '2,5'"),
    ("4.000 2.400\n 1.000 0.000", "0 0 0\n 0", "line 9: expected a function with a positive value, got '0'"),
    (" 3.4000\n", "\n", "line 16: expected 30 numbers in the file, got the end of the file"),
    (" 3.4000\n", " 3.4 5\n", "line 16: expected the end of the file, got '5'"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_errors_name_the_line(tmp_path, old, new, said):
    assert old in EXAMPLE
    with pytest.raises(ValueError, match=f"model.uai, {said}"):
        read_uai(written(tmp_path, EXAMPLE.replace(old, new)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: expected the number of observed variables, got the end of the file"),
        ("2 0 1\n2 5", "line 2: expected a state of variable 2, a whole number from 0 to 2, got '5'"),
        ("2\n0 1", "line 2: expected an observed variable, got the end of the file"),
        ("2 1 0 0", "line 1: expected 1 sample, because the number of words is even, got '2'"),
        ("2 0 1 0 0", "line 1: expected the state 1 of variable 0 as before, got '0'"),
        ("1 0 1\n2 0", "line 2: expected the end of the file, got '2'"),
    ],
)
def test_errors_of_evidence_name_the_line(tmp_path, text, said):
    with pytest.raises(ValueError, match=f"model.evid, {said}"):
        read_uai(written(tmp_path, EXAMPLE), written(tmp_path, text, "model.evid"))
