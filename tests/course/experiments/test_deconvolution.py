"""Blind deconvolution (Section 5.6): drawing, the ceiling, the polish, the recipe, and the authors' variant."""

import itertools

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.deconvolution import (
    chains as deconvolution_chains,
)
from pmp_kit.course.experiments.deconvolution import (
    drawing,
    factorisation,
    traces,
)
from pmp_kit.course.experiments.deconvolution import (
    infer as deconvolution,
)

pytestmark = pytest.mark.slow  # the notebook's quick profile runs these functions in the gate

AUTHORS = "../shared/data/conv_problem.npz"


def windows():
    """The true shapes in windows of 6 x 6."""
    return np.pad(drawing.shapes(), ((0, 0), (0, 1), (0, 1)))


def test_draw_is_the_model_of_the_kit():
    """An image that is drawn has a finite score, one with a pixel changed has not."""
    random = np.random.default_rng(0)
    w, s = random.random((2, 3, 2)) < 0.5, random.random((3, 2, 4, 5)) < 0.2
    x = drawing.draw(w, s)
    graph = pk.blind_deconvolution(3, (6, 6), 2, (3, 2))
    states = {"W": w.astype(int), "S": s.astype(int), "X": x.astype(int)}

    def score(states):
        flat = graph.variables.flatten(states, argument="states")
        return float(graph.factor_score(jax.numpy.asarray(flat, dtype=np.float32)[None, :, None])[0])

    assert np.isfinite(score(states))
    assert np.isneginf(score(states | {"X": 1 - x.astype(int)}))


def test_images_hold_what_is_promised():
    images = drawing.images(30, seed=1)
    assert images.shape == (30, 14, 14)
    assert (drawing.images(30, seed=1) == images).all()
    wide = deconvolution.padded(images, 1)
    scores = drawing.score(wide, windows(), drawing.cover(wide, windows()))
    assert scores.exact == scores.pixels == 1.0
    assert scores.recovered == 4


def test_score_counts():
    images = drawing.images(2, seed=0)
    nothing = np.zeros((2, 4, 9, 9), bool)
    score = drawing.score(images, windows(), nothing)
    assert score.pixels == pytest.approx(1 - images.mean())
    assert (score.ink, score.exact, score.locations) == (0.0, 0.0, 0.0)
    broken = windows()
    broken[0, 0, 0] = False
    assert drawing.score(images, broken, nothing).recovered == 3
    hidden = np.full_like(images, pk.FREE)
    hidden[0, 0, 0] = 0
    assert drawing.score(hidden, windows(), nothing).pixels == 1.0


def test_the_ceiling_is_that_of_a_search():
    """Every subset of places of every choice of offsets, on images small enough for it."""
    shapes, random = np.array([[[1, 1], [1, 0]], [[1, 0], [0, 1]]], bool), np.random.default_rng(2)
    s = random.random((4, 2, 3, 3)) < 0.2
    images = drawing.draw(shapes, s).astype(int)
    best = 0
    for choice in itertools.product(*(drawing.shifts(shape, (3, 3)) for shape in shapes)):
        subsets = np.array(list(itertools.product([0, 1], repeat=8))).reshape(-1, 2, 2, 2)
        drawn = drawing.draw(np.array(choice), subsets)
        best = max(best, sum((drawn == image).all((1, 2)).any() for image in images))
    ceiling = drawing.ceiling(images, (3, 3), spare=False, truth=shapes)
    assert ceiling["exact"] == best / 4
    assert 0 < best < 4
    assert drawing.ceiling(images, (3, 3), truth=shapes)["exact"] >= best / 4


def test_the_polish_never_covers_less_and_finds_the_best_offsets():
    images, random = drawing.images(30, seed=4), np.random.default_rng(0)
    start = np.concatenate([windows(), random.random((1, 6, 6)) < 0.3])
    before = drawing.score(images, start, drawing.cover(images, start))
    w, s = drawing.polish(images, start)
    after = drawing.score(images, w, s)
    assert after.ink > before.ink
    assert after.recovered == 4
    assert after.pixels >= drawing.ceiling(images)["pixels"] - 0.01
    assert not (drawing.draw(w, s) & (images == 0)).any()
    kept, _ = drawing.polish(images, start, move=False)
    assert (kept == start).all()


def test_all_stages_on_a_few_small_images():
    images = drawing.images(6, seed=0, size=9, rate=0.03)
    done = deconvolution.run(images.tolist(), 40, margin=0, few=6, starts=2, sweeps=40)
    assert done["W"].shape == (5, 6, 6)
    assert done["S"].shape == (6, 5, 4, 4)
    assert not (drawing.draw(done["polished W"], done["polished S"]) & (images == 0)).any()
    assert done["score"][0] > 0.9
    assert done["score"][0] == drawing.score(images, done["W"], done["S"]).pixels


def test_records_are_means_over_seeds_and_the_worst_seed_has_the_verdict():
    scores = [drawing.Score(0.96, 0.9, 0.5, 4, 5.0), drawing.Score(0.94, 0.9, 0.1, 3, 5.0)]
    runs = {name: [{"score": one, "polished score": one} for one in scores] for name in "ab"}
    rows = {row["name"]: row for row in deconvolution.records(runs, "a size")}
    assert len(rows) == 2 * (6 + 3)
    assert rows["(a) pixels right, %"]["value"] == pytest.approx(95.0)
    assert rows["(a) pixels right, %"]["error"] == pytest.approx(1.0)
    assert rows["(b) shapes recovered, of 4, polished"]["value"] == 3.5
    assert rows["(b) shapes recovered, of 4, polished"]["method"] == "PMP, polished"
    worst = rows["(a) images exact, %: missing in the worst seed"]
    assert (worst["value"], worst["at_most"]) == (pytest.approx(90.0), 81)


def test_energy_counts_ones_and_wrong_pixels():
    images = drawing.images(1, seed=0)
    s = np.zeros((1, 4, 9, 9), bool)
    wrong = images.sum()
    assert deconvolution.energy(images, windows(), s) == pytest.approx(45 * np.log(3) + 10 * wrong)
    s[0, 0, 0, 0] = True
    drawn = drawing.draw(windows(), s).astype(int)
    assert deconvolution.energy(drawn, windows(), s) == pytest.approx(45 * np.log(3) + np.log(99))


def test_the_authors_prior_counts_for_locations_alone():
    graph = deconvolution.model(drawing.images(2, seed=0))
    once, often = (deconvolution.split(deconvolution.perturbed(jax.random.key(1), graph, t)) for t in (1.0, 36.0))
    np.testing.assert_allclose(often["S"], 36 * once["S"], rtol=1e-5)
    np.testing.assert_array_equal(often["W"], once["W"])
    np.testing.assert_array_equal(often["X"], deconvolution.split(graph)["X"])
    assert abs(once["S"].mean() + np.log(99)) < 0.2


def test_flipped_pixels_have_their_log_odds():
    images = drawing.images(1, seed=0)
    odds = deconvolution.split(deconvolution.model(images, flips=0.1))["X"]
    np.testing.assert_allclose(odds, (2 * images - 1) * np.log(9), rtol=1e-6)


def test_the_traces_are_those_of_the_small_problem():
    w, s, x = traces.problem()
    assert (drawing.draw(w, s) == x).all()
    table = traces.load()
    assert {len(rows) for rows in table.values()} == {len(traces.settings())}
    assert table["w"].shape[1] == traces.SWEEPS // traces.EVERY + 1
    row = traces.settings().index((16, "0.01", "X and W", 40))
    beliefs, locations = traces.follow(*traces.settings()[row])
    assert ((table["w"][row] >= 0) == w).all()
    assert ((beliefs >= 0) == w).all()
    again = traces.locations(table["s"][row])
    assert again.shape == locations.shape
    assert (again == locations).mean() > 0.999


def test_the_chain_and_pmp_are_judged_alike():
    done = deconvolution_chains.run("PMP", "X and S", 40, samples=2, sweeps=30)
    assert done["pixels"].shape == (2,)
    assert done["pixels"].min() > 0.9
    assert done["recovered"].max() == 3


def test_errors_are_those_on_what_was_seen_and_on_what_was_not():
    done = factorisation.run(0, rows=40, sweeps=10, rank=2)
    assert done["V"].shape == (2, 64)
    assert set(done) == {f"{name}, {part}" for name in ("PMP", "NMF", "majority") for part in ("seen", "hidden")} | {
        "V"
    }
    assert 0 < done["PMP, hidden"] < 0.5


def test_hidden_entries_change_nothing(monkeypatch):
    """With the opposite hidden entries, all three guess as before."""
    options = {"rows": 40, "sweeps": 10, "rank": 2, "hidden": 0.1}
    done, x = factorisation.run(0, **options), factorisation.matrix(40)
    hidden = np.random.default_rng(0).random(x.shape) < 0.1
    monkeypatch.setattr(factorisation, "matrix", lambda rows: np.where(hidden, 1 - x, x))
    other = factorisation.run(0, **options)
    assert (other.pop("V") == done.pop("V")).all()
    assert other == {name: pytest.approx(1 - error if "hidden" in name else error) for name, error in done.items()}


@pytest.mark.all
@pytest.mark.parametrize("seed", range(40, 45))
@pytest.mark.parametrize(("margin", "pixels", "exact"), [(0, 0.957, 0.18), (1, 0.99, 0.0)])
def test_the_authors_images(seed, margin, pixels, exact):
    import pathlib

    file = pathlib.Path(__file__).parents[3] / AUTHORS
    if not file.exists():
        pytest.skip("the authors' images are not here")
    images = np.load(file)["X"][:, 0].astype(int)
    size = {name: value for name, value in deconvolution.SIZES["paper"].items() if name != "images"}
    done = deconvolution.run(images, seed, margin=margin, **size)
    assert done["score"][0] > pixels
    assert done["score"][2] > exact
