"""Edge lists: "n m", and a line "i j w" for each edge, as in G-set, rudy and spin-glass files."""

import numpy as np

from ..engine.signatures import Number, Path
from .model import ConvertedModel
from .pairs import pairs_model
from .text import Words

READINGS = ("max-cut", "ising")


def read_edge_list(path: Path, reading: str = "max-cut", inverse_temperature: Number = 1.0) -> ConvertedModel:
    """Return the model of an edge list: a line "n m", then m lines "i j w" with nodes 1 to n, or "i j" with w = 1.

    With `reading="max-cut"`, the energy is minus the weight of the cut, the sum of w over edges whose nodes have
    different states 0 and 1 (G-set, rudy, .mc). With "ising", the energy is -sum w s_i s_j with spins -1 and +1, so a
    positive weight favours equal spins (.sg of the spin-glass server). The names are 1 to n. Lines that begin with #
    are comments. A file that is compressed by gzip or xz is known by its content.

    Args:
        path: the path of the file.
        reading: "max-cut" or "ising".
        inverse_temperature: b of p(x) proportional to exp(-b E).

    Raises: ValueError that names the line of a wrong file; OSError. Cost: linear in the size of the file.
    """
    check_reading(reading, READINGS)
    words = Words(path)
    count = words.whole(0, "the number of nodes", 1)
    edges = words.whole(1, "the number of edges", 0)
    lines = [line.split() for line in words.text.lstrip().splitlines()[:2]]
    width = 2 if [len(line) for line in lines] == [2, 2] else 3  # by the line of the first edge: counts are ambiguous
    words.end(2 + width * edges)
    if len(words.numbers) < 2 + width * edges:
        raise words.error(len(words.numbers), f"{edges} edges")
    rows = words.numbers[2:].reshape(edges, width)
    nodes = rows[:, :2]
    if (wrong := (nodes < 1) | (nodes > count) | (nodes % 1 != 0)).any():
        edge, end = np.argwhere(wrong)[0]
        raise words.error(2 + width * int(edge) + int(end), f"a node, a whole number from 1 to {count}")
    weight = rows[:, 2] if width == 3 else np.ones(edges)
    if (wrong := ~np.isfinite(weight)).any():
        raise words.error(4 + 3 * int(wrong.argmax()), "a finite weight")
    return cut_or_ising(range(1, count + 1), nodes.astype(int) - 1, weight, None, reading, inverse_temperature)


def check_reading(reading: str, readings: tuple[str, ...]) -> None:
    """Raise ValueError unless a reading is one of these."""
    if reading not in readings:
        raise ValueError(f"reading: expected one of {', '.join(map(repr, readings))}, got {reading!r}")


def cut_or_ising(names, pairs, weight, field, reading: str, inverse_temperature: Number) -> ConvertedModel:
    """Return the model of edges with weights whose energy is minus the cut, or that of spins.

    Args:
        names: the labels of the n nodes.
        pairs: places (E, 2).
        weight: (E,).
        field: a term of each node, (n,), with the energy -h_i s_i or -h_i x_i; None for 0.
        reading: "max-cut" or "ising".
        inverse_temperature: b.
    """
    linear = np.zeros(len(names)) if field is None else -field
    if reading == "ising":
        return pairs_model(names, linear, pairs, -weight, 0.0, inverse_temperature, spins=True)
    ends = np.bincount(pairs.reshape(-1), np.repeat(weight, 2), len(names))  # w (x_i + x_j - 2 x_i x_j) is the cut
    return pairs_model(names, linear - ends, pairs, 2 * weight, 0.0, inverse_temperature, spins=False)
