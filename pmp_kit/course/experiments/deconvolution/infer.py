"""Section 5.6, blind deconvolution: find the features of images, and where they are, from the images alone.

The recipe. (1) Find the features on a few of the images, from several starts, and keep the start of lowest energy: many
images at once push the features to a decision too early. (2) With these features observed, find the locations in all
images, each image by itself. (3) Where that leaves ink uncovered that a feature fits, put it there (`drawing.polish`).
"""

import time

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Int

from .... import FREE, PMP, Alternating, Gumbel, blind_deconvolution, sample
from ....graph import FactorGraph
from . import drawing

SIZES = {
    "quick": {"images": 20, "few": 20, "starts": 2, "sweeps": 120},
    "paper": {"images": 100, "few": 25, "starts": 4, "sweeps": 250},
}
"""How many images, how many of them in stage 1, starts, and the most sweeps of a stage."""
FEATURES, WINDOW = 5, (6, 6)
RATES = {"feature_rate": 0.25, "location_rate": 0.01}
DAMPING = 0.8
CERTAIN, WRONG_PIXEL = 1e3, 10.0
"""Log-odds of a pixel that is known; what a wrong one costs when starts are compared, in nats. There a large cost would
prefer fragments, which leave nothing out, to shapes that cannot reach a border."""


def padded(images: Int[np.ndarray, "N H W"], margin: int) -> Int[np.ndarray, "N H2 W2"]:
    """Images with a border of pixels that are not observed, so that features may reach over the edge."""
    return np.pad(images, ((0, 0), (margin, margin), (margin, margin)), constant_values=FREE)


def model(images, features: int = FEATURES, window=WINDOW, flips: float = 0.0, rates=None) -> FactorGraph:
    """The model of Section 5.6, with the priors of the authors' code; the images are in its unaries, as log-odds.

    Args:
        flips: the probability that a pixel is seen wrongly; 0 leaves no doubt.
        rates: the two priors, as `blind_deconvolution` takes them.
    """
    clean = blind_deconvolution(len(images), images.shape[1:], features, window, **(rates or RATES))
    doubt = CERTAIN if flips == 0 else float(np.log1p(-flips) - np.log(flips))
    seen = np.where(images == FREE, 0.0, doubt * (2.0 * images - 1.0))
    return with_unaries(clean, dict(split(clean), X=seen))


def split(graph: FactorGraph) -> dict:
    """Log-odds of every block."""
    odds = np.asarray(graph.planes()[0])
    return {name: odds[graph.variables[name]] for name in graph.variables.names}


def with_unaries(graph: FactorGraph, unaries: dict) -> FactorGraph:
    """The same factors with other log-odds."""
    return FactorGraph(graph.variables, graph.factors, unaries)


def sampler(damping: float = DAMPING):
    """Layer by layer, as the authors' code; the last decode, for the first ones explain nothing."""
    return PMP(damping=damping, schedule=Alternating(), keep_best=False)


def find(key, images, graph: FactorGraph, *, starts: int, sweeps: int, damping=DAMPING, w=None) -> dict:
    """PMP from several starts, and the one of lowest energy; with `w`, the features are observed.

    Returns: "W" and "S" of the best; "all W" and "energies" of all starts; "sweeps".
    """
    evidence = {} if w is None else {"W": w}
    drawn = sample(key, graph, sampler(damping), num_samples=starts, num_sweeps=sweeps, evidence=evidence)
    energies = np.array([energy(images, *pair) for pair in zip(drawn["W"], drawn["S"], strict=True)])
    best = energies.argmin()
    found = {"W": drawn["W"][best] > 0, "S": drawn["S"][best] > 0}
    return found | {"all W": drawn["W"] > 0, "energies": energies, "sweeps": drawn.sweeps}


def energy(images, w, s) -> float:
    """Minus the log-prior of features and locations, up to a constant, and WRONG_PIXEL for each wrong pixel."""
    wrong = drawing.wrong(images, drawing.draw(w, s)).sum()
    return float(drawing.PIXEL * w.sum() + drawing.LOCATION * s.sum() + WRONG_PIXEL * wrong)


def run(images, seed: int, *, margin: int = 0, few: int = 25, starts: int = 4, sweeps: int = 250, **options) -> dict:
    """All three stages with one seed.

    Args:
        images: (N, H, W), as an array or nested lists.
        margin: unobserved pixels around each image; 0 is the paper's setting.
        few, starts, sweeps: as in SIZES.
        options: of `model`.

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
    """The model with PMP's noise added, and the prior and noise of locations counted several times.

    The authors' code counts them once for each pixel of a window, 36 times: a prior of 1e-72 in place of 0.01.
    """
    noise = split(with_noise(graph, Gumbel().draw_log_odds(key, (1, graph.variables.count), jnp.float32)[0]))
    own = split(graph)
    return with_unaries(graph, {"W": noise["W"], "S": times * noise["S"], "X": own["X"]})


def with_noise(graph: FactorGraph, noise) -> FactorGraph:
    """Noise (n,) on top of the log-odds."""
    return with_unaries(graph, {name: odds + noise[graph.variables[name]] for name, odds in split(graph).items()})


def authors_variant(images, seed: int, *, sweeps: int = 1000, times: float = 36.0, copies: int = 1) -> dict:
    """What the authors' code samples: one start, all images at once, damping 0.5; `copies` are all the same."""
    images = np.asarray(images)
    graph = perturbed(jax.random.key(seed), model(images), times)
    how = PMP(0.5, keep_best=False, schedule=Alternating(), noise=Gumbel(0.0))
    drawn = sample(jax.random.key(0), graph, how, num_samples=copies, num_sweeps=sweeps)
    w, s = drawn["W"][0] > 0, drawn["S"][0] > 0
    return {"W": w, "S": s, "score": drawing.score(images, w, s), "sweeps": drawn.sweeps[0]}


def table(runs: dict, seeds) -> str:
    """The scores of runs, {setting: one for each seed}: a line for each, before and after the polish."""
    lines = []
    for name, found in runs.items():
        for seed, one in zip(seeds, found, strict=True):
            for stage in ("score", "polished score"):
                pixels, _, exact, shapes, places = one[stage]
                told = f"{100 * pixels:6.2f} % of pixels, {100 * exact:3.0f} % of images exact, {shapes:.0f} shapes"
                told += f", {places:5.2f} places an image, {one['seconds'].sum():.0f} s"
                lines.append(f"({name}) seed {seed} {stage.removesuffix('score'):9}{told}")
    return "\n".join(lines)


def by_enumeration(kind: str, parents, output: float, on: bool) -> float:
    """Best score of an AND or OR with one parent fixed: all other parents (log-odds) and the output do their best."""
    choices = np.array(list(np.ndindex(*(2,) * len(parents))))
    result = (choices.any(1) | on) if kind == "OR" else (choices.all(1) & on)
    return float((choices @ np.asarray(parents) + output * result).max())
