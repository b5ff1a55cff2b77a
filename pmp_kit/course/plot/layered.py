"""The layers of the picture of a graph that a page can show and hide by itself, without painting again."""

from __future__ import annotations

from collections.abc import Collection

from .graph import PAPER, PARTS, TICKS, Drawing

SWITCHED = ("beliefs", "messages", "truth")
"""These layers; a page cannot switch states and noise."""


def pairs(drawing: Drawing, layers: Collection[str]) -> dict[str, list[tuple[int, int]]]:
    """Return for each of SWITCHED its palette entries, each with the entry that is seen in its place if it is hidden.

    Args:
        drawing: what `graph.draw` returned.
        layers: those with which `graph.palettes` has made the colours. Others are left out.
    """
    inside = ("belief",) if "states" in layers else ("belief", "state")  # without states, a disk covers the squares
    disks = [entry for node in range(drawing.nodes) for entry in drawing.node(node, *inside)]
    arrows = [entry for e in range(drawing.edges) for back in (False, True) for entry in drawing.arrow(e, back)]
    ticks = [drawing.part(part).start for part in PARTS if part.split()[0] in TICKS.values()]
    ring = drawing.part("ring").start
    found = {
        "beliefs": [(entry, PAPER) for entry in disks],
        "messages": [(entry, PAPER) for entry in arrows],
        "truth": [(tick + node, ring + node) for tick in ticks for node in range(drawing.nodes)],
    }
    return {name: found[name] for name in SWITCHED if name in layers}
