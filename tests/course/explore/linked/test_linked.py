"""Linked equations: every term has code, the code computes what the library computes, and the page needs no kernel."""

import html.parser
import re

import jax
import numpy as np
import pytest
from explorers import ring_images
from reading import read
from toys import Toy

import pmp_kit as pk
from pmp_kit.course import explore, plot
from pmp_kit.course.explore import layout
from pmp_kit.course.explore.linked import Equation, Term, equations, listing, listings
from pmp_kit.course.explore.linked.mathml import mathml
from pmp_kit.course.explore.noise import models, paint

READY = {
    "message": (equations.MESSAGE, listings.message, lambda: explore.MessageScope()),
    "noise": (equations.PERTURB_AND_MAP, listings.perturb_and_map, lambda: explore.PerturbationLab()),
    "sampler": (equations.ALGORITHM_1, listings.pmp, lambda: explore.OneSample()),
    "gradient": (
        equations.MOMENT_GRADIENT,
        listings.moment_gradient,
        lambda: explore.TrainingCamera(images=ring_images(), sweeps=5),
    ),
}


@pytest.fixture(params=READY)
def linked(request) -> explore.Linked:
    equation, code, make = READY[request.param]
    return explore.Linked(equation, code, make())


class Elements(html.parser.HTMLParser):
    """The attributes of the elements with a class or a role, and the number of open elements."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_term_has_lines_and_every_line_has_a_term(linked):
    """All lines but the head of the function; the last line may only return what is named before."""
    covered = {number for term in linked.equation.terms.values() for number in term.lines}
    free = set(range(1, len(linked.lines) + 1)) - covered - {1}
    assert all(re.match(r" *(return [\w, ]+|np\.fill_diagonal.*|new = .*)$", linked.lines[k - 1]) for k in free)


def test_the_page_without_a_kernel(linked):
    bundle, _ = linked._repr_mimebundle_()
    page = bundle["text/html"]
    assert not re.search(r"<script|http|url\(|@import", page)
    elements = Elements(page)
    assert not elements.open
    parts = [attributes for _, attributes in elements.found if "data-term" in attributes]
    named = {name for part in parts for name in part["data-term"].split()}
    assert named == set(linked.equation.terms)
    assert all(part["tabindex"] == "0" and part["aria-label"].strip() for part in parts)
    for name, term in linked.equation.terms.items():
        assert sum(name in part["data-term"].split() for part in parts) >= 1 + len(term.lines)
        assert f'.pmp-live:has([data-term~="{name}"]:hover) [data-term~="{name}"]' in page
        assert term.words.endswith(".")
    assert bundle["text/plain"].startswith(linked.equation.title)
    assert linked.lines[-1] in bundle["text/plain"]
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == linked.widget.model_id


def test_the_page_tells_the_picture_what_is_lit():
    scope = explore.MessageScope()
    linked = explore.Linked(equations.MESSAGE, listings.message, scope)
    assert linked.loose[0].source == (linked.view, "lit")
    assert linked.loose[0].target == (scope.picture, "lit")


def test_screen_readers_hear_what_the_picture_beside_the_equation_shows():
    """A picture has no name of its own; an explorer has a widget that names all pictures in its box."""
    lab = explore.PerturbationLab()
    linked = explore.Linked(equations.PERTURB_AND_MAP, listings.perturb_and_map, lab)
    (labels,) = [widget for widget in linked.widget.children if isinstance(widget, layout._Labels)]
    lab.controls["coupling"].value = 0.7
    assert labels.picture == lab.describe(lab.state)


def test_exercise_lights_every_term(linked):
    seen = []
    linked.view.observe(lambda change: seen.append(change["new"]), "lit")
    assert linked.exercise() == len(linked.equation.terms)
    assert set(seen) - {""} == {term.lights for term in linked.equation.terms.values()} - {""}
    assert linked.view.lit == ""


@pytest.mark.parametrize("topology", ["chain", "tree", "triangle", "cycle", "grid"])
def test_every_part_is_in_every_picture(topology):
    scope = explore.MessageScope()
    scope.controls["topology"].value = topology
    wanted = {term.lights for term in equations.MESSAGE.terms.values()} - {""}
    lit = read(scope).parts
    assert wanted == set(scope.parts) <= set(lit)
    assert lit["message"] != lit["edge"]
    if topology in ("triangle", "grid"):
        (message,) = lit["message"]
        assert message not in lit["others"]
        assert set(lit["others"]) < set(lit["cavity"])


def kept(picture, boxes) -> np.ndarray:
    """The pixels of a picture that are in the boxes."""
    return np.concatenate([picture[t : t + h, x : x + w].reshape(-1, 3) for x, t, w, h in boxes])


@pytest.mark.parametrize("model", ["one variable, 3 states", "two spins", "four spins"])
def test_the_boxes_of_a_draw_hold_its_bars_and_columns(model):
    lab = explore.PerturbationLab(model=model, coupling=0.9)
    state, view, picture = lab.state, lab.picture.widget, lab.picture.pixels()
    assert set(view.boxes) == {"shares", "score", "noise", "maximiser", "mean", "partition"}
    count = len(state.labels)
    assert {name: len(view.boxes[name]) for name in ("shares", "score", "noise")} == dict.fromkeys(
        ("shares", "score", "noise"), count
    )
    for name, colour in {"score": paint.SCORE, "noise": paint.NOISE, "maximiser": paint.PMP, "mean": paint.PMP}.items():
        assert (kept(picture, view.boxes[name]) == plot.rgb(colour)).all(1).sum() > 20, name
        outside = picture.copy()
        for x, t, w, h in view.boxes[name]:
            outside[t : t + h, x : x + w] = 255
        if name in ("score", "noise"):
            top = min(t for _, t, _, _ in view.boxes["maximiser"]) + 8  # below the words
            assert not (outside[top : round(0.78 * len(outside))] == plot.rgb(colour)).all(-1).any(), name
    best = int((state.scores + state.added).argmax())
    middle = view.boxes["maximiser"][0][0] + view.boxes["maximiser"][0][2] / 2
    assert np.abs([x + w / 2 - middle for x, _, w, _ in view.boxes["shares"]]).argmin() == best
    assert lab.state.shares[best] > 0


def test_the_first_draw_is_the_first_of_the_samples():
    state = explore.PerturbationLab(model="two spins", coupling=0.9, samples=100).state
    draws = np.asarray(models.noise("Gumbel", 0))[0]
    np.testing.assert_allclose(state.added, draws @ models.MODELS["two spins"].chosen[:4].T, rtol=1e-5)
    np.testing.assert_allclose(state.scores, [0.9, -0.9, -0.9, 0.9], rtol=1e-6)


def test_a_pinned_picture_and_other_models_have_their_own_boxes():
    lab = explore.PerturbationLab()
    before = lab.picture.widget.boxes
    lab.controls["model"].value = "four spins"
    assert len(lab.picture.widget.boxes["score"]) == 16
    lab.controls["model"].value = "two spins"
    assert lab.picture.widget.boxes == before


def test_the_camera_lights_the_average_of_the_data_and_of_the_model():
    """The axis below the dots for the data; the axis beside them and the samples for the model."""
    camera = explore.TrainingCamera(images=ring_images(), sweeps=5)
    boxes = camera.picture.widget.boxes
    ((left, top, width, height),) = boxes["difference"]
    (below,), (beside, sheet) = boxes["data"], boxes["samples"]
    assert (below[0], below[1], below[2]) == (left, top + height, width)
    assert (beside[0] + beside[2], beside[1], beside[3]) == (left, top, height)
    picture = camera.picture.pixels()
    assert (kept(picture, [sheet]) == 0).all(1).sum() > 1000
    for box in (below, beside):
        assert (kept(picture, [box]).mean(1) < 128).sum() > 100  # words and numbers


def test_formulas_become_mathml():
    assert mathml("P x_i") == "<mi>P</mi><msub><mi>x</mi><mrow><mi>i</mi></mrow></msub>"
    assert mathml("max_{x_i}").startswith("<munder><mi>max</mi><mrow><msub>")
    assert (
        mathml("m′_i") == '<msub><mrow><mi>m</mi><mo lspace="0" rspace="0">′</mo></mrow><mrow><mi>i</mi></mrow></msub>'
    )
    assert mathml('"a < b" 12') == "<mtext>a &lt; b</mtext><mn>12</mn>"
    assert ">k</mi><mo" in mathml("∑_{k≠j}")


def test_message_listing_is_an_update_of_the_library():
    draw = np.random.default_rng(0)
    coupling = np.triu(draw.normal(0, 1, (3, 3)), 1)
    weight, bias, _ = pk.spins_to_binary(coupling + coupling.T, draw.normal(0, 1, 3))
    triangle = pk.Ising(weight, bias)
    still = pk.PMP(damping=0.0, keep_best=False, tolerance=0.0, noise=pk.Gumbel(0.0))

    def observe(view):
        return view.graph.factors[0].matrix(view.messages[0])

    history = pk.trace(jax.random.key(0), triangle, still, num_sweeps=3, observe=observe)
    old, new = np.asarray(history.values)[1:3, 0].swapaxes(1, 2)  # [from, to]
    weight, bias = np.asarray(triangle.weight), np.asarray(triangle.bias)
    ours = [[0.0 if i == j else listings.message(i, j, bias, weight, old) for j in range(3)] for i in range(3)]
    np.testing.assert_allclose(ours, new * (1 - np.eye(3)), atol=1e-5)
    assert np.abs(new - old).max() > 0.1


def glass() -> pk.Ising:
    """A spin glass of eight variables."""
    draw = np.random.default_rng(1)
    coupling = np.triu(draw.normal(0, 0.5, (8, 8)), 1)
    return pk.Ising(*pk.spins_to_binary(coupling + coupling.T, draw.normal(0, 0.2, 8))[:2])


def test_perturb_and_map_listing_draws_the_samples_of_the_library():
    model, key = glass(), jax.random.key(3)
    states = np.asarray(pk.exact.states(model.graph().variables)["x"])
    score = np.asarray(pk.score(model, {"x": states}))
    perturbed = pk.trace(key, model, pk.PMP(), num_samples=50, num_sweeps=1, observe=lambda view: view.unaries[0])
    log_odds = np.asarray(perturbed.values)[0] - np.asarray(model.bias)
    samples, _ = listings.perturb_and_map(score, states, np.stack([0 * log_odds, log_odds], axis=-1))
    library = pk.sample(key, model, pk.PerturbAndMAP(pk.Exhaustive()), num_samples=50, num_sweeps=1)["x"]
    assert (samples == library).all()

    noise = np.asarray(pk.Gumbel().draw(jax.random.key(4), (2_000, 8, 2)))
    _, bound = listings.perturb_and_map(score, states, noise)
    assert 0.05 < bound - float(pk.exact.log_partition(model)) < 3


def test_pmp_listing_draws_the_samples_of_the_library():
    model, key = glass(), jax.random.key(5)
    sampler = pk.PMP(**pk.paper_settings(damping=0.25))

    def observe(view):
        return pk.observe.states(view)["x"], view.unaries[0]

    states, theta = pk.trace(key, model, sampler, num_samples=50, num_sweeps=20, observe=observe).values
    weight, bias = np.asarray(model.weight), np.asarray(model.bias)
    ours = np.array([listings.pmp(bias, weight, one - bias, 20, damping=0.25) for one in np.asarray(theta)[0]])
    assert (ours == states[20]).all()
    assert (ours != states[0]).any()


def test_gradient_listing_is_the_difference_of_the_moments_of_the_library():
    model, draw = glass(), np.random.default_rng(6)
    data, samples = (draw.integers(0, 2, (60, 8)) for _ in range(2))
    weight, bias = listings.moment_gradient(data, samples)
    seen, drawn = (pk.data_moments(model, {"x": one}) for one in (data, samples))
    matrix = np.asarray(seen.weight - drawn.weight)
    np.testing.assert_allclose(weight, matrix + matrix.T, atol=1e-5)  # W_ij and W_ji are one weight
    np.testing.assert_allclose(bias, np.asarray(seen.bias - drawn.bias), atol=1e-5)


def square(x):
    """Return x squared."""
    return x * x


SQUARE = Equation("A square", (("y", "=", ("square", "x x")),), {"square": Term("The square of x.", (2,))})


def test_the_source_is_shown_without_its_docstring():
    assert listing(square) == ["def square(x):", "    return x * x"]
    assert explore.Linked(SQUARE, square).lines == listing(square)


@pytest.mark.parametrize(
    ("terms", "code", "explorer", "error", "message"),
    [
        ({}, square, None, ValueError, r"equation: expected the terms of its rows, \['square'\], got \[\]"),
        ({"square": Term("It.", (3,))}, square, None, ValueError, r"expected lines from 1 to 2 for the term 'square'"),
        (SQUARE.terms, "x * x", None, TypeError, "code: expected a function that is written with def, got str"),
        (SQUARE.terms, lambda x: x * x, None, TypeError, "written with def, got a lambda; write def name"),
        (
            {"square": Term("It.", (2,), "moon")},
            square,
            explore.MessageScope,
            ValueError,
            r"explorer: expected a picture with the parts \['moon'\], got \['cavity'",
        ),
        ({"square": Term("It.", (2,), "moon")}, square, Toy, ValueError, r"with the parts \['moon'\], got \[\]"),
    ],
)
def test_errors(terms, code, explorer, error, message):
    with pytest.raises(error, match=message):
        explore.Linked(SQUARE._replace(terms=terms), code, explorer and explorer())
