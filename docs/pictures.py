"""Make two pictures of the first page, and that of the page on large models: `python docs/pictures.py`."""

from pathlib import Path

import jax
import numpy as np
from PIL import Image, ImageOps

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.plot import graph

FOLDER = Path(__file__).parent / "_static"
WIDTH, HEIGHT = 600, 400


def save(name: str, pixels: np.ndarray) -> None:
    """Write a picture, without its white edges, as a PNG of WIDTH x HEIGHT, in the middle of white paper."""
    picture, paper = Image.fromarray(pixels), Image.new("RGB", (WIDTH, HEIGHT), "white")
    picture = picture.crop(ImageOps.invert(picture).getbbox())
    picture.thumbnail((WIDTH - 24, HEIGHT - 24))
    paper.paste(picture, ((WIDTH - picture.width) // 2, (HEIGHT - picture.height) // 2))
    paper.quantize(128).save(FOLDER / f"{name}.png", optimize=True)


def million_spins(shown: int = 400, part: int = 100) -> None:
    """Write a lattice of 1,000 x 1,000 spins beside an enlarged part, whose place is marked."""
    lattice = pk.ising_lattice(1000, coupling=0.7)
    spins = pk.sample(jax.random.key(0), lattice, num_samples=1, num_sweeps=50)["x"][0]
    white, square = np.uint8(255 * (1 - spins)), (shown, shown)
    every = Image.fromarray(white).resize(square, Image.Resampling.BOX).convert("RGB")
    side = part * shown // 1000
    marked = np.array(every)
    for edge in (0, side):
        marked[edge, : side + 1] = marked[: side + 1, edge] = (204, 0, 0)
    enlarged = Image.fromarray(white[:part, :part]).resize(square, Image.Resampling.NEAREST)
    paper = Image.new("RGB", (2 * shown + 20, shown), "white")
    paper.paste(Image.fromarray(marked), (0, 0))
    paper.paste(enlarged.convert("RGB"), (shown + 20, 0))
    paper.quantize(16).save(FOLDER / "million_spins.png", optimize=True)


def main() -> None:
    """Write "play", "learn" and "million_spins"."""
    million_spins()
    scope = explore.MessageScope(topology="grid", coupling=-0.8, layers=graph.LAYERS)
    save("play", scope.picture.clip.pixels(scope.picture.clip.first))
    camera = explore.TrainingCamera(taken=[("PMP", "reset", 20, 150)])
    save("learn", camera.picture.pixels())


if __name__ == "__main__":
    main()
