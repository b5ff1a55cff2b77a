"""Watch: the messages of every type of factor, the layout of any model, and what is refused."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import FEW, each_slowly, graph_of

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.watch import compute, wiring


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


@each_slowly(FEW)
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


def test_given_positions_are_kept():
    given = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 0.0]])
    figure, places = places_of(triangle(), {"x": given})
    np.testing.assert_allclose(places, given)
    np.testing.assert_allclose(figure.size, [4, 1])


# ------------------------------------------------------------------------------------------------------------ explorer


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
    "no model": (lambda: explore.Watch(3), "model: expected a FactorGraph"),
    "another sampler": (lambda: explore.Watch(triangle(), pk.Gibbs()), "sampler: expected PerturbAndMAP"),
    "positions of another shape": (
        lambda: explore.Watch(triangle(), positions={"x": np.zeros((3, 3))}),
        r"positions\['x'\]: expected finite numbers of shape \(3, 2\)",
    ),
    "another start": (lambda: explore.Watch(triangle(), start="random"), "start: expected one of"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_watched_is_refused_by_name(name):
    make, says = REFUSED[name]
    with pytest.raises((TypeError, ValueError), match=says):
        make()


def test_a_start_that_changes_nothing_has_no_control():
    code = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Parity([[0, 1, 2]])])
    assert "start" not in explore.Watch(code).params
    assert explore.Watch(code, start="zero").params["start"] == "zero"
    assert explore.Watch(triangle()).params["start"] == "neutral"
