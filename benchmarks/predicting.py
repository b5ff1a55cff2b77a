"""Predict the times of random settings, then measure them. Run it with `python benchmarks/predicting.py`.

The settings are those of the run-time explorer (page 16), with sizes and chains between those of its table. It
prints a row for each, and judges: 18 of 20 measured times are within a factor of 1.5 of the predicted ones. On a busy
machine the predictions are wrong, because the load changes between the yardstick and the run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from pmp_kit.course.experiments.speed import costs
from pmp_kit.course.experiments.speed.costs import CHAINS, MODELS, SAMPLERS, SIZES, Setting
from pmp_kit.course.explore.speed.compute import FACTOR, SWEEPS, words
from pmp_kit.course.explore.speed.runner import Runner

SETTINGS, GOOD = 20, 0.9  # settings that are drawn; share of them within the factor


def settings(number: int, seed: int) -> Iterator[Setting]:
    """Draw settings; logarithms of sizes and chains are uniform."""
    draw = np.random.default_rng(seed)
    for _ in range(number):
        model, sampler = draw.choice(list(MODELS)), draw.choice(list(SAMPLERS))
        size, chains = (int(np.exp(draw.uniform(*np.log([ends[0], ends[-1]])))) for ends in (SIZES, CHAINS))
        yield Setting(str(model), str(sampler), round(size**0.5) ** 2 if model == "lattice" else size, chains)


def measured(setting: Setting) -> Runner:
    """Run a setting as the explorer does."""
    runner = Runner(setting)
    while not runner.over:
        runner.step()
    return runner


def met(ratios: Sequence[float]) -> bool:
    """Return whether enough ratios of measured and predicted times are within the factor."""
    return bool((np.abs(np.log(ratios)) <= np.log(FACTOR)).mean() >= GOOD)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Returns 1 if the predictions are not good enough, and 0 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=SETTINGS, help="settings to draw")
    parser.add_argument("--seed", type=int, default=0, help="of the settings")
    options = parser.parse_args(arguments)
    for name, yardstick in costs.yardsticks("cpu").items():
        print(f"{name}: {yardstick.factor:.2f} times the time of the table's machine", flush=True)
    ratios = []
    for setting in settings(options.number, options.seed):
        predicted, runner = costs.predict(setting, SWEEPS), measured(setting)
        ratios.append(runner.seconds / predicted)
        place = f"{setting.model:14}{setting.sampler:22}{setting.size:5} variables {setting.samples:4} samples"
        times = f"predicted {words(predicted):>7}, measured {words(runner.seconds):>7} ({runner.sweeps:3} sweeps)"
        print(f"{place}  {times}  ratio {ratios[-1]:.2f}", flush=True)
    within = int((np.abs(np.log(ratios)) <= np.log(FACTOR)).sum())
    verdict = "met" if met(ratios) else "MISSED"
    print(f"{within} of {len(ratios)} within a factor of {FACTOR}: {verdict}")
    return 0 if met(ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
