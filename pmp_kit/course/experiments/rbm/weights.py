"""Train the RBMs of Section 5.5: `python -m pmp_kit.course.experiments.rbm.weights METHOD` writes pmp_kit/course/data.

The paper trains for 120,000 steps of plain gradient ascent on a GPU. This module trains for fifteen minutes on two
cores, so it uses Adam with a cosine learning rate, and visible biases that start at the log-odds of each pixel's mean.
All methods share these settings. They differ only in the sampler of the negative phase and in its cost: see METHODS.
Persistent contrastive divergence (PCD) with one sweep is also trained with a constant learning rate, as in the paper.
"""

import argparse
import pathlib
import time

import jax
import numpy as np

from ....learning.state import FitResult, TrainingState
from ....storage import save
from ... import data
from . import learn

SETTINGS = {"seed": 0, "hidden": 64, "rate": 0.02, "batch_size": 100}
METHODS = {
    "PMP": {"steps": 1000, "num_sweeps": 15, "num_chains": 20},
    "Gibbs-reset": {"steps": 600, "num_sweeps": 100, "num_chains": 25},
    "PCD-1": {"steps": 4000, "num_sweeps": 1, "num_chains": 100},
    "PCD-1 constant": {"steps": 2000, "num_sweeps": 1, "num_chains": 100, "constant": True},
    "PCD-100": {"steps": 600, "num_sweeps": 100, "num_chains": 25},
}


def train(method: str, settings: dict, resume=None, minutes: float = np.inf) -> FitResult:
    """Train with one method for at most `minutes`. `resume` is the state file of an interrupted run."""
    import optax

    falling = optax.cosine_decay_schedule(settings["rate"], settings["steps"])
    rate = settings["rate"] if settings.get("constant") else falling
    until = time.monotonic() + 60 * minutes

    def watch(state: TrainingState) -> bool:
        if state.step % 100 == 0:
            print(f"{method}: step {state.step}, moments differ by {float(state.gap):.5f}", flush=True)
        return time.monotonic() > until

    return learn.learn(
        jax.random.key(settings["seed"]),
        learn.split(learn.STORED)[0],
        method,
        optimizer=optax.adam(rate),
        resume=resume,
        callback=watch,
        **{name: settings[name] for name in ("hidden", "steps", "batch_size", "num_sweeps", "num_chains")},
    )


def main(arguments: list[str] | None = None) -> None:
    """Train, and write the weights. With --state, the training state is written too, so that a run can be resumed."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.rbm.weights", description=__doc__)
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("--folder", type=pathlib.Path, default=data.FOLDER, help="where to write the weights")
    parser.add_argument("--state", type=pathlib.Path, help="file of the training state, to stop and go on")
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after so many, and keep the state")
    parser.add_argument("--steps", type=int, help="gradient steps, instead of the method's own")
    options = parser.parse_args(arguments)
    settings = SETTINGS | METHODS[options.method]
    settings |= {"steps": options.steps or settings["steps"]}
    resume = options.state if options.state is not None and options.state.exists() else None
    began = time.monotonic()
    result = train(options.method, settings, resume, options.minutes)
    done = 0 if result.state is None else result.state.step
    if options.state is not None and result.state is not None:
        save(options.state, result.state)
    about = {
        "data": f"MNIST test images ({learn.STORED!r}) without every fifth image of each digit",
        "made by": f"python -m pmp_kit.course.experiments.rbm.weights {options.method}",
        "settings": settings | {"steps done": done},
        "seconds of the last run": round(time.monotonic() - began),
    }
    path = options.folder / f"{learn.WEIGHTS[options.method]}.npz"
    data.write_rbm(path, result.model, about)
    print(f"{done} of {settings['steps']} steps")


if __name__ == "__main__":
    main()
