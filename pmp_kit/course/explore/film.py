"""The frames of an animation: one picture for each value of a control, over the name and the value of the control."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import UInt8

from ..plot import strips
from ..plot.pixels import Image
from . import layout
from .page.player import Clip
from .stops import spread, stops

__all__ = ["clip", "index", "of", "spread", "stops"]


def clip(pictures: Sequence[Image], words: Sequence[str], width: int) -> Clip:
    """Put pictures together, each over its words.

    Args:
        pictures: pixels.
        words: one line for each picture.
        width: of a frame on the page, in CSS pixels.
    """
    frames = np.stack(pictures)
    below = strips.words(words, width, frames.shape[2])
    images, palette = index(np.concatenate([frames, below], axis=1))
    return Clip(images, palette[None], width=width)


def of(explorer: Any, over: str, chosen: bool) -> tuple[Clip, str]:
    """Return an animation of an explorer and what one frame of it is; the explorer stays as it is.

    Args:
        explorer: its picture, if it is a player, is taken as it is unless a control was chosen.
        over: the control whose values are the frames.
        chosen: whether the caller chose the control.

    Raises:
        ValueError: there is no control of that name.
    """
    shown = getattr(explorer.picture, "clip", None)
    if shown is not None and not chosen:
        return explorer.recording(), explorer.picture.widget.unit
    values, states = zip(*explorer.states(over), strict=True)
    painted = (explorer.paint(state) for state in states)
    pictures = [one.pixels(one.first) if isinstance(one, Clip) else one for one in painted]
    words = [f"{over} {layout.short(value)}" for value in values]
    now = explorer.picture.pixels()
    first = next((k for k, picture in enumerate(pictures) if np.array_equal(picture, now)), 0)
    return clip(pictures, words, (shown or explorer.picture).width)._replace(first=first), "frame"


def index(frames: UInt8[np.ndarray, "frames height width 3"]) -> tuple[np.ndarray, np.ndarray]:
    """Turn frames into entries of one palette: exact with at most 256 colours, else the nearest colours.

    Returns:
        The entries (frames, height, width) uint8, and the palette (colours, 3) uint8.
    """
    codes = [frame.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32) for frame in frames]
    colours = np.unique(np.concatenate([np.unique(code) for code in codes]))
    if len(colours) <= 256:
        palette = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], 1).astype(np.uint8)
        return np.stack([np.searchsorted(colours, code) for code in codes]).astype(np.uint8), palette
    from PIL import Image as Pillow

    some = frames[:, ::3, ::3]
    chosen = Pillow.fromarray(some.reshape(-1, *some.shape[2:])).quantize(256)
    images = [Pillow.fromarray(frame).quantize(palette=chosen, dither=Pillow.Dither.NONE) for frame in frames]
    table = np.array(chosen.getpalette(), np.uint8).reshape(-1, 3)
    return np.stack([np.asarray(image) for image in images]), table
