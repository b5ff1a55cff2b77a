"""Clips as files for slides and pages: GIF, MP4, or one HTML page that holds the player and fetches nothing."""

from __future__ import annotations

import base64
import html
import json
import pathlib
import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import UInt8

from ..plot import strips
from .page import player, sources, wire
from .page.player import RATE, Clip

MOST = 400_000  # bytes of a player inside a page
WHERE = "open its notebook in JupyterLab (<code>make lab</code>), on Binder or on Colab."
LIVE = f"This is a recording. All controls work where the explorer runs: {WHERE}"


class Words(NamedTuple):
    """The words around the animation on a page. HTML is allowed in the caption."""

    title: str
    caption: str
    says: str
    unit: str


def check(path: str | pathlib.Path, rate: int) -> pathlib.Path:
    """Return the path of a file if it can be written at this rate. The ending chooses the form.

    Raises:
        ValueError: unknown ending or rate.
        RuntimeError: no ffmpeg for an MP4.
    """
    path = pathlib.Path(path)
    if path.suffix not in WRITERS:
        raise ValueError(f"path: expected a name that ends in {', '.join(WRITERS)}, got {str(path)!r}; change its end")
    if rate not in player.RATES:
        raise ValueError(f"rate: expected one of {player.RATES} frames per second, got {rate}; 4 is calm, 30 is fast")
    if path.suffix == ".mp4":
        ffmpeg()
    return path


def write(path: pathlib.Path, clip: Clip, words: Words, rate: int) -> None:
    """Write a clip to a file that `check` let pass.

    Raises:
        RuntimeError: ffmpeg failed.
    """
    WRITERS[path.suffix](path, clip, words, rate)


def frames(clip: Clip) -> Iterator[UInt8[np.ndarray, "height width 3"]]:
    """Yield every frame, over its curve where it has one."""
    width = clip.images.shape[2]
    told = clip.curve, clip.curve_top, clip.curve_bottom, clip.best
    curve = strips.curves(*told, clip.width, width) if len(clip.curve) else None
    for k in range(clip.length):
        picture = clip.pixels(k)
        yield picture if curve is None else np.concatenate([picture, next(curve)])


def _write_gif(path: pathlib.Path, clip: Clip, words: Words, rate: int) -> None:
    from PIL import Image

    first, *rest = (Image.fromarray(frame).quantize(256, dither=Image.Dither.NONE) for frame in frames(clip))
    pause = 10 * round(100 / rate)  # a GIF counts in hundredths of a second
    first.save(path, save_all=True, append_images=rest, duration=pause, loop=0, comment=words.title.encode())


def ffmpeg() -> str:
    """Return the path of the program that writes an MP4.

    Raises:
        RuntimeError: there is none.
    """
    try:
        import imageio_ffmpeg  # pyright: ignore[reportMissingImports]
    except ImportError:
        found = shutil.which("ffmpeg")
    else:
        found = imageio_ffmpeg.get_ffmpeg_exe()
    if found is None:
        raise RuntimeError(
            "path: expected the program ffmpeg for an .mp4, found none; run `pip install imageio-ffmpeg`, or write a "
            ".gif or .html"
        )
    return found


def _write_mp4(path: pathlib.Path, clip: Clip, words: Words, rate: int) -> None:
    program = ffmpeg()
    pictures = np.stack([_even(frame) for frame in frames(clip)])
    _, height, width, _ = pictures.shape
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate), "-i", "-"]
    wanted = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "16", "-metadata", f"title={words.title}"]
    command = [program, "-y", "-loglevel", "error", *given, *wanted, str(path)]
    result = subprocess.run(command, input=pictures.tobytes(), capture_output=True)
    if result.returncode:
        raise RuntimeError(f"path: ffmpeg could not write {str(path)!r}: {result.stderr.decode(errors='replace')}")


def _even(frame: np.ndarray) -> np.ndarray:
    """Repeat the last row and column where needed: an MP4 needs even numbers of both."""
    height, width = frame.shape[:2]
    return np.pad(frame, ((0, height % 2), (0, width % 2), (0, 0)), "edge")


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
@media (prefers-color-scheme: dark) {{ .pmp-caption b[style] {{ filter: brightness(1.6); }} }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 24px auto; max-width: 760px; padding: 0 16px; }}
</style>
{player}
</html>
"""
# The function keeps the names of one player apart from those of other players on the same page.
PLAYER = """<div class="pmp-explorer pmp-recording">
<style>
{style}
</style>
<div class="pmp-title">{title}</div>
<div class="pmp-caption">{caption}</div>
<div class="pmp-stage"></div>
<div class="pmp-status">{says}</div>
<p class="pmp-live">{live}</p>
<script>
(() => {{
"use strict";
{script}
const sent = {sent};
const unpack = (text) => new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
for (const name of ["images", "clip"]) sent[name] = unpack(sent[name]);
const el = document.currentScript.parentElement.querySelector(".pmp-stage");
render({{ model: {{ get: (name) => sent[name], on() {{}}, off() {{}} }}, el }});
}})();
</script>
</div>
"""


def inlined(clip: Clip, words: Words) -> str:
    """Return HTML with a player for a place inside a page, at most MOST bytes; of longer clips it keeps fewer frames.

    The numbers of the frames that are kept are then not those of sweeps, so the player calls them frames.

    Raises:
        ValueError: two frames are larger than that.
    """
    text = _player(clip, words, RATE)
    while len(text.encode()) > MOST:
        if clip.length <= 2:
            raise ValueError(
                f"clip: expected frames that fit into a page of {MOST} bytes, got {len(text.encode())} bytes for "
                f"{clip.length} frames; use a smaller picture"
            )
        clip, words = _half(clip), words._replace(unit="frame")
        text = _player(clip, words, RATE)
    return text


def _half(clip: Clip) -> Clip:
    """Return half of the frames, the first and the last among them."""
    kept = np.linspace(0, clip.length - 1, (clip.length + 1) // 2).round().astype(int)
    thin = {part: each[kept] for part in ("images", "palettes", "curve") if len(each := getattr(clip, part)) > 1}
    return clip._replace(**thin, first=int(np.abs(kept - clip.first).argmin()))


def _player(clip: Clip, words: Words, rate: int) -> str:
    parts = {"images": wire.squeeze(clip.images.view(np.uint8), level=9), "clip": player.pack(clip)}
    sent = {name: base64.b64encode(part).decode("ascii") for name, part in parts.items()}
    sent |= {"label": words.title, "unit": words.unit, "rate": rate, "rates": player.RATES}
    return PLAYER.format(
        title=html.escape(words.title),
        caption=words.caption,
        says=html.escape(words.says),
        live=LIVE,
        style=sources.style(),
        script=sources.script("player.js"),
        sent=json.dumps(sent).replace("</", "<\\/"),
    )


def _write_html(path: pathlib.Path, clip: Clip, words: Words, rate: int) -> None:
    page = PAGE.format(title=html.escape(words.title), player=_player(clip, words, rate))
    path.write_text(page, encoding="utf-8")


WRITERS = {".gif": _write_gif, ".html": _write_html, ".mp4": _write_mp4}
