"""Parts of one's own that return wrong arrays raise errors that name the method, and what was expected."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, decode, ones, to_states
from pmp_kit.samplers import View
from pmp_kit.samplers.chain import AbstractChain
from pmp_kit.solvers import AbstractSchedule, AbstractSolver, Answer
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


def a_chain(**methods):
    own = {"sweep": lambda self, keys, graph, unaries, state: 1.0 - state}
    return type("Mine", (AbstractChain,), own | {name: lambda self, *a, f=f: f(*a) for name, f in methods.items()})()


class Decoded(AbstractSolver):
    """The best state of each variable without the factors."""

    def init(self, graph, unaries):
        return decode(unaries)

    def sweep(self, graph, unaries, state):
        return state

    def done(self, state):
        return jnp.ones(state.shape[-1], bool)

    def answer(self, graph, unaries, state):
        return Answer(state, graph.score_with(unaries, state), None, None, self.done(state))


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
        pk.PMP(schedule=schedule(lambda old: old)),
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


@pytest.mark.parametrize("together", [1.0, np.zeros((1, 3))], ids=["number", "no samples"])
def test_noise_of_all_samples_together(together):
    own = type("Mine", (pk.noise.Gumbel,), {"draw_together": lambda self, *given: together})()
    with pytest.raises(ValueError, match=r"Mine\.draw_together: expected an array of shape \(1, 3, 5\), got "):
        draw(pk.PMP(noise=own))


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


NOT_DONE = {
    "a Python bool": lambda state: False,
    "one for all": lambda state: jnp.zeros((), bool),
    "one for each variable": lambda state: jnp.zeros(state.shape[1], bool),
}


@pytest.mark.parametrize("name", NOT_DONE)
def test_done_of_another_shape(name):
    part = {"done": NOT_DONE[name]}
    calls = [
        lambda: draw(a_chain(**part)),
        lambda: pk.trace(KEY, LATTICE, a_chain(**part), num_sweeps=2),
        lambda: pk.solve(LATTICE, a_solver(**part)),
        lambda: draw(pk.PerturbAndMAP(a_solver(**part))),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"Mine\.done: expected bool\[\d\], got bool"):
            call()


@pytest.mark.parametrize("keep", [lambda state: None, lambda state: jnp.moveaxis(state, -1, 0)], ids=["none", "turned"])
def test_chains_that_cannot_continue(keep):
    """With None, the next call started new chains."""
    with pytest.raises(ValueError, match=r"Mine\.keep: expected arrays with the samples \(5\) on the last axis, got"):
        draw(a_chain(keep=keep))


def test_samples_of_state_numbers():
    run = lambda keys, graph, unaries, state, num_sweeps: (to_states(state), state, jnp.zeros(5, jnp.int32))  # noqa: E731
    with pytest.raises(ValueError, match=r"samples of Mine: expected float32\[1, 3, 5\], got int32\[3, 5\]"):
        draw(a_chain(run=run))


@pytest.mark.parametrize(
    "call",
    [
        lambda own: pk.solve(LATTICE, own),
        lambda own: pk.solve(LATTICE, pk.Polished(own)),
        lambda own: draw(pk.PerturbAndMAP(own)),
    ],
    ids=["solve", "polished", "sample"],
)
def test_answers(call):
    def run_with(change):
        def run(graph, unaries, state, num_sweeps):
            return change(Decoded().answer(graph, unaries, state), state)

        return a_solver(run=run)

    sweeps = lambda state: jnp.zeros(state.shape[-1], jnp.int32)  # noqa: E731
    for wrong in (
        lambda answer, state: (tuple(answer), state, sweeps(state)),
        lambda answer, state: (None, state, sweeps(state)),
        lambda answer, state: answer,
        lambda answer, state: answer.states,
    ):
        with pytest.raises(ValueError, match=r"Mine\.run: expected \(Answer\(...\), state, sweeps\), got "):
            call(run_with(wrong))
    numbers = lambda answer, state: (answer._replace(states=to_states(state)), state, sweeps(state))  # noqa: E731
    with pytest.raises(ValueError, match=r"states in the answer of Mine: expected float32\[1, 3, \d\], got int32"):
        call(run_with(numbers))


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


@pytest.mark.parametrize("part", [pk.TreePass(), pk.MPLP(), pk.LinearProgram(), pk.ForwardBackward()])
@pytest.mark.parametrize(
    "tables",
    [
        (IDS, np.zeros((1, 2, 2))),
        (IDS, np.zeros((2, 2))),
        (IDS[:1].T, np.zeros((1, 2, 2))),
        (IDS, np.zeros((2, 3, 3))),
        (IDS,),
    ],
    ids=["one table in a list", "one table", "turned pairs", "three states", "no tables"],
)
def test_pair_tables_of_another_shape(part, tables):
    """With one table in a list, the other pairs got the last table, because JAX limits indices."""
    model = model_of(pair_tables=lambda: jax.tree.map(jnp.asarray, tables))
    call = (lambda: pk.solve(model, part)) if isinstance(part, AbstractSolver) else (lambda: draw(part, model))
    with pytest.raises(ValueError, match=r"Mine\.pair_tables: expected pairs \(P, 2\) and a table for each of them"):
        call()


@pytest.mark.parametrize("wrap", [lambda own: own, pk.Polished, lambda own: pk.Portfolio(own, pk.CoordinateAscent())])
@pytest.mark.parametrize("part", ["score", "bound", "log_partition", "converged"])
def test_numbers_in_answers(part, wrap):
    """A bound (batch, 1) became a matrix, and a score of all problems together chose the answer of a portfolio."""
    for change in (lambda x: x[:, None], lambda x: x.sum()):

        def answer(graph, unaries, state, change=change):
            right = Decoded().answer(graph, unaries, state)
            number = right.converged if part == "converged" else right.score
            return right._replace(**{part: change(number)})

        with pytest.raises(ValueError, match=rf"{part} in the answer of Mine: expected .*, got "):
            pk.solve(LATTICE, wrap(a_solver(answer=answer)), evidence={"x": ROWS})


def test_marginals_in_answers():
    """Planes of a binary model, without the scores of state 0, raised an error of NumPy."""

    def answer(graph, unaries, state):
        return Decoded().answer(graph, unaries, state)._replace(marginals=jax.nn.sigmoid(unaries))

    message = r"marginals in the answer of Mine: expected an array of shape \(2, 3, 7\), got float32\[1, 3, 7\]"
    with pytest.raises(ValueError, match=message):
        pk.solve(LATTICE, a_solver(answer=answer), evidence={"x": ROWS})


@pytest.mark.parametrize("wrap", [lambda own: own, pk.Polished, lambda own: pk.Portfolio(pk.MaxProduct(), own)])
@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            {"sweep": lambda graph, unaries, state: state[0]},
            r"Mine\.sweep: expected float32\[1, 3, 1\], got float32\[3, 1\]",
        ),
        ({"done": lambda state: jnp.bool_(True)}, r"Mine\.done: expected bool\[1\], got bool\[\]"),
    ],
    ids=["sweep", "done"],
)
def test_methods_of_solvers(methods, message, wrap):
    with pytest.raises(ValueError, match=message):
        pk.solve(LATTICE, wrap(a_solver(**methods)))


def test_an_answer_in_a_portfolio():
    solver = pk.Portfolio(pk.MaxProduct(), a_solver(answer=lambda graph, unaries, state: None))
    with pytest.raises(ValueError, match=r"Mine\.answer: expected Answer\(\.\.\.\), got None"):
        pk.solve(LATTICE, solver)


@pytest.mark.parametrize("sweeps", [2, jnp.int32(2), None, jnp.zeros(1)], ids=["int", "one", "None", "floats"])
def test_sweeps_of_an_own_run(sweeps):
    def solver_run(graph, unaries, state, num_sweeps):
        return Decoded().answer(graph, unaries, state), state, sweeps

    with pytest.raises(ValueError, match=r"Mine\.run: expected sweeps of form int32\[1\], got "):
        pk.solve(LATTICE, a_solver(run=solver_run))
    with pytest.raises(ValueError, match=r"Mine\.run: expected sweeps of form int32\[5\], got "):
        draw(a_chain(run=lambda keys, graph, unaries, state, num_sweeps: (state, state, sweeps)))


def test_parts_of_the_run_of_an_own_sampler():
    sampler = a_chain(run=lambda keys, graph, unaries, state, num_sweeps: (state, state))
    with pytest.raises(ValueError, match=r"Mine\.run: expected \(samples, state, sweeps\), got \(float32"):
        draw(sampler)


@pytest.mark.parametrize(
    "call",
    [
        draw,
        lambda own: pk.trace(KEY, LATTICE, own, num_samples=5, num_sweeps=2),
        lambda own: pk.Kernel(LATTICE, own, num_samples=5).states(pk.Kernel(LATTICE, own, num_samples=5).init(KEY)),
    ],
    ids=["sample", "trace", "kernel"],
)
def test_views(call):
    for wrong in (lambda state: (state,), to_states):
        with pytest.raises(ValueError, match=r"Mine\.view: expected View\(\.\.\.\), got "):
            call(a_chain(view=lambda graph, unaries, state, wrong=wrong: wrong(state)))
    numbers = lambda graph, unaries, state: View(graph, unaries, to_states(state), None)  # noqa: E731
    with pytest.raises(ValueError, match=r"states of Mine\.view: expected float32\[1, 3, 5\], got int32\[3, 5\]"):
        call(a_chain(view=numbers))


def test_the_score_of_a_solver_is_that_of_its_states():
    """Planes of 2 were decoded as state 1, and the score was that of 2."""
    solver = a_solver(answer=lambda graph, unaries, state: Decoded().answer(graph, unaries, 2.0 * state))
    found = pk.solve(LATTICE, solver)
    assert found.score == pytest.approx(float(pk.score(LATTICE, found.states)))
