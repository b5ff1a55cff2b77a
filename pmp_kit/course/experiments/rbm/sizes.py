"""Sizes and result tables of Section 5.5 and B.2 to B.4. The paper profile has fewer iterations than the paper."""

import numpy as np

from ....measures import mmd as metrics
from .learn import COORDINATE_ASCENT

PAPER_TWOS = {"PMP": -5.36, "Gibbs-reset": -4.18, "PCD-1": -2.88, "PCD-100": -2.70, "LP": -4.38}
"""Figure 7: log MMD^2 of the digit 2 with the authors' metric."""

_LEARN = {"hidden": 16, "rate": 0.03, "batch_size": 50, "steps": 150, "num_chains": 50}
_SMALL = _LEARN | {"data": "digits", "sweeps": [5, 20, 100, 500], "number": 300}
_SMALL_PMP, _SMALL_ASCENT = _LEARN | {"num_sweeps": 20}, _LEARN | {"num_sweeps": 2}
_SMALL_LP = _SMALL | {"steps": 10, "num_chains": 8, "num_sweeps": 1, "sweeps": [1], "number": 24}
_FIVE = {
    "PMP": _SMALL | {"num_sweeps": 20, "sweeps": [5, 20, 100]},
    "Gibbs-reset": _SMALL | {"num_sweeps": 20},
    "PCD-1": _SMALL | {"num_sweeps": 1},
    "PCD-100": _SMALL | {"num_sweeps": 100},
    "LP": _SMALL_LP,
}
_FULL = {"data": "mnist", "hidden": 500, "rate": 0.005, "batch_size": 100, "num_chains": 100, "num_sweeps": 100}
_FULL |= {"sweeps": [5, 10, 20, 50, 100, 200, 500, 1000, 2000], "number": 300, "steps": 1500, "falling": True}
_TWOS = _FULL | {"only": 2, "hidden": 250, "rate": 0.01, "batch_size": 50, "num_chains": 50, "sweeps": [100]}
_TWOS |= {"number": 800, "steps": 1000, "falling": False}

SIZES = {
    "quick": {
        "seeds": 1,
        "small": _FIVE,
        "control": {
            "data": "digits",
            "sweeps": [100, 20, 20],
            "number": 100,
            "learning": {COORDINATE_ASCENT: _SMALL_ASCENT, "PMP": _SMALL_PMP},
        },
    },
    "paper": {
        "seeds": 5,
        "small": _FIVE | {"LP": _SMALL_LP | {"steps": 40, "num_chains": 20, "number": 100}},
        "full": {
            "PMP": _FULL | {"num_chains": 25, "num_sweeps": 20},
            "Gibbs-reset": _FULL,
            "PCD-1": _FULL | {"num_sweeps": 1, "steps": 16000},
            "PCD-1 constant": _FULL | {"num_sweeps": 1, "steps": 16000, "falling": False},
            "PCD-100": _FULL,
        },
        "twos": {
            "PMP": _TWOS,
            "Gibbs-reset": _TWOS,
            "PCD-1": _TWOS | {"num_sweeps": 1},
            "PCD-100": _TWOS,
        },
        "control": {
            "data": "small mnist",
            "sweeps": [10_000, 100, 100],
            "number": 100,
            "learning": {COORDINATE_ASCENT: _LEARN | {"hidden": 64, "steps": 500, "num_sweeps": 3}},
        },
    },
}


def table(rows: dict[str, list[dict]]) -> str:
    """Return a table of MMD^2: the U-statistic in standard deviations of a perfect sampler, and the authors' metric.

    Args:
        rows: name -> one result for each seed, with "u", "null" (scales), "log v" and "authors".
    """
    head = [f"x{scale:g}" for scale in metrics.SCALES]
    lines = [
        f"{'MMD² in sd of a perfect sampler':34}" + "".join(f"{name:>9}" for name in head) + "   log V  (training)"
    ]
    for name, results in rows.items():
        sigmas = np.mean([np.asarray(r["u"]) / np.asarray(r["null"]) for r in results], axis=0)
        logs = (np.mean([r[kind] for r in results]) for kind in ("log v", "authors"))
        lines.append(f"{name:34}" + "".join(f"{x:9.1f}" for x in sigmas) + "".join(f"{x:9.2f}" for x in logs))
    return "\n".join(lines)


def row(floor: dict, name: str) -> dict:
    """Return the row "real" or "pixels" of `learn.floor`."""
    return {key.removeprefix(name + " "): value for key, value in floor.items() if key.startswith(name + " ")}


def at(result: dict, sweeps: int) -> dict:
    """Return the row of a result of `learn.judged` at a number of sweeps."""
    place = list(result["sweeps"]).index(sweeps)
    return {name: result[name][place] for name in ("u", "null", "log v", "authors")}
