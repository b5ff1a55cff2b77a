"""Draw from the RBMs of Section 5.5: `python -m pmp_kit.course.experiments.rbm.samples` writes pmp_kit/course/data.

The file lets the notebook run without MNIST. It has some samples of each method after 1, 2, ... 2000 sweeps, the
evaluation of all samples (Figure 3, left), and a small classifier.
"""

from functools import cache

import jax
import numpy as np

from ....measures import mmd as metrics
from ... import data
from ...pretrained import pretrained
from ..ledger import piece
from . import coordinate_ascent, learn
from .sizes import SIZES

FILE = data.FOLDER / "mnist_rbm_samples.npz"
SWEEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 2000]
SIDE = 14  # of an image, in pixels
KEPT = 75  # stored samples of each method at each number of sweeps
NUMBER = {"PMP": 150, "Gibbs-reset": 400, "PCD-1": 400, "PCD-1 constant": 400, "PCD-100": 400}
MANY, MANY_SWEEPS = 10_000, 20  # PMP samples that are classified, and their sweeps
STILL = 1e-2  # tolerance of PMP, in nats
CONFIDENT = 0.5  # a digit is read with confidence if its probability is larger


def walk(method: str, seed: int, sweeps: list[int], number: int) -> dict:
    """Draw from pretrained weights after each number of sweeps. Returns: packed images and their evaluation."""
    model = pretrained(learn.WEIGHTS[method])
    rows = []
    for images in learn.draw(jax.random.key(seed), model, learn.sampler(method, STILL), sweeps, number):
        row = learn.judge(images, learn.STORED) | {"shares": learn.shares(images, learn.STORED)}
        rows.append(row | {"images": data.packed(images[:KEPT])})
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def many(method: str, seed: int, sweeps: int, number: int) -> dict:
    """Draw many samples from pretrained weights. Returns: the shares of the digits and the result of `learn.judge`."""
    model, draws = pretrained(learn.WEIGHTS[method]), learn.sampler(method)
    (images,) = learn.draw(jax.random.key(seed), model, draws, [sweeps], number)
    row = learn.judge(images, learn.STORED) | {"shares": learn.shares(images, learn.STORED)}
    return {f"{name} of many": value for name, value in row.items()} | {"sweeps of many": sweeps, "many": number}


def templates() -> dict:
    """Train a linear classifier (scikit-learn's logistic regression).

    Returns: its int8 weights, its accuracy on held-out images ("right"), and the shares of images that it reads with
        confidence: "confident real" of held-out images, "confident pixels" of independent pixels.
    """
    from sklearn.linear_model import LogisticRegression

    train, labels, held_out, truth = learn.split(learn.STORED)
    fitted = LogisticRegression(C=0.1, max_iter=400).fit(learn.flat(train), labels)
    scale = np.abs(fitted.coef_).max() / data.LEVELS
    weight = np.rint(fitted.coef_ / scale).astype(np.int8)
    arrays = {"template": weight, "template_scale": scale, "template_bias": fitted.intercept_}
    pixels = metrics.independent_pixels(jax.random.key(0), train, len(held_out))
    of_real, of_pixels = (_probabilities(arrays, images) for images in (held_out, pixels))
    return arrays | {
        "right": (of_real.argmax(1) == truth).mean(),
        "confident real": (of_real.max(1) > CONFIDENT).mean(),
        "confident pixels": (of_pixels.max(1) > CONFIDENT).mean(),
    }


def control() -> dict[str, np.ndarray]:
    """Return the stored result of `coordinate_ascent.crossed` at the quick size. A new run takes half a minute."""
    return {name.removeprefix("control "): x for name, x in load().items() if name.startswith("control ")}


@cache
def load() -> dict[str, np.ndarray]:
    """Read the stored samples: "images" (methods, sweeps, KEPT, height, width), and tables as in `walk`."""
    arrays, _ = data.read(FILE)
    return arrays | {"images": data.unpacked(arrays["images"], SIDE)}


def digits(images: np.ndarray) -> np.ndarray:
    """Return the digit that the small classifier predicts for each image, (N,)."""
    return _probabilities(load(), images).argmax(1)


def _probabilities(arrays: dict, images: np.ndarray) -> np.ndarray:
    """Return the probabilities of the digits by the classifier of `templates`, (N, 10)."""
    weight = arrays["template"].astype(np.float32) * arrays["template_scale"]
    scores = learn.flat(images) @ weight.T + arrays["template_bias"]
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def main() -> None:
    """Draw, evaluate, and write the file. Set PMP_KIT_LEDGER to be able to resume an interrupted run."""
    walks = [
        piece(f"walk {method}", walk, method=method, seed=0, sweeps=SWEEPS, number=NUMBER[method])
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
    arrays |= {"sweeps": np.array(SWEEPS)} | templates()
    arrays |= piece("many PMP", many, method="PMP", seed=1, sweeps=MANY_SWEEPS, number=MANY)
    crossed = piece("control quick", coordinate_ascent.crossed, seed=40, **SIZES["quick"]["control"])
    arrays |= {f"control {name}": np.asarray(value) for name, value in crossed.items()}
    arrays |= {f"floor {name}": np.array(value) for name, value in floor.items()}
    data.write(FILE, data.single(arrays), about)


if __name__ == "__main__":
    main()
