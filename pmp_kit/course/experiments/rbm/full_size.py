"""RBMs of the paper's size, 784 x 500: `python -m pmp_kit.course.experiments.rbm.full_size` learns them.

Learning takes two hours on two cores, so the notebook shows stored results: the evaluation of each method's samples
after 5, 10, ... 2000 sweeps (Figure 3, left), and some samples (Figure 3, right).
"""

import argparse
import pathlib
from functools import cache

import numpy as np

from ... import data
from ..ledger import pieces
from . import learn
from .sizes import SIZES, stacked

FILE = data.file("mnist_rbm_full.npz")
SETTINGS = SIZES["paper"]["full"]
SIDE, SAMPLES = 28, 300


def learned(seed: int) -> dict[str, np.ndarray]:
    """Learn with each method, and evaluate its samples. Returns: the arrays of `sizes.stacked`."""
    runs = {f"full {method}": chosen | {"method": method, "seed": seed} for method, chosen in SETTINGS.items()}
    return stacked(pieces(learn.run, runs), learn.floor(seed, "mnist", SAMPLES))


def size() -> str:
    """Return a short description of the sizes."""
    steps = {method: chosen["steps"] for method, chosen in SETTINGS.items()}
    return f"784 x 500, {steps['PMP']} steps (PCD-1: {steps['PCD-1']}), {SAMPLES} samples"


@cache
def load() -> dict[str, np.ndarray]:
    """Read the stored result of `learned`."""
    arrays, _ = data.read(FILE)
    return arrays | {"images": data.unpacked(arrays["images"], SIDE)}


def main(arguments: list[str] | None = None) -> None:
    """Learn, evaluate, and write the file. Set PMP_KIT_LEDGER to be able to resume an interrupted run."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.rbm.full_size", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=FILE)
    parser.add_argument("--seed", type=int, default=40)
    options = parser.parse_args(arguments)
    arrays = learned(options.seed)
    about = {"made by": parser.prog, "seed": options.seed, "settings": SETTINGS}
    data.write(options.output, data.single(arrays | {"images": data.packed(arrays["images"])}), about)


if __name__ == "__main__":
    main()
