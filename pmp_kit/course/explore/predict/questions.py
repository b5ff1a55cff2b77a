"""The questions of the course, by chapter: what a reader predicts before an experiment, and what the experiment is."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..deconvolution.compute import traces
from ..factors.compute import drawn
from ..programs import compute as programs
from ..wrong_model import compute as wrong_model

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Question(NamedTuple):
    """A question about an explorer. Values are those of its params, most of them of controls."""

    text: str
    """The question."""
    options: tuple[str, ...]
    """The answers to choose from, the right one first. The page shows them in another order."""
    because: str
    """The explanation, in one to three sentences."""
    locked: str
    """The control that would answer the question; it can be moved after the experiment. No player may move it."""
    before: Mapping[str, Any] = NOTHING
    """The values of all controls that the experiment starts from."""
    shows: Mapping[str, Any] = NOTHING
    """The values that change in the experiment."""


def find(chapter: str) -> Question:
    """Return the question of a chapter.

    Raises:
        ValueError: there is no question of that name.
    """
    if chapter not in QUESTIONS:
        raise ValueError(f"chapter: expected one of {sorted(QUESTIONS)}, got {chapter!r}; take the name of its folder")
    return QUESTIONS[chapter]


def shuffled(chapter: str) -> tuple[str, ...]:
    """Return the options of a chapter's question in the order of the page, which is the same every time."""
    options = list(find(chapter).options)
    random.Random(f"{chapter}/predict.py").shuffle(options)  # every place holds about a third of the right answers
    return tuple(options)


def after(steps: int, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return a setting of the training camera, in which so many steps were taken with it."""
    return {**setting, "taken": ((setting["sampler"], setting["chains"], setting["sweeps"], steps),)}


DECONVOLUTION = Question(
    "From 16 images PMP finds the three true shapes. Give it only four of these images, each with three or four copies "
    "of the shapes. What will it find after 80 sweeps?",
    (
        "not all of the shapes, but nearly all pixels",
        "all of the three shapes, and nearly all pixels",
        "not all of the shapes, and few of the pixels",
    ),
    "Several sets of features explain four images almost equally well, and the true shapes are only one of these sets. "
    "Here PMP finds none of the three shapes, and with other seeds one or two. Sixteen images leave fewer sets.",
    locked="images",
    before={"images": 16, "prior": "0.01", "observed": "X only", "sweeps": traces.SWEEPS, "seed": 40},
    shows={"images": 4},
)
"""The question about the number of images: what do a few of them leave open?"""

DIGITS = Question(
    "The checkbox perturbation adds random numbers to the model. Switch it off, and keep everything else. How many "
    "different completions will be among the 25?",
    ("only one", "about five", "nearly 25"),
    "The 25 completions differ only in their noise. Without noise all of them solve the same problem from the same "
    "start, so they are equal.",
    locked="perturbation",
    before={"digit": 93, "perturbation": True, "seed": 0, "damping": 0.4, "sweeps": 40, "painted": None},
    shows={"perturbation": False},
)
"""The question about the noise: what is left without it?"""

ENERGIES = Question(
    "All six couplings are 0.5, and all biases are 0. Change the two values of each variable from −1 and +1 to 0 and "
    "1, and keep all strengths. What happens to the two modes?",
    (
        "one mode is left: all variables 1",
        "both modes stay, as likely as before",
        "no mode is left: all are as likely",
    ),
    "A product of two variables is now 1 if both are 1, and 0 otherwise. So every coupling prefers the value 1 for its "
    "two variables, and the configuration with four ones has by far the lowest energy.",
    locked="states",
    before={
        "factor": "J12",
        "strength": 0.5,
        "states": "{−1, +1}",
        "temperature": 1.0,
        "strengths": {f"b{i}": 0.0 for i in range(1, 5)}
        | dict.fromkeys(("J12", "J13", "J14", "J23", "J24", "J34"), 0.5),
    },
    shows={"states": "{0, 1}"},
)
"""The question about the values that a variable takes: do they matter?"""

FACTORS = Question(
    "The factor exactly k allows the configurations with exactly k ones, here k = 2 of n = 4. Four different messages "
    "come in. How many different values will be among the four outgoing messages?",
    ("two different values", "one value for all four", "four different values"),
    "The two variables with the largest incoming messages compete with the third largest message, and the other two "
    "variables compete with the second largest.",
    locked="factor",
    before={
        "factor": "OR",
        "n": 4,
        "k": 2,
        "seed": 0,
        "temperature": 0.0,
        "incoming": (-1.0, -2.5, -1.6, 3.0, *drawn(0)[4:]),
    },
    shows={"factor": "exactly k"},
)
"""The question about a factor that counts: how many different answers does it give?"""

GRAPHS = Question(
    "Each point at the right is a coupling that PMP learned, and the grey line is where it equals the true one. Change "
    "method to Gibbs-with-gradients. Its samples are further from new data. Where will its points lie?",
    ("near those of PMP: also too small", "along the grey line of equal values", "beyond the grey line: too large"),
    "The few steps of learning make the couplings of all samplers too small. RMSE of Gibbs-with-gradients is "
    "smaller by about 4 %, and its samples are more than four times as far from new data as those of PMP. With every "
    "number of sweeps, the order is the same. So RMSE does not tell whose samples are good.",
    locked="method",
    before={"graph": "random graph", "method": "PMP", "budget": "sweeps", "sweeps": 10, "kernel scale": 10},
    shows={"method": "Gibbs-with-gradients"},
)
"""The question about learned couplings: are those of another sampler closer to the true ones?"""

JUDGING = Question(
    "At kernel scale 20, independent pixels are about 6 standard deviations from real zeros, and the samples of PMP "
    "about 3. The paper uses kernel scale 1. Where will independent pixels be at scale 1?",
    (
        "about 2 away, close to PMP",
        "about 6 away, as at scale 20",
        "further away than at scale 20",
    ),
    "Between two zeros about a sixth of the pixels differ. In this range the kernel of scale 1 is almost a straight "
    "line, and a straight line compares only how often each pixel is on. Independent pixels have the right values. "
    "With most seeds they are inside the grey band, and with others a little outside.",
    locked="kernel scale",
    before={"kernel scale": 20.0, "reference": "held out", "samples": 200, "seed": 5},
    shows={"kernel scale": 1.0},
)
"""The question about the scale of the kernel: what does the paper's kernel see of independent pixels?"""

RESET = {"sampler": "PMP", "chains": "reset", "sweeps": 5, "seed": 0}
LEARNING = Question(
    "A model has learned 200 steps with PMP and 5 sweeps, and the dots are near the diagonal. The weights stay as they "
    "are. Change sampler to Gibbs, which draws samples of the same weights. Where will the dots be?",
    ("further from the diagonal", "closer to the diagonal", "just as close to the diagonal"),
    "The weights were changed until the samples of PMP had the moments of the data. After 5 sweeps the messages of PMP "
    "have not settled, so its samples are not those of the model, and the moments of Gibbs sampling differ: the orange "
    "mark is above the blue line. After learning with 20 sweeps the two marks are nearly level. Page 06 has a model "
    "for which they differ with any number of sweeps.",
    locked="sampler",
    before=after(200, RESET),
    shows={"sampler": "Gibbs"},
)
"""The question about another sampler: does a model that learned with PMP fit Gibbs sampling?"""

MESSAGES = Question(
    "Without damping the messages of the grid repeat with period 2. Set damping to 0.5, so that every sweep keeps "
    "half of the old message. What will the messages do?",
    (
        "settle, and decode to the best states",
        "settle, but decode to worse states",
        "repeat, but jump by smaller amounts",
    ),
    "Without damping the messages jump from one side of a fixed point to the other. The mean of the old and the new "
    "message is closer to it, and here the messages settle. With this noise the fixed point decodes to the best "
    "states. With other noise, or on the frustrated triangle, the decoded states need not be the best.",
    locked="damping",
    before={
        "topology": "grid",
        "coupling": -1.0,
        "perturbation": 0.5,
        "damping": 0.0,
        "start": "zero",
        "seed": 0,
    },
    shows={"damping": 0.5},
)
"""The question about damping: does it make an oscillation smaller, or end it?"""

NOISE = Question(
    "For a variable of two states, logistic noise on state 0 alone gives exactly the right probabilities. Use the same "
    "noise for three states: logistic noise on state 0, none on states 1 and 2. What will the bars show?",
    ("state 1 is never the maximiser", "all three have the right shares", "all three are slightly wrong"),
    "States 1 and 2 get no noise, so state 2, which has the higher score of the two, beats state 1 in every draw.",
    locked="distribution",
    before={
        "model": "one variable, 3 states",
        "coupling": 1.0,
        "distribution": "Gumbel",
        "perturbation": 1.0,
        "samples": 20_000,
        "seed": 0,
    },
    shows={"distribution": "logistic on state 0"},
)
"""The question about the noise: how much of it does a variable of three states need?"""

OWN = Question(
    "The fifth bit was received as 0. The control trust multiplies the log-odds of all seven bits. Raise trust from 1 "
    "to 3, as on a channel that hardly ever flips a bit. What happens to the share of ones of the fifth bit?",
    ("it rises above 0.7", "it falls below 0.2", "it stays near 0.45"),
    "The received word violates two checks. An error in the fifth bit alone explains this, and all other explanations "
    "need at least two errors. The rarer errors are, the more likely is the single one.",
    locked="trust",
    before={"trust": 1.0, "perturbation": 1.0, "seed": 0, "damping": 0.5, "sweeps": 32},
    shows={"trust": 3.0},
)
"""The question about the code of seven bits: what happens to the doubtful bit on a better channel?"""

PROGRAMS = Question(
    "At coupling range 2.0 the linear program (LP) answers one half for every spin. At 0 the spins are independent, "
    "and every spin is decided. Set coupling range to 0.3. Which values will the spins of the LP have?",
    (
        "only 0, 1/2 and 1: some are decided",
        "all values from 0 to 1, in many greys",
        "only 1/2, as at coupling range 2.0",
    ),
    "The corners of the feasible set of this LP have only the coordinates 0, 1/2 and 1, and an optimum lies at a "
    "corner. So a spin is one half or it is decided, and nothing is in between.",
    locked="coupling range",
    before={
        "size": 10,
        "coupling range": 2.0,
        "seed": 0,
        "version": next(iter(programs.VERSIONS)),
        "sweeps": programs.MOST_SWEEPS,
    },
    shows={"coupling range": 0.3},
)
"""The question about the linear program: which values can its solution have?"""

RACE = Question(
    "After 32 sweeps on the long line, Gibbs-with-gradients (GWG) is closest to exact samples. Set budget to time: "
    "every method then has the time of 32 sweeps of PMP. Where will GWG be?",
    (
        "behind Gibbs sampling, far from the band",
        "still the closest of the four samplers",
        "level with PMP, at the same distance",
    ),
    "Before each flip, GWG computes how much every possible flip would change the score. In the time of 32 sweeps of "
    "PMP it makes a few sweeps at most, often none, and Gibbs sampling makes many more.",
    locked="budget",
    before={"model": "long line", "couplings": "the same", "budget": "sweeps", "measure": "MMD", "sweeps": 32},
    shows={"budget": "time"},
)
"""The question about budgets: which sampler is closest if all have the same time?"""

RBM = Question(
    "The weights PCD-1 constant were learned from Markov chains that advance by one sweep between two steps of Adam, "
    "and at the end of the training these chains showed many different shapes. Start new chains from noise and run "
    "2000 sweeps. What will the 25 samples show?",
    ("two or three shapes, again and again", "all ten digits, but most of them torn", "only noise, and hardly a digit"),
    "In training the weights changed faster than the chains moved, so the chains stayed far from the distribution of "
    "the model. After 2000 sweeps chains are much closer to it, and nearly all of them end at one of a few shapes.",
    locked="weights",
    before={"weights": "PMP", "evidence": "nothing", "seed": 0, "sweeps": 2000, "painted": None},
    shows={"weights": "PCD-1 constant"},
)
"""The question about chains of training: do new chains draw what they drew?"""

SAMPLER = Question(
    "On the line the score of the decoded states rises to the best score and stays there. The spin glass is a grid "
    "with many loops. What will the score of its decoded states do in 64 sweeps?",
    (
        "reach the best score, then fall again",
        "reach the best score, and stay there",
        "stay below the best score the whole time",
    ),
    "On a graph with loops the messages need not settle, so the decoded states keep changing. The kit therefore "
    "looks at them every few sweeps, and returns the best that it has seen. With about 6 seeds in 10 the score falls "
    "again, with 3 in 10 it stays at the best, and with a few it never gets there: move the seed.",
    locked="model",
    before={"model": "line", "coupling": 0.8, "perturbation": 1.0, "seed": 2, "damping": 0.5},
    shows={"model": "spin glass"},
)
"""The question about loops: what do they do to the score of the decoded states?"""

SPEED = Question(
    "The explorer shows the predicted time of 100 sweeps with PMP for 100 samples on a lattice of 1,600 spins. How "
    "many times as long does a run take in the dense model of 1,600 spins?",
    ("several hundred times as long", "about thirty times as long", "about four times as long"),
    "A sweep updates every message once. The lattice has 6,400 directed messages in each sample, and the dense model "
    "has 2,558,400, which is 400 times as many. A message of the dense model also takes about twice as long, because "
    "the messages of one sample, 10 MB, do not fit into the cache.",
    locked="model",
    before={"model": "lattice", "size": 1600, "sampler": "PMP", "samples": 100, "device": "cpu"},
    shows={"model": "dense"},
)
"""The question about messages: how many times as long is a run if all variables are coupled?"""

WRONG_MODEL = Question(
    "The data were made with theta = 0.5. Adam starts at theta = 0 and compares the data with samples that PMP draws. "
    "If spins agree too rarely in the samples, Adam raises theta. Where will theta be after 200 steps?",
    (
        "near 0.33, below the theta of the data",
        "near 0.50, at the theta of the data",
        "near 0.60, above the theta of the data",
    ),
    "With theta = 0.5 the spins of PMP's samples agree too often, so Adam stops earlier: where the spins agree as "
    "often in the samples as in the data. This is close to the minimum of the blue curve.",
    locked="step",
    before={"data theta": 0.5, "learned theta": 0.5, "start": "zero", "sweeps": wrong_model.SWEEPS[-1], "step": 0},
    shows={"step": wrong_model.STEPS},
)
"""The question about learning: which theta does Adam find with PMP's samples?"""

ZEROS = Question(
    "A model learned with Gibbs sampling whose chains were kept, with 3 sweeps in each of 300 steps. The dots are now "
    "those of new chains, which start at random pixels and make 3 sweeps, too: the dots are far from the diagonal. Let "
    "the new chains make 50 sweeps. Where will the dots be?",
    ("much closer to the diagonal", "about as far away as before", "further away than after 3 sweeps"),
    "The kept chains made 900 sweeps in all, enough to follow the weights. So learning compared the data with samples "
    "of the model, and new chains reach these samples if they make enough sweeps. On page 05, learning had compared "
    "the data with samples of too few sweeps, so more sweeps moved the dots away.",
    locked="sweeps",
    before={"sampler": "Gibbs", "chains": "reset", "sweeps": 3, "seed": 0, "taken": (("Gibbs", "persistent", 3, 300),)},
    shows={"sweeps": 50},
)
"""The question about kept chains: do new chains find the moments of the data, too?"""

QUESTIONS: dict[str, Question] = {
    "deconvolution": DECONVOLUTION,
    "digits": DIGITS,
    "energies": ENERGIES,
    "factors": FACTORS,
    "graphs": GRAPHS,
    "judging": JUDGING,
    "learning": LEARNING,
    "messages": MESSAGES,
    "noise": NOISE,
    "own": OWN,
    "programs": PROGRAMS,
    "race": RACE,
    "rbm": RBM,
    "sampler": SAMPLER,
    "speed": SPEED,
    "wrong_model": WRONG_MODEL,
    "zeros": ZEROS,
}
"""Chapter -> its question."""
