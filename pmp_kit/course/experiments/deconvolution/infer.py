"""Section 5.6, blind deconvolution: infer the features of images and their locations from the images alone.

Inference has three stages. Stage 1 infers the features from a few images with several starts, and keeps the start of
lowest energy. With many images, the beliefs of the features saturate too early. Stage 2 observes these features and
infers the locations in all images, independently for each image. Stage 3 adds features where they fit and cover
uncovered ink (`drawing.polish`).
"""

import itertools
import time
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Int

from .... import FREE, PMP, Alternating, Gumbel, blind_deconvolution, sample
from ....graph import FactorGraph
from ....measures.errors import mean_and_error
from . import drawing

SIZES = {
    "quick": {"images": 20, "few": 20, "starts": 2, "sweeps": 120},
    "paper": {"images": 100, "few": 25, "starts": 4, "sweeps": 250},
}
"""Number of images, of images in stage 1, of starts, and the maximum number of sweeps of a stage."""
FEATURES, WINDOW = 5, drawing.WINDOW
RATES = {"feature_rate": 0.25, "location_rate": 0.01}
DAMPING = 0.8
CERTAIN, WRONG_PIXEL = 1e3, 10.0
"""Log-odds of an observed pixel; energy of a wrong pixel in the comparison of starts, in nats. A larger energy would
favour fragments, which cover all ink, over whole shapes, which cannot reach the border."""


def padded(images: Int[np.ndarray, "N H W"], margin: int) -> Int[np.ndarray, "N H2 W2"]:
    """Return the images with a border of unobserved pixels, so that features can extend beyond the edge."""
    return np.pad(images, ((0, 0), (margin, margin), (margin, margin)), constant_values=FREE)


def model(images, features: int = FEATURES, window=WINDOW, flips: float = 0.0, rates=None) -> FactorGraph:
    """Build the model of Section 5.6 with the priors of the authors' code. The unaries of X encode the images.

    Args:
        flips: the probability that an observed pixel is flipped. If it is 0, the log-odds are `CERTAIN`.
        rates: the two prior arguments of `blind_deconvolution`.
    """
    clean = blind_deconvolution(len(images), images.shape[1:], features, window, **(rates or RATES))
    doubt = CERTAIN if flips == 0 else float(np.log1p(-flips) - np.log(flips))
    seen = np.where(images == FREE, 0.0, doubt * (2.0 * images - 1.0))
    return with_unaries(clean, dict(split(clean), X=seen))


def split(graph: FactorGraph) -> dict:
    """Return the log-odds of each block."""
    odds = np.asarray(graph.planes()[0])
    return {name: odds[graph.variables[name]] for name in graph.variables.names}


def with_unaries(graph: FactorGraph, unaries: dict) -> FactorGraph:
    """Return a graph with the same factors and other log-odds."""
    return FactorGraph(graph.variables, graph.factors, unaries)


def sampler():
    """Return PMP that updates layer by layer, as in the authors' code.

    It returns the last decoded state, because the first decoded states do not explain the images.
    """
    return PMP(damping=DAMPING, schedule=Alternating(), keep_best=False)


def find(key, images, graph: FactorGraph, *, starts: int, sweeps: int, w=None) -> dict:
    """Run PMP from several starts, and select the start of lowest energy. If `w` is given, the features are observed.

    Returns: "W" and "S" of the best start; "energies" of all starts.
    """
    evidence = {} if w is None else {"W": w}
    drawn = sample(key, graph, sampler(), num_samples=starts, num_sweeps=sweeps, evidence=evidence)
    energies = np.array([energy(images, *pair) for pair in zip(drawn["W"], drawn["S"], strict=True)])
    best = energies.argmin()
    return {"W": drawn["W"][best] > 0, "S": drawn["S"][best] > 0, "energies": energies}


def energy(images, w, s) -> float:
    """Return minus the log-prior of features and locations (up to a constant) plus WRONG_PIXEL for each wrong pixel."""
    wrong = drawing.wrong(images, drawing.draw(w, s)).sum()
    return float(drawing.PIXEL * w.sum() + drawing.LOCATION * s.sum() + WRONG_PIXEL * wrong)


def run(images, seed: int, *, margin: int = 0, few: int = 25, starts: int = 4, sweeps: int = 250, **options) -> dict:
    """Run all three stages with one seed.

    Args:
        images: (N, H, W), as an array or nested lists.
        margin: unobserved pixels around each image; 0 is the paper's setting.
        few, starts, sweeps: as in SIZES.
        options: options of `model`.

    Returns: features "W" and locations "S" after stage 2, "polished W" and "polished S" after stage 3, and their
        "score" and "polished score", each a `drawing.Score`; "energies" of the starts; "seconds" of the stages.
    """
    images, clock = padded(np.asarray(images), margin), [time.perf_counter()]
    one, two = jax.random.split(jax.random.key(seed))
    found = find(one, images[:few], model(images[:few], **options), starts=starts, sweeps=sweeps)
    clock.append(time.perf_counter())
    located = find(two, images, model(images, **options), starts=starts, sweeps=sweeps, w=found["W"])
    clock.append(time.perf_counter())
    w, s = drawing.polish(images, found["W"], move=margin == 0)
    clock.append(time.perf_counter())
    kept = {"W": found["W"], "S": located["S"], "score": drawing.score(images, found["W"], located["S"])}
    kept |= {"polished W": w, "polished S": s, "polished score": drawing.score(images, w, s)}
    return kept | {"energies": found["energies"], "seconds": np.diff(clock)}


def perturbed(key, graph: FactorGraph, times: float = 1.0) -> FactorGraph:
    """Return the model with PMP's noise added. The prior and the noise of the locations are multiplied by `times`.

    The authors' code counts them once for each of the 36 pixels of a window, so the prior is 1e-72 instead of 0.01.
    """
    own, noise = split(graph), Gumbel().draw_log_odds(key, (1, graph.variables.count), jnp.float32)[0]
    w, s = (own[name] + noise[graph.variables[name]] for name in "WS")
    return with_unaries(graph, {"W": w, "S": times * s, "X": own["X"]})


def authors_variant(images, seed: int, *, sweeps: int = 1000, times: float = 36.0, copies: int = 1) -> dict:
    """Sample as the authors' code: one start, all images at once, damping 0.5. All `copies` samples are equal."""
    images = np.asarray(images)
    graph = perturbed(jax.random.key(seed), model(images), times)
    how = PMP(0.5, keep_best=False, schedule=Alternating(), noise=Gumbel(0.0))
    drawn = sample(jax.random.key(0), graph, how, num_samples=copies, num_sweeps=sweeps)
    w, s = drawn["W"][0] > 0, drawn["S"][0] > 0
    return {"W": w, "S": s, "score": drawing.score(images, w, s), "sweeps": drawn.sweeps[0]}


def table(runs: dict, seeds) -> str:
    """Return a table of scores, with a line for each run before and after stage 3.

    Args:
        runs: name of a setting -> one result of `run` per seed.
    """
    lines = []
    for name, found in runs.items():
        for seed, one in zip(seeds, found, strict=True):
            for stage in ("score", "polished score"):
                pixels, _, exact, shapes, places = one[stage]
                told = f"{100 * pixels:6.2f} % of pixels, {100 * exact:3.0f} % of images exact, {shapes:.0f} shapes"
                told += f", {places:5.2f} places an image, {one['seconds'].sum():.0f} s"
                lines.append(f"({name}) seed {seed} {stage.removesuffix('score'):9}{told}")
    return "\n".join(lines)


COLUMNS = {"pixels right, %": 0, "images exact, %": 2, "shapes recovered, of 4": 3}
"""Name of a number -> its place in `drawing.Score`."""
TARGETS = {("a", "pixels right, %"): 95.7, ("a", "images exact, %"): 19, ("b", "pixels right, %"): 99}
"""What every seed must reach. Those of (a) are the results of the authors' code."""


def records(runs: dict, size: str) -> Iterator[dict]:
    """Yield the arguments of `record`: means over seeds, and what the worst seed lacks if the number has a target.

    Args:
        runs: as for `table`.
        size: a short description of the size of the run.
    """
    for (stage, words), name in itertools.product({"score": "", "polished score": ", polished"}.items(), runs):
        for title, column in COLUMNS.items():
            values = np.array([one[stage][column] for one in runs[name]]) * (1 if title.startswith("shapes") else 100)
            mean, error = mean_and_error(values)
            row = {"name": f"({name}) {title}{words}", "value": mean, "error": error, "size": size}
            yield row | {"method": f"PMP{words}"}
            if (name, title) in TARGETS:
                limit = 100 - TARGETS[name, title]
                worst = {"name": f"{row['name']}: missing in the worst seed", "value": 100 - values.min()}
                yield worst | {"at_most": limit, "size": size}


def by_enumeration(kind: str, parents, output: float, on: bool) -> float:
    """Return the maximum score of an AND or OR with one parent fixed, over the other parents and the output.

    Args:
        parents: log-odds of the other parents.
        output: log-odds of the output.
    """
    choices = np.array(list(np.ndindex(*(2,) * len(parents))))
    result = (choices.any(1) | on) if kind == "OR" else (choices.all(1) & on)
    return float((choices @ np.asarray(parents) + output * result).max())
