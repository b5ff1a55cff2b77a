"""The registry of pictures that the page draws: what each mark of an explorer should say, computed from its state."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from explorers import EXPLORERS, ring_images, small_watch
from pages import PAGES

import pmp_kit as pk
from pmp_kit.course.experiments import judging as sets
from pmp_kit.course.experiments.graphs import learn as graphs
from pmp_kit.course.experiments.graphs.figures import SHORT
from pmp_kit.course.experiments.rbm import samples
from pmp_kit.course.explore.energies import compute as energies
from pmp_kit.course.explore.factors import compute as bench
from pmp_kit.course.explore.factors import timing
from pmp_kit.course.explore.messages.topologies import TOPOLOGIES
from pmp_kit.course.explore.own import compute as composer
from pmp_kit.course.explore.picture import Explorer
from pmp_kit.course.explore.shared import grid
from pmp_kit.course.explore.watch import compute as watch

FACTORS = [("AND", 3, 0.5), ("exactly k", 2, 0.0), ("at least k", 6, 1.0), ("Potts pair", 5, 0.0)]
NAMES = {0: "off", 1: "on", pk.FREE: "free"}


class Drawn(NamedTuple):
    """A row of the registry.

    Attributes:
        expected: state and number of the frame -> mark -> {name: words, or (number, unit)}, see `reading`.
        settings: params of which the tips are compared, beside the first ones.
        frames: numbers of frames that are compared, beside the last one.
    """

    expected: Callable[[Any, int], dict[str, dict[str, Any]]]
    settings: list[dict[str, Any]]
    frames: tuple[int, ...] = ()


def nats(value: float) -> tuple[float, str] | str:
    if np.isnan(value):
        return "–"
    return (float(value), "nats") if np.isfinite(value) else f"{'∞' if value > 0 else '−∞'} nats"


def of_energies(state, frame: int) -> dict[str, dict[str, Any]]:
    """Follow the notation of page 01."""
    said, spins, upper = {}, len(state.up), energies.KINDS[state.kind][1]
    for k, name in enumerate(energies.factor_names(spins)):
        symbol, term = f"{name[0]}_{{{name[1:]}}}", " ".join(f"x_{{{i}}}" for i in name[1:])
        said[f"factor {k}"] = {
            f"strength {symbol}": nats(state.strengths[k]),
            "adds to the score": f"{symbol} {term}",
            f"mean of {term}": (state.means[k], ""),
            f"slope of log Z along {symbol}": (state.means[k] / state.temperature, ""),
        }
    for i in range(spins):
        sign = "+" if "−" in state.kind else ""
        said[f"variable {i}"] = {
            f"p(x_{{{i + 1}}} = {sign}{upper})": (state.up[i], ""),
            f"mean of x_{{{i + 1}}}": (state.means[i], ""),
        }
    table = state.probabilities.reshape((2,) * spins)
    for row, score in enumerate(state.scores):
        place = np.unravel_index(row, table.shape)
        changed = [tuple(x if k != i else 1 - x for k, x in enumerate(place)) for i in range(spins)]
        said[f"configuration/{row}/0"] = {
            "score(x)": nats(score),
            "E(x) = −score(x)": nats(-score),
            "exp(−E(x) / T)": (np.exp(score / state.temperature), ""),
            "Z, their sum": (np.exp(state.scores / state.temperature).sum(), ""),
            "p(x), divided by Z": (state.probabilities[row], ""),
            "highest p(x) after one change": (max(table[x] for x in changed), ""),
            "a mode": "yes" if state.modes[row] else "no",
        }
    return said


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
        said[f"residual/0/{sweep}"] = {
            "residual, the largest change of a message": nats(residual),
            "score below the best": nats(gap),
        }
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


def of_drift(state, frame: int) -> dict[str, dict[str, Any]]:
    said, chain = {}, state.chain
    steps, count = chain.states.shape

    def sign(states, step, spin) -> str:
        return "+1" if states[step, spin] else "−1"

    for step, spin in np.ndindex(steps, count):
        said[f"ribbon/{spin}/{step}"] = {
            "noise ε(+1) − ε(−1)": nats(chain.noise[step, spin]),
            "state in the step before": sign(chain.states, step - 1, spin) if step else "–",
            f"state after {state.sweeps} sweep{'s' * (state.sweeps > 1)}": sign(chain.states, step, spin),
            "state after 60 sweeps": sign(chain.reference, step, spin),
        }
    for line, spin in enumerate((9, 27, 44)):
        said |= {f"noise/{line}/{step}": said[f"ribbon/{spin}/{step}"] for step in range(steps)}
    return said | {f"sample/{spin // 8}/{spin % 8}": said[f"ribbon/{spin}/{frame}"] for spin in range(count)}


def of_judging(state, frame: int) -> dict[str, dict[str, Any]]:
    """Follow the notation of page 07."""
    said = {}
    for place, image in enumerate(state.reference):
        said[f"reference {place}"] = {"pixels on": f"{image.sum()} of 100"}
    for number, (image, nearest) in enumerate(zip(state.images, state.nearest, strict=True)):
        said[f"{sets.NAMES[number // 6]} {number % 6}"] = {
            "pixels on": f"{image.sum()} of 100",
            "H to the nearest of the reference": f"{nearest} pixel{'' if nearest == 1 else 's'}",
            "their similarity k": (np.exp(-state.scale * nearest / 100), ""),
        }
    for k, name in enumerate(sets.NAMES):
        said[f"set {k}"] = {
            "MMD²": (state.discrepancies[k], ""),
            "its standard deviation": (state.deviations[k], ""),
            "distance, their ratio": (state.discrepancies[k] / state.deviations[k], "standard deviations"),
            "in the band": "yes" if abs(state.sigmas[k]) < 2 else "no",
            "images": state.real if name == sets.REAL else state.number,
        }
    x = sets.zeros()["training"].reshape(-1, 100).astype(float)
    differ = (x[:, None] != x).sum(-1)[np.triu_indices(len(x), 1)]
    for distance in range(51):
        said[f"kernel/0/{distance}"] = {
            "H / D": f"{distance} / 100",
            "kernel k = exp(−s H / D)": (np.exp(-state.scale * distance / 100), ""),
            "pairs of real zeros": f"{(differ == distance).sum()} of {differ.size}",
        }
    return said


def of_noise(state, frame: int) -> dict[str, dict[str, Any]]:
    """Follow the notation of page 03."""
    said, names = {}, sorted(set("".join(state.labels)), key="−+012".index)
    sums = state.scores.astype(float) + state.added
    errors = 2 * np.sqrt(state.shares * (1 - state.shares) / state.samples)
    for k, label in enumerate(state.labels):
        said[f"share {k}"] = said[f"configuration/0/{k}"] = {
            "share of perturb-and-MAP": (state.shares[k], ""),
            "its two standard errors": (errors[k], ""),
            **({} if state.formula is None else {"exact share": (state.formula[k], "")}),
            "p(x) of the model": (state.gibbs[k], ""),
            "share − p(x)": (float(state.shares[k]) - float(state.gibbs[k]), ""),
        }
        said[f"score {k}"] = said[f"noise {k}"] = said[f"draw/0/{k}"] = {
            "score(x)": nats(state.scores[k]),
            **{f"noise ε_{{{i + 1}}}({x})": nats(state.draw[i, names.index(x)]) for i, x in enumerate(label)},
            "perturbed score, their sum": nats(sums[k]),
            "the maximiser": "yes" if k == sums.argmax() else "no",
        }
    said["maximiser"] = said[f"draw/0/{sums.argmax()}"]
    said["meter"] = said["mean"] = said["partition"] = {
        "mean of the maxima": nats(state.mean_max),
        "log Z": nats(state.log_partition),
        "difference": nats(state.excess),
        "its two standard errors": nats(2 * state.error),
    }
    return said


def of_graphs(state, frame: int) -> dict[str, dict[str, Any]]:
    said: dict[str, dict[str, Any]] = {
        "exact samples": {"mostly between": "−2 and 2 sd"},
        "no structure": {"MMD² from new data": (state.pixels, "sd")},
    }
    for (method, place), quality in np.ndenumerate(state.quality):
        at = method, place
        numbers = {
            "MMD² from new data": (quality, "sd"),
            "its standard error": (state.quality_error[at], "sd"),
            "RMSE of W": (state.rmse[at], ""),
            "standard error of RMSE": (state.rmse_error[at], ""),
            "to learn and to draw": (state.seconds[at], "s"),
        }
        said |= {f"{name}/{method}/{place}": numbers for name in ("quality", "rmse")}
    learner = SHORT[graphs.METHODS[state.method]]
    for pair, (true, learned) in enumerate(zip(state.true, state.learned, strict=True)):
        numbers = {"true": true, f"learned by {learner}": learned, "error": learned - true}
        said[f"pairs/0/{pair}"] = {name: (float(value), "") for name, value in numbers.items()}
    return said


def of_programs(state, frame: int) -> dict[str, dict[str, Any]]:
    said, solved = {}, {"MPLP": state.mplp, "max-product": state.max_product, "exact": state.exact}
    for (spin, draw), fraction in np.ndenumerate(state.fractions):
        words: dict[str, Any] = {f"LP, p_{{{spin + 1}}}": (fraction, "")}
        for name, spins in solved.items():
            wrong = bool(spins[spin, draw] != state.exact[spin, draw])
            words[name] = f"{'+1' if spins[spin, draw] > 0 else '−1'}{', wrong' * wrong}"
        said |= {f"{panel} {draw}/0/{spin}": words for panel in ("LP", *solved)}
    for draw, best in enumerate(state.best):
        scores = {
            "LP, a bound": state.lp_value[draw],
            "dual, a bound": state.dual[draw],
            "MPLP, found": state.mplp_score[draw],
            "max-product, found": state.max_product_score[draw],
        }
        numbers = {name: nats(round(value, 5)) for name, value in scores.items()}
        said |= {f"{name}/0/{draw}": {**numbers, "best score": nats(best)} for name in scores}
    return said


def of_race(state, frame: int) -> dict[str, dict[str, Any]]:
    unit, title = (
        ("sd", "MMD² to exact samples") if state.measure == "MMD" else ("nats", "energy of a spin minus exact")
    )
    across = "sweeps" if state.budget == "sweeps" else "time, in sweeps of PMP"
    said: dict[str, dict[str, Any]] = {"band": {"mostly within": f"± {2 * state.band:.3g} {unit}"}}
    for (method, row), value in np.ndenumerate(state.curves):
        said[f"curves/{method}/{row}"] = {title: (value, unit), across: (state.places[method, row], "")}
    order = grid.snake(8)[0]
    for name, sheet in zip(
        ["exact samples", "PMP", "Gibbs", "GWG", "DMALA"], [state.exact, *state.samples], strict=True
    ):
        for n, sample in enumerate(sheet[: 40 if state.model == "long line" else 25]):
            square = sample.reshape(8, 8)
            if state.model == "long line":
                line = sample[order]
                equal = f"{(line[1:] == line[:-1]).sum()} of 63"
                for place, spin in enumerate(line):
                    said[f"{name}/{place}/{n}"] = {f"variable {place + 1}": int(spin), "equal neighbours": equal}
                continue
            equal = f"{(square[1:] == square[:-1]).sum() + (square[:, 1:] == square[:, :-1]).sum()} of 112"
            for (row, col), spin in np.ndenumerate(square):
                place = f"row {row + 1}, column {col + 1}"
                said[f"{name} {n}/{row}/{col}"] = {place: int(spin), "equal neighbours": equal}
    return said


def seconds(value: float) -> tuple[float, str]:
    return (1e3 * value, "ms") if value < 1 else (value, "s")


def of_speed(state, frame: int) -> dict[str, dict[str, Any]]:
    said: dict[str, dict[str, Any]] = {
        f"predicted/{row}/{place}": {
            "predicted": seconds(value),
            "times the chosen setting": (value / state.predicted, ""),
        }
        for (row, place), value in np.ndenumerate(state.curves)
    }
    for number, run in enumerate(state.runs):
        words = {
            "variables": run.size,
            "samples": run.samples,
            "predicted": seconds(run.predicted),
            "measured": seconds(run.measured),
            "measured / predicted": (run.measured / run.predicted, ""),
            "sweeps of a measured call": run.sweeps,
            "compiling, before that": seconds(run.compiling),
        }
        said[f"run {number}"] = words
        if (run.model, run.samples, run.device) == (state.setting.model, state.setting.samples, state.setting.device):
            said[f"measured {number}"] = words
    return said


def of_evidence(evidence, images, one: str, given: str, more=lambda n: {}) -> dict[str, dict[str, Any]]:
    """Follow evidence.js: the board and the sheet. `more` is what else a tip says of an image."""
    said = {}
    for (row, col), on in np.ndenumerate(images.sum(0)):
        shared = {given: NAMES[evidence[row, col]], "on in": f"{on} of {len(images)} {one}s"}
        said[f"evidence/{row}/{col}"] = shared
        for n, image in enumerate(images):
            pixel = {f"row {row + 1}, column {col + 1}": NAMES[image[row, col]]}
            said[f"{one} {n}/{row}/{col}"] = more(n) | pixel | shared
    return said


def of_zeros(state, frame: int) -> dict[str, dict[str, Any]]:
    said = of_evidence(state.evidence, state.completions, "completion", "painted")
    return said | {mark.replace("evidence", "share"): tip for mark, tip in said.items() if mark.startswith("evidence")}


def of_rbm(state, frame: int) -> dict[str, dict[str, Any]]:
    one = "completion" if (state.evidence != pk.FREE).any() else "sample"
    said = of_evidence(state.evidence, state.images, one, "painted", lambda n: {"read as a": state.digits[n]})
    table, judged = samples.load(), 25 if one == "completion" else samples.NUMBER[state.method]
    for (method, stage), mmd in np.ndenumerate(table["u"][..., 1]):
        said[f"distance/{method}/{stage}"] = {
            "MMD² from held-out digits": (float(mmd), ""),
            "standard deviation": (float(table["null"][method, stage, 1]), ""),
            "independent pixels": (float(table["floor pixels u"][1]), ""),
            "real digits": f"below {2 * table['floor real null'][1]:.1e}".replace("e-04", " · 10⁻⁴"),
        }
    for digit, share in enumerate(state.shares):
        said[f"digit {digit}"] = {
            "share": (100 * float(share), "%"),
            "images": f"{share * judged:.0f} of {judged}",
            "equally frequent": "10 %",
        }
    return said


def of_deconvolution(state, t: int) -> dict[str, dict[str, Any]]:
    """Follow page 11: numbers of features and images start at 1, and beliefs are kept up to 20 nats."""
    said = {}
    for (k, row, col), belief in np.ndenumerate(20.0 * state.beliefs[t]):
        limit = f"at {'least 20' if belief > 0 else 'most −20'} nats"
        said[f"feature {k}/{row}/{col}"] = {
            "belief": limit if abs(belief) == 20 else nats(belief),
            "decoded": "ink" if belief >= 0 else "no ink",
            "this feature": state.kinds[t][k].replace("copy of", "copy of feature"),
        }
    for (n, row, col), ink in np.ndenumerate(state.images):
        by = [str(k + 1) for k in np.flatnonzero(state.covered[t, n, :, row, col])]
        outcome = {(1, 1): "right, ink", (0, 0): "right, no ink", (1, 0): "ink is missing", (0, 1): "ink too much"}
        free = f"not given, {'ink' if by else 'no ink'}"
        said[f"image {n}/{row}/{col}"] = {
            "the image": ("ink" if ink else "no ink") if n < state.given else "not given",
            "drawn": f"ink, by feature{'s' * (len(by) > 1)} {', '.join(by)}" if by else "no ink",
            "this pixel": outcome[ink, bool(by)] if n < state.given else free,
        }
    said |= {mark.replace("image 0", "large image"): tip for mark, tip in said.items() if mark.startswith("image 0/")}
    compared = f"{state.given} image{'s' * (state.given > 1)}"
    for sweep, share in enumerate(state.right):
        said[f"right/0/{sweep}"] = {"pixels that are right": (100 * float(share), "%"), "compared": compared}
    return said


def of_bounds(state, frame: int) -> dict[str, dict[str, Any]]:
    said = {}
    for line, name in enumerate(("dual", "exact", "primal", "lower", "mplp")):
        for k, (mean, error) in enumerate(zip(state.means[name], state.errors[name], strict=True)):
            said[f"curve/{line}/{k}"] = {
                "mean, from log Z": nats(mean),
                "two standard errors": nats(2 * error),
                "mean": nats(state.log_z + mean),
                "perturbations": state.perturbations,
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
        said[f"Adam/{step}/0" if learned else "Adam"] = {
            "theta of this step": (theta, ""),
            "change in this step": change,
        }
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


def of_own(state, frame: int) -> dict[str, dict[str, Any]]:
    """Expect the tips of a parity code of four bits, which are few enough for exact marginals."""
    said, samples = {}, len(state.allowed)
    for (number, row, col), value in np.ndenumerate(state.pictures[: composer.shown(state)]):
        rules = "all are kept" if state.allowed[number] else "one or more are broken"
        said[f"sample {number}/{row}/{col}"] = {f"variable {col + 1}": f"state {value}", "rules": rules}
    for k, (share, exact) in enumerate(zip(state.marginals, map(float, state.exact), strict=True)):
        said[f"marginal {k}"] = {
            "share of ones, samples": (float(share), ""),
            "exact probability": (exact, ""),
            "difference": (share - exact, ""),
            f"standard error of {samples} samples": (np.sqrt(exact * (1 - exact) / samples), ""),
        }
    for k, (settled, lawful) in enumerate(zip(state.settled, state.lawful, strict=True)):
        said[f"sweeps/0/{k}"] = {"settled": (100 * float(settled), "%"), "keep all rules": (100 * float(lawful), "%")}
    return said


@functools.cache
def small_watched() -> watch.Watched:
    """The model of the registry, without the explorer."""
    given = small_watch()
    return watch.Watched(given["model"], None, given["evidence"], None)


def of_watch(state, t: int) -> dict[str, dict[str, Any]]:
    """Expect the tips of `Watch` for the model of the registry."""
    watched = small_watched()
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
        said[f"residual/0/{sweep}"] = {
            "residual, the largest change of a message": nats(residual),
            "score of the decoded states": value,
        }
    return said


PICTURES = {
    "energies": Drawn(
        of_energies,
        settings=[
            {
                "states": kind,
                "temperature": temperature,
                "strengths": dict(zip(energies.factor_names(4), strengths, strict=True)),
            }
            for kind, temperature, strengths in zip(
                energies.KINDS, (0.5, 2.0), np.random.default_rng(0).normal(0, 0.5, (2, 10)).round(2), strict=True
            )
        ],
    ),
    "drift": Drawn(
        of_drift,
        settings=[{"rho": 0.99, "start": "warm", "sweeps": 1}, {"rho": 0.0, "sweeps": 20}],
        frames=(0, 20),
    ),
    "judging": Drawn(
        of_judging,
        settings=[
            {"kernel scale": 50.0, "reference": "training", "samples": 100},
            {"kernel scale": 1.0, "samples": 25, "seed": 3},
        ],
    ),
    "noise": Drawn(
        of_noise,
        settings=[
            {"model": "three spins", "coupling": -0.3, "samples": 100},
            {"model": "one variable, 3 states", "coupling": 1.0, "seed": 3},
            {"model": "four spins", "coupling": 1.5, "distribution": "logistic on state 0", "perturbation": 0.1},
        ],
    ),
    "messages": Drawn(
        of_messages,
        settings=[
            {"topology": topology, "coupling": coupling, "start": start, "damping": 0.2}
            for topology, coupling, start in zip(
                TOPOLOGIES, (0.5, -0.7, 1.0, -1.5, 0.0, -0.2), ["zero", "neutral"] * 3, strict=True
            )
        ],
        frames=(0, 1, 7),
    ),
    "digits": Drawn(
        of_digits,
        settings=[{"digit": 7, "sweeps": 1}, {"digit": 3, "seed": 4, "perturbation": False}],
    ),
    "graphs": Drawn(
        of_graphs,
        settings=[
            {"graph": "random graph", "method": "Gibbs-with-gradients", "sweeps": 5},
            {"graph": "lattice", "budget": "time", "kernel scale": 1, "sweeps": 25},
        ],
    ),
    "programs": Drawn(
        of_programs,
        settings=[
            {"coupling range": 0.3, "seed": 3, "size": 7, "sweeps": 12},
            {"version": "kit: best state", "seed": 2, "sweeps": 5},
        ],
    ),
    "race": Drawn(
        of_race,
        settings=[
            {"model": "cold lattice", "budget": "time", "measure": "energy", "couplings": "PMP's own", "sweeps": 32},
            {"seed": 1, "sweeps": 64},
        ],
    ),
    "speed": Drawn(
        of_speed,
        settings=[
            {
                "sampler": "Gibbs",
                "size": 784,
                "runs": [
                    ("lattice", "PMP", 400, 16, "cpu", 0.012, 0.0131, 100, 1.2),
                    ("lattice", "Gibbs", 784, 8, "cpu", 0.03, 0.02, 100, 0.0),
                    ("dense", "Gibbs-with-gradients", 1600, 16, "cpu", 300.0, 1400.0, 1, 3.5),
                ],
            },
            {"model": "dense", "samples": 100, "size": 1600},
        ],
    ),
    "zeros": Drawn(
        of_zeros,
        settings=[{"sweeps": 1, "stroke": "roof"}, {"perturbation": False, "painted": [".10..."] * 6}],
    ),
    "rbm": Drawn(
        of_rbm,
        settings=[
            {"weights": "PCD-1 constant", "sweeps": 5, "seed": 2},
            {"weights": "Gibbs-reset", "evidence": "a ring above", "painted": None},
        ],
    ),
    "deconvolution": Drawn(
        of_deconvolution,
        settings=[{"images": 4, "seed": 41}, {"images": 1, "observed": "X and S", "prior": "0.05"}],
        frames=(0, 6),
    ),
    "bounds": Drawn(
        of_bounds,
        settings=[{"size": 5, "perturbations": 10, "seed": 3}, {"coupling range": 0.3, "perturbations": 20}],
    ),
    "sampler": Drawn(
        of_sampler,
        settings=[
            {"model": "spin glass", "coupling": 1.2, "seed": 2, "damping": 0.2},
            {"model": "lattice", "coupling": 0.3, "perturbation": 2.0, "seed": 5},
        ],
        frames=(0, 9),
    ),
    "wrong_model": Drawn(
        of_wrong_model,
        settings=[
            {"step": 30, "learned theta": 0.2, "data theta": 0.35},
            {"step": 200, "start": "neutral", "sweeps": 1, "data theta": 0.7},
        ],
    ),
    "learning": Drawn(
        of_learning,
        settings=[
            {"taken": (("PMP", "reset", 5, 2), ("Gibbs", "persistent", 3, 2)), "sampler": "Gibbs", "sweeps": 3},
            {"taken": (("Gibbs", "reset", 1, 3),), "seed": 4},
        ],
    ),
    "factors": Drawn(
        of_factors,
        settings=[{"factor": name, "n": n, "k": 2, "temperature": t} for name, n, t in FACTORS],
    ),
    "own": Drawn(
        of_own,
        settings=[{"sweeps": 0, "seed": 3}, {"sweeps": 16, "unaries": 2.5}],
    ),
    "watch": Drawn(
        of_watch,
        settings=[{"damping": 0.2, "start": "zero", "seed": 3}, {"perturbation": 0.0, "damping": 0.0}],
        frames=(0, 1, 5),
    ),
}
PICTURES |= {name: Drawn(page.expected, page.SETTINGS) for name, page in PAGES.items()}
"""Folder of an explorer -> its row."""


def make(name: str) -> Explorer:
    """Return the small explorer of a row."""
    explorer = EXPLORERS[name].make_small()
    assert isinstance(explorer, Explorer)
    return explorer
