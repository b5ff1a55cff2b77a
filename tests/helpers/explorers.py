"""All explorers of the course, with the arguments that tests give them."""

import functools
import time
from collections.abc import Callable
from typing import NamedTuple

import jax
import numpy as np
from slow_parameters import some
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.course import explore


@functools.cache
def small_rbm() -> pk.RBM:
    """An untrained RBM of 8 x 8 pixels with large random weights."""
    model = pk.rbm(jax.random.key(3), visible=(8, 8), hidden=12)
    return pk.RBM(30.0 * model.weight, model.visible_bias, model.hidden_bias, (8, 8))


def small_digits() -> dict:
    digits = np.random.default_rng(0).integers(0, 2, (20, 8, 8)).astype(np.int32)
    return {"model": small_rbm(), "digits": digits, "sweeps": 10}


@functools.cache
def ring_images() -> np.ndarray:
    """Forty noisy rings of 5 x 5 pixels."""
    ring = np.zeros((5, 5), int)
    ring[[0, -1]] = ring[:, [0, -1]] = 1
    return (np.random.default_rng(0).random((40, 5, 5)) < np.where(ring, 0.8, 0.1)).astype(np.int32)


def small_zeros() -> dict:
    weight = np.random.default_rng(1).normal(0, 0.4, (36, 36))
    return {"model": pk.Ising(symmetric(weight), np.zeros(36), (6, 6)), "stroke": "narrow"}


def small_own() -> dict:
    variables = pk.Variables(bit=pk.Binary(4))
    graph = pk.FactorGraph(variables, [pk.Parity(variables["bit"])], {"bit": np.array([1.0, -1.0, 2.0, 0.5])})
    return {"model": graph, "samples": 20, "longest": 32}


def small_watch() -> dict:
    """Edges, squares, variables of two and three states, a forbidden entry, and evidence."""
    variables = pk.Variables(bit=pk.Binary(4), label=pk.Categorical(2, states=3))
    bit, label = variables["bit"], variables["label"]
    table = np.array([[0.5, -1.0, 0.2], [-np.inf, 0.3, 1.1]])
    factors = [
        pk.Edges([bit[:2], bit[1:3]], [1.2, -2.0]),
        pk.Parity(bit[1:]),
        pk.EdgeTables([label], np.diag([1.0, 0.5, -0.3])),
        pk.NWise([bit[0], label[0]], table),
    ]
    unaries = {"bit": np.array([0.4, -0.7, 1.5, 0.2]), "label": np.array([[0.0, 0.3, -0.2], [1.0, 0.0, 0.5]])}
    evidence = {"bit": np.array([pk.FREE, pk.FREE, pk.FREE, 1])}
    return {"model": pk.FactorGraph(variables, factors, unaries), "evidence": evidence, "sweeps": 12}


class Row(NamedTuple):
    """An explorer of the course.

    Attributes:
        kind: the class.
        full: returns the arguments with which `make latency` measures it. They are empty if the defaults suffice.
        small: returns smaller arguments that make tests faster.
    """

    kind: type[explore.Explorer]
    full: Callable[[], dict] = dict
    small: Callable[[], dict] | None = None

    def make(self) -> explore.Explorer:
        """Return the explorer as the course shows it."""
        return self.kind(**self.full())

    def make_small(self) -> explore.Explorer:
        """Return the smaller explorer for tests."""
        return self.kind(**(self.small or self.full)())


SPECIAL = {
    "digits": Row(
        explore.SixtySecondPMP,
        full=lambda: {"model": pk.pretrained("digits_rbm"), "digits": pk.datasets.digits(size=16)["v"]},
        small=small_digits,
    ),
    "learning": Row(explore.TrainingCamera, small=lambda: {"images": ring_images(), "sweeps": 5}),
    "messages": Row(explore.MessageScope, full=lambda: {"topology": "grid", "coupling": 0.5}, small=dict),
    "own": Row(explore.Composer, full=lambda: {"model": pk.ising_lattice(4, 0.3)}, small=small_own),
    "watch": Row(explore.Watch, full=lambda: {"model": pk.ising_lattice(5, 0.3)}, small=small_watch),
    "zeros": Row(explore.ZerosBrush, small=small_zeros),
}
"""Explorers that need arguments, or that smaller ones make faster."""


def kinds() -> dict[str, type[explore.Explorer]]:
    """Return the classes of the course: folder -> class. Phase maps are beside an explorer."""
    public = [getattr(explore, name) for name in explore.__all__]
    found = [kind for kind in public if isinstance(kind, type) and issubclass(kind, explore.Explorer)]
    made = [kind for kind in found if not kind.__abstractmethods__ and kind is not explore.PhaseMap]
    return {kind.__module__.rpartition(".")[2]: kind for kind in made}


EXPLORERS = {name: SPECIAL.get(name, Row(kind)) for name, kind in sorted(kinds().items())}
"""Folder of an explorer -> its row. All tests of explorers, `make latency` and the long test of `make trust` use it."""

SOME = some(EXPLORERS, set(EXPLORERS) - {"judging", "race", "speed", "wrong_model"})
"""Their names as parameters. Those left out take more than four seconds each to make, and `make test-all` runs them.

In `make test` their notebooks drive all their controls.
"""


def parts(widget):
    """A widget and all that are in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def wait_for(condition):
    """Wait until the function returns a true value, at most a minute."""
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)
