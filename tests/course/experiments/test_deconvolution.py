"""Blind deconvolution (Section 5.6): drawing, the ceiling, the polish, and all stages on small images."""

import itertools

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.deconvolution import (
    drawing,
    traces,
)
from pmp_kit.course.experiments.deconvolution import (
    infer as deconvolution,
)

pytestmark = pytest.mark.slow  # the notebook's quick profile runs these functions in the gate


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
