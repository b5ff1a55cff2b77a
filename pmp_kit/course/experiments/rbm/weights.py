"""Train the RBMs of Section 5.5: `python -m pmp_kit.course.experiments.rbm.weights METHOD` writes pmp_kit/course/data.

The paper trains for 120,000 steps of plain gradient ascent on a GPU. This module trains each RBM for BUDGET seconds of
processor time (CPU seconds), so it uses Adam with a cosine learning rate that reaches zero at the last step, and
visible biases that start at the log-odds of each pixel's mean. All methods share these settings and the budget. They
differ only in the sampler of the negative phase. Its cost determines how many steps fit into the budget: see METHODS.
Persistent contrastive divergence (PCD) with one sweep is also trained with a constant learning rate, as in the paper.

The numbers of steps were measured once with `--measure`, which prints the steps that fit into the budget, and are kept
in METHODS. So every machine trains the same weights, up to rounding, in more or less time.
Other work on a machine makes steps slower: the included weights took the CPU seconds that their files state.
"""

import argparse
import pathlib
import time

import jax
import numpy as np

from ....models import RBM
from ... import data
from . import learn

BUDGET = 120  # CPU seconds
MEASURED = 1000  # steps whose cost is measured
SETTINGS = {"seed": 0, "hidden": 64, "rate": 0.02, "batch_size": 100}
METHODS = {
    "PMP": {"steps": 10_600, "num_sweeps": 20, "num_chains": 50},
    "Gibbs-reset": {"steps": 5_500, "num_sweeps": 100, "num_chains": 25},
    "PCD-1": {"steps": 54_000, "num_sweeps": 1, "num_chains": 100},
    "PCD-1 constant": {"steps": 54_000, "num_sweeps": 1, "num_chains": 100, "constant": True},
    "PCD-100": {"steps": 5_500, "num_sweeps": 100, "num_chains": 25},
}


def train(method: str, settings: dict) -> tuple[RBM, np.ndarray]:
    """Train with one method.

    Returns: the model, and the CPU seconds of each step after the first two, which compile.
    """
    import optax

    falling = optax.cosine_decay_schedule(settings["rate"], settings["steps"])
    rate = settings["rate"] if settings.get("constant") else falling
    clock: list[float] = []

    def watch(state) -> None:
        gap = float(state.gap)  # waits for the end of the step
        clock.append(time.process_time())
        if state.step % 1000 == 0:
            print(f"{method}: step {state.step}, moments differ by {gap:.5f}", flush=True)

    result = learn.learn(
        jax.random.key(settings["seed"]),
        learn.split(learn.STORED)[0],
        method,
        optimizer=optax.adam(rate),
        callback=watch,
        **{name: settings[name] for name in ("hidden", "steps", "batch_size", "num_sweeps", "num_chains")},
    )
    return result.model, np.diff(clock)[1:]


def main(arguments: list[str] | None = None) -> None:
    """Train, and write the weights; or print how many steps fit into the budget."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.rbm.weights", description=__doc__)
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("--folder", type=pathlib.Path, default=data.FOLDER, help="where to write the weights")
    parser.add_argument("--steps", type=int, help="gradient steps, instead of the method's own")
    parser.add_argument("--measure", action="store_true", help="print how many steps fit into the budget, and stop")
    options = parser.parse_args(arguments)
    settings = SETTINGS | METHODS[options.method]
    if options.measure:
        _, seconds = train(options.method, settings | {"steps": MEASURED + 2})
        print(f"{options.method}: {BUDGET / seconds.mean():.0f} steps in {BUDGET} CPU seconds")
        return
    settings |= {"steps": options.steps or settings["steps"]}
    model, seconds = train(options.method, settings)
    about = {
        "data": f"MNIST test images ({learn.STORED!r}) without every fifth image of each digit",
        "made by": f"{parser.prog} {options.method}",
        "settings": settings,
        "budget in CPU seconds": BUDGET,
        "CPU seconds": round(float(seconds.sum())),
    }
    data.write_rbm(options.folder / f"{learn.WEIGHTS[options.method]}.npz", model, about)
    print(f"{settings['steps']} steps, {seconds.sum():.0f} CPU seconds")


if __name__ == "__main__":
    main()
