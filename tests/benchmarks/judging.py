"""From the measurements of a run to the verdicts on its lines."""

import numpy as np

from benchmarks.verdicts import LIMITS, SOUND, Verdict, verdict
from pmp_kit.measures.timing import Ratio, ratio, spread


def judge(results: dict) -> list[Verdict]:
    """Verdicts on whatever of a full run was measured; none for the quick profile, whose figures mean nothing."""
    if results["profile"] != "full":
        return []
    lines = [one for name, found in results["workloads"].items() for one in _workload(name, found)]
    if "building_s" in results:
        lines.append(verdict("graph of 400,000 edges, s", spread(results["building_s"])))
        lines.append(verdict("compilations on numeric changes", Ratio(results["recompilations"], 0.0)))
    if "exact_maps" in results:
        hits = np.asarray(results["exact_maps"]["best"], float)
        lines.append(verdict("dense 15: exact MAPs, best", Ratio(hits.mean(), hits.std() / np.sqrt(hits.size))))
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
    """Why ratios to the plain form say nothing; empty if they do. The ANDs and ORs have no such figure."""
    cost = 1e6 * float(np.median(found["ms"]["plain"])) / found["entries"]
    if name == "deconvolution" or cost <= SOUND:
        return ""
    return f"the plain form takes {cost:.1f} ns a message, more than {SOUND:g}; measure on a quiet machine"


def message_to_copy(found: dict) -> Ratio:
    """Time of a directed message in a sweep of the kit, over the time to copy 8 bytes."""
    return spread(1e6 * np.asarray(found["ms"]["kit"]) / found["messages"] / found["copy_ns"])


def memory(megabytes: dict) -> tuple[Ratio, str]:
    """The kit's peak over that of the plain form, and why there is none."""
    if None in megabytes.values():
        return Ratio(float("nan"), 0.0), "peak memory is measured on Linux only"
    return Ratio(megabytes["kit"] / megabytes["plain"], 0.0), ""


def sooner(race: dict, setting: str) -> Ratio:
    """How many times sooner than the paper's algorithm a setting reaches the quality; 0 if it never does."""
    seconds = race["seconds"]
    return ratio(seconds["paper"], seconds[setting]) if seconds[setting] else Ratio(0.0, 0.0)
