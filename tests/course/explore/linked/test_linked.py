"""Linked equations: every term has code, the code computes what the library computes, and the page needs no kernel."""

import html.parser
import re

import jax
import numpy as np
import pytest
from drawn_toy import DrawnToy
from explorers import ring_images
from reading import read

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.linked import Equation, Term, equations, listing, listings
from pmp_kit.course.explore.linked.document import formula

READY = {
    "message": (equations.MESSAGE, listings.message),
    "noise": (equations.PERTURB_AND_MAP, listings.perturb_and_map),
    "sampler": (equations.ALGORITHM_1, listings.pmp),
    "gradient": (equations.MOMENT_GRADIENT, listings.moment_gradient),
}
EXPLORERS = {
    "message": lambda: explore.MessageScope(),
    "noise": lambda: explore.PerturbationLab(),
    "sampler": lambda: explore.OneSample(),
    "gradient": lambda: explore.TrainingCamera(images=ring_images(), sweeps=5),
}


@pytest.fixture(params=READY)
def linked(request) -> explore.Linked:
    return explore.Linked(*READY[request.param])


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
    assert not re.search(r"http|url\(|@import", page)
    page = page.split("<style>")[0] + page.split("</style>")[1].split("<script>")[0] + "</div>"
    elements = Elements(page)
    assert not elements.open
    parts = [attributes for _, attributes in elements.found if "data-term" in attributes]
    named = {name for part in parts for name in part["data-term"].split()}
    assert named == set(linked.equation.terms)
    assert all(part["tabindex"] == "0" and part["aria-label"].strip() for part in parts)
    for name, term in linked.equation.terms.items():
        assert sum(name in part["data-term"].split() for part in parts) >= 1 + len(term.lines)
        assert term.words.endswith(".")
    assert bundle["text/plain"].startswith(linked.equation.title)
    assert linked.lines[-1] in bundle["text/plain"]
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == linked.widget.model_id


def test_the_page_tells_the_picture_what_is_lit():
    scope = explore.MessageScope()
    linked = explore.Linked(equations.MESSAGE, listings.message, scope)
    assert linked.loose[0].source == (linked.view, "lit")
    assert linked.loose[0].target == (scope.picture, "lit")


@pytest.mark.parametrize("name", READY)
def test_the_picture_has_the_parts_of_the_equation(name):
    explorer = EXPLORERS[name]()
    explore.Linked(*READY[name], explorer)


@pytest.mark.parametrize("topology", ["line", "tree", "triangle", "cycle", "grid"])
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


def test_formulas_become_html():
    assert formula("P x_i") == "<i>P</i> <i>x</i><sub><i>i</i></sub>"
    assert formula("max(0, cavity_{i→j} + W_{ij})") == (
        "max(0, cavity<sub><i>i</i>→<i>j</i></sub> + <i>W</i><sub><i>ij</i></sub>)"
    )
    assert formula("m′_{i→j} < 12") == "<i>m</i>′<sub><i>i</i>→<i>j</i></sub> &lt; 12"
    assert formula("∑_{k≠j} ∂W") == "∑<sub><i>k</i>≠<i>j</i></sub> ∂<i>W</i>"


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
        ({"square": Term("It.", (2,), "moon")}, square, DrawnToy, ValueError, r"with the parts \['moon'\], got \[\]"),
    ],
)
def test_errors(terms, code, explorer, error, message):
    with pytest.raises(error, match=message):
        explore.Linked(SQUARE._replace(terms=terms), code, explorer and explorer())
