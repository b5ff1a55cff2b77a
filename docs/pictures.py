"""Make the three pictures of the first page, and two figures of other pages: `python docs/pictures.py`."""

import io
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / ".ci"))

import jax
import matplotlib.colors
import numpy as np
from PIL import Image, ImageOps

import pmp_kit as pk
import stills
from pmp_kit.course import explore
from pmp_kit.course.plot import METHODS, TEXT, Canvas

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


def latin_squares(shown: int = 6, side: int = 4) -> np.ndarray:
    """Return a picture of different Latin squares that PMP samples from the rules, as on page 12."""
    variables = pk.Variables(cell=pk.Binary(side, side, side))
    ids = variables["cell"]  # row, column, digit
    groups = [ids.transpose(order).reshape(-1, side) for order in ((0, 1, 2), (0, 2, 1), (1, 2, 0))]
    model = pk.FactorGraph(variables, [pk.ExactlyOne(np.concatenate(groups))])
    cells = pk.sample(jax.random.key(0), model, num_samples=60, num_sweeps=100)["cell"]
    kept = cells[(cells.reshape(len(cells), -1)[:, np.concatenate(groups)].sum(-1) == 1).all(-1)]
    boards = np.unique(kept.argmax(-1), axis=0)
    chosen = boards[np.linspace(0, len(boards) - 1, shown).astype(int)]
    canvas, blue = Canvas(WIDTH, HEIGHT, 1.0), np.array(matplotlib.colors.to_rgb(METHODS["PMP"].colour))
    for place, board in enumerate(chosen):
        axes = canvas.axes(0.03 + 0.33 * (place % 3), 0.52 - 0.5 * (place // 3), 0.28, 0.42)
        share = np.array([0.1, 0.3, 0.6, 1.0])[board][..., None]
        axes.imshow(1 - share * (1 - blue))
        axes.set(xticks=np.arange(side + 1) - 0.5, yticks=np.arange(side + 1) - 0.5, xticklabels=[], yticklabels=[])
        axes.tick_params(length=0)
        axes.grid(color="white", linewidth=3)
        axes.spines[:].set_visible(False)
        for (row, column), digit in np.ndenumerate(board):
            ink = "white" if digit == side - 1 else "black"
            axes.text(column, row, str(digit + 1), ha="center", va="center", fontsize=TEXT + 5, color=ink)
    return canvas.pixels()


def picture_of(explorer: explore.MessageScope | explore.TrainingCamera) -> np.ndarray:
    """Return the pixels of a picture that the page draws."""
    return np.asarray(Image.open(io.BytesIO(stills.screenshot(stills.alone(explorer)))).convert("RGB"))


def neural_potentials() -> None:
    """Write the figure of the page with this name, by running its code blocks."""
    names: dict = {}
    for code in re.findall(r"```python\n(.*?)```", (FOLDER.parent / "neural_potentials.md").read_text(), re.DOTALL):
        exec(code, names)
    drawn = io.BytesIO()
    names["figure"].savefig(drawn, dpi=110)
    Image.open(drawn).convert("L").quantize(16).save(FOLDER / "neural_potentials.png", optimize=True)


def main() -> None:
    """Write "play", "learn", "own", "million_spins" and "neural_potentials"."""
    million_spins()
    neural_potentials()
    save("own", latin_squares())
    scope = explore.MessageScope(topology="grid", coupling=-0.8, layers=explore.MessageScope.layer_names)
    save("play", picture_of(scope))
    camera = explore.TrainingCamera(taken=[("PMP", "reset", 20, 150)])
    save("learn", picture_of(camera))


if __name__ == "__main__":
    main()
