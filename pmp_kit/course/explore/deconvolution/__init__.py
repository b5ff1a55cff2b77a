"""Deconvolution studio: features crystallise out of noise, sweep by sweep (Section 5.6)."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import ipywidgets as widgets
import numpy as np
from jaxtyping import Bool, Float

from pmp_kit.course.experiments.deconvolution import drawing, traces

from ..explorer import Explorer
from ..page.player import Clip, Player
from . import paint as painter

STOPS = tuple(range(0, traces.SWEEPS + 1, 20))


class StudioState(NamedTuple):
    """One run, a row every fourth sweep."""

    images: int
    """How many images were given."""
    beliefs: Float[np.ndarray, "rows features h w"]
    """Of the features' pixels, in units of `traces.LIMIT` nats, from -1 to 1."""
    drawn: Bool[np.ndarray, "rows images H W"]
    """What features and locations draw."""
    right: Float[np.ndarray, " rows"]
    """Share of the pixels of the given images that are right."""
    recovered: int
    """Shapes that are a feature in the end."""
    spare: int
    """Ink of the features that are no shape, in the end."""
    locations: int
    """Entries of S that are on in the end, in the given images."""
    seed: int
    row: int
    """The row that is shown first."""


@functools.cache
def _tables():
    return {key: row for row, key in enumerate(traces.settings())}, traces.load(), traces.problem()


def compute(images: int, prior: str, observed: str, sweeps: int, seed: int) -> StudioState:
    """Look the run up and compare it with the truth."""
    rows, table, (true, _, x) = _tables()
    row = rows[images, prior, observed, seed]
    beliefs = table["w"][row]
    drawn = np.unpackbits(table["drawn"][row], axis=-1, count=x.size).reshape(-1, *x.shape) > 0
    right = (drawn == x)[:, :images].mean((1, 2, 3))
    same = np.array([[drawing.same_shape(f, t) for t in true[:3]] for f in beliefs[-1] >= 0])
    spare = int((beliefs[-1] >= 0)[~same.any(1)].sum())
    found, count = int(same.any(0).sum()), int(table["locations"][row])
    return StudioState(images, beliefs / 127.0, drawn, right, found, spare, count, seed, sweeps // traces.EVERY)


class DeconvolutionStudio(Explorer):
    """Deconvolution studio: scrub through the sweeps of PMP on a small blind deconvolution.

    Args:
        images, prior, observed, seed: where the controls stand first.
        sweeps: the sweep that is shown first.
    """

    title = "Deconvolution studio"
    caption = (
        "Above, four features as PMP believes them to be: <b style='color:#7b5ba6'>purple</b> ink, "
        "<b style='color:#c8761a'>orange</b> no ink. Below, the images: <b>black</b> ink that is drawn, "
        "<b style='background:#56B4E9; color:black'> sky </b> ink that is not, "
        "<b style='color:#D55E00'>red</b> drawn where there is none; grey images are not given, PMP makes them up. "
        "Play, or drag along the curve."
    )

    def __init__(self, images=16, prior="0.01", observed="X only", seed=40, sweeps=traces.SWEEPS):
        self._first = {"images": images, "prior": prior, "observed": observed, "sweeps": sweeps, "seed": seed}
        _tables()  # now, so that no control has to wait for it
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {
                "images": widgets.SelectionSlider(options=traces.IMAGES, value=first["images"]),
                "prior": widgets.Dropdown(options=traces.PRIORS, value=first["prior"]),
                "observed": widgets.Dropdown(options=traces.OBSERVED, value=first["observed"]),
            },
            "solver": {
                "sweeps": widgets.SelectionSlider(options=STOPS, value=first["sweeps"]),
            },
            "noise": {
                "seed": widgets.SelectionSlider(options=traces.SEEDS, value=first["seed"]),
            },
        }

    def make_picture(self) -> Player:
        return Player("four features and sixteen images drawn with them", unit="frame")

    def compute(self, params) -> StudioState:
        return compute(*params.values())

    def paint(self, state: StudioState) -> Clip:
        return painter.picture(state, _tables()[-1][2], state.row)

    def describe(self, state: StudioState) -> str:
        return (
            f"{100 * state.right[-1]:.1f} % of the pixels right after {traces.SWEEPS} sweeps · {state.recovered} of 3 "
            f"shapes found, {state.spare} pixels in features that are no shape · {state.locations} locations on · "
            f"seed {state.seed}"
        )

    def snapshot(self) -> bytes:
        return painter.snapshot(self.picture.clip)
