"""The limits of the benchmark, and the verdicts whether measurements meet them."""

from math import isnan
from typing import NamedTuple

from benchmarks.flat import EDGES
from benchmarks.tuning import NAMES as TUNED
from pmp_kit.course.experiments.speed.timing import Ratio

SOUND = 3.0
"""Nanoseconds per message above which the plain implementation or the machine is too slow for a comparison."""


class Limit(NamedTuple):
    """A required value and a desired value. `at_most` means that smaller values are better."""

    must: float
    aim: float | None = None
    at_most: bool = False


CACHED = 200_000
"""Edges up to which the messages of 20 chains fit into a last-level cache of 32 MB."""
WORKLOADS = ("dense", "rbm", "lattice", "erdos-renyi", "deconvolution")
LIMITS = {
    "dense: plain / kit": Limit(3.0, 5.0),
    "rbm: plain / kit": Limit(3.0, 4.5),
    "lattice: plain / kit": Limit(120.0, 400.0),
    "erdos-renyi: plain / kit": Limit(35.0, 60.0),
    "deconvolution: plain / kit": Limit(3.0, 5.0),
    "lattice: edge list / kit": Limit(2.0),
    "erdos-renyi: edge list / kit": Limit(2.0),
    "deconvolution: memory, kit / plain": Limit(0.5, at_most=True),
    "dense: share of bandwidth": Limit(0.5),
    "rbm: share of bandwidth": Limit(0.5),
    **{f"{name}: message / copy of 8 bytes": Limit(3.0, 1.5, at_most=True) for name in WORKLOADS[:4]},
    **{f"{name}: first sample, cold cache, s": Limit(1.5, at_most=True) for name in WORKLOADS},
    **{f"{name}: first sample, warm cache, s": Limit(0.5, at_most=True) for name in WORKLOADS},
    **{f"{name}: time to quality, paper / defaults": Limit(1.0) for name in WORKLOADS},
    **{f"{name}: time to quality, paper / best": Limit(2.0) for name in WORKLOADS},
    "compilations on numeric changes": Limit(0.0, at_most=True),
    "graph of 400,000 edges, s": Limit(0.2, at_most=True),
    "dense 15: exact MAPs, best": Limit(0.9),
    **{
        f"{name}, {edges:,} edges: message / copy": Limit(2.0 if edges <= CACHED else beyond, at_most=True)
        for name, beyond in (("lattice", 3.0), ("random graph", 4.0))
        for edges in EDGES["full"]
    },
    "lattice: exponent to 64,000 edges": Limit(1.1, at_most=True),
    "random graph: exponent to 64,000 edges": Limit(1.1, at_most=True),
    "variables: exponent in messages": Limit(1.05, at_most=True),
    "images: exponent": Limit(1.1, at_most=True),
    **{f"a call of {verb}, ms": Limit(0.35, at_most=True) for verb in ("sample", "trace", "solve")},
    **{f"tune, {name}: {who} / tuned": Limit(1.0) for name in TUNED for who in ("defaults", "best")},
}
"""Name of the printed line -> its limit."""


class Verdict(NamedTuple):
    """One line with a measurement and its limit."""

    line: str
    value: float
    noise: float
    limit: Limit
    void: str = ""
    """The reason why the measurement is not valid, or an empty string."""

    def shortfall(self, wanted: float) -> float:
        """The distance of the value from a limit. It is positive if the limit is missed, and negative otherwise."""
        return self.value - wanted if self.limit.at_most else wanted - self.value

    @property
    def missed(self) -> bool:
        """Return whether the MUST is missed by more than noise."""
        return not self.void and self.shortfall(self.limit.must) > self.noise

    def text(self) -> str:
        """The verdict in words."""
        if self.void:
            return f"VOID: {self.void}"
        if self.missed:
            return f"MISSED by {self.shortfall(self.limit.must):.3g}"
        if self.shortfall(self.limit.must) > 0:
            return "met within noise"
        if self.limit.aim is None:
            return "met"
        return "met, aim met" if self.shortfall(self.limit.aim) <= 0 else "met, aim not"


def verdict(line: str, value: Ratio, void: str = "") -> Verdict:
    """Return the verdict on one line. It is also void if a round gave no value."""
    nothing = "a round gave no time, the machine was too busy; measure again" if isnan(value.value) else ""
    return Verdict(line, value.value, value.noise, LIMITS[line], void or nothing)


def table(verdicts: list[Verdict]) -> str:
    """Format all verdicts, one per line."""
    rows = [f"{'line':47s} {'measured':>9s} {'± noise':>8s} {'MUST':>8s} {'AIM':>6s}  verdict"]
    for one in verdicts:
        sign = "<=" if one.limit.at_most else ">="
        aim = "" if one.limit.aim is None else f"{one.limit.aim:g}"
        rows.append(
            f"{one.line:47s} {one.value:9.3g} {one.noise:8.2g} {sign + format(one.limit.must, 'g'):>8s} {aim:>6s}"
            f"  {one.text()}"
        )
    return "\n".join(rows)


def exit_code(verdicts: list[Verdict]) -> int:
    """Return 1 if a MUST is missed by more than noise, otherwise 2 if a line is void, and otherwise 0."""
    if any(one.missed for one in verdicts):
        return 1
    return 2 if any(one.void for one in verdicts) else 0
