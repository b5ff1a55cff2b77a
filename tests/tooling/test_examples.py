"""The examples of each documentation page run unchanged and give the results that the page states."""

import re
from pathlib import Path

import equinox
import jax
import numpy as np
import optax
import pytest

import pmp_kit as pk

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def run(page: str) -> dict:
    """Run the blocks of a page in order in one session, and return the names that they define."""
    names: dict = {}
    with jax.numpy_dtype_promotion("standard"):
        for code in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
            exec(code, names)
    return names


@pytest.mark.slow
def test_the_examples_of_the_inference_page_run():
    names = run("api/inference.md")
    np.testing.assert_array_equal(names["slope"], names["best"].states["x"])

    model, keys = names["model"], names["keys"]
    alone = pk.sample(keys[2], model, num_samples=50, num_sweeps=30)
    np.testing.assert_array_equal(names["by_key"]["x"][2], alone["x"])
    assert names["by_evidence"].max() == pytest.approx(float(names["best"].score), rel=1e-5)
    drawn = pk.sample(names["key"], model, num_samples=50, num_sweeps=30)["x"]
    np.testing.assert_allclose(names["uphill"].bias, names["data"]["x"].mean(0) - drawn.mean(0), atol=1e-6)
    np.testing.assert_array_equal(names["more"].values["x"][0], names["start"].values["x"][-1])
    assert (names["decoded"] == names["words"]).all(1).mean() >= 0.8
    assert (names["each_bit"].states["bit"] != names["words"]).mean() < 0.01
    np.testing.assert_array_equal(names["is_word"], (names["decoded"] @ names["matrix"].T % 2 == 0).all(1))
    exact, perturbed = names["errors"]
    assert exact < 0.03
    assert 0.1 < perturbed < 0.2
    best, drawn = ({"path": names[name]} for name in ("likeliest", "paths"))
    assert pk.score(names["markov"], best) >= pk.score(names["markov"], drawn).max()
    first = (names["by_sequence"][0][..., None] == np.arange(3)).mean(0)
    np.testing.assert_allclose(first, names["exact_marginals"], atol=0.07)  # four standard errors


@pytest.mark.slow
def test_the_examples_of_the_page_of_models_run():
    names = run("api/models.md")
    assert (names["filled"][:, :2] == [1, 0]).all()
    assert "this looks like spins" in names["refusal"]
    np.testing.assert_array_equal(names["solved"].states["x"], (names["spins"] + 1) // 2)
    paths = names["paths"]
    assert (np.diff(paths, axis=1) >= 0).all()
    assert (paths[:, 0] == 0).all()
    assert names["stuck"].score == -np.inf
    assert not names["stuck"].possible
    assert names["total"] == pytest.approx(0.0, abs=1e-6)
    assert names["seen"] == pytest.approx(0.8 * (0.6 * 0.05 + 0.4 * 0.9) + 0.2 * (0.99 * 0.8 + 0.01 * 0.99))
    assert names["posterior"] == pytest.approx(0.2 * (0.99 * 0.8 + 0.01 * 0.99) / names["seen"])
    assert names["rainy"] == pytest.approx(float(names["posterior"]), abs=0.03)  # four standard errors
    code_words = names["code_words"]
    assert len(np.unique(code_words, axis=0)) == 4
    assert (code_words @ names["checks"].T % 2 == 0).all()
    np.testing.assert_array_equal(names["errors"] @ names["checks"].T % 2, names["syndromes"])
    assert names["errors"].sum(1).tolist() == [0, 1, 1]  # the fewest errors that explain each syndrome
    assert names["learned"]["stiffness"] == pytest.approx(1.0, abs=0.15)
    assert names["learned"]["bonus"] == pytest.approx(0.5, abs=0.15)
    assert names["equal"] == [True] * 2
    assert names["gap"] == pytest.approx(0.0, abs=1e-5)
    assert names["found"].startswith("Wrong.update: expected the beliefs [")


@pytest.mark.slow
def test_the_examples_of_the_page_of_converting_run():
    names = run("api/converting.md")
    assert names["states"].shape == (100, 3)
    assert (names["states"][:, 0] == 1).all()
    assert names["log_z"] == pytest.approx(np.log(9.208 + 0.5 * 7.4), rel=1e-5)
    assert names["energy"] == pytest.approx(-2.0)
    assert (names["samples"]["x2"][:, 0] == 1).all()
    assert names["cut"] == 4
    assert names["side"][1] != names["side"][2] != names["side"][3] != names["side"][4]
    assert names["completed"].shape == (10, 6)
    assert names["path"].shape == (6,)
    assert names["paths"].shape == (100, 6)


@pytest.mark.slow
def test_the_examples_of_the_learning_page_run():
    names = run("api/learning.md")
    assert names["result"].history["gap"].shape == (100,)
    assert float(names["result"].model.factors[0].weight) / 4 == pytest.approx(0.2, abs=0.03)
    assert names["going_on"].state.step == 8
    with jax.numpy_dtype_promotion("standard"):
        whole, resumed = names["up_to"](20, names["begin"]), names["resumed"]
    assert resumed.step == 20
    jax.tree.map(np.testing.assert_array_equal, resumed, whole)
    assert names["table"].shape == (3, 3)
    np.testing.assert_allclose(names["found"], names["transition"], atol=0.25)
    likeliest = names["pk"].exact.probabilities(names["counted"].model)
    assert likeliest.argmax() == 3
    assert likeliest[2] < 0.15  # never seen


@pytest.mark.slow
def test_the_examples_of_the_measuring_page_run():
    names = run("api/measuring.md")
    assert names["values"].shape == (401, 4, 4, 4)
    assert 0.99 < names["worst"] < 1.02
    assert names["enough"].shape == names["error"].shape == (4, 4)
    assert 200 < names["enough"].min() < names["enough"].max() < 1604
    assert names["tree"]["posterior"]["x"].shape == (4, 501, 4, 4)
    assert names["draws"]["posterior"]["x"].shape == (1, 200, 4, 4)
    assert names["exactly"].shape == (5,)
    np.testing.assert_allclose(names["nearly"], names["exactly"], atol=0.1)


@pytest.mark.slow
def test_the_examples_of_the_page_on_choosing_run():
    names = run("choosing.md")
    np.testing.assert_allclose(names["equal"], [0.731, 0.855], atol=0.013)  # four standard errors
    assert names["certified"]
    assert names["solution"].converged
    assert names["tuned"].curves[0].reached is not None
    assert names["samples"]["x"].shape == (1000, 25, 25)


@pytest.mark.slow
def test_the_example_of_the_page_of_devices_runs():
    names = run("devices.md")
    np.testing.assert_array_equal(names["samples"]["x"], names["some"]["x"])


@pytest.mark.slow
def test_the_examples_of_the_page_on_neural_potentials_run():
    names = run("neural_potentials.md")
    assert names["errors"]["noisy pixels"] == pytest.approx(0.31, abs=0.01)
    assert names["errors"]["unaries alone"] == pytest.approx(0.23, abs=0.02)
    assert names["errors"]["with couplings"] < 0.12
    assert names["after"] < names["before"] < 0.15


def test_every_page_with_examples_is_run():
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if BLOCK.search(path.read_text("utf-8"))}
    api = {f"api/{page}.md" for page in ("inference", "models", "converting", "learning", "measuring")}
    others = {f"{page}.md" for page in ("choosing", "devices", "faq", "large", "neural_potentials")}
    assert pages == {*api, *others}  # tooling/test_large.py runs large.md


def test_the_class_of_the_questions_page_learns_its_only_number():
    """The names that the example takes as given are those of six people in three teams."""
    names = {"people": pk.Variables(team=pk.Categorical(6, states=3)), "key": jax.random.key(0)}
    names |= {"friends": [(0, 1), (1, 2)], "rivals": [(0, 5)], "data": {"team": np.array([[0, 0, 0, 1, 2, 1]] * 8)}}
    names |= {"eqx": equinox, "jax": jax, "jnp": jax.numpy, "np": np, "optax": optax, "pk": pk}
    code = next(code for code in BLOCK.findall((DOCS / "faq.md").read_text("utf-8")) if "class Friends" in code)
    exec(code.replace("steps=100", "steps=3"), names)
    assert [leaf.shape for leaf in jax.tree.leaves(names["result"].model)] == [()]
    assert float(names["result"].model.strength) > 0
