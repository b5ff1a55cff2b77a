"""Models that learned with few or many sweeps a step, and the errors of their samples after more sweeps, for page 08.

`python -m pmp_kit.course.explore.learning.results` learns all of them in a minute and stores their errors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ... import data
from .lesson import CHAINS_A_STEP, Lesson, learned, outlines

FILE = data.FOLDER / "zeros_sweeps.npz"
STEPS, SEEDS, DRAWN = 300, (0, 1, 2), (1, 2, 3, 5, 10, 20, 50, 100)
CALLS = 3  # of CHAINS_A_STEP samples each


class Run(NamedTuple):
    """How a model is learned."""

    sampler: str
    chains: str
    sweeps: int


RUNS = {
    "Gibbs, new chains": [Run("Gibbs", "reset", 3), Run("Gibbs", "reset", 20)],
    "Gibbs, kept chains": [Run("Gibbs", "persistent", 3)],
    "PMP, nothing kept": [Run("PMP", "reset", 3), Run("PMP", "reset", 20)],
}
"""Title of a panel -> its curves."""


def error(lesson: Lesson, run: Run, seed: int) -> np.ndarray:
    """Learn, then draw new samples after each number of sweeps in DRAWN, and return the error of their pairs.

    Returns:
        The root mean square difference from the data of how often both pixels of a pair are on, (DRAWN,).
    """
    now = learned(lesson, seed, ((*run, STEPS),))
    fresh = now._replace(chains=None)  # samples begin at random pixels, also after learning with kept chains
    rows = []
    for sweeps in DRAWN:
        draws = [
            lesson.pairs(lesson.samples(fresh._replace(seed=seed + 1 + call), run._asdict() | {"sweeps": sweeps}))
            for call in range(CALLS)
        ]
        rows.append(np.sqrt(np.square(np.mean(draws, axis=0) - lesson.data_pairs).mean()))
    return np.array(rows)


def floor(lesson: Lesson) -> float:
    """Return the expected error of as many samples of a perfect sampler."""
    return float(np.sqrt((lesson.data_pairs * (1 - lesson.data_pairs)).mean() / (CALLS * CHAINS_A_STEP)))


def name(run: Run) -> str:
    """Return the name of the stored errors of a run."""
    return " ".join(map(str, run))


def main() -> None:
    """Learn all of RUNS with each of SEEDS, and write the file."""
    lesson = Lesson(outlines())
    arrays = {
        name(run): np.stack([error(lesson, run, seed) for seed in SEEDS]) for runs in RUNS.values() for run in runs
    }
    about = {"made by": "python -m pmp_kit.course.explore.learning.results", "steps": STEPS, "seeds": SEEDS}
    data.write(FILE, data.single(arrays | {"floor": np.array(floor(lesson))}), about)


if __name__ == "__main__":
    main()
