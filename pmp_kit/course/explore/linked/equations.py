"""The equations of the course whose terms light up their code. `listings.py` has the code."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """A part of an equation.

    Attributes:
        words: what it is, in one sentence, also for screen readers.
        lines: of the code, counted from 1 without the docstring.
        lights: the part of the picture that it stands for, one of the `parts` of its marks; empty for none.
    """

    words: str
    lines: tuple[int, ...]
    lights: str = ""


class Equation(NamedTuple):
    """An equation in rows.

    Attributes:
        title: what it says.
        rows: each a sequence of formulas, as `document.formula` reads them, and of terms: pairs (name, formula).
        terms: name -> term.
    """

    title: str
    rows: tuple[tuple[str | tuple[str, str], ...], ...]
    terms: dict[str, Term]


MESSAGE = Equation(
    "One message of max-product, from i to j",
    (
        (("cavity", "cavity_{i→j}"), " = ", ("unary", "θ_i"), " + ", ("arriving", "∑_{k≠j} m_{k→i}")),
        (("zero", "best(0)"), " = ", ("without", "max(0, cavity_{i→j})")),
        (("one", "best(1)"), " = ", ("with", "max(0, cavity_{i→j} + W_{ij})")),
        (("message", "m_{i→j}"), " = ", ("difference", "best(1) − best(0)")),
    ),
    {
        "cavity": Term("The unary of i plus all messages to i, except the one from j.", (4,), "cavity"),
        "unary": Term("The unary of i: its bias, with its noise if there is any.", (4,), "variable"),
        "arriving": Term("The sum of the messages that arrive at i from all neighbours except j.", (2, 3), "others"),
        "zero": Term("The best score of the side of i if j has state 0.", (5,), "variable"),
        "without": Term("State 0 of i scores 0, state 1 of i scores the cavity. The larger counts.", (5,), "cavity"),
        "one": Term("The best score of the side of i if j has state 1.", (6,), "edge"),
        "with": Term("The same, but the weight counts too if both i and j have state 1.", (6,), "edge"),
        "message": Term("The best score for state 1 of j minus that for state 0.", (7,), "message"),
        "difference": Term(
            "It favours state 1 of j if it is above half the weight, which is neutral.", (7,), "message"
        ),
    },
)

PERTURB_AND_MAP = Equation(
    "Perturb-and-MAP, and its bound",
    (
        (
            ("sample", "x"),
            " = ",
            ("argmax", "argmax_x"),
            " { ",
            ("score", "score(x)"),
            " + ",
            ("noise", "∑_i ε_i(x_i)"),
            " }",
        ),
        (
            ("bound", "log Z"),
            " ≤ ",
            ("mean", "⟨"),
            ("max", "max_x"),
            " { ",
            ("score", "score(x)"),
            " + ",
            ("noise", "∑_i ε_i(x_i)"),
            " } ",
            ("mean", "⟩"),
        ),
    ),
    {
        "sample": Term("The sample is the configuration with the highest perturbed score.", (5,), "shares"),
        "argmax": Term(
            "Of all configurations, the one with the highest perturbed score is taken (MAP).", (5,), "maximiser"
        ),
        "score": Term("The score of the configuration in the model.", (4,), "score"),
        "noise": Term("Each variable adds the noise on the state that it has in x.", (2, 3), "noise"),
        "bound": Term("The logarithm of the partition function is at most the mean on the right.", (6,), "partition"),
        "mean": Term("The brackets are the mean over the noise, here over the samples.", (6,), "mean"),
        "max": Term("The highest perturbed score of each sample.", (6,), "maximiser"),
    },
)

SPACE = "\N{NO-BREAK SPACE}"
INDENT = 4 * SPACE

ALGORITHM_1 = Equation(
    "Algorithm 1: one sample of PMP",
    (
        (("theta", "θ_i"), " = ", ("bias", "b_i"), " + ", ("noise", "ε_i(1) − ε_i(0)")),
        (("start", "m_{i→j} ← 0"),),
        (("repeat", "repeat T times:"),),
        (INDENT, ("belief", "belief_i"), " = ", ("theta", "θ_i"), " + ", ("incoming", "∑_k m_{k→i}")),
        (INDENT, ("cavity", "cavity_{i→j}"), " = ", ("belief", "belief_i"), " − ", ("reply", "m_{j→i}")),
        (
            INDENT,
            ("new", "m′_{i→j}"),
            " = ",
            ("one", "max(0, cavity_{i→j} + W_{ij})"),
            " − ",
            ("zero", "max(0, cavity_{i→j})"),
        ),
        (INDENT, ("message", "m_{i→j}"), " ← ", ("old", "α m_{i→j}"), " + ", ("rest", "(1 − α) m′_{i→j}")),
        (("state", "x_i = 1"), " if ", ("final", "θ_i + ∑_k m_{k→i} ≥ 0")),
    ),
    {
        "theta": Term("The perturbed unary of i: its bias plus its noise.", (2,), "noise"),
        "bias": Term("The bias of i in the model.", (2,), "variable"),
        "noise": Term("The noise on state 1 of i minus the noise on state 0, one logistic number.", (2,), "noise"),
        "start": Term("All messages start at 0.", (3,), "messages"),
        "repeat": Term("T sweeps; each computes all messages from the old ones.", (4,), "messages"),
        "belief": Term("The belief of i: its unary plus all messages to it.", (5,), "belief"),
        "incoming": Term("The sum of all messages that arrive at i.", (5,), "incoming"),
        "cavity": Term("The belief of i without the message from j.", (6,), "cavity"),
        "reply": Term("The message that came from j.", (6,), "reply"),
        "new": Term("The new message from i to j, before damping.", (9,), "message"),
        "one": Term("The best score of i if j has state 1, where the weight counts.", (7,), "edge"),
        "zero": Term("The best score of i if j has state 0.", (8,), "variable"),
        "message": Term("The message from i to j after this sweep.", (10,), "message"),
        "old": Term("Damping keeps the share α of the old message.", (10,), "message"),
        "rest": Term("The new message has the rest.", (10,), "message"),
        "state": Term("The decoded state of i, which is its state in the sample.", (11,), "state"),
        "final": Term("Each variable takes the state that its belief favours.", (11,), "belief"),
    },
)

MOMENT_GRADIENT = Equation(
    "The gradient of the mean log-likelihood L",
    (
        (("weight", "∂L / ∂W_{ij}"), " = ", ("seen", "⟨x_i x_j⟩_{data}"), " − ", ("drawn", "⟨x_i x_j⟩_{model}")),
        (("bias", "∂L / ∂b_i"), " = ", ("mean", "⟨x_i⟩_{data}"), " − ", ("expected", "⟨x_i⟩_{model}")),
    ),
    {
        "weight": Term("How the log-likelihood changes with the weight of the pair i, j.", (4, 5), "difference"),
        "seen": Term("The share of the data in which both variables have state 1.", (2,), "data"),
        "drawn": Term("The share of the samples in which both variables have state 1.", (3,), "samples"),
        "bias": Term("How the log-likelihood changes with the bias of i.", (6,)),
        "mean": Term("The share of the data in which i has state 1.", (6,)),
        "expected": Term("The share of the samples in which i has state 1.", (6,)),
    },
)
