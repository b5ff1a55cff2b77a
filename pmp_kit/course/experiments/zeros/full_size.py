"""Section 5.3 at the paper's size, 900 spins: `python -m pmp_kit.course.experiments.zeros.full_size` learns it.

Learning and testing take eleven hours on two cores, so the notebook shows stored results: the evaluation of each
method's samples after 5 to 100 sweeps (Figure 1, right), and some samples (Figure 4, middle).
"""

import argparse
import pathlib
from functools import cache
from typing import NamedTuple

import jax
import numpy as np

from ....measures import mmd as metrics
from ....measures.errors import mean_and_error
from ....models import Ising
from ... import data
from . import learn, trained

FILE = data.FOLDER / "zeros_full.npz"
SIDE, SHOWN = 30, 12
NUMBERS = "log MMD^2", "kept out", "null"


class Run(NamedTuple):
    """The results of all methods at the paper's size."""

    tested: dict[str, list[dict]]
    """Method -> one result of `learn.test` per seed, without samples; also "steps" and "seconds" of learning.

    "seconds a sweep" comes from a separate timing run, in which only one method runs at a time."""
    samples: dict[str, np.ndarray]
    """Method -> the first 12 samples of the first seed."""
    floor: dict
    """The result of `learn.floor`."""
    pixels: dict
    """The result of `learn.judge` for independent pixels."""
    words: str
    """A description of the sizes."""


def learned(seed: int) -> Run:
    """Learn with each method, and evaluate its samples. PMP_KIT_LEDGER is the folder of finished pieces."""
    tested, learning, words = trained.evaluate("paper", seed)
    images, held_out, _ = learn.outlines(learn.SIZES["paper"])
    number = learn.SIZES["paper"].samples
    pixels = np.asarray(metrics.independent_pixels(jax.random.key(seed), images, number))
    numbers = {}
    for method, runs in learning.items():
        model = Ising(runs[0]["weight"], runs[0]["bias"], images.shape[1:])
        _, pace = learn.draw(jax.random.key(seed), model, method, 3 * learn.TOGETHER, learn.SHOWN)
        numbers[method] = [
            {name: test[name] for name in NUMBERS}
            | {name: run[name] for name in ("steps", "seconds")}
            | {"seconds a sweep": pace}
            for test, run in zip(tested[method], runs, strict=True)
        ]
    samples = {method: tests[0]["samples"][:SHOWN] for method, tests in tested.items()}
    return Run(numbers, samples, learn.floor(images, held_out, number), learn.judge(pixels, images, held_out), words)


@cache
def load() -> Run:
    """Read the stored result of `learned`."""
    arrays, about = data.read(FILE)
    rows = data.by_row(arrays)
    floor, pixels = rows.pop("floor"), rows.pop("pixels")
    tested = {
        method: [{name: values[seed] for name, values in row.items()} for seed in range(len(row["steps"]))]
        for method, row in rows.items()
    }
    samples = dict(zip(tested, data.unpacked(arrays["images"], SIDE), strict=True))
    return Run(tested, samples, floor, pixels, about["sizes"])


def table(tested: dict[str, list[dict]]) -> str:
    """Return MMD^2 at scale 10, in standard deviations of a perfect sampler, for each method and number of sweeps.

    Args:
        tested: method -> one result of `learn.test` per seed. Numbers after +- are standard errors over seeds.
    """
    lines = [f"{'sweeps':30}" + "".join(f"{sweeps:>12}" for sweeps in learn.SWEEPS)]
    for method, runs in tested.items():
        cells = []
        for sweeps in learn.SWEEPS:
            value, error = mean_and_error(learn.far(runs, sweeps))
            cells.append(f"{value:.1f}" + ("" if error is None else f" ± {error:.1f}"))
        lines.append(f"{method:30}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Learn, evaluate, and write the file. Set PMP_KIT_LEDGER to be able to resume an interrupted run."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.zeros.full_size", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=FILE)
    parser.add_argument("--seed", type=int, default=learn.SEEDS[0])
    options = parser.parse_args(arguments)
    run = learned(options.seed)
    rows: dict[str, dict] = {
        method: {name: np.stack([one[name] for one in runs]) for name in runs[0]} for method, runs in run.tested.items()
    }
    rows |= {"floor": run.floor, "pixels": run.pixels}
    images = data.packed(np.stack(list(run.samples.values())))
    about = {"made by": parser.prog, "seed": options.seed, "methods": list(run.tested), "sizes": run.words}
    data.write(options.output, data.single(data.flat(rows) | {"images": images}), about)


if __name__ == "__main__":
    main()
