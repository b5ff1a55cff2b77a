"""Reference values for Figure 1, centre. The paper shows a figure without numbers, so they come from other runs."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ....measures.errors import mean_and_error


class Row(NamedTuple):
    """One quantity at each number of spins.

    Attributes:
        words: the name of the quantity.
        method: the method that it belongs to.
        known: number of spins -> reference value and standard error. They come from the authors' code (one perturbation
            per model). The code does not compute the exact highest-scoring configuration (MAP), the best decoded state,
            ties in one state and the dual value, so these and the shares of exact MAPs come from an independent run
            with many perturbations.
    """

    words: str
    method: str
    known: dict[int, tuple[float, float]]


ROWS = {
    "found_last": Row("share of exact MAPs, last decode", "PMP", {5: (0.61, 0.05), 10: (0.55, 0.05), 15: (0.41, 0.05)}),
    "found_best": Row(
        "share of exact MAPs, best decode", "PMP", {5: (0.98, 0.014), 10: (0.84, 0.04), 15: (0.76, 0.04)}
    ),
    "found_kit": Row("share of exact MAPs, the kit's PMP", "PMP", {}),
    "exact": Row("log Z error, exact MAP", "exact", {5: (0.88, 0.25), 10: (1.61, 0.4)}),
    "last": Row("log Z error, PMP, last decode", "PMP", {5: (-1.0, 0.4), 10: (-1.3, 0.6), 15: (-2.2, 1.0)}),
    "best": Row("log Z error, PMP, best decode", "PMP", {5: (0.85, 0.25), 10: (1.35, 0.4)}),
    "kit": Row("log Z error, the kit's PMP", "PMP", {}),
    "mplp": Row("log Z error, MPLP, primal", "MPLP", {5: (-2.1, 0.5), 10: (-17.5, 1.5), 15: (-44.1, 2.0)}),
    "fixed": Row("log Z error, MPLP, primal, fixed order", "MPLP", {}),
    "tied": Row("log Z error, MPLP, primal, ties in one state", "MPLP", {5: (-6.9, 0.7), 10: (-28.9, 1.5)}),
    "dual": Row("log Z error, MPLP, dual", "MPLP", {5: (3.6, 0.3), 10: (28.1, 1.0)}),
}


def over_runs(runs: list[np.ndarray]) -> tuple[float, float]:
    """Return the mean and its standard error over seeds if there are at least three, else over all models.

    Args:
        runs: one array (models,) for each seed.
    """
    values = np.array([run.mean() for run in runs]) if len(runs) > 2 else np.concatenate(runs)
    return mean_and_error(values)


def records(studies: dict[int, list[dict]], size: str) -> Iterator[dict]:
    """Yield the arguments of `record` for each number. The tolerance is three combined standard errors.

    Args:
        studies: number of spins -> one result of `log_partition.random_models` per seed.
        size: a short description of the size of the run.
    """
    for name, row in ROWS.items():
        for spins, runs in studies.items():
            value, error = over_runs([run[name] for run in runs])
            known, its_error = row.known.get(spins, (None, 0.0))
            tolerance = None if known is None else float(3 * np.hypot(error, its_error))
            yield {"name": f"{row.words}, {spins} spins", "value": value, "paper": known, "tolerance": tolerance} | {
                "error": error,
                "method": row.method,
                "size": size,
            }
