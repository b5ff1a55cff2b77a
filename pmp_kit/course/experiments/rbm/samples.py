"""Draw from the RBMs of Section 5.5: `python -m pmp_kit.course.experiments.rbm.samples` writes pmp_kit/course/data.

What pages show without MNIST at hand: some samples of each method after 1, 2, ... 2000 sweeps, what all of them score
(Figure 3, left), and a small classifier.
"""

import argparse
import pathlib
from functools import cache

import jax
import numpy as np

from ....measures import mmd as metrics
from ... import data
from ...pretrained import pretrained
from ..ledger import piece
from . import coordinate_ascent, learn
from .sizes import SIZES

FILE = data.file("mnist_rbm_samples.npz")
SWEEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 2000]
SIDE = 14  # of an image, in pixels
KEPT = 75  # samples to show, of each method at each number of sweeps
NUMBER = {"PMP": 150, "Gibbs-reset": 400, "PCD-1": 400, "PCD-1 constant": 400, "PCD-100": 400}
MANY, MANY_SWEEPS = 10_000, 20  # samples of PMP whose digits are counted
STILL = 1e-2  # nats: PMP's messages stand still
LEVELS = 127


def walk(method: str, seed: int, sweeps: list[int], number: int) -> dict:
    """Samples of stored weights after so many sweeps each: packed, with what they score and their digits."""
    model = pretrained(learn.WEIGHTS[method])
    rows: dict[str, list] = {"images": [], "u": [], "null": [], "log v": [], "authors": [], "shares": []}
    for images in learn.draw(jax.random.key(seed), model, learn.sampler(method, STILL), sweeps, number):
        row = learn.judge(images, learn.STORED) | {"shares": learn.shares(images, learn.STORED)}
        row["images"] = data.packed(images[:KEPT])
        for name, values in rows.items():
            values.append(row[name])
    return {name: np.array(values) for name, values in rows.items()}


def many(method: str, seed: int, sweeps: int, number: int) -> dict:
    """Shares of the ten digits among many samples of stored weights, and how far those are from kept-out images."""
    model, draws = pretrained(learn.WEIGHTS[method]), learn.sampler(method)
    (images,) = learn.draw(jax.random.key(seed), model, draws, [sweeps], number)
    row = learn.judge(images, learn.STORED) | {"shares": learn.shares(images, learn.STORED)}
    return {f"{name} of many": value for name, value in row.items()} | {"sweeps of many": sweeps, "many": number}


def templates() -> dict:
    """A linear classifier (logistic regression by scikit-learn) in a byte a weight, and how often it is right."""
    from sklearn.linear_model import LogisticRegression

    train, labels, kept_out, truth = learn.split(learn.STORED)
    fitted = LogisticRegression(C=0.01, max_iter=100).fit(learn.flat(train), labels)
    scale = np.abs(fitted.coef_).max() / LEVELS
    weight = np.rint(fitted.coef_ / scale).astype(np.int8)
    right = (learn.flat(kept_out) @ (weight.T * scale) + fitted.intercept_).argmax(1) == truth
    return {"template": weight, "template_scale": scale, "template_bias": fitted.intercept_, "right": right.mean()}


def control() -> dict[str, np.ndarray]:
    """What `coordinate_ascent.crossed` returned at the quick size: kept, for coordinate ascent takes a minute."""
    return {name.removeprefix("control "): x for name, x in load().items() if name.startswith("control ")}


@cache
def load() -> dict[str, np.ndarray]:
    """The stored samples: "images" (methods, sweeps, KEPT, height, width), and tables as in `walk`."""
    arrays, _ = data.read(FILE)
    return arrays | {"images": data.unpacked(arrays["images"], SIDE)}


def digits(images: np.ndarray) -> np.ndarray:
    """Which digit the small classifier takes each image for, (N,)."""
    arrays = load()
    weight = arrays["template"].astype(np.float32) * arrays["template_scale"]
    return (learn.flat(images) @ weight.T + arrays["template_bias"]).argmax(1)


def main(arguments: list[str] | None = None) -> None:
    """Draw, judge, and write the file. Set PMP_KIT_LEDGER to be able to stop and go on."""
    parser = argparse.ArgumentParser(prog="python -m pmp_kit.course.experiments.rbm.samples", description=__doc__)
    parser.add_argument("--output", type=pathlib.Path, default=FILE)
    parser.add_argument("--sweeps", type=int, nargs="*", default=SWEEPS)
    parser.add_argument("--many", type=int, default=MANY)
    parser.add_argument("--many-sweeps", type=int, default=MANY_SWEEPS)
    options = parser.parse_args(arguments)
    walks = [
        piece(f"walk {method}", walk, method=method, seed=0, sweeps=options.sweeps, number=NUMBER[method])
        for method in learn.METHODS
    ]
    arrays = {name: np.stack([walk[name] for walk in walks]) for name in walks[0]}
    floor = learn.floor(0, learn.STORED, NUMBER["PCD-1"])
    about = {
        "made by": "python -m pmp_kit.course.experiments.rbm.samples",
        "methods": learn.METHODS,
        "samples": NUMBER,
        "scales": metrics.SCALES,
        "classifier of the shares is right": learn.classifier(learn.STORED)[1],
    }
    arrays |= {"sweeps": np.array(options.sweeps)} | templates()
    arrays |= piece("many PMP", many, method="PMP", seed=1, sweeps=options.many_sweeps, number=options.many)
    crossed = piece("control quick", coordinate_ascent.crossed, seed=40, **SIZES["quick"]["control"])
    arrays |= {f"control {name}": np.asarray(value) for name, value in crossed.items()}
    arrays |= {f"floor {name}": np.array(value) for name, value in floor.items()}
    data.write(options.output, data.single(arrays), about)


if __name__ == "__main__":
    main()
