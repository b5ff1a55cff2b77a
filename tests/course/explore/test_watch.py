"""Watch: the messages of every type of factor, the layout of any model, and what is refused."""

import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import each_slowly, graph_of
from pictures import of_watch
from reading import disagreements, read

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.picture.frame import unpack
from pmp_kit.course.explore.watch import compute, placing, wiring


def watched(graph, positions=None, evidence=None, sampler=None):
    return compute.Watched(graph, sampler, evidence, positions)


def best_scores(table, cavities, place):
    """For each state of one variable the best score of a table and of what comes from the others, best 0."""
    total = np.array(table, float)
    for other, scores in enumerate(cavities):
        if other != place:
            total = total + scores.reshape([-1 if axis == other else 1 for axis in range(total.ndim)])
    found = np.moveaxis(total, place, 0).reshape(total.shape[place], -1).max(1)
    return found - found.max()


def as_scores(values, states):
    """Scores of the states of one variable, from its planes."""
    if len(values) > 1:
        return np.array(values[:states])
    return np.array([-max(values[0], 0.0), min(values[0], 0.0)])


@each_slowly()
def test_each_message_is_that_of_its_own_factor(example):
    """One sweep without damping: the definition of the message, by enumeration of one factor's own table."""
    draw = np.random.default_rng(4)
    unaries = [draw.normal(size=states) for states in example.variables.cardinalities]
    one = watched(graph_of(example, unaries))
    state = compute.state(one, damping=0.0, start="neutral", perturbation=1.0, seed=2, sweeps=3)
    figure, sizes = one.figure, example.variables.cardinalities
    arriving = np.zeros(state.beliefs.shape[1:])
    np.add.at(arriving, figure.to, state.messages[2])
    np.testing.assert_allclose(state.beliefs[2], state.bias + state.noise + arriving, atol=1e-4)
    left = {}
    for ids, table in example.tables:
        left.setdefault(tuple(sorted(map(int, ids))), []).append((list(map(int, ids)), table))
    for factor in range(len(figure.names)):
        links = {int(k): link for link, k in enumerate(figure.to) if figure.of[link] == factor}
        alike = left[tuple(sorted(links))]  # more than one only for a pair that occurs twice
        found = [list(sent(ids, table, links, state, sizes)) for ids, table in alike]
        right = [all(np.allclose(a, b, atol=1e-3) for a, b in each) for each in found]
        assert any(right), (figure.names[factor], found)
        alike.pop(right.index(True))
    assert not any(left.values()), "a factor is missing"


def sent(ids, table, links, state, sizes, t=1):
    """Pairs of a factor's recorded message and the expected one, as scores of states with the best 0."""
    with np.errstate(invalid="ignore"):  # infinite beliefs stay infinite
        cavities = [
            np.where(np.isinf(belief), belief, belief - message)
            for belief, message in ((state.beliefs[t, k], state.messages[t, links[k]]) for k in ids)
        ]
    cavities = [as_scores(cavity, sizes[k]) for cavity, k in zip(cavities, ids, strict=True)]
    cavities = [scores - scores.max() for scores in cavities]
    for place, k in enumerate(ids):
        recorded = as_scores(state.messages[t + 1, links[k]], sizes[k])
        yield recorded - recorded.max(), best_scores(table, cavities, place)


class Own(pk.factors.AbstractFactor):
    """Pairs with a layout of their own: one array (2, E, *batch), or (2 E, *batch) if it is flat."""

    inner: pk.factors.Edges
    flat: bool = eqx.field(static=True, default=False)

    @property
    def scopes(self):
        return self.inner.scopes

    def _packed(self, pair):
        return jnp.concatenate(pair) if self.flat else jnp.stack(pair)

    def _unpacked(self, messages):
        return tuple(jnp.split(messages, 2)) if self.flat else tuple(messages)

    def score(self, states):
        return self.inner.score(states)

    def neutral_messages(self, batch):
        return self._packed(self.inner.neutral_messages(batch))

    def to_variables(self, messages, beliefs):
        return self.inner.to_variables(self._unpacked(messages), beliefs)

    def update(self, beliefs, messages):
        return self._packed(self.inner.update(beliefs, self._unpacked(messages)))


TRIANGLE = pk.factors.Edges([[0, 1], [1, 2], [0, 2]], np.array([1.0, -2.0, 0.7]))


def triangle(factor=TRIANGLE):
    return pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor], {"x": np.array([0.3, -0.2, 0.9])})


def test_factors_of_ones_own_are_watched_if_an_axis_is_that_of_the_factors():
    settings = {"damping": 0.3, "start": "neutral", "perturbation": 1.0, "seed": 0, "sweeps": 5}
    state, expected = (compute.state(watched(triangle(factor)), **settings) for factor in (Own(TRIANGLE), TRIANGLE))
    links, by_column = np.argsort(expected.messages[3, :, 0]), np.argsort(state.messages[3, :, 0])
    np.testing.assert_allclose(state.messages[:, by_column], expected.messages[:, links], atol=1e-5)
    with pytest.raises(TypeError, match="model: expected factors whose messages can be told apart, got Own"):
        watched(triangle(Own(TRIANGLE, flat=True)))


def test_a_wrong_owner_is_found(monkeypatch):
    """Without the check, messages would be shown at the factors of others."""
    turned = np.array([1, 2, 0])
    monkeypatch.setattr(wiring, "owners", lambda factor: (turned, turned))
    with pytest.raises(TypeError, match="told apart"):
        watched(triangle())


def test_factors_of_one_colour_have_no_common_variable():
    draw = np.random.default_rng(0)
    scopes = [draw.choice(12, draw.integers(1, 5), replace=False) for _ in range(40)]
    colours = wiring.coloured(scopes, 12)
    for one, other in itertools.combinations(range(40), 2):
        assert colours[one] != colours[other] or not set(scopes[one]) & set(scopes[other])


def test_a_run_is_that_of_the_sampler_without_its_stops():
    graph = triangle()
    sampler = pk.PMP(damping=0.2, keep_best=False, tolerance=0.0, schedule=pk.Alternating(), noise=pk.noise.Uniform())
    one = watched(graph, sampler=pk.PMP(damping=0.9, schedule=pk.Alternating(), noise=pk.noise.Uniform(0.3)))
    state = compute.state(one, damping=0.2, start="neutral", perturbation=1.0, seed=7, sweeps=6)
    observed = lambda view: (pk.observe.beliefs(view)["x"], pk.observe.residual(view))  # noqa: E731
    beliefs, residuals = pk.trace(jax.random.key(7), graph, sampler, num_sweeps=6, observe=observed).values
    np.testing.assert_allclose(state.beliefs[..., 0], beliefs[:, 0], atol=1e-5)
    np.testing.assert_allclose(state.residuals, residuals[:, 0], atol=1e-5)
    np.testing.assert_array_equal(state.states, beliefs[:, 0] >= 0)
    assert state.scores[3] == pytest.approx(float(pk.score(graph, {"x": state.states[3]})), abs=1e-5)
    assert (state.noise != 0).all()


def test_observed_variables_have_no_noise_and_keep_their_state():
    one = watched(triangle(), evidence={"x": np.array([1, pk.FREE, pk.FREE])})
    state = compute.state(one, damping=0.5, start="zero", perturbation=1.0, seed=0, sweeps=4)
    assert (state.states[:, 0] == 1).all()
    assert (state.beliefs[:, 0] == np.inf).all()
    assert state.noise[0] == 0
    assert (state.noise[1:] != 0).all()


# ------------------------------------------------------------------------------------------------------------- layout


def places_of(graph, positions=None):
    one = watched(graph, positions)
    return one.figure, one.figure.places[: one.variables.count]


def test_a_lattice_is_drawn_as_it_is():
    rows, columns = np.indices((3, 4))
    variables = pk.Variables(x=pk.Binary(3, 4))
    figure, places = places_of(pk.FactorGraph(variables, [pk.Edges(pk.lattice_pairs(variables["x"]), 1.0)]))
    np.testing.assert_allclose(places, np.stack([columns, rows], -1).reshape(-1, 2))
    np.testing.assert_allclose(figure.images, places[figure.other])
    assert figure.nearest == 1


def test_edges_across_the_border_of_a_periodic_lattice_do_not_cross_it():
    figure, places = places_of(pk.ising_lattice(5, 0.3))
    far = np.hypot(*(places[figure.to] - places[figure.other]).T)
    np.testing.assert_allclose(np.hypot(*(places[figure.to] - figure.images).T), 1.0, atol=1e-9)
    assert (far > 1.5).sum() == 20
    assert not disagreements(*tips(explore.Watch(pk.ising_lattice(5, 0.3), sweeps=2)))


def test_the_variables_of_a_third_axis_share_the_places_of_a_board():
    places = placing.boards(pk.Variables(cell=pk.Binary(2, 3, 4))).reshape(2, 3, 4, 2)
    np.testing.assert_allclose(places[0, 0], [[0, 0], [1, 0], [0, 1], [1, 1]])
    np.testing.assert_allclose(places[1, 2] - places[0, 0], np.broadcast_to([5.0, 2.5], (4, 2)))


def test_squares_stand_between_the_places_of_a_board_and_beside_the_line_of_their_members():
    variables = pk.Variables(q=pk.Binary(4, 4))
    q = variables["q"]
    figure, places = places_of(pk.FactorGraph(variables, [pk.ExactlyOne(np.concatenate([q, q.T]))]))
    squares = figure.places[variables.count :]
    assert len(np.unique(np.concatenate([places, squares]), axis=0)) == 16 + 8
    for square, ids in zip(squares, np.concatenate([q, q.T]), strict=True):
        assert np.abs(places[ids] - square).min(0).max() >= 0.5
        assert np.ptp(places[ids] - square, axis=0).max() == 3
        assert np.abs(places[ids].mean(0) - square).max() <= 1.5


def test_two_boards_and_other_variables_keep_apart():
    variables = pk.Variables(a=pk.Binary(2, 3), b=pk.Binary(2, 3), c=pk.Binary(4))
    a, b, c = variables["a"], variables["b"], variables["c"]
    pairs = np.concatenate([np.stack([a.ravel(), b.ravel()], 1), [[a[0, 0], c[0]], [c[0], c[1]], [b[1, 2], c[2]]]])
    figure, places = places_of(pk.FactorGraph(variables, [pk.Edges(pairs, 1.0)]))
    assert places[a].reshape(-1, 2)[:, 0].max() < places[b].reshape(-1, 2)[:, 0].min() - 1
    assert figure.nearest >= 0.5
    assert np.hypot(*(places[c[0]] - places[a[0, 0]])) < 2


def test_the_distances_of_a_force_layout_are_those_of_the_graph():
    chain = np.stack([np.arange(9), np.arange(1, 10)], 1)
    figure, places = places_of(pk.FactorGraph(pk.Variables(x=pk.Binary(10)), [pk.Edges(chain, 1.0)]))
    far = np.hypot(*(places[:, None] - places).T)
    np.testing.assert_allclose(far, np.abs(np.subtract.outer(range(10), range(10))), atol=0.1)
    assert figure.size[0] > 10 * figure.size[1], "it lies"
    again, _ = places_of(pk.FactorGraph(pk.Variables(x=pk.Binary(10)), [pk.Edges(chain, 1.0)]))
    np.testing.assert_array_equal(figure.places, again.places)


def test_a_square_stands_among_its_variables_and_parts_keep_apart():
    variables = pk.Variables(x=pk.Binary(8))
    figure, places = places_of(pk.FactorGraph(variables, [pk.Parity([[0, 1, 2, 3], [4, 5, 6, 7]])]))
    squares = figure.places[8:]
    far = np.hypot(*(places[:, None] - squares).T)
    assert (far.T[:4].argmax(1) == 1).all()
    assert (far.T[4:].argmax(1) == 0).all()
    assert figure.nearest > 0.5


def test_given_positions_are_kept():
    given = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 0.0]])
    figure, places = places_of(triangle(), {"x": given})
    np.testing.assert_allclose(places, given)
    np.testing.assert_allclose(figure.size, [4, 1])


# ------------------------------------------------------------------------------------------------------------ explorer


def tips(explorer):
    """What is read and what is expected of the last sweep."""
    found = read(explorer)
    return found, of_watch(explorer.state, found.frame, explorer._watched)


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 900])
def test_tips_of_a_binary_model_with_large_factors(width):
    variables = pk.Variables(x=pk.Binary(10), y=pk.Binary())
    rule = pk.Or(variables["x"], variables["y"])
    explorer = explore.Watch(pk.FactorGraph(variables, [rule], {"x": np.full(10, -1.0)}), sweeps=4)
    found, expected = tips(explorer)
    assert not disagreements(found, expected)
    assert read(explorer, width=width).outside == []
    assert found.said["variable 10"][0] == "variable y"
    assert found.said["factor 0"][1]["further variables"] == "3"


def test_controls_start_at_the_settings_of_the_sampler():
    sampler = pk.PMP(damping=0.25, start="zero", noise=pk.Gumbel(3.0))
    explorer = explore.Watch(triangle(), sampler, sweeps=3)
    assert {name: explorer.params[name] for name in ("damping", "start", "perturbation")} == {
        "damping": 0.25,
        "start": "zero",
        "perturbation": 3.0,
    }
    random = explore.Watch(triangle(), pk.PMP(start=pk.RandomStart(jax.random.key(1))), sweeps=3)
    assert random.params["start"] == "as given"
    before = random.state.messages[0]
    random.controls["start"].value = "neutral"
    assert (random.state.messages[0] != before).any()
    assert explore.Watch(triangle(), sampler, damping=0.5, sweeps=3).params["damping"] == 0.5


def test_the_sentence_says_what_became_of_the_messages():
    settled = explore.Watch(triangle(), perturbation=0.0, damping=0.3)
    assert settled.says(settled.state).startswith("3 variables, 3 factors · settled after ")
    moving = settled.state._replace(residuals=np.full(41, 0.123456))
    assert "still moving after 40 sweeps (residual 0.123 nats)" in settled.says(moving)
    broken = settled.state._replace(scores=np.full(41, -np.inf))
    assert "decoded states are forbidden" in settled.says(broken)
    assert len(unpack(settled.picture.frame)["residuals"]) == 41


LARGE = pk.Variables(x=pk.Binary(201))
REFUSED = {
    "too many variables": (
        lambda: explore.Watch(pk.FactorGraph(LARGE, [pk.Edges([[0, 1]], 1.0)])),
        "model: expected at most 200 variables, got 201",
    ),
    "too many factors": (
        lambda: explore.Watch(pk.rbm(jax.random.key(0), 27, 19)),
        "model: expected at most 500 factors, got 513",
    ),
    "too many links": (
        lambda: explore.Watch(
            pk.FactorGraph(
                pk.Variables(x=pk.Binary(100)), [pk.AtMostK([np.roll(np.arange(100), k) for k in range(21)], 3)]
            )
        ),
        "model: expected at most 2000 links of a factor and a variable, got 2100",
    ),
    "no factor": (
        lambda: explore.Watch(pk.FactorGraph(pk.Variables(x=pk.Binary(3)))),
        "model: expected at least one factor, got none",
    ),
    "no model": (lambda: explore.Watch(3), "model: expected a FactorGraph"),
    "another sampler": (lambda: explore.Watch(triangle(), pk.Gibbs()), "sampler: expected PerturbAndMAP"),
    "another solver": (
        lambda: explore.Watch(triangle(), pk.PerturbAndMAP(pk.Exhaustive())),
        "sampler: expected one with the solver MaxProduct, got Exhaustive",
    ),
    "positions as an array": (
        lambda: explore.Watch(triangle(), positions=np.zeros((3, 2))),
        "positions: expected a dict of arrays by block name",
    ),
    "positions of another block": (
        lambda: explore.Watch(triangle(), positions={"y": np.zeros((3, 2))}),
        "positions: expected blocks among x, got 'y'",
    ),
    "positions of another shape": (
        lambda: explore.Watch(triangle(), positions={"x": np.zeros((3, 3))}),
        r"positions\['x'\]: expected finite numbers of shape \(3, 2\)",
    ),
    "evidence of many": (
        lambda: explore.Watch(triangle(), evidence={"x": np.zeros((2, 3), int)}),
        "evidence: expected the block's shape",
    ),
    "no sweeps": (lambda: explore.Watch(triangle(), sweeps=0), "sweeps: expected"),
    "another start": (lambda: explore.Watch(triangle(), start="random"), "start: expected one of"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_watched_is_refused_by_name(name):
    make, says = REFUSED[name]
    with pytest.raises((TypeError, ValueError), match=says):
        make()
