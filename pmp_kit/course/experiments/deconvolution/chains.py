"""Gibbs-with-gradients on the posterior of Section 5.6, at temperature 1 and with the same priors as PMP.

The authors' code divides the log-probability by the number of images (a temperature of 100), and has other priors. Here
the chain and PMP have the same model, which is the small problem of `traces`. The page gives them different numbers of
sweeps, because a sweep of the chain takes as long as thousands of sweeps of PMP.
"""

import jax
import numpy as np

from .... import GibbsWithGradients, sample
from . import drawing, infer, traces

OBSERVED = traces.OBSERVED


def run(method: str, observed: str, seed: int, *, samples: int, sweeps: int, images: int = 4) -> dict:
    """Draw features and locations for a few small images.

    Args:
        method: "PMP" or "Gibbs-with-gradients".
        observed: one of OBSERVED.
        sweeps: number of sweeps. A sweep of the chain has one proposal per variable.

    Returns: for each sample the shares of correct pixels and of exact images, and the number of recovered shapes.
    """
    w, s, x = (part[:images] if k else part for k, part in enumerate(traces.problem()))
    given = x.astype(int)
    graph = infer.model(given, traces.FEATURES, (traces.WINDOW, traces.WINDOW))
    evidence = {"X": given} | traces.evidence(observed, w, s)
    how = infer.sampler() if method == "PMP" else GibbsWithGradients()
    key = jax.random.key(seed)
    drawn = sample(key, graph, how, num_samples=samples, num_sweeps=sweeps, evidence=evidence)
    shapes = w[:3]
    scores = [drawing.score(given, *pair, shapes) for pair in zip(drawn["W"], drawn["S"], strict=True)]
    return {name: np.array([getattr(score, name) for score in scores]) for name in ("pixels", "exact", "recovered")}
