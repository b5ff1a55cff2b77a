"""The registry of pictures that the page draws: what each mark of an explorer should say, computed from its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from explorers import EXPLORERS

import pmp_kit as pk
from pmp_kit.course.explore.messages.topologies import TOPOLOGIES
from pmp_kit.course.explore.picture import Explorer

NAMES = {0: "off", 1: "on", pk.FREE: "free"}


class Drawn(NamedTuple):
    """A row of the registry.

    Attributes:
        expected: state and number of the frame -> mark -> {name: words, or (number, unit)}, see `reading`.
        settings: params of which the tips are compared, beside the first ones.
        frames: numbers of frames that are compared, beside the last one.
        faults: name -> words of the bundled script and others in their place, which the comparison must find.
    """

    expected: Callable[[Any, int], dict[str, dict[str, Any]]]
    settings: list[dict[str, Any]]
    faults: dict[str, tuple[str, str]]
    frames: tuple[int, ...] = ()


def nats(value: float) -> tuple[float, str]:
    return float(value), "nats"


def of_messages(state, t: int) -> dict[str, dict[str, Any]]:
    """Follow the notation of page 02."""
    said = {}
    message, belief = state.messages[t], state.beliefs[t]
    edges = TOPOLOGIES[state.topology].edges.tolist()
    for number, (i, j) in enumerate(edges):
        a, b, weight = i + 1, j + 1, state.weight[i, j]
        said[f"edge {number}"] = {
            f"weight W_{{{a}{b}}}": nats(weight),
            f"m_{{{a}→{b}}}": nats(message[i, j]),
            f"m_{{{b}→{a}}}": nats(message[j, i]),
        }
        for direction, (k, to) in enumerate([(i, j), (j, i)]):
            push = float(message[k, to]) - weight / 2
            side = f"favours x_{{{to + 1}}} = {int(push > 0)} by"
            before = (
                (state.beliefs[t - 1][k] - state.messages[t - 1][to, k], state.messages[t - 1][k, to]) if t else None
            )
            said[f"message {2 * number + direction}"] = {
                f"m_{{{k + 1}→{to + 1}}}": nats(message[k, to]),
                f"neutral: W_{{{k + 1}{to + 1}}} / 2": nats(weight / 2),
                side if abs(push) >= 5e-4 else f"favours no state of x_{{{to + 1}}}": nats(abs(push)),
                "cavity, before this sweep": nats(before[0]) if before else "–",
                "change in this sweep": nats(message[k, to] - before[1]) if before else "–",
            }
    for i in range(len(TOPOLOGIES[state.topology].places)):
        unary = state.bias[i] + state.noise[i]
        decoded, best = state.states[t, i], state.truth[t, i]
        said[f"variable {i}"] = {
            "bias b": nats(state.bias[i]),
            "noise ε(1) − ε(0)": nats(state.noise[i]),
            "unary θ, their sum": nats(unary),
            "messages to it, sum": nats(belief[i] - unary),
            "belief, θ + messages": nats(belief[i]),
            "exact belief": nats(state.exact[i]),
            "decoded state": decoded if decoded == best else f"{decoded}, best {best}",
        }
    for sweep, (residual, gap) in enumerate(zip(state.residuals, state.gaps, strict=True)):
        said[f"residual/0/{sweep}"] = {"residual": nats(residual), "score below the best": nats(gap)}
    return said


def of_digits(state, frame: int) -> dict[str, dict[str, Any]]:
    said, count = {}, len(state.completions)
    for (row, col), on in np.ndenumerate(state.completions.sum(0)):
        place, given = f"row {row + 1}, column {col + 1}", bool(state.evidence[row, col] != pk.FREE)
        more = {"on in": f"{on} of {count} completions", "the real digit": NAMES[state.truth[row, col]]}
        said[f"evidence/{row}/{col}"] = {"given": NAMES[state.evidence[row, col]], **more}
        said[f"share/{row}/{col}"] = {"this pixel is": "given" if given else "filled in", **more}
        for number, completion in enumerate(state.completions):
            ended = "settled" if state.settled[number] else "still moving"
            said[f"completion {number}/{row}/{col}"] = {
                place: f"{NAMES[completion[row, col]]}{', given' * given}",
                "sweeps": f"{state.sweeps[number]}, {ended}",
                **more,
            }
    return said


PICTURES = {
    "messages": Drawn(
        of_messages,
        settings=[
            {"topology": topology, "coupling": coupling, "start": start, "damping": 0.2}
            for topology, coupling, start in zip(
                TOPOLOGIES, (0.5, -0.7, 1.0, -1.5, 0.0, -0.2), ["zero", "neutral"] * 3, strict=True
            )
        ],
        frames=(0, 1, 7),
        faults={
            "a wrong index": ("state.messages[sweep * sent + k]", "state.messages[sweep * sent + (k ^ 1)]"),
            "a stale frame": ("state.beliefs[frame * count + k]", "state.beliefs[Math.max(0, frame - 1) * count + k]"),
            "a unit": ("`${num(value, digits)} nats`", "`${num(value, digits)} bits`"),
            "a sign": ("Math.abs(message(k) - neutral)", "message(k) - neutral"),
            "the push in place of the message": (
                "nats(message(there))",
                "nats(message(there) - state.weights[there] / 2)",
            ),
        },
    ),
    "digits": Drawn(
        of_digits,
        settings=[{"digit": 7, "sweeps": 1}, {"digit": 3, "seed": 4, "perturbation": False}],
        faults={
            "a wrong index": ("const k = (row, col) => row * side + col", "const k = (row, col) => col * side + row"),
            "a unit": ("`${on[k(row, col)]} of ${count} completions`", "`${on[k(row, col)]} % of the completions`"),
            "a wrong completion": ("some[n * size + k(row, col)]", "some[k(row, col)]"),
        },
    ),
}
"""Folder of an explorer -> its row."""


def make(name: str) -> Explorer:
    """Return the small explorer of a row."""
    explorer = EXPLORERS[name].make_small()
    assert isinstance(explorer, Explorer)
    return explorer
