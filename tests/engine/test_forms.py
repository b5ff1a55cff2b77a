"""Parts of one's own that return wrong arrays raise errors that name the method, and what was expected."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, ones
from pmp_kit.samplers.chain import AbstractChain
from pmp_kit.solvers import AbstractSchedule
from pmp_kit.solvers.starts import AbstractStart

KEY = jax.random.key(0)
EDGES = [[0, 1], [1, 2]]
IDS = np.array(EDGES)
LATTICE = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(EDGES, [1.0, -2.0])], {"x": [0.3, -0.2, 0.1]})


def draw(sampler, model=LATTICE):
    return pk.sample(KEY, model, sampler, num_samples=5, num_sweeps=2)


def noise(standard):
    return type("Mine", (pk.noise.AbstractNoise,), {"standard": lambda self, *given: standard(*given)})()


def start(messages):
    return type("Mine", (AbstractStart,), {"messages": lambda self, *given: messages(*given)})()


def schedule(sweep):
    return type("Mine", (AbstractSchedule,), {"sweep": lambda self, graph, unaries, old, *_: sweep(old)})()


def chain(sweep):
    return type("Mine", (AbstractChain,), {"sweep": lambda self, keys, graph, unaries, state: sweep(state)})()


class Mine(pk.factors.AbstractFactor):
    """Pairs of variables with one message (F, batch) to each of two places."""

    @property
    def scopes(self):
        return (IDS,)

    def score(self, states):
        return ones(states, IDS).prod(1).sum(0)

    def neutral_messages(self, batch):
        return jnp.full((2, len(IDS), *batch), 0.5)

    def to_variables(self, messages, beliefs):
        for place in (0, 1):
            beliefs = add_log_odds(beliefs, IDS[:, place], messages[place])
        return beliefs

    def update(self, beliefs, messages):
        cavity = beliefs[0, IDS.T] - messages
        return (jnp.maximum(0, cavity + 1) - jnp.maximum(0, cavity))[::-1]


def model_of(**methods):
    factor = type("Mine", (Mine,), {name: lambda self, *a, f=method: f(*a) for name, method in methods.items()})
    return pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor()])


def test_right_parts_of_ones_own_work():
    """What the errors below are about is wrong, not the rest."""
    samplers = [
        pk.PMP(noise=noise(jax.random.normal)),
        pk.PMP(noise=noise(lambda key, shape, dtype: np.ones(shape))),  # 64 bits become 32
        pk.PMP(start=start(lambda graph, batch: tuple(f.neutral_messages(batch) for f in graph.factors))),
        pk.PMP(schedule=schedule(lambda old: old)),
        chain(lambda state: 1.0 - state),
    ]
    for sampler in samplers:
        assert draw(sampler)["x"].shape == (5, 3)
    edges = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(EDGES, 1.0)])
    for solver in (pk.MaxProduct(), pk.Exhaustive()):
        assert pk.solve(model_of(), solver).score == pk.solve(edges, solver).score == 2.0
    np.testing.assert_array_equal(draw(pk.Gibbs(), model_of())["x"], draw(pk.Gibbs(), edges)["x"])


@pytest.mark.parametrize(
    ("standard", "message"),
    [
        (
            lambda key, shape, dtype: jax.random.normal(key, shape[::-1], dtype),
            r"array of shape \(1, 3\), got .*\[3, 1\]",
        ),
        (lambda key, shape, dtype: jax.random.normal(key, (), dtype), r"array of shape \(1, 3\), got float32\[\]"),
        (lambda key, shape, dtype: None, r"array of shape \(1, 3\), got None"),
    ],
    ids=["turned", "one number", "nothing"],
)
def test_noise(standard, message):
    """A turned shape made binary variables of three states, and one number gave all variables the same noise."""
    with pytest.raises(ValueError, match=rf"Mine\.standard: expected an {message}"):
        draw(pk.PMP(noise=noise(standard)))


def test_noise_of_all_samples_together():
    family = type("Mine", (pk.noise.Gumbel,), {"draw_together": lambda self, key, shape, dtype: jnp.ones(shape[:2])})
    with pytest.raises(ValueError, match=r"noise of Mine \(planes, n, samples\): expected float32\[1, 3, \d\]"):
        draw(pk.PMP(noise=family()), pk.FactorGraph(pk.Variables(x=pk.Binary(3))))


WRONG = {
    "a start without batch": (
        lambda: pk.PMP(start=start(lambda graph, batch: graph.factors[0].neutral_messages(()))),
        "messages",
    ),
    "a start of nothing": (lambda: pk.PMP(start=start(lambda graph, batch: None)), "messages"),
    "a start in a list": (
        lambda: pk.PMP(start=start(lambda graph, batch: [f.neutral_messages(batch) for f in graph.factors])),
        "messages",
    ),
    "a schedule in a list": (lambda: pk.PMP(schedule=schedule(list)), "sweep"),
    "a schedule of another shape": (
        lambda: pk.PMP(schedule=schedule(lambda old: jax.tree.map(lambda x: x[:1], old))),
        "sweep",
    ),
    "a chain of whole numbers": (lambda: chain(lambda state: state.astype(jnp.int32)), "sweep"),
    "a chain of one variable": (lambda: chain(lambda state: state[:, :1]), "sweep"),
    "a chain of nothing": (lambda: chain(lambda state: None), "sweep"),
}


@pytest.mark.parametrize(
    "make", [draw, lambda sampler: pk.trace(KEY, LATTICE, sampler, num_sweeps=2)], ids=["sample", "trace"]
)
@pytest.mark.parametrize("name", WRONG)
def test_starts_schedules_and_chains(name, make):
    sampler, method = WRONG[name]
    with pytest.raises(ValueError, match=rf"Mine\.{method}: expected .*float32\[.*, got "):
        make(sampler())


@pytest.mark.parametrize("call", [pk.solve, lambda model: draw(pk.PMP(), model)], ids=["solve", "sample"])
def test_an_update_of_another_shape(call):
    """It could be broadcast to that of the messages."""
    with pytest.raises(ValueError, match=r"new messages of Mine: expected float32\[2, 2, \d\], got .*\[1, 2, \d\]"):
        call(model_of(update=lambda beliefs, messages: messages[:1]))


@pytest.mark.parametrize(
    "call", [lambda model: pk.solve(model, pk.Exhaustive()), lambda model: draw(pk.Gibbs(), model)]
)
@pytest.mark.parametrize("wrong", [lambda states: states.sum(), lambda states: 1.0], ids=["sum", "number"])
def test_a_score_of_all_samples_together(call, wrong):
    with pytest.raises(ValueError, match=r"Mine\.score: expected an array of shape \(.+\), got "):
        call(model_of(score=wrong))
