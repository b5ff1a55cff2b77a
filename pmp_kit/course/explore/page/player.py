"""A player that plays, steps and scrubs frames in the page. The frames are sent once, and playing needs no kernel."""

from __future__ import annotations

import functools
import json
import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np
import traitlets
from jaxtyping import Float, UInt, UInt8

from ...plot.png import png
from . import sources, wire
from .scripted import Scripted

RATES = (1, 2, 4, 6, 15, 30)  # frames per second that the player offers
RATE = 4  # at the start: an oscillation of period 2 flashes at 2 Hz, and more than 3 Hz would not be safe


class Clip(NamedTuple):
    """An animation. A frame is an image of palette entries and a palette. All frames may share one image or palette.

    Attributes:
        images: palette entries, with F = 1 (shared) or one image for each frame: uint8, or uint16 for
            more than 256 colours.
        palettes: colours, with P = 1 (shared) or one palette for each frame.
        curve: height in 0..1 of a curve at each frame, or NaN for no point. It is drawn below the frame. An empty array
            draws no curve.
        curve_top, curve_bottom: labels of the two lines at the ends of the curve's scale.
        first: the index of the first frame that is shown.
        width: width of a frame in CSS pixels. It is shown as wide as there is room, at most half as wide again.
        best: whether the upper line is the best possible (black), and the running maximum of the curve is dashed.
        parts: name -> palette entries, of the parts that a `Linked` equation lights up.
        letters: letter -> its place (x, y) in shares of the image, y downwards. They are drawn while a part is lit.
        layers: name -> pairs of a palette entry that the layer shows, and the entry that is seen in its place while the
            layer is hidden. The page has a checkbox for each layer, so that the reader switches it without a kernel.
        shown: names of the layers that are shown at first.
    """

    images: UInt[np.ndarray, "F height width"]
    palettes: UInt8[np.ndarray, "P colours 3"]
    curve: Float[np.ndarray, " frames"] = np.zeros(0)
    curve_top: str = ""
    curve_bottom: str = ""
    first: int = 0
    width: int = 360
    best: bool = False
    parts: Mapping[str, Sequence[int]] = MappingProxyType({})
    letters: Mapping[str, tuple[float, float]] = MappingProxyType({})
    layers: Mapping[str, Sequence[tuple[int, int]]] = MappingProxyType({})
    shown: Sequence[str] = ()

    @property
    def length(self) -> int:
        """Number of frames."""
        return max(len(self.images), len(self.palettes), len(self.curve))

    def pixels(self, index: int) -> UInt8[np.ndarray, "height width 3"]:
        """Return the pixels of one frame, with the layers that are shown at first."""
        palette = self.palettes[min(index, len(self.palettes) - 1)].copy()
        for entry, behind in (pair for name, pairs in self.layers.items() if name not in self.shown for pair in pairs):
            palette[entry] = palette[behind]
        return palette[self.images[min(index, len(self.images) - 1)]]


def check_clip(clip: Clip) -> None:
    """Raise a ValueError if the images, palettes and curve of a clip do not fit together."""
    lengths = {"images": len(clip.images), "palettes": len(clip.palettes), "curve": len(clip.curve)}
    for name, length in lengths.items():
        if length not in (1, clip.length) and not (name == "curve" and length == 0):
            raise ValueError(
                f"{name}: expected 1 (shared) or {clip.length} entries, got {length}; give all parts as many frames"
            )
    if clip.images.dtype not in (np.uint8, np.uint16) or clip.palettes.dtype != np.uint8:
        raise ValueError(
            f"images, palettes: expected uint8 or uint16 images and uint8 palettes, got {clip.images.dtype}, "
            f"{clip.palettes.dtype}; use astype(np.uint8)"
        )
    if clip.images.max() >= clip.palettes.shape[1]:
        raise ValueError(
            f"images: expected entries below the number of colours, got {clip.images.max()} "
            f"for {clip.palettes.shape[1]} colours; add colours to the palette"
        )


def pack(clip: Clip) -> bytes:
    """Pack everything except the images into one buffer: header length, header, palettes and curve."""
    header = {
        "images": clip.images.shape,
        "bytes": clip.images.itemsize,
        "palettes": clip.palettes.shape[:2],
        "curve_top": clip.curve_top,
        "curve_bottom": clip.curve_bottom,
        "first": clip.first,
        "width": clip.width,
        "best": clip.best,
        "parts": dict(clip.parts),
        "letters": dict(clip.letters),
        "layers": dict(clip.layers),
        "shown": list(clip.shown),
    }
    text = json.dumps(header).encode()
    curve = np.asarray(clip.curve, "<f4").tobytes()
    return struct.pack("<I", len(text)) + text + clip.palettes.tobytes() + curve


class _PlayerView(Scripted):
    """The widget. The position is not synchronised with the kernel, so a slow kernel does not interrupt playing."""

    _esm = sources.module("player.js")
    _css = sources.style()
    images = traitlets.Bytes().tag(sync=True)
    clip = traitlets.Bytes().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    rate = traitlets.Int().tag(sync=True)
    rates = traitlets.List(traitlets.Int()).tag(sync=True)
    lit = traitlets.Unicode().tag(sync=True)
    """Names of the parts that are lit, separated by spaces. An equation in the page sets it."""
    wanted = traitlets.List(traitlets.Int(), [0, 0]).tag(sync=True)  # a frame, and how often one was wanted


class Player:
    """Play, pause, step and scrub a clip. The keys are space, the arrows, Home and End.

    Args:
        label: text that describes the clip to screen readers.
        unit: name of the step from one frame to the next.
    """

    def __init__(self, label: str, unit: str = "sweep"):
        full = widgets.Layout(width="100%")
        self.widget = _PlayerView(label=label, unit=unit, rate=RATE, rates=list(RATES), layout=full)
        self.clip: Clip | None = None

    def show(self, clip: Clip) -> None:
        """Send a clip. Images are not sent again if they are the same array as before."""
        check_clip(clip)
        with self.widget.hold_sync():
            if self.clip is None or clip.images is not self.clip.images:
                self.widget.images = wire.squeeze(clip.images.view(np.uint8))
            self.widget.clip = pack(clip)
        self.clip = clip

    @property
    def parts(self) -> Collection[str]:
        """Names of the parts of the clip that can be lit."""
        return () if self.clip is None else self.clip.parts

    def go(self, frame: int) -> None:
        """Show a frame of the clip on the page; the reader may then move on."""
        self.widget.wanted = [frame, self.widget.wanted[1] + 1]

    def kept(self) -> Callable[[], UInt8[np.ndarray, "height width 3"]]:
        """Return a function that gives the pixels of the first frame, even after another clip has replaced this one."""
        if self.clip is None:
            raise ValueError("clip: expected one to be shown first, got none; call show(clip)")
        return functools.partial(self.clip.pixels, self.clip.first)

    def pixels(self) -> UInt8[np.ndarray, "height width 3"]:
        """Return the pixels of the first frame that is shown."""
        return self.kept()()

    def png(self) -> bytes:
        """Return that frame as a PNG file, for pages without a kernel."""
        return png(self.pixels())
