"""The composer: samples and marginals against enumeration, and what is refused."""

import json
from pathlib import Path

import jax
import numpy as np
import pytest
from reading import read

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
