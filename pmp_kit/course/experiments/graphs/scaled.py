"""Samples of PMP from the true lattice of Section 5.4, and from the lattice with smaller couplings."""

import jax

from ....sample import sample
from .data import LATTICE, sparse, truth
from .learn import judged, sampler_of

SWEEPS = 50


def scaled(factor: float, seed: int, nodes: int, samples: int, mixing: int) -> dict:
    """Draw with PMP from the true lattice, all couplings multiplied by `factor`, and evaluate the samples.

    Args:
        nodes, samples, mixing: arguments of `data`.

    Returns: the result of `judged`.
    """
    model, draws = sparse(LATTICE, nodes, factor), sampler_of("PMP", nodes)
    drawn = sample(jax.random.key(seed), model, draws, num_samples=samples, num_sweeps=SWEEPS)["x"]
    return judged(drawn, factor * truth(LATTICE, nodes)[0], LATTICE, nodes, samples, mixing)
