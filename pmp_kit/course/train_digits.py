"""Train the included RBM of real digits, data/digits_rbm.npz: `make train`.

The model is the RBM of Section 5.5 for scikit-learn's digits in 16 x 16 pixels. Algorithm 1 trains it with PMP alone.
Every fifth digit is held out. The maximum mean discrepancy (MMD) between samples and held-out digits is compared with
two references: other real digits, and independent pixels with the same mean values.
"""

import argparse
import pathlib

import jax
import numpy as np

from ..learning.fit import fit
from ..measures import mmd as metrics
from ..models import RBM, rbm
from ..sample import sample
from ..samplers import PMP, PerturbAndMAP
from ..solvers import Alternating
from . import data, datasets

OUTPUT = data.FOLDER / "digits_rbm.npz"
SETTINGS = {"seed": 0, "hidden": 200, "steps": 1500, "rate": 0.01, "batch_size": 100, "num_sweeps": 40, "damping": 0.4}
SIZE = 16  # pixels of a side of an image
SAMPLES = 1000  # number of samples for the comparison with held-out digits


def split() -> tuple[dict, dict]:
    """Return the training digits, and the held-out digits (every fifth one)."""
    images = datasets.digits(size=SIZE)["v"]
    held_out = np.arange(len(images)) % 5 == 0
    return {"v": images[~held_out]}, {"v": images[held_out]}


def sampler(settings: dict) -> PerturbAndMAP:
    """Return the sampler of training, which the notebooks also use. It returns the last decoded state, not the best."""
    return PMP(damping=settings["damping"], keep_best=False, tolerance=1e-3, schedule=Alternating())


def train(settings: dict) -> RBM:
    """Fit the RBM with Adam and a cosine learning rate that falls to zero."""
    import optax

    start, key = jax.random.split(jax.random.key(settings["seed"]))
    images, _ = split()
    result = fit(
        key,
        rbm(start, visible=(SIZE, SIZE), hidden=settings["hidden"]),
        images,
        sampler(settings),
        optimizer=optax.adam(optax.cosine_decay_schedule(settings["rate"], settings["steps"])),
        steps=settings["steps"],
        batch_size=settings["batch_size"],
        num_sweeps=settings["num_sweeps"],
    )
    return result.model


def quality(model: RBM, settings: dict) -> dict[str, list[metrics.Discrepancy]]:
    """Return MMD^2 to the held-out digits for samples of the model, real digits, and independent pixels."""
    images, held_out = split()
    draw, pixels = jax.random.split(jax.random.key(settings["seed"] + 1))
    rows = {
        "PMP samples": sample(draw, model, sampler(settings), num_samples=SAMPLES, num_sweeps=50),
        "real digits": images,
        "independent pixels": metrics.independent_pixels(pixels, images, SAMPLES),
    }
    return {name: metrics.mmd_panel(row, held_out) for name, row in rows.items()}


def save(model: RBM, path: pathlib.Path, settings: dict, panels: dict) -> None:
    """Write the weights, with the training settings and the values of MMD^2 as JSON."""
    measured = {name: {f"scale {row.scale:g}": row.u for row in rows} for name, rows in panels.items()}
    about = {
        "data": "scikit-learn digits enlarged to 16 x 16, grey >= 7, without every fifth image",
        "made by": "python -m pmp_kit.course.train_digits",
        "settings": settings,
        "MMD^2, U-statistic, against every fifth image": measured,
    }
    data.write_rbm(path, model, about)


def main(arguments: list[str] | None = None) -> None:
    """Train, print the comparison, and write the file. `arguments` replace those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.train_digits", description=train.__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=OUTPUT, help="where to write the weights")
    parser.add_argument("--steps", type=int, default=SETTINGS["steps"], help="gradient steps")
    options = parser.parse_args(arguments)
    settings = SETTINGS | {"steps": options.steps}
    model = train(settings)
    panels = quality(model, settings)
    print("MMD^2 to held-out digits (and standard deviations of a perfect sampler)")
    for name, rows in panels.items():
        print(f"  {name:20}" + "".join(f"   scale {r.scale:g}: {r.u:9.2e} ({r.sigmas:5.1f})" for r in rows))
    save(model, options.output, settings, panels)


if __name__ == "__main__":
    main()
