"""Compute the verdicts on the lines of a run from its measurements."""

import numpy as np

from benchmarks import flat
from benchmarks.verdicts import LIMITS, SOUND, Verdict, verdict
from pmp_kit.course.experiments.speed.scaling import exponent
from pmp_kit.course.experiments.speed.timing import Ratio, ratio, spread


def judge(results: dict) -> list[Verdict]:
    """Verdicts on the measured parts of a full run. The quick profile gets none, because its results mean nothing.

    Most limits are those of a CPU. On a GPU, only the share of its memory bandwidth is judged.
    """
    if results["profile"] != "full":
        return []
    if on_gpu(results):
        lines = {f"{name}: share of bandwidth": found for name, found in results["workloads"].items()}
        return [verdict(line, share_of_bandwidth(found)) for line, found in lines.items() if line in LIMITS]
    lines = [one for name, found in results["workloads"].items() for one in _workload(name, found)]
    if "building_s" in results:
        lines.append(verdict("graph of 400,000 edges, s", spread(results["building_s"])))
        lines.append(verdict("compilations on numeric changes", Ratio(results["recompilations"], 0.0)))
    if "exact_maps" in results:
        hits = np.asarray(results["exact_maps"]["best"], float)
        lines.append(verdict("dense 15: exact MAPs, best", Ratio(hits.mean(), hits.std() / np.sqrt(hits.size))))
    lines += _flat(results.get("flat", {})) + _exponents(results.get("scaling", {}))
    lines += [verdict(f"a call of {verb}, ms", spread(times)) for verb, times in results.get("calls", {}).items()]
    for name, found in results.get("tuning", {}).items():
        for who in ("defaults", "best"):
            gain = ratio(found["seconds"][who], found["seconds"]["tuned"])
            lines.append(verdict(f"tune, {name}: {who} / tuned", gain))
    return lines


def _flat(graphs: dict) -> list[Verdict]:
    """The cost of a message at each size beside that of copying, and its growth."""
    lines = []
    for name, rows in graphs.items():
        for row in rows:
            each = 1e6 * np.asarray(row["ms"]) / row["messages"] / np.asarray(row["copy_ns"])
            lines.append(verdict(f"{name}, {row['edges']:,} edges: message / copy", spread(each)))
        lines.append(verdict(f"{name}: exponent to 64,000 edges", Ratio(flat.exponent(rows), 0.0)))
    return lines


def _exponents(curves: dict) -> list[Verdict]:
    """The growth of the time of a sweep with the messages. Messages of dense models grow with the square."""
    lines = []
    for name, line, power in (
        ("variables", "variables: exponent in messages", 2.0),
        ("images", "images: exponent", 1.0),
    ):
        if name in curves:
            lines.append(verdict(line, Ratio(exponent(curves[name]) / power, 0.0)))
    return lines


def _workload(name: str, found: dict) -> list[Verdict]:
    """The lines of one workload."""
    times, void = found["ms"], unsound(name, found)
    values = {
        f"{name}: plain / kit": (ratio(times["plain"], times["kit"]), void),
        f"{name}: message / copy of 8 bytes": (message_to_copy(found), ""),
        f"{name}: memory, kit / plain": memory(found["memory_MB"]),
    }
    if "edge list" in times:
        values[f"{name}: edge list / kit"] = (ratio(times["edge list"], times["kit"]), void)
    for cache, seconds in found["first_s"].items():
        values[f"{name}: first sample, {cache} cache, s"] = (spread(seconds), "")
    for setting in ("defaults", "best"):
        values[f"{name}: time to quality, paper / {setting}"] = (
            sooner(found["quality"]["races"][setting], setting),
            "",
        )
    return [verdict(line, *value) for line, value in values.items() if line in LIMITS]


def unsound(name: str, found: dict) -> str:
    """Return why ratios to the plain form are not valid, or an empty string. ANDs and ORs are not checked."""
    cost = 1e6 * float(np.median(found["ms"]["plain"])) / found["entries"]
    if name == "deconvolution" or cost <= SOUND:
        return ""
    return f"the plain form takes {cost:.1f} ns a message, more than {SOUND:g}; measure on a quiet machine"


def message_to_copy(found: dict) -> Ratio:
    """The time of a directed message in a sweep of the kit divided by the time to copy 8 bytes."""
    return spread(_of_copy(found, "kit"))


def on_gpu(results: dict) -> bool:
    """Return whether a run was on a GPU or TPU."""
    return results["machine"]["backend"] != "cpu"


def share_of_bandwidth(found: dict, who: str = "kit") -> Ratio:
    """The share of the memory bandwidth that a sweep uses if it reads and writes each message (4 bytes) once."""
    return spread(0.5 / _of_copy(found, who))


def _of_copy(found: dict, who: str) -> np.ndarray:
    """The time of a message divided by the time to copy 8 bytes, in each round."""
    return 1e6 * np.asarray(found["ms"][who]) / found["messages"] / found["copy_ns"]


def memory(megabytes: dict) -> tuple[Ratio, str]:
    """The kit's peak memory divided by that of the plain form, and the reason if there is no such ratio."""
    if None in megabytes.values():
        return Ratio(float("nan"), 0.0), "peak memory is measured on Linux only"
    return Ratio(megabytes["kit"] / megabytes["plain"], 0.0), ""


def sooner(race: dict, setting: str) -> Ratio:
    """The paper's time to the quality divided by that of a setting. It is 0 if the setting never reaches it."""
    seconds = race["seconds"]
    return ratio(seconds["paper"], seconds[setting]) if seconds[setting] else Ratio(0.0, 0.0)
