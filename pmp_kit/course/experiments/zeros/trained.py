"""The pretrained models of Section 5.3, and the command that trains them.

A file stores the upper triangle of the weights, rounded to integer multiples of 1/127 of the largest weight, and the
training settings.
"""

import argparse
import json
import pathlib

import numpy as np

from ....models import Ising
from ... import data
from .. import pieces
from . import learn

SIZE_OF = {"quick": "small", "paper": "paper"}
"""Profile of the notebook -> name of its size."""
QUICK_SAMPLES, TINY_SAMPLES = 200, 60


def file_name(size: str, method: str) -> str:
    """Return the file name of a model."""
    return f"zeros_{size}_{method.replace(', ', '_').replace('-', '_').lower()}.npz"


def available(size: str) -> list[str]:
    """Return the methods with a pretrained model of this size."""
    return [method for method in learn.METHODS if (data.FOLDER / file_name(size, method)).is_file()]


def load(size: str, method: str) -> Ising:
    """Load a pretrained model.

    Args:
        size: one of `learn.SIZES`; "small" has 10 x 10 spins.
        method: one of `available(size)`.
    """
    if method not in available(size):
        raise ValueError(f"method: expected one of {', '.join(available(size))} of size {size!r}, got {method!r}")
    arrays, _ = data.read(data.FOLDER / file_name(size, method), ("bias", "shape", "upper", "largest"))
    bias, shape = np.asarray(arrays["bias"], np.float32), tuple(int(side) for side in arrays["shape"])
    weight = np.zeros((bias.size, bias.size), np.float32)
    weight[np.triu_indices(bias.size, 1)] = arrays["upper"] * (float(arrays["largest"]) / data.LEVELS)
    return Ising(weight + weight.T, bias, shape)


def about(size: str, method: str) -> dict:
    """Return the training settings of a pretrained model."""
    return data.read(data.FOLDER / file_name(size, method))[1]


def evaluate(profile: str, seed: int) -> tuple[dict[str, list[dict]], dict[str, list[dict]], str]:
    """Run the comparison of Section 5.3.

    Args:
        profile: "quick" tests the small pretrained models. "paper" trains models of the paper's size first.
        seed: seed of the test. In the paper profile, it is also the first seed of learning.

    Returns:
        Method -> one result of `learn.test` per seed; method -> "steps" and "seconds" of learning, "weight" and "bias"
        per seed; a description of the sizes.
    """
    size = SIZE_OF[profile]
    if profile == "quick":
        return *_tested(size, seed, QUICK_SAMPLES), _words(size, QUICK_SAMPLES)
    settings = {
        f"{method}, seed {s}": {"method": method, "size": size, "seed": s}
        for method, number in learn.NUMBER_OF_SEEDS.items()
        for s in range(seed, seed + number)
    }
    runs, tested = {}, {}
    for chosen, run in zip(settings.values(), pieces(learn.run, settings).values(), strict=True):
        test = {name.removeprefix("test: "): value for name, value in run.items() if name.startswith("test: ")}
        runs.setdefault(chosen["method"], []).append(run)
        tested.setdefault(chosen["method"], []).append(test)
    return tested, runs, _words(size, learn.SIZES[size].samples)


def linear_program(seed: int) -> tuple[dict[str, list[dict]], dict[str, list[dict]], str]:
    """Compare PMP with linear programming (LP) at a size that LP can solve. Returns: as `evaluate`."""
    return *_tested("tiny", seed, TINY_SAMPLES), _words("tiny", TINY_SAMPLES)


def _tested(size: str, seed: int, samples: int) -> tuple[dict[str, list[dict]], dict[str, list[dict]]]:
    """Test the pretrained models of a size."""
    sizes = learn.SIZES[size]._replace(samples=samples)
    learned, held_out, _ = learn.outlines(sizes)
    tested, trained = {}, {}
    for method in available(size):
        model, made = load(size, method), about(size, method)
        tested[method] = [learn.test(method, sizes, seed, model.weight, model.bias, learned, held_out)]
        run = {"steps": made["settings"]["steps"], "seconds": made["seconds of training"]}
        trained[method] = [run | {"weight": model.weight, "bias": model.bias}]
    return tested, trained


def _words(size: str, samples: int) -> str:
    sizes = learn.SIZES[size]
    learned, held_out, source = learn.outlines(sizes)
    return (
        f"{learned[0].size} spins, {len(learned)} images to learn from, {len(held_out)} held out ({source}); "
        f"{sizes.chains} chains x {sizes.sweeps} sweeps a step, {samples} samples"
    )


def save(path: pathlib.Path, result: dict, shape: tuple[int, int], made: dict) -> None:
    """Write a result of `learn.train` with int8 weights and float16 biases."""
    weight = np.asarray(result["weight"])[np.triu_indices(len(result["bias"]), 1)]
    largest = float(np.abs(weight).max())
    arrays = {
        "upper": np.rint(weight / largest * data.LEVELS).astype(np.int8),
        "largest": np.float32(largest),
        "bias": np.asarray(result["bias"], np.float16),
        "shape": np.array(shape),
    }
    data.write(path, arrays, made)


def main(arguments: list[str] | None = None) -> None:
    """Train a model with one method and write it. `arguments` replace those of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pmp_kit.course.experiments.zeros.trained", description=main.__doc__
    )
    parser.add_argument("size", choices=list(learn.SIZES))
    parser.add_argument("method", choices=list(learn.METHODS))
    parser.add_argument("--steps", type=int, help="gradient steps, by default those of the size")
    parser.add_argument("--seed", type=int, default=learn.SEEDS[0])
    parser.add_argument("--folder", type=pathlib.Path, default=data.FOLDER, help="where to write the model")
    options = parser.parse_args(arguments)
    size = learn.SIZES[options.size]
    if options.steps is not None:
        size = size._replace(steps=size.steps | {options.method: options.steps})
    learned, held_out, source = learn.outlines(size)
    result = learn.train(options.method, size, options.seed, learned)
    tested = learn.test(options.method, size, options.seed, result["weight"], result["bias"], learned, held_out)
    made = {
        "made by": f"python -m pmp_kit.course.experiments.zeros.trained {options.size} {options.method!r}",
        "data": source,
        "settings": {"steps": result["steps"], "rate": size.rate, "chains": size.chains, "sweeps": size.sweeps}
        | {"seed": options.seed},
        "seconds of training": round(result["seconds"], 1),
        "log MMD^2 (V-statistic, against the images of learning) at 5, 10, 25, 50, 100 sweeps": [
            round(value, 2) for value in tested["log MMD^2"].tolist()
        ],
    }
    path = options.folder / file_name(options.size, options.method)
    save(path, result, learned.shape[1:], made)
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
