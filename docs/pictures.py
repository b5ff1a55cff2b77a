"""Make the pictures of the entrances on the first page from the explorers: `python docs/pictures.py`."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

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


def main() -> None:
    """Write "play" and "learn"."""
    scope = explore.MessageScope(topology="grid", coupling=-0.8, layers=graph.LAYERS)
    save("play", scope.picture.clip.pixels(scope.picture.clip.first))
    camera = explore.TrainingCamera(taken=[("PMP", "reset", 20, 150)])
    save("learn", camera.picture.pixels())


if __name__ == "__main__":
    main()
