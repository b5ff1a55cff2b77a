"""The registry of pictures that the page draws: what each mark of an explorer should say, computed from its state."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from explorers import EXPLORERS, small_watch

import pmp_kit as pk
from pmp_kit.course.explore.factors import compute as bench
from pmp_kit.course.explore.factors import timing
from pmp_kit.course.explore.messages.topologies import TOPOLOGIES
from pmp_kit.course.explore.own import compute as composer
from pmp_kit.course.explore.picture import Explorer
from pmp_kit.course.explore.watch import compute as watch

FACTORS = [("AND", 3, 0.5), ("exactly k", 2, 0.0), ("at least k", 6, 1.0), ("Potts pair", 5, 0.0)]
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


def nats(value: float) -> tuple[float, str] | str:
    if np.isnan(value):
        return "–"
    return (float(value), "nats") if np.isfinite(value) else f"{'∞' if value > 0 else '−∞'} nats"


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


def certain(message: float) -> Any:
    """A message of a hard rule is infinite where the rule leaves one state."""
    sure = f"{'∞' if message > 0 else '−∞'} nats: must be {int(message > 0)}"
    return nats(message) if abs(message) < bench.CERTAIN else sure


def of_factors(state, frame: int) -> dict[str, dict[str, Any]]:
    said, potts = {}, state.factor == bench.POTTS
    for k, (incoming, formula, tried) in enumerate(zip(state.incoming, state.formula, state.tried, strict=True)):
        t, m = ("score", "score") if potts else (f"message t_{{{k + 1}}}", f"message m_{{a→{k + 1}}}")
        said[f"variable {k}"] = {
            f"incoming {t}": nats(incoming),
            f"outgoing {m}, by the formula": certain(formula),
            f"by trying all {state.configurations} configurations": certain(tried),
            "difference": nats(abs(formula - tried)),
        }
    for name, curve in zip(("tried", "formula"), timing.measured(), strict=True):
        for k, (size, time) in enumerate(zip(curve.variables, curve.milliseconds, strict=True)):
            said[f"time {name}/0/{k}"] = {"variables n": size, "time of all messages": (float(time), "ms")}
    return said | {"extrapolated": {"one more variable": "twice the time"}}


def of_own(state, frame: int, states=2, ruled=True, own=True) -> dict[str, dict[str, Any]]:
    """Expect the tips of the composer, of which a test has other models than that of the registry."""
    said, samples, high = {}, len(state.allowed), state.pictures.shape[1]
    for (number, row, col), value in np.ndenumerate(state.pictures[: composer.shown(state)]):
        place = f"row {row + 1}, column {col + 1}" if high > 1 else f"{'variable' if own else 'place'} {col + 1}"
        rules = "all are kept" if state.allowed[number] else "one or more are broken"
        said[f"sample {number}/{row}/{col}"] = {place: f"{'state ' * own}{value}"} | ({"rules": rules} if ruled else {})
    for k, share in enumerate(state.marginals):
        tip: dict[str, Any] = {f"share of {'ones' if states == 2 else 'this state'}, samples": (float(share), "")}
        if state.exact is not None:
            exact = float(state.exact[k])
            tip["exact probability"] = (exact, "")
            tip["difference"] = (share - exact, "")
            tip[f"standard error of {samples} samples"] = (np.sqrt(exact * (1 - exact) / samples), "")
        rows = composer.rows_of_map(state, states)
        cols = state.marginals.size // rows
        said[f"marginals/{k // cols}/{k % cols}" if state.marginals.size > 32 else f"marginal {k}"] = tip
    curves = {"settled": state.settled} if state.settled is not None else {}
    curves |= {"keep all rules": state.lawful} if ruled else {}
    for k in range(composer.ROWS + 1) if curves else ():
        said[f"sweeps/0/{k}"] = {name: (100 * float(curve[k]), "%") for name, curve in curves.items()}
    return said


@functools.cache
def small_watched() -> watch.Watched:
    """The model of the registry, without the explorer."""
    given = small_watch()
    return watch.Watched(given["model"], None, given["evidence"], None)


def of_watch(state, t: int, watched: watch.Watched | None = None) -> dict[str, dict[str, Any]]:
    """Expect the tips of `Watch`, of which a test has other models than that of the registry."""
    watched = watched or small_watched()
    figure, binary, several = watched.figure, watched.variables.cardinalities == 2, watched.variables.num_planes > 1
    names = [
        f"{block}[{', '.join(map(str, index))}]" if index else block
        for block, ids in watched.variables.items()
        for index in np.ndindex(ids.shape)
    ]

    def odds(values):
        return values[1] - values[0] if several else values[0]

    def cavity(belief, message):
        return belief - message if np.isfinite(belief) else belief

    def each_state(name, scores, k):
        scores = scores[: watched.variables.cardinalities[k]]
        return {f"{name}, state {x}": nats(score - scores.max()) for x, score in enumerate(scores)}

    def ahead(scores):
        second, best = np.sort(scores)[-2:]
        return float(best - second), f"nats for state {scores.argmax()}"

    said = {}
    messages, beliefs = state.messages, state.beliefs
    links = {a: np.flatnonzero(figure.of == a) for a in range(len(figure.names))}
    for a, mine in links.items():
        to = figure.to[mine]
        rows: dict[str, Any] = {} if np.isnan(figure.weights[a]) else {"weight W": nats(figure.weights[a])}
        for link, k in list(zip(mine, to, strict=True))[:8]:
            scores = messages[t, link][: watched.variables.cardinalities[k]]
            rows[f"m to {names[k]}"] = nats(odds(messages[t, link])) if binary[k] else ahead(scores)
        said[f"factor {a}"] = rows | ({"further variables": len(mine) - 8} if len(mine) > 8 else {})
        edge = figure.other[mine[0]] >= 0
        if edge and not np.allclose(figure.images[mine[0]], figure.places[to[1]]):
            said[f"factor {a} again"] = rows
    for link, (a, k, other) in enumerate(zip(figure.of, figure.to, figure.other, strict=True)):
        now = messages[t, link]
        back = beliefs[t, k] - now
        if not binary[k]:
            said[f"message {link}"] = each_state("m", now, k)
            said[f"reply {link}"] = each_state("m", back, k)
            continue
        neutral = odds(figure.neutral[link])
        push = odds(now) - neutral
        said[f"message {link}"] = {"m": nats(odds(now)), "neutral value": nats(neutral)} | {
            f"favours {names[k]} = {int(push > 0)} by" if abs(push) >= 5e-4 else "favours no state": nats(abs(push))
        }
        if other >= 0:
            reply = links[a][links[a] != link][0]
            before = cavity(odds(beliefs[t - 1, other]), odds(messages[t - 1, reply])) if t else np.nan
            said[f"message {link}"]["cavity, before this sweep"] = nats(before)
        else:
            said[f"reply {link}"] = {
                "m, the belief without the reply": nats(cavity(odds(beliefs[t, k]), odds(now))),
                "belief": nats(odds(beliefs[t, k])),
                "reply of the factor": nats(odds(now)),
            }
        change = odds(now) - odds(messages[t - 1, link]) if t else np.nan
        said[f"message {link}"]["change in this sweep"] = nats(change) if t else "–"
    for k in range(len(names)):
        known = {} if state.evidence[k] == pk.FREE else {"evidence": f"state {state.evidence[k]}"}
        last = {"decoded state": state.states[t, k]} | known
        bias, noise = odds(state.bias[k]), odds(state.noise[k])
        said[f"variable {k}"] = (
            {
                "unary b": nats(bias),
                "noise ε(1) − ε(0)": nats(noise),
                "messages to it, sum": nats(odds(beliefs[t, k]) - bias - noise) if not known else "–",
                "belief": nats(odds(beliefs[t, k])),
            }
            if binary[k]
            else each_state("belief", beliefs[t, k], k)
        ) | last
    for sweep, (residual, score) in enumerate(zip(state.residuals, state.scores, strict=True)):
        value = nats(score) if np.isfinite(score) else "−∞: they are forbidden"
        said[f"residual/0/{sweep}"] = {"residual": nats(residual), "score of the decoded states": value}
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
    "factors": Drawn(
        of_factors,
        settings=[{"factor": name, "n": n, "k": 2, "temperature": t} for name, n, t in FACTORS],
        faults={
            "a wrong index": ("nats(incoming[k])", "nats(incoming[(k + 1) % incoming.length])"),
            "the formula in place of the enumeration": ("inWords(tried[k])", "inWords(formula[k] + 0.01)"),
            "a unit": ("${d.num(times[k])} ms", "${d.num(times[k])} s"),
        },
    ),
    "own": Drawn(
        of_own,
        settings=[{"sweeps": 0, "seed": 3}, {"sweeps": 16, "unaries": 2.5}],
        faults={
            "a wrong index": ("some[(n * rows + row) * cols + col]", "some[(n * rows + row) * cols + (col ^ 1)]"),
            "the rules of another sample": ('allowed[n] ? "all', 'allowed[n + 1] ? "all'),
            "the error of another number of samples": ("(1 - exact[k])) / samples", "(1 - exact[k])) / 100"),
            "a unit": ("${d.num(100 * share)} %", "${d.num(share)} %"),
        },
    ),
    "watch": Drawn(
        of_watch,
        settings=[{"damping": 0.2, "start": "zero", "seed": 3}, {"perturbation": 0.0, "damping": 0.0}],
        frames=(0, 1, 5),
        faults={
            "a wrong index": ("(row * total + k) * planes", "(row * total + (k ^ 1)) * planes"),
            "a stale frame": ("numbers(state.messages, sweep, link, links)", "numbers(state.messages, 0, link, links)"),
            "the push in place of the message": ('["m", d.nats(now[0])]', '["m", d.nats(now[0] - neutral(link)[0])]'),
            "scores that do not start from the best": ("d.nats(value - top)", "d.nats(value)"),
            "the reply of no link": ("(one) => one !== link", "(one) => one === link"),
        },
    ),
}
"""Folder of an explorer -> its row."""


def make(name: str) -> Explorer:
    """Return the small explorer of a row."""
    explorer = EXPLORERS[name].make_small()
    assert isinstance(explorer, Explorer)
    return explorer
