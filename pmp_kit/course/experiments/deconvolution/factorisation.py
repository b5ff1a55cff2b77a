"""Boolean matrix factorisation of real digits: the model of Section 5.6 without shifts and with noise in X."""

import jax
import numpy as np

from .... import FREE, PMP, Alternating, blind_deconvolution, sample
from ... import datasets
from .infer import split, with_unaries

SIZES = {"quick": {"rows": 60, "sweeps": 60}, "paper": {"rows": 1000, "sweeps": 500}}
SIDES = (8, 8)
"""Size of a feature. It equals the size of the image, so a feature has a single location. `matrix_factorisation` with
64 columns is the same model, but it takes longer to compile.
"""


def matrix(rows: int) -> np.ndarray:
    """Return the first of scikit-learn's digits, one digit per row: (rows, 64) of 0 and 1."""
    return datasets.digits()["v"][:rows].reshape(rows, -1)


def run(seed: int, *, rows: int, sweeps: int, rank: int = 10, flips: float = 0.05, hidden: float = 0.1) -> dict:
    """Factorise a matrix with hidden entries, using PMP and two baselines.

    The baselines are scikit-learn's non-negative matrix factorisation (NMF), rounded, and the majority of each column.

    Returns: the shares of wrong entries of each method, among the seen and among the hidden entries; "V", the right
        factor of PMP. PMP has four starts, and the one with the fewest wrong seen entries counts.
    """
    x = matrix(rows)
    unseen = np.random.default_rng(seed).random(x.shape) < hidden
    graph = blind_deconvolution(rows, SIDES, rank, SIDES, 0.3, 0.3)
    doubt = np.log1p(-flips) - np.log(flips)
    unaries = dict(split(graph), X=np.where(unseen, 0.0, doubt * (2.0 * x - 1.0)).reshape(rows, *SIDES))
    sampler = PMP(damping=0.8, schedule=Alternating(), keep_best=True)
    drawn = sample(jax.random.key(seed), with_unaries(graph, unaries), sampler, num_samples=4, num_sweeps=sweeps)
    left, right = drawn["S"].reshape(4, rows, rank), drawn["W"].reshape(4, rank, -1)
    products = (left.astype(np.float32) @ right.astype(np.float32)) > 0.5
    best = int(np.argmin([(product != x)[~unseen].mean() for product in products]))
    guesses = {"PMP": products[best], "NMF": _non_negative(np.where(unseen, FREE, x), rank, seed)}
    guesses["majority"] = np.broadcast_to(_column_means(np.where(unseen, FREE, x)) > 0.5, x.shape)
    errors = {f"{name}, seen": (guess != x)[~unseen].mean() for name, guess in guesses.items()}
    errors |= {f"{name}, hidden": (guess != x)[unseen].mean() for name, guess in guesses.items()}
    return errors | {"V": right[best]}


def _column_means(x: np.ndarray) -> np.ndarray:
    return np.where(x == FREE, 0, x).sum(0) / np.maximum((x != FREE).sum(0), 1)


def _non_negative(x: np.ndarray, rank: int, seed: int) -> np.ndarray:
    """Return the rounded non-negative factorisation. Column means replace the hidden entries."""
    from sklearn.decomposition import NMF

    filled = np.where(x == FREE, _column_means(x), x).astype(float)
    factors = NMF(rank, init="nndsvda", random_state=seed, max_iter=500, tol=1e-3)  # pyright: ignore[reportArgumentType]
    return factors.fit_transform(filled) @ factors.components_ > 0.5
