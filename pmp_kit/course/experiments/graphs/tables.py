"""Tables and summary numbers of the runs of Section 5.4.

The input is a dict (graph, method, x) -> result for each seed. The first seed has all methods; later seeds may have
fewer.
"""

import numpy as np

from ....measures import mmd as metrics
from ....measures.errors import mean_and_error
from . import learn


def graphs(results: list[dict]) -> list[str]:
    """Return the names of the learned graphs, in order."""
    return list(dict.fromkeys(graph for graph, _, _ in results[0]))


def over_seeds(results: list[dict], place: tuple) -> list[dict]:
    """Return the results of (graph, method, x) = `place` from all seeds that have it."""
    return [run[place] for run in results if place in run]


def sd(result: dict, scale: int = 1) -> float:
    """Return the squared maximum mean discrepancy (MMD) in standard deviations of a perfect sampler.

    Args:
        scale: index of the kernel scale.
    """
    return float(result["mmd"][scale] / result["null"][scale])


def table(results: list[dict], beside: dict[str, dict], word: str) -> str:
    """Return a table with a line for each run (means over seeds) and for each reference.

    Args:
        beside: graph -> a result of `learn.references`.
        word: the unit of x.
    """
    lines = [f"{'sd from new data at scale':51}{'1':>7}{'10':>8}{'50':>8}  log MMD²  RMSE of W   seconds"]
    for graph in graphs(results):
        for name, result in beside[graph].items():
            lines.append(_line(f"{graph}: {name}", [result]))
        for g, method, x in results[0]:
            if g == graph:
                lines.append(_line(f"{graph}: {method}, {x} {word}", over_seeds(results, (g, method, x))))
    return "\n".join(lines)


def _line(name: str, results: list[dict]) -> str:
    far = [float(np.mean([sd(result, k) for result in results])) for k in range(len(metrics.SCALES))]
    log_mmd, rmse = (np.mean([result[number] for result in results]) for number in ("log_mmd", "rmse"))
    seconds = (
        np.median([result["train_s"] + result["test_s"] for result in results]) if "train_s" in results[0] else None
    )
    return (
        f"{name:50}"
        + "".join(map(_far, far))
        + f"{log_mmd:10.2f}{rmse:11.4f}"
        + ("" if seconds is None else f"{seconds:10.1f}")
    )


def _far(value: float) -> str:
    """Format a number of standard deviations in 8 characters."""
    return f"{value:8.1f}" if value < 1e5 else f"{value:8.1e}"


def rows(results: list[dict], profile: str, word: str = "sweeps") -> list[dict]:
    """Return the arguments of `record`: for each run MMD^2 at scale 10, and the root mean square error (RMSE) of W."""
    found, size = [], learn.SIZES[profile]
    for graph, method, x in results[0]:
        same = over_seeds(results, (graph, method, x))
        words = f"{size['nodes'][graph]} nodes, {same[0]['iterations']} iterations, seeds: {len(same)}"
        numbers = {"sd from new data, scale 10": [sd(one) for one in same], "RMSE of W": [one["rmse"] for one in same]}
        for number, values in numbers.items():
            value, error = mean_and_error(values)
            row = {"name": f"{graph}, {method}, {x} {word}: {number}", "value": value, "error": error}
            found.append(row | {"method": method, "size": words})
    return found


def slower(results: list[dict], graph: str, method: str) -> float:
    """Return the time per iteration divided by that of PMP with the same sweeps, as a median over sweeps and seeds."""
    places = [(run, x) for run in results for g, m, x in run if (g, m) == (graph, method)]
    pairs = [(run[graph, method, x], run[graph, "PMP", x]) for run, x in places]
    seconds = np.array([[one["train_s"] / one["iterations"] for one in pair] for pair in pairs])
    return float(np.median(seconds[:, 0] / seconds[:, 1]))


def warm_table(results: dict[tuple, dict]) -> str:
    """Return a table for Appendix A: MMD^2 at scale 10, a row for each rho, a column for each number of sweeps."""
    rhos, sweeps = (list(dict.fromkeys(keys)) for keys in zip(*results, strict=True))
    lines = [f"{'sd from new data at scale 10; sweeps a step:':44}" + "".join(f"{s:8}" for s in sweeps)]
    for rho in rhos:
        name = "PMP, new noise, fresh start" if rho is None else f"noise continues, rho {rho}, warm start"
        lines.append(f"{name:44}" + "".join(_far(sd(results[rho, s])) for s in sweeps))
    return "\n".join(lines)


def sweeps_needed(results: dict[tuple, dict], rho) -> int | None:
    """Return the smallest number of sweeps per step that is as good as PMP with the most sweeps, or None.

    MMD^2 may be larger by one standard deviation.
    """
    sweeps = sorted({s for _, s in results})
    goal = sd(results[None, sweeps[-1]]) + 1.0
    return min((s for s in sweeps if sd(results[rho, s]) <= goal), default=None)
