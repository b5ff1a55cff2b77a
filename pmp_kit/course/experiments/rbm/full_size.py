"""RBMs of the paper's sizes: `python -m pmp_kit.course.experiments.rbm.full_size` learns them.

Learning takes hours on two cores, so the notebook shows stored results. For all digits (784 x 500) they are the
evaluation of each method's samples after 5, 10, ... 2000 sweeps (Figure 3, left) and some samples (Figure 3, right).
For the digit 2 alone (784 x 250, Figure 7) they are log MMD^2.
"""

import argparse
import pathlib
from functools import cache
from typing import NamedTuple

import numpy as np

from ... import data
from ..ledger import pieces
from . import learn
from .figures import effective_digits
from .sizes import SIZES

FILE = data.FOLDER / "mnist_rbm_full.npz"
SETTINGS, TWOS, SEEDS = SIZES["paper"]["full"], SIZES["paper"]["twos"], SIZES["paper"]["seeds"]
PIXELS = "independent pixels"
SIDE, SAMPLES = 28, 300
NUMBERS = "u", "null", "authors", "shares"


class Run(NamedTuple):
    """The results of all methods at the paper's size."""

    found: dict[str, dict[str, np.ndarray]]
    """Method -> the NUMBERS of `learn.judged`, (seeds, sweeps, ...)."""
    images: np.ndarray
    """Samples of the first seed of each method, (methods, sweeps, 25, height, width)."""
    sweeps: np.ndarray
    """After how many sweeps the samples were drawn."""
    floor: dict
    """The result of `learn.floor`."""
    twos: dict[str, np.ndarray]
    """The result of `twos`."""

    def at(self, method: str, sweeps: int) -> dict[str, np.ndarray]:
        """Return the numbers of a method after a number of sweeps, (seeds, ...)."""
        place = self.sweeps.tolist().index(sweeps)
        return {name: values[:, place] for name, values in self.found[method].items()}

    def means(self) -> dict[str, np.ndarray]:
        """Return the means over the seeds, in the form of the stored samples, for the figures.

        "left" is the mean of the effective number of digits. That of the mean shares would be larger, because each RBM
        may be left with other digits.
        """
        rows = {name: np.stack([found[name].mean(0) for found in self.found.values()]) for name in NUMBERS}
        rows["left"] = np.stack([effective_digits(found["shares"]).mean(0) for found in self.found.values()])
        bounds = {f"floor {name}": np.asarray(value) for name, value in self.floor.items()}
        return rows | bounds | {"sweeps": self.sweeps, "images": self.images}


def learned(seed: int) -> Run:
    """Learn with each method, and evaluate its samples. PMP_KIT_LEDGER is the folder of finished pieces."""
    found, images = {}, []
    for method, chosen in SETTINGS.items():
        results = each_seed(f"full {method}", seed, chosen | {"method": method})
        found[method] = {name: np.stack([result[name] for result in results]) for name in NUMBERS}
        images.append(results[0]["images"])
    floor = learn.floor(seed, "mnist", SAMPLES)
    return Run(found, np.stack(images), np.array(SETTINGS["PMP"]["sweeps"]), floor, twos(seed))


def twos(seed: int) -> dict[str, np.ndarray]:
    """Learn the 2s with each method. Return log MMD^2 in the authors' metric, (seeds,), also of independent pixels."""
    found = {}
    for method, chosen in TWOS.items():
        results = each_seed(f"twos {method}", seed, chosen | {"method": method})
        found[method] = np.array([result["authors"][0] for result in results])
    floors = (learn.floor(s, "mnist", TWOS["PMP"]["number"], only=2) for s in range(seed, seed + SEEDS))
    return found | {PIXELS: np.array([floor["pixels authors"] for floor in floors])}


def each_seed(name: str, seed: int, settings: dict) -> list[dict]:
    """Return the results of `learn.run` for SEEDS seeds from `seed` on."""
    runs = {f"{name} {s}": settings | {"seed": s} for s in range(seed, seed + SEEDS)}
    return list(pieces(learn.run, runs).values())


def size() -> str:
    """Return a short description of the sizes of all digits."""
    steps = {method: chosen["steps"] for method, chosen in SETTINGS.items()}
    return f"784 x 500, {steps['PMP']} steps (PCD-1: {steps['PCD-1']}), {SAMPLES} samples"


def size_of_twos() -> str:
    """Return a short description of the sizes of the 2s."""
    chosen = TWOS["PMP"]
    return (
        f"784 x {chosen['hidden']}, {chosen['steps']} steps, {chosen['number']} samples, {chosen['sweeps'][0]} sweeps"
    )


@cache
def load() -> Run:
    """Read the stored result of `learned`."""
    arrays, _ = data.read(FILE)
    found = data.by_row(arrays)
    floor, only = found.pop("floor"), found.pop("twos")
    return Run(found, data.unpacked(arrays["images"], SIDE), arrays["sweeps"], floor, only)


def main(arguments: list[str] | None = None) -> None:
    """Learn, evaluate, and write the file. Set PMP_KIT_LEDGER to be able to resume an interrupted run."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.rbm.full_size", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=FILE)
    parser.add_argument("--seed", type=int, default=40)
    options = parser.parse_args(arguments)
    about = {"made by": parser.prog, "seed": options.seed, "settings": SETTINGS, "twos": TWOS}
    write(options.output, learned(options.seed), about)


def write(path: pathlib.Path, run: Run, about: dict) -> None:
    """Write a file that `load` reads, with what made it."""
    arrays = data.flat(run.found | {"floor": run.floor, "twos": run.twos})
    data.write(path, data.single(arrays | {"sweeps": run.sweeps, "images": data.packed(run.images)}), about)


if __name__ == "__main__":
    main()
