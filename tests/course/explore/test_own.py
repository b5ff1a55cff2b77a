"""The composer on models of several kinds."""

import json
from pathlib import Path

import jax
import numpy as np
import pytest
from pictures import of_own
from reading import disagreements, read

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.own import compute
from pmp_kit.course.explore.picture.frame import unpack

ROOT = Path(__file__).parents[3]


def parity_code(unaries=(1.0, -1.0, 2.0)) -> pk.FactorGraph:
    variables = pk.Variables(bit=pk.Binary(3))
    return pk.FactorGraph(variables, [pk.Parity(variables["bit"])], {"bit": np.array(unaries)})


@pytest.fixture(scope="module")
def composer():
    return explore.Composer(parity_code(), parameters={"trust": "unaries"}, samples=2000, longest=32)


@pytest.mark.slow
def test_samples_and_exact_marginals(composer):
    composer.controls["trust"].value = 1.0
    state = composer.state
    assert state.allowed.all()
    scores = {0: 0.0, 3: 0.0, 5: 3.0, 6: 1.0}  # the even words: 000, 110, 101, 011
    weight = np.exp(list(scores.values()))
    words = np.array([[0, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]])
    np.testing.assert_allclose(state.exact, weight @ words / weight.sum(), atol=1e-5)
    samples = pk.sample(jax.random.key(0), composer.model, compute.pmp(0.5, 1.0), num_samples=2000, num_sweeps=32)
    np.testing.assert_allclose(state.marginals, samples["bit"].mean(0), atol=1e-6)
    assert state.settled[-1] > 0.9
    assert state.settled[0] == 0


def test_a_slider_multiplies_its_array(composer):
    composer.controls["trust"].value = 0.0
    np.testing.assert_allclose(composer.state.exact, 0.5, atol=1e-5)
    composer.controls["trust"].value = 2.0
    doubled = pk.exact.marginals(parity_code((2.0, -2.0, 4.0)))["bit"][:, 1]
    np.testing.assert_allclose(composer.state.exact, doubled, atol=1e-5)


def test_sweeps_scrub_the_same_samples(composer):
    composer.controls["sweeps"].value = 0
    first = composer.state
    composer.controls["sweeps"].value = 32
    assert (first.lawful == composer.state.lawful).all()
    assert first.lawful[0] < 0.9


def test_hard_rules_that_are_broken_are_shown(composer):
    composer.controls["sweeps"].value = 0
    state = composer.state
    np.testing.assert_array_equal(state.allowed, state.pictures.sum((1, 2)) % 2 == 0)
    assert not state.allowed.all()


MODELS = {
    "an RBM": lambda: pk.rbm(jax.random.key(0), visible=(3, 4), hidden=5, scale=1.0),
    "an Ising model": lambda: pk.ising_lattice(4, coupling=0.3),
    "colours": lambda: pk.FactorGraph(
        pk.Variables(x=pk.Categorical(3, 3, states=3)),
        [pk.Potts(pk.lattice_pairs(np.arange(9).reshape(3, 3)), 0.5, states=3)],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_any_model_will_do(name):
    explorer = explore.Composer(MODELS[name](), samples=20, longest=32)
    assert len(explorer.controls) <= 5
    assert 1 <= len(explorer.parameters) <= 2
    before = explorer.picture.frame
    explorer.controls[next(iter(explorer.parameters))].value = 3.0
    assert explorer.picture.frame != before
    assert explorer.state.allowed.all()


@pytest.mark.slow
def test_a_sampler_without_messages_has_no_residual():
    explorer = explore.Composer(pk.ising_lattice(3, coupling=0.3), sampler=gibbs, samples=20, longest=32)
    assert explorer.state.settled is None
    assert "settled" not in explorer.says(explorer.state)
    assert "no hard rules" in explorer.says(explorer.state)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="parameters: expected at most 4 of"):
        explore.Composer(parity_code(), parameters=["weights"])
    with pytest.raises(ValueError, match="longest: expected a multiple of 32 sweeps, got 50; take 64"):
        explore.Composer(parity_code(), longest=50)
    with pytest.raises(ValueError, match="evidence that some configuration agrees with"):
        explore.Composer(parity_code(), evidence={"bit": np.array([1, 0, 0])})
    with pytest.raises(ValueError, match="show: expected a block of one or two axes"):
        compute.plain({"x": np.zeros((5, 2, 2, 2))}, "x")
    with pytest.raises(ValueError, match="show: expected integers"):
        compute.pictures(lambda named: named["x"] * 0.5, "x", {"x": np.zeros((5, 2, 2), int)})
    contradiction = {"bit": np.array([1, 1, 1])}
    with pytest.raises(ValueError, match="every configuration is impossible"):
        compute.exact(parity_code(), contradiction)


def play(notebook: str) -> dict:
    """What the cell "play" of a notebook defines."""
    page = json.loads((ROOT / "notebooks" / notebook).read_text(encoding="utf-8"))
    (source,) = ("".join(cell["source"]) for cell in page["cells"] if "play" in cell["metadata"].get("tags", []))
    names = {"pk": pk, "np": np, "explore": explore, "seed": 0}
    exec(source, names)
    return names


def test_the_fifth_bit_of_the_code_is_shown_on_the_wrong_side():
    """Exactly it is 1 with probability 0.72, in the samples in less than half: picture and words say so."""
    desk = play("12_build_your_own.ipynb")["desk"]
    state = desk.state
    assert state.worst == 4
    assert state.marginals[4] < 0.5 < 0.7 < state.exact[4]
    words = "samples 0.45, exact 0.72"
    assert f"variable 5, {words}, on the other side of one half" in desk.says(state)
    assert read(desk).said["marginal 4"][1]["difference"] == "−0.272"
    assert unpack(desk.picture.frame)["worst"] == 4


def test_an_error_beyond_chance_is_marked_also_where_a_larger_one_is_chance():
    """At 0.5, 0.12 is within four standard errors of 100 samples. At 0.0085, 0.07 is far beyond them."""
    found = np.array([0.62, 0.07, 0.3]), np.array([0.5, 0.0085, 0.3])
    blank = dict.fromkeys(compute.State._fields)
    state = compute.State(**{**blank, "marginals": found[0], "exact": found[1], "allowed": np.ones(100, bool)})
    assert state.worst == 1
    assert state._replace(marginals=np.array([0.62, 0.01, 0.3])).worst is None


def test_no_error_is_marked_where_the_samples_are_exact(composer):
    composer.controls["trust"].value = 0.0
    state = composer.state
    assert state.worst is None
    assert "of the exact ones, not clearly more than by chance with 2000 samples" in composer.says(state)
    assert unpack(composer.picture.frame)["worst"] is None
    assert compute.entry_name(5, 3) == "variable 2, state 2"


def test_equal_samples_are_called_equal():
    """More samples do not bring the marginals of the mode any closer to the exact ones."""
    desk = explore.Composer(parity_code((0.5, -0.2, 0.3)), samples=25, longest=32, perturbation=0.0)
    assert desk.state.different == 1
    assert "of the exact ones, all pictures are equal" in desk.says(desk.state)


def test_different_hidden_variables_do_not_make_pictures_different():
    model = pk.rbm(jax.random.key(0), 4, 8)
    composer = explore.Composer(model, evidence={"v": np.array([1, 0, 1, 0])}, samples=20, longest=32)
    assert "no hard rules, 1 different pictures ·" in composer.says(composer.state)


def test_one_sample_is_called_one_sample():
    desk = explore.Composer(parity_code((0.5, -0.2, 0.3)), samples=1, longest=32)
    assert desk.says(desk.state).startswith("1 sample after ")


def colours(*shape, states: int) -> pk.FactorGraph:
    variables = pk.Variables(x=pk.Categorical(*shape, states=states))
    pairs = pk.lattice_pairs(np.arange(np.prod(shape)).reshape(shape))
    return pk.FactorGraph(variables, [pk.Potts(pairs, 0.5, states=states)])


def test_the_first_view_does_not_decide_how_states_are_drawn():
    def show(named):
        return 2 * named["bit"][:, None, :]

    first = {"show": show, "samples": 9, "longest": 32}
    late = explore.Composer(parity_code((-1.0, -1.0, -1.0)), perturbation=0.0, **first)
    assert late.state.pictures.max() == 0
    late.controls["perturbation"].value = 1.0
    early = explore.Composer(parity_code((-1.0, -1.0, -1.0)), perturbation=1.0, **first)
    assert late.state.pictures.max() == 2
    assert late.picture.frame == early.picture.frame


SPINS = pk.ising_lattice(6, coupling=0.3)
DRAWN = {
    "bars of several states": lambda: (explore.Composer(colours(2, 3, states=3), samples=20, longest=32), 3),
    "a map of several states": lambda: (explore.Composer(colours(3, 4, states=3), samples=20, longest=32), 3),
    "a map of rows and columns": lambda: (explore.Composer(SPINS, samples=20, longest=32), 2),
    "grey levels, and one below 0": lambda: (
        explore.Composer(SPINS, show=lambda named: 40 * named["x"] - 1, samples=9, longest=32, sampler=gibbs),
        2,
    ),
}


def gibbs(damping, perturbation):
    return pk.Gibbs()


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_every_tip_says_what_was_computed(name):
    desk, states = DRAWN[name]()
    expected = of_own(desk.state, 0, states=states, ruled=False, own=desk._show is None)
    assert not disagreements(read(desk), expected)
    assert not disagreements(read(desk, width=390), expected)


def test_a_map_has_a_row_for_each_variable_of_several_states_or_for_each_place():
    desk = explore.Composer(colours(3, 4, states=3), samples=20, longest=32)
    assert compute.rows_of_map(desk.state, 3) == 12
    page = play("12_build_your_own.ipynb")
    assert compute.rows_of_map(page["desk"].state, 2) == 1
    hot = desk.state._replace(marginals=np.zeros(48))  # four variables of two states for each of the 12 places
    assert compute.rows_of_map(hot, 2) == 12


def test_large_pictures_are_fewer():
    desk = explore.Composer(colours(16, 16, states=3), samples=30, longest=32)
    assert len(unpack(desk.picture.frame)["pictures"]) == 15
    assert len(desk.state.pictures) == 30
    assert set(desk.telling) == {"sweeps"}


def test_a_word_of_a_parameter_is_not_that_of_a_control():
    with pytest.raises(ValueError, match="parameters: expected other words than those of controls, got 'damping'"):
        explore.Composer(parity_code(), parameters={"damping": "unaries"})


def test_the_status_says_the_sweeps_that_are_shown():
    desk = explore.Composer(parity_code(), samples=20, longest=64, sweeps=33)
    assert desk.state.row == 16
    assert "after 32 sweeps" in desk.says(desk.state)
