"""The registry of pictures that the page draws: what each mark of an explorer should say, computed from its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from explorers import EXPLORERS, ring_images

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


def of_sampler(state, t: int) -> dict[str, dict[str, Any]]:
    """Follow the notation of page 02; there are two messages for each edge, one after the other."""
    said, message, truth = {}, state.messages, state.truth(state.states, state.scores)
    names = [f"{i + 1}{',' * bool(max(i, j) > 8)}{j + 1}" for i, j in state.ends]
    for k, ((i, j), weight) in enumerate(zip(state.ends.tolist(), state.weights, strict=True)):
        push = message[t, k] - weight / 2
        neutral = abs(push) < 5e-4
        before = t and state.beliefs[t - 1, i] - message[t - 1, k ^ 1]
        said[f"message {k}"] = {
            f"m_{{{i + 1}→{j + 1}}}": nats(message[t, k]),
            f"neutral: W_{{{names[k]}}} / 2": nats(weight / 2),
            f"favours no state of x_{{{j + 1}}}" if neutral else f"favours x_{{{j + 1}}} = {int(push > 0)} by": nats(
                abs(push)
            ),
            "cavity, before this sweep": nats(before) if t else "–",
            "change in this sweep": nats(message[t, k] - message[t - 1, k]) if t else "–",
        }
        if k % 2 == 0:
            said[f"edge {k // 2}"] = {
                f"weight W_{{{names[k]}}}": nats(weight),
                f"m_{{{i + 1}→{j + 1}}}": nats(message[t, k]),
                f"m_{{{j + 1}→{i + 1}}}": nats(message[t, k + 1]),
            }
    for i, (belief, decoded, best) in enumerate(zip(state.beliefs[t], state.states[t], truth[t], strict=True)):
        unary = state.bias[i] + state.noise[i]
        said[f"variable {i}"] = {
            "bias b": nats(state.bias[i]),
            "noise ε(1) − ε(0)": nats(state.noise[i]),
            "unary θ, their sum": nats(unary),
            "messages to it, sum": nats(belief - unary),
            "belief, θ + messages": nats(belief),
            "decoded state": decoded if decoded == best else f"{decoded}, best {best}",
        }
    for sweep, score in enumerate(state.scores):
        said[f"score/0/{sweep}"] = {
            "score": nats(score),
            "best so far": nats(state.scores[: sweep + 1].max()),
            "best possible": nats(state.top),
            "below the best": nats(state.gaps[sweep]),
            "states that differ from it": f"{(state.states[sweep] != truth[sweep]).sum()} of 25",
        }
    return said


def of_wrong_model(state, frame: int) -> dict[str, dict[str, Any]]:
    """Before Adam's first step, nothing is said of the curve of PMP."""
    learned, said = len(state.path) > 1, {}
    for place, (gibbs, pmp) in enumerate(zip(state.gibbs_curve, state.pmp_curve, strict=True)):
        said[f"curves/0/{place}"] = {"KL of the data from Gibbs": nats(gibbs)}
        if learned:
            said[f"curves/0/{place}"] |= {"KL of the data from PMP": nats(pmp)}
    for side, name, far in ((-1, "Gibbs", state.kl_gibbs), (1, "PMP", state.kl_pmp)):
        said[f"distance {side} 0"] = {
            "learned theta": f"{state.theta:.2f}",
            "theta of the data": f"{state.data_theta:.2f}",
            f"KL of the data from {name}": nats(far),
        }
    said["closest square"] = {"at learned theta": f"{state.data_theta:.2f}", "with KL": nats(0.0)}
    if learned:
        said["closest disk"] = {"at learned theta": state.closest, "with KL": nats(state.pmp_curve.min())}
    for step, theta in enumerate(state.path):
        change = (theta - state.path[step - 1], "") if step else "–"
        said[f"Adam/{step}/0" if learned else "Adam"] = {"learned theta": (theta, ""), "change in this step": change}
    for up in range(5):
        rows = {
            "probability, data": (state.data[up], ""),
            "Gibbs, learned theta": (state.gibbs[up], ""),
            "PMP, learned theta": (state.pmp[up], ""),
        }
        said |= {f"up {name}": rows for name in (f"Gibbs {up}", f"PMP {up}", f"data {up}")}
    return said


def of_learning(state, frame: int) -> dict[str, dict[str, Any]]:
    """The images are those of `ring_images`, 5 x 5 pixels."""
    data, drawn = (images.reshape(len(images), -1) for images in (ring_images(), state.samples))
    seen, found = (images.T @ images / len(images) for images in (data, drawn))
    side, said = state.samples.shape[1], {}
    floor = (float(np.sqrt(sum_of_variances(data) / (len(seen) ** 2 + len(seen)))), "")
    place = [f"row {pixel // side + 1}, column {pixel % side + 1}" for pixel in range(side**2)]

    def pair(i, j):
        return {
            "pixel i": place[i],
            "pixel j": place[j],
            "both on: share of the data": (seen[i, j], ""),
            "both on: share of the samples": (found[i, j], ""),
            "data − samples": (seen[i, j] - found[i, j], ""),
            "weight W_{ij}": nats(state.weight[i, j]),
        }

    for number, (i, j) in enumerate(zip(*np.triu_indices(side**2, 1), strict=True)):
        said[f"pairs/0/{number}"] = pair(i, j)
    for i, j in np.ndindex(side**2, side**2):
        row, col = i // side * side + j // side, i % side * side + j % side
        said[f"weights/{row}/{col}"] = {"bias b_{i}": nats(state.bias[i])} if i == j else pair(min(i, j), max(i, j))
    for (number, row, col), on in np.ndenumerate(state.samples[:25]):
        pixel = row * side + col
        said[f"sample {number}/{row}/{col}"] = {
            place[pixel]: NAMES[on],
            "on: share of the data": (seen[pixel, pixel], ""),
            "on: share of the samples": (found[pixel, pixel], ""),
            "bias b_{i}": nats(state.bias[pixel]),
        }
    settings = [setting for *setting, steps in state.taken for _ in range(steps)]
    for step, (gap, (name, chains, sweeps)) in enumerate(zip(state.gaps, settings, strict=True)):
        said[f"gaps/0/{step}"] = {
            "moment gap": (gap, ""),
            "gap by chance": floor,
            "learned with": "PMP, new samples" if name == "PMP" else f"Gibbs, chains {chains}",
            "sweeps": sweeps,
        }
    said["gap of the samples"] = {"sampler": state.sampler, "moment gap": (state.gap, ""), "gap by chance": floor}
    for side_of in ("data", "samples"):
        said[f"axis {side_of}"] = {f"both on: share of the {side_of}": "from 0 to 1"}
    return said


def sum_of_variances(data: np.ndarray) -> float:
    """The expected sum of squared differences between the moments of the data and of 100 samples of it."""
    first, pairs = data.mean(0), data.T @ data / len(data)
    halves = (pairs * (1 - pairs))[np.triu_indices(len(pairs), 1)] / 4
    return ((first * (1 - first)).sum() + 2 * halves.sum()) / 100


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
            "a wrong index": ("messages[sweep * sent + k]", "messages[sweep * sent + (k ^ 1)]"),
            "a stale frame": ("beliefs[frame * count + k]", "beliefs[Math.max(0, frame - 1) * count + k]"),
            "a unit": ("`${num(value, digits)} nats`", "`${num(value, digits)} bits`"),
            "a sign": ("Math.abs(now(k) - neutral)", "now(k) - neutral"),
            "the push in place of the message": ("nats(now(k + 1))", "nats(now(k + 1) - weights[k] / 2)"),
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
    "sampler": Drawn(
        of_sampler,
        settings=[
            {"model": "spin glass", "coupling": 1.2, "seed": 2, "damping": 0.2},
            {"model": "lattice", "coupling": 0.3, "perturbation": 2.0, "seed": 5},
        ],
        frames=(0, 9),
        faults={
            "the reply": ("k % 2 ? k - 1 : k + 1", "k"),
            "a best score from the future": ("most = Math.max(most, value)", "most = Math.max(...values)"),
            "states of another sweep": ("let k = frame * noise.length;", "let k = 0;"),
        },
    ),
    "wrong_model": Drawn(
        of_wrong_model,
        settings=[
            {"step": 30, "learned theta": 0.2, "data theta": 0.35},
            {"step": 200, "start": "neutral", "sweeps": 1, "data theta": 0.7},
        ],
        faults={
            "both distances alike": ("colours.sampler, state.kl_pmp, 1", "colours.sampler, state.kl_gibbs, 1"),
            "a step too late": ("d.num(path[k])", "d.num(path[Math.min(k + 1, path.length - 1)])"),
            "spins down": ("d.num(state.pmp[k])", "d.num(state.pmp[4 - k])"),
        },
    ),
    "learning": Drawn(
        of_learning,
        settings=[
            {"taken": (("PMP", "reset", 5, 2), ("Gibbs", "persistent", 3, 2)), "sampler": "Gibbs", "sweeps": 3},
            {"taken": (("Gibbs", "reset", 1, 3),), "seed": 4},
        ],
        faults={
            "a wrong pair": (
                "(i * (2 * n - i - 1)) / 2 + j - i - 1",
                "(i * (2 * n - i - 1)) / 2 + j - i - 2 + (i < 1 && j < 2)",
            ),
            "blocks the other way": ("(row % high) * wide + (col % wide)];", "(col % wide) * wide + (row % high)];"),
            "the first sample": ("samples[number * n + row * wide + col]", "samples[row * wide + col]"),
        },
    ),
}
"""Folder of an explorer -> its row."""


def make(name: str) -> Explorer:
    """Return the small explorer of a row."""
    explorer = EXPLORERS[name].make_small()
    assert isinstance(explorer, Explorer)
    return explorer
