"""Models that learned with few or many sweeps a step, and their samples after more sweeps: a figure of page 08.

`python -m pmp_kit.course.explore.learning.results` learns all of them in a minute and stores their errors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....measures.errors import mean_and_error
from ... import data, plot
from ...plot.figure import Figure
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


def more_sweeps() -> Figure:
    """Draw the stored errors against the sweeps of drawing, for each of RUNS: the mean over seeds, and its error."""
    arrays, _ = data.read(FILE)
    canvas = plot.Canvas(700, 300)
    for number, (title, runs) in enumerate(RUNS.items()):
        axes = canvas.axes(0.085 + 0.315 * number, 0.19, 0.265, 0.58)
        axes.set(xscale="log", yscale="log", xlim=(1, 130), ylim=(0.008, 0.3))
        axes.set_xticks([1, 3, 20, 100], ["1", "3", "20", "100"])
        axes.set_yticks([0.01, 0.1], ["0.01", "0.1"] if number == 0 else ["", ""])
        axes.minorticks_off()
        axes.set_title(title, **plot.WRITING, loc="left")
        axes.set_xlabel("sweeps of drawing", **plot.WRITING)
        axes.axhline(float(arrays["floor"]), color=plot.TRUE, linewidth=1)
        for run in runs:
            _curve(axes, run, arrays[name(run)])
    canvas.figure.axes[0].set_ylabel("error of the pairs", **plot.WRITING)
    legend = "dashed: learned with 3 sweeps a step      solid: with 20      mark: as many sweeps as in learning"
    canvas.write(6, 20, legend)
    canvas.figure.axes[1].text(1.2, 0.0087, "perfect sampler", **plot.WRITING)
    words = "Error of the pairs of pixels against the sweeps of drawing, for models learned with 3 and with 20 sweeps"
    return Figure(canvas.png(), canvas.width, words)


def _curve(axes, run: Run, values: np.ndarray) -> None:
    """Draw one curve with its standard error; a mark stands at the number of sweeps with which the model learned."""
    style, (mean, error) = plot.METHODS[run.sampler], mean_and_error(values.T)
    axes.fill_between(DRAWN, mean - error, mean + error, color=style.colour, alpha=0.2, linewidth=0)
    axes.plot(DRAWN, mean, "--" if run.sweeps < 10 else "-", color=style.colour, linewidth=2)
    axes.plot([run.sweeps], [mean[DRAWN.index(run.sweeps)]], style.mark, color=style.colour, markersize=9)


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
