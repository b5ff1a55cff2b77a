"""Parts of one's own work, and their samples are compared with the evidence. `pk.testing` finds wrong methods."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from own_solver import Decoded

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, ones
from pmp_kit.samplers.chain import AbstractChain
from pmp_kit.solvers import AbstractSchedule, Update
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


class Reversed(AbstractSchedule):
    """The groups of factors one after the other, the last one first."""

    def order(self, graph):
        return tuple((Update(place, None),) for place in reversed(range(len(graph.factors))))


def chain(sweep):
    return type("Mine", (AbstractChain,), {"sweep": lambda self, keys, graph, unaries, state: sweep(state)})()


def a_chain(**methods):
    own = {"sweep": lambda self, keys, graph, unaries, state: 1.0 - state}
    return type("Mine", (AbstractChain,), own | {name: lambda self, *a, f=f: f(*a) for name, f in methods.items()})()


def a_solver(**methods):
    return type("Mine", (Decoded,), {name: lambda self, *a, f=f: f(*a) for name, f in methods.items()})()


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
        cavity = jnp.clip(beliefs[0, IDS.T] - messages, -1, 1)
        return (jnp.maximum(0, cavity + 1) - jnp.maximum(0, cavity))[::-1]


def model_of(**methods):
    own = {name: (lambda self, *a, f=given: f(*a)) if callable(given) else given for name, given in methods.items()}
    factor = type("Mine", (Mine,), own)
    return pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor()])


def test_right_parts_of_ones_own_work():
    """What the errors below are about is wrong, not the rest."""
    samplers = [
        pk.PMP(noise=noise(jax.random.normal)),
        pk.PMP(noise=noise(lambda key, shape, dtype: np.ones(shape))),  # 64 bits become 32
        pk.PMP(start=start(lambda graph, batch: tuple(f.neutral_messages(batch) for f in graph.factors))),
        pk.PMP(schedule=Reversed()),
        chain(lambda state: 1.0 - state),
        a_chain(done=lambda state: np.zeros(state.shape[-1], bool)),
        pk.PerturbAndMAP(pk.Polished(a_solver())),
    ]
    for sampler in samplers:
        assert draw(sampler)["x"].shape == (5, 3)
    edges = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(EDGES, 1.0)])
    for solver in (pk.MaxProduct(), pk.Exhaustive()):
        assert pk.solve(model_of(), solver).score == pk.solve(edges, solver).score == 2.0
    np.testing.assert_array_equal(draw(pk.Gibbs(), model_of())["x"], draw(pk.Gibbs(), edges)["x"])


IGNORING = chain(lambda state: 1.0 - state)
"""A chain that flips every variable, also the observed ones."""
KEEPING = type("Mine", (AbstractChain,), {"sweep": lambda self, keys, graph, unaries, state: state})()
ROWS = np.array([[0, pk.FREE, 1]] * 4 + [[pk.FREE] * 3] * 2 + [[1, pk.FREE, 0]])


@pytest.mark.parametrize("chunk", [None, 1, 3])
@pytest.mark.parametrize(
    ("known", "got"),
    [
        (ROWS[0], "state 1 of variable 0, observed as 0, in sample 0"),
        (ROWS, "state 1 of variable 0, observed as 0, in sample 0"),
        (np.where(np.arange(7)[:, None] < 6, pk.FREE, ROWS), "state 0 of variable 0, observed as 1, in sample 6"),
    ],
    ids=["one row", "rows", "last row"],
)
def test_samples_that_contradict_the_evidence(known, got, chunk):
    options = {"num_samples": 7, "num_sweeps": 1, "evidence": {"x": known}, "chunk": chunk}
    message = rf"evidence: expected states that agree with it, got {got} from Mine\(\); keep the states of .*clamped"
    with pytest.raises(ValueError, match=message):
        pk.sample(KEY, LATTICE, IGNORING, **options)
    with pytest.raises(ValueError, match=message):
        list(pk.stream(KEY, LATTICE, IGNORING, **options))
    assert pk.sample(KEY, LATTICE, KEEPING, **options)["x"].shape == (7, 3)


def test_answers_that_contradict_the_evidence():
    solver = a_solver(init=lambda graph, unaries: jnp.ones_like(unaries))
    assert pk.solve(LATTICE, solver).possible
    for known, number in (([0, pk.FREE, 1], 0), ([[1, pk.FREE, 1], [0, pk.FREE, 1]], 1)):
        message = rf"got state 1 of variable 0, observed as 0, in problem {number} from Mine\(\)"
        with pytest.raises(ValueError, match=message):
            pk.solve(LATTICE, solver, evidence={"x": known})


def test_samples_are_not_compared_with_evidence_inside_jit():
    draw = jax.jit(lambda known: pk.sample(KEY, LATTICE, IGNORING, num_samples=7, num_sweeps=1, evidence={"x": known}))
    assert (draw(ROWS[0])["x"][:, 0] == 1).all()


def hard(violations):
    """A model whose factor forbids that two neighbours are both 1."""
    broken = lambda states: ones(states, IDS).prod(1)  # noqa: E731
    factor = type(
        "Mine",
        (Mine,),
        {
            "hard": True,
            "score": lambda self, states: jnp.where(broken(states).sum(0) > 0, -jnp.inf, 0.0),
            "violations": lambda self, states: violations(broken(states)),
        },
    )
    return pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor()])


CHAINS = [pk.Gibbs(), pk.GibbsWithGradients(), pk.DiscreteLangevin(), pk.ParallelTempering()]


@pytest.mark.parametrize("sampler", CHAINS, ids=lambda sampler: type(sampler).__name__)
def test_violations_may_be_bool_or_whole_numbers(sampler):
    counts = lambda broken: broken.sum(0)  # noqa: E731
    drawn = [
        draw(sampler, hard(lambda broken, kind=kind: counts(broken).astype(kind)))["x"] for kind in (float, int, bool)
    ]
    assert not (drawn[0][:, :-1] & drawn[0][:, 1:]).any()
    np.testing.assert_array_equal(drawn[1], drawn[0])
    assert not (drawn[2][:, :-1] & drawn[2][:, 1:]).any()
