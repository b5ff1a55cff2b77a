"""Models of pairs keep the energies, signs, offsets and labels of QUBO, dimod, edge lists and networkx."""

import sys
from itertools import product
from types import SimpleNamespace

import jax
import numpy as np
import optax
import pytest
from scipy.sparse import csr_array

import pmp_kit as pk
from pmp_kit.convert import from_dimod, from_networkx, from_qubo, read_edge_list, to_sampleset

# The example of the spin-glass server, a lattice of 3 x 3 spins: "Energy (per spin): -0.98580397885", 2 4 5 8 are up
SPIN_GLASS = """# 3x3 system
9 18
1 2 -1.089460678023\n2 3 0.526296171959\n3 1 1.492510060258\n4 5 0.542925533731\n5 6 0.440804946137
6 4 -0.555618772831\n7 8 0.400843564493\n8 9 0.005781770273\n9 7 -0.283108779696\n1 4 -1.428048251086
2 5 0.063139021975\n3 6 1.529559080159\n4 7 -1.669458764103\n5 8 0.193231695455\n6 9 1.291781128584
7 1 0.604670335948\n8 2 0.890948261885\n9 3 -0.822280541834
"""


def agrees(model, energy, beta):
    """Compare all energies with a function of a dict label -> value, and the scores, log Z and labels with these."""
    values = (-1, 1) if model.spins else range(max(model.cardinalities))
    every = np.array(list(product(values, repeat=len(model.names))))
    exact = np.array([energy(dict(zip(model.names, row, strict=True))) for row in every.tolist()])
    np.testing.assert_allclose(model.energy(every), exact, rtol=1e-5 if max(model.cardinalities) > 2 else 1e-12)
    scores = np.asarray(pk.score(model, model.blocks(every)), float) + model.constant
    np.testing.assert_allclose(scores, -beta * exact, atol=2e-5)
    log_partition = pk.exact.log_partition(model) + model.constant
    assert log_partition == pytest.approx(np.log(np.exp(-beta * exact).sum()), rel=1e-5)
    labelled = model.states(model.blocks(every))
    assert tuple(labelled) == model.names
    np.testing.assert_allclose(model.energy(labelled), exact, rtol=1e-5)
    best = pk.solve(model, pk.Exhaustive(), num_sweeps=0)
    assert model.energy(best.states) == pytest.approx(exact.min(), rel=1e-5)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("beta", [1.0, 0.3])
def test_a_qubo_dict_keeps_labels_signs_and_offset(sign, beta):
    """(i, j) and (j, i) add, and so do pairs that occur again; the labels are strings and tuples."""
    qubo = {("b", "b"): 1.5, ("b", (0, 1)): -2.0, ((0, 1), "b"): 0.5, ("a", "b"): 0.7, ((0, 1), (0, 1)): -0.2}
    qubo = {pair: sign * value for pair, value in qubo.items()}
    model = from_qubo(qubo, offset=3.0, inverse_temperature=beta)
    assert model.names == ("b", (0, 1), "a")
    agrees(model, lambda x: 3.0 + sum(q * x[i] * x[j] for (i, j), q in qubo.items()), beta)


@pytest.mark.parametrize("form", ["full", "upper", "lower", "sparse"])
def test_a_qubo_matrix_is_a_quadratic_form(form):
    matrix = np.round(np.random.default_rng(0).normal(size=(5, 5)), 2)
    matrix = {"upper": np.triu, "lower": np.tril}.get(form, np.array)(matrix)
    if form == "sparse":
        matrix[0, 1:] = matrix[1:, 0] = matrix[2, 3] = matrix[3, 2] = matrix[4, 1] = matrix[1, 4] = 0.0
        model = from_qubo(csr_array(matrix), offset=-1.0)
    else:
        model = from_qubo(matrix, offset=-1.0)
    kind = pk.Edges if form == "sparse" else pk.DensePairwise
    assert [type(factor) for factor in model.graph().factors] == [kind]

    def energy(x):
        row = np.array([x[i] for i in range(5)])
        return row @ matrix @ row - 1.0

    agrees(model, energy, 1.0)


def test_whole_numbers_as_labels_are_in_increasing_order():
    model = from_qubo({(7, 7): 1.0, (7, 2): -1.0})
    assert model.names == (2, 7)
    assert model.evidence({2: 1})["x2"].tolist() == [1, pk.FREE]


class Quadratic:
    """What `from_dimod` reads of a dimod.BinaryQuadraticModel."""

    def __init__(self, linear, quadratic, offset, vartype):
        self.linear, self.quadratic, self.offset = linear, quadratic, offset
        self.variables, self.vartype = linear.keys(), SimpleNamespace(name=vartype)

    def to_numpy_vectors(self, variable_order=None):
        order = sorted(self.linear, key=str) if variable_order is None else variable_order
        row, column = ([order.index(pair[end]) for pair in self.quadratic] for end in (0, 1))
        linear = np.array([self.linear[label] for label in order])
        return linear, (np.array(row), np.array(column), np.array([*self.quadratic.values()])), self.offset

    def energy(self, v):
        pairs = sum(value * v[i] * v[j] for (i, j), value in self.quadratic.items())
        return self.offset + sum(value * v[i] for i, value in self.linear.items()) + pairs


@pytest.mark.parametrize("vartype", ["BINARY", "SPIN"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_binary_quadratic_model_of_dimod(vartype, sign, monkeypatch):
    linear = {"z": 0.5 * sign, "a": -1.0, 3: 0.0}
    bqm = Quadratic(linear, {("a", "z"): -0.8, ("z", 3): 1.2 * sign}, 0.7, vartype)
    model = from_dimod(bqm, inverse_temperature=2.0)
    assert model.names == ("z", "a", 3)
    agrees(model, bqm.energy, 2.0)
    low = -1 if vartype == "SPIN" else 0
    known = model.evidence({"a": low})
    key = jax.random.key(0)
    samples = pk.sample(key, model, pk.Gibbs(), num_samples=5, num_sweeps=2, evidence=known)
    assert (model.states(samples)["a"] == low).all()

    made = SimpleNamespace(SampleSet=SimpleNamespace(from_samples=lambda *args, **rest: (args, rest)))
    monkeypatch.setitem(sys.modules, "dimod", made)
    ((rows, labels),), rest = to_sampleset(model, samples)
    assert labels == ["z", "a", 3]
    assert rest["vartype"] == vartype
    energies = [bqm.energy(dict(zip(labels, row, strict=True))) for row in rows.tolist()]
    np.testing.assert_allclose(rest["energy"], energies)


def test_spins_have_no_state_0():
    model = from_dimod(Quadratic({"a": 1.0}, {}, 0.0, "SPIN"))
    with pytest.raises(ValueError, match="a state -1 or 1 of 'a', got 0"):
        model.evidence({"a": 0})


def test_the_ground_state_of_the_spin_glass_server(tmp_path):
    (tmp_path / "lattice.sg").write_text(SPIN_GLASS)
    model = read_edge_list(tmp_path / "lattice.sg", reading="ising")
    assert model.names == tuple(range(1, 10))
    solution = pk.solve(model, pk.Exhaustive(), num_sweeps=0)
    assert model.energy(solution.states) / 9 == pytest.approx(-0.98580397885, abs=1e-11)
    spins = model.states(solution.states)
    assert {node for node, spin in spins.items() if spin == spins[2]} == {2, 4, 5, 8}


@pytest.mark.parametrize("reading", ["max-cut", "ising"])
def test_edge_lists_are_cuts_or_spins(tmp_path, reading):
    (tmp_path / "graph.txt").write_text("4 4\n1 2 1\n2 3 -2.5\n4 1 0.5\n1 2 1\n")
    model = read_edge_list(tmp_path / "graph.txt", reading, inverse_temperature=0.5)
    edges = [(1, 2, 2.0), (2, 3, -2.5), (1, 4, 0.5)]
    if reading == "ising":
        agrees(model, lambda s: -sum(w * s[i] * s[j] for i, j, w in edges), 0.5)
    else:
        agrees(model, lambda x: -sum(w * (x[i] != x[j]) for i, j, w in edges), 0.5)
    (tmp_path / "graph.txt").write_text("3 2\n1 2\n2 3\n")
    assert read_edge_list(tmp_path / "graph.txt").energy([0, 1, 0]) == -2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 2\n1 2 1\n1 4 1\n", "line 3: expected a node, a whole number from 1 to 3, got '4'"),
        ("3 2\n1 2 1\n0 1 1\n", "line 3: expected a node, a whole number from 1 to 3, got '0'"),
        ("3 2\n1 2 1\n1 3 w\n", "line 3: expected a number, got 'w'"),
        ("3 2\n1 2 1\n1 3 inf\n", "line 3: expected a finite weight, got 'inf'"),
        ("3 3\n1 2 1\n1 3 1\n", "line 3: expected 3 edges, got the end of the file"),
        ("3 1\n1 2 1\n1 3 1\n", "line 3: expected the end of the file, got '1'"),
    ],
)
def test_errors_of_edge_lists_name_the_line(tmp_path, text, said):
    (tmp_path / "graph.txt").write_text(text)
    with pytest.raises(ValueError, match=f"graph.txt, {said}"):
        read_edge_list(tmp_path / "graph.txt")
    with pytest.raises(ValueError, match="reading: expected one of 'max-cut', 'ising', got 'cut'"):
        read_edge_list(tmp_path / "graph.txt", reading="cut")


class Nodes(dict):
    """The nodes of a networkx graph."""

    def __call__(self, data):
        return self.items()


def network(unaries):
    """Return what `from_networkx` reads of a graph."""
    edges = [("b", "a", {"J": 0.8}), ("b", None, {"J": -1.1}), ("a", "b", {"J": 0.1})]
    nodes = Nodes({"b": unaries, "a": {}, None: {}})
    return SimpleNamespace(nodes=nodes, edges=lambda data: edges), edges


@pytest.mark.parametrize("reading", ["ising", "potts", "max-cut"])
def test_graphs_of_networkx(reading):
    states = 3 if reading == "potts" else 2
    own = {"u": [0.3, -0.2, 0.9] if reading == "potts" else -0.6}
    graph, edges = network(own)
    model = from_networkx(graph, "J", "u", reading, states, inverse_temperature=1.5)
    assert model.names == ("b", "a", None)

    def energy(x):
        if reading == "ising":
            return -sum(data["J"] * x[i] * x[j] for i, j, data in edges) - own["u"] * x["b"]
        if reading == "potts":
            return -sum(data["J"] * (x[i] == x[j]) for i, j, data in edges) - own["u"][x["b"]]
        return -sum(data["J"] * (x[i] != x[j]) for i, j, data in edges) - own["u"] * x["b"]

    agrees(model, energy, 1.5)


def test_names_of_attributes_that_do_not_exist_are_errors():
    graph, _ = network({"u": 1.0})
    with pytest.raises(ValueError, match=r"weight: expected .* got 'weight', which the edge \('b', 'a'\) has not"):
        from_networkx(graph)
    with pytest.raises(ValueError, match="unary: expected the name of a node attribute, got 'h', which no node has"):
        from_networkx(graph, "J", "h")
    with pytest.raises(ValueError, match=r"unary: expected shape \(3,\) at node 'b', got \(\)"):
        from_networkx(graph, 1.0, "u", "potts", states=3)


def test_converted_models_are_learned_and_saved(tmp_path):
    model = from_qubo({("a", "a"): 0.2, ("a", "b"): -0.5}, offset=1.0)
    data = {"x2": np.array([[1, 1], [0, 0], [1, 1], [1, 0]])}
    result = pk.fit(jax.random.key(0), model, data, pk.Gibbs(), optimizer=optax.sgd(0.1), steps=2, num_sweeps=2)
    learned = result.model
    assert learned.names == ("a", "b")
    assert learned.energy({"a": 1, "b": 1}) == pytest.approx(0.7)  # of the original numbers
    pk.save(tmp_path / "model.eqx", learned)
    loaded = pk.load(tmp_path / "model.eqx", like=model)
    np.testing.assert_array_equal(loaded.graph().unaries, learned.graph().unaries)
    assert loaded.evidence({"b": 1})["x2"].tolist() == [pk.FREE, 1]
