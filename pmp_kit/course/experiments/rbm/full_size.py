"""RBMs of the paper's size, 784 x 500: `python -m pmp_kit.course.experiments.rbm.full_size` learns them.

Learning takes hours on two cores, so the notebook shows stored results: the evaluation of each method's samples after
5, 10, ... 2000 sweeps (Figure 3, left), and some samples (Figure 3, right).
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
from .sizes import SEEDS_OF_FULL, SIZES

FILE = data.FOLDER / "mnist_rbm_full.npz"
SETTINGS = SIZES["paper"]["full"]
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
        seeds = range(seed, seed + SEEDS_OF_FULL[method])
        runs = {f"full {method} {s}": chosen | {"method": method, "seed": s} for s in seeds}
        results = list(pieces(learn.run, runs).values())
        found[method] = {name: np.stack([result[name] for result in results]) for name in NUMBERS}
        images.append(results[0]["images"])
    return Run(found, np.stack(images), np.array(SETTINGS["PMP"]["sweeps"]), learn.floor(seed, "mnist", SAMPLES))


def size() -> str:
    """Return a short description of the sizes."""
    steps = {method: chosen["steps"] for method, chosen in SETTINGS.items()}
    return f"784 x 500, {steps['PMP']} steps (PCD-1: {steps['PCD-1']}), {SAMPLES} samples"


@cache
def load() -> Run:
    """Read the stored result of `learned`."""
    arrays, _ = data.read(FILE)
    found = data.by_row(arrays)
    floor = found.pop("floor")
    return Run(found, data.unpacked(arrays["images"], SIDE), arrays["sweeps"], floor)


def main(arguments: list[str] | None = None) -> None:
    """Learn, evaluate, and write the file. Set PMP_KIT_LEDGER to be able to resume an interrupted run."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.rbm.full_size", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=FILE)
    parser.add_argument("--seed", type=int, default=40)
    options = parser.parse_args(arguments)
    about = {"made by": parser.prog, "seed": options.seed, "settings": SETTINGS}
    write(options.output, learned(options.seed), about)


def write(path: pathlib.Path, run: Run, about: dict) -> None:
    """Write a file that `load` reads, with what made it."""
    arrays = data.flat(run.found | {"floor": run.floor})
    data.write(path, data.single(arrays | {"sweeps": run.sweeps, "images": data.packed(run.images)}), about)


if __name__ == "__main__":
    main()
