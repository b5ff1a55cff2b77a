"""An explorer as an animation: the clip of its player, or one frame for each value of a control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import UInt8

from pmp_kit.course import plot

from ..plot.pixels import Image
from .export import as_wide
from .layout import short
from .page.player import Clip

if TYPE_CHECKING:
    from .explorer import Explorer

MOST = 101  # frames, of a slider with more stops
STRIP = 24  # CSS pixels, below a frame: the name of the control and its value


def film(explorer: Explorer, over: str = "") -> tuple[Clip, str]:
    """A clip, and what one frame of it is.

    Args:
        explorer: stays as it is.
        over: the control whose values are the frames; "" for the clip that is shown, or the control that plays.

    Raises:
        ValueError: no control of that name, or none was named where nothing plays.
    """
    shown = getattr(explorer.picture, "clip", None)
    if not over and shown is not None:
        return shown, explorer.picture.widget.unit
    over = over or explorer.playing
    if over not in explorer.controls:
        raise ValueError(
            f"over: expected the control whose values are the frames, one of {sorted(explorer.controls)}, got "
            f"{over!r}; use the word written beside it"
        )
    values = stops(explorer.controls[over])
    params = explorer.params()
    frames = [_pixels(explorer.paint(explorer.compute({**params, over: value}))) for value in values]
    width = shown.width if shown is not None else explorer.picture.width
    words = [f"{over} {short(value)}" for value in values]
    images, palette = index(np.concatenate([np.stack(frames), _strips(words, width, frames[0].shape[1])], axis=1))
    return Clip(images, palette[None], width=width), "frame"


def stops(control: Any) -> list[Any]:
    """The values of a control, in order; of a slider at most MOST, evenly spread."""
    if hasattr(control, "options"):
        return [option[1] if isinstance(option, tuple) else option for option in control.options]
    if not hasattr(control, "step"):
        return [False, True]
    whole = isinstance(control.value, int)
    count = round((control.max - control.min) / control.step)
    steps = np.unique(np.linspace(0, count, min(count + 1, MOST)).round().astype(int))
    values = (control.min + control.step * steps).tolist()
    return [int(value) if whole else round(value, 10) for value in values]


def _pixels(picture: Image | Clip) -> Image:
    """What `paint` gave, as pixels."""
    return picture.pixels(picture.first) if isinstance(picture, Clip) else picture


def _strips(lines: list[str], width: int, pixels: int) -> UInt8[np.ndarray, "frames height width 3"]:
    """Lines of text, one a frame, as wide as a frame."""
    canvas = plot.Canvas(width, STRIP, pixels / width)
    axes = canvas.figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    text = axes.text(0.01, 0.5, "", fontsize=12, color=plot.INK, va="center")
    canvas.moving(text)
    strips = []
    for line in lines:
        text.set_text(line)
        strips.append(as_wide(canvas.pixels(), pixels))
    return np.stack(strips)


def index(frames: UInt8[np.ndarray, "frames height width 3"]) -> tuple[np.ndarray, np.ndarray]:
    """Frames as entries of one palette of at most 256 colours: exact where they have no more, else the nearest."""
    words = [frame.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32) for frame in frames]
    colours = np.unique(np.concatenate([np.unique(word) for word in words]))
    if len(colours) <= 256:
        palette = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], 1).astype(np.uint8)
        return np.stack([np.searchsorted(colours, word) for word in words]).astype(np.uint8), palette
    from PIL import Image as Pillow

    some = frames[:, ::3, ::3].reshape(-1, frames.shape[2] // 3 + (frames.shape[2] % 3 > 0), 3)
    chosen = Pillow.fromarray(some).quantize(256)
    images = [Pillow.fromarray(frame).quantize(palette=chosen, dither=Pillow.Dither.NONE) for frame in frames]
    table = np.array(chosen.getpalette(), np.uint8).reshape(-1, 3)
    return np.stack([np.asarray(image) for image in images]), table
