"""Wrong numbers of a factor class of one's own raise errors that name the method, before samples are drawn."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, like, log_odds, ones
from pmp_kit.factors._parts.group import wired
from pmp_kit.factors.table import AbstractTable

KEY = jax.random.key(0)
EVIDENCE = {"x": np.array([1, pk.FREE])}


class Both(pk.factors.AbstractFactor):
    """Score w x_i x_j of a pair of binary variables, with a limit for the beliefs that `update` reads."""

    weight: jax.Array
    limit: float = eqx.field(static=True, default=10.0)
    wrong: tuple = eqx.field(static=True, default=("", 0.0))
    """A method, and what its result is multiplied by."""

    @property
    def scopes(self):
        return (np.array([[0, 1]]),)

    def score(self, states):
        return self.weight * ones(states, np.arange(2)).prod(0) * self._right("score")

    def neutral_messages(self, batch):
        return jnp.full((2, *batch), 0.5 * self.weight * self._right("neutral_messages"))

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, np.arange(2), messages)

    def update(self, beliefs, messages):
        weight = like(self.weight, messages)
        others = jnp.clip((log_odds(beliefs) - messages)[::-1], -self.limit, self.limit)
        return (jnp.maximum(others + weight, 0.0) - jnp.maximum(others, 0.0)) * self._right("update")

    def pair_tables(self):
        table = jnp.zeros((1, 2, 2)).at[0, 1, 1].set(self.weight)
        return jnp.array([[0, 1]]), table * self._right("pair_tables")

    def _right(self, method):
        return self.wrong[1] if self.wrong[0] == method else 1.0


def model(**options):
    return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [Both(jnp.float32(1.0), **options)])


def sample(graph, sampler=None, **options):
    return pk.sample(KEY, graph, sampler, num_samples=1000, num_sweeps=10, **options)["x"]


CALLS = {
    "sample": sample,
    "solve": pk.solve,
    "trace": lambda graph: pk.trace(KEY, graph, num_sweeps=2),
    "fit": lambda graph: pk.fit(KEY, graph, {"x": np.zeros((3, 2), int)}, steps=1),
    "positive": lambda graph: pk.fit(
        KEY, graph, {"x": np.array([[0, pk.FREE]])}, pk.Gibbs(), positive=pk.PMP(), steps=1
    ),
    "kernel": lambda graph: pk.Kernel(graph, num_samples=2),
    "annealed": lambda graph: pk.measures.annealed_log_partition(KEY, graph),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("method", ["score", "neutral_messages", "update"])
def test_nan_names_the_method(call, method):
    wrong = model(wrong=(method, float("nan")))
    if call == "annealed" and method != "score":  # its Markov chain needs no messages
        CALLS[call](wrong)
        return
    with pytest.raises(ValueError, match=rf"Both\.{method}: expected numbers, got NaN; look for "):
        CALLS[call](wrong)


def test_tables_of_pairs_that_are_nan_are_found():
    """ForwardBackward drew one constant sample from them."""
    assert np.unique(sample(model(), pk.ForwardBackward()), axis=0).shape == (4, 2)
    with pytest.raises(ValueError, match=r"Both\.pair_tables: expected numbers, got NaN; look for"):
        sample(model(wrong=("pair_tables", float("nan"))), pk.ForwardBackward())


def test_messages_that_are_nan_with_evidence_alone_are_found():
    """Without the limit, the belief of an observed variable is infinite, and the message is inf - inf."""
    with pytest.raises(ValueError, match=r"Both\.update: expected numbers, got NaN; .* observed variables are inf"):
        sample(model(limit=float("inf")))


def test_sum_product_messages_that_are_nan_are_found():
    """`log(exp(a) - exp(b))` with an infinite belief. SumProduct gave state 0 without an error."""

    def soft_update(self, beliefs, messages, temperature):
        others = (log_odds(beliefs) - messages)[::-1] / temperature
        return temperature * jnp.log((1 + jnp.exp(others + self.weight)) / (1 + jnp.exp(others)))

    own = type("Soft", (Both,), {"soft_update": soft_update})
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [own(jnp.float32(1.0))])
    with pytest.raises(ValueError, match=r"Soft\.soft_update: expected numbers, got NaN; .* variables are inf"):
        pk.solve(graph, pk.SumProduct())


class WithMinimum(Both):
    """The message in a form that is NaN if the neighbour is observed as 0 and the weight is negative."""

    def update(self, beliefs, messages):
        weight, others = like(self.weight, messages), (log_odds(beliefs) - messages)[::-1]
        return weight + jnp.minimum(0.0, others) - jnp.minimum(0.0, others + weight)


@pytest.mark.parametrize("bias", [-9.0, 0.0, 9.0])
def test_messages_are_tried_with_all_states_whatever_the_unaries(bias):
    """Observed states that were drawn from the unaries were all 1, and samples with an observed 0 were all 0."""
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [WithMinimum(jnp.float32(-2.0))], {"x": [bias] * 2})
    with pytest.raises(ValueError, match=r"WithMinimum\.update: expected numbers, got NaN"):
        sample(graph)


def test_a_score_that_is_nan_in_one_corner_is_found():
    """0 / 0 where both variables are 0. Gibbs chains stayed there without an error."""

    def score(self, states):
        total = ones(states, np.arange(2)).sum(0)
        return self.weight * total / total

    corner = type("Corner", (Both,), {"score": score})
    with pytest.raises(ValueError, match=r"Corner\.score: expected numbers, got NaN; look for 0 / 0"):
        sample(pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [corner(jnp.float32(1.0))]), pk.Gibbs())


@pytest.mark.parametrize("method", ["finite_score", "violations"])
def test_other_scores_that_are_nan_are_found(method):
    nothing = lambda self, states: jnp.full(states.shape[2:], jnp.nan)  # noqa: E731
    own = type("Own", (Both,), {method: nothing, "hard": property(lambda self: True)})
    with pytest.raises(ValueError, match=rf"Own\.{method}: expected numbers, got NaN"):
        sample(pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [own(jnp.float32(1.0))]), pk.Gibbs())


def test_conditionals_that_are_nan_are_found():
    """Gibbs sampling drew state 0 of every variable. PMP needs no conditionals."""
    nothing = lambda self, states, at, where: jnp.full((1, *at.shape, *states.shape[2:]), jnp.nan)  # noqa: E731
    own = type("Own", (Both,), {"conditional": nothing})
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [own(jnp.float32(1.0))])
    assert sample(graph).mean() > 0.5
    with pytest.raises(ValueError, match=r"Own\.conditional: expected numbers, got NaN; look for"):
        sample(graph, pk.Gibbs())


class Forbidding(AbstractTable):
    """Forbids that two variables are equal."""

    value: float = eqx.field(static=True)
    """The entries of forbidden states in `own_table`."""
    ids: jax.Array
    incidence: object
    allowed: jax.Array | None

    def __init__(self, value):
        self.value, (self.ids, self.incidence) = value, wired(np.array([[0, 1]]))
        self.allowed = jnp.array([[False, True], [True, False]])

    @property
    def sizes(self):
        return 2, 2

    def own_table(self):
        return jnp.where(jnp.eye(2) > 0, self.value, 1.0)


@pytest.mark.parametrize("sampler", [pk.PMP(), pk.GibbsWithGradients()], ids=["PMP", "GibbsWithGradients"])
def test_infinite_entries_of_tables_are_found(sampler):
    """Two thirds of the samples of GibbsWithGradients were forbidden ones."""
    model = lambda value: pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [Forbidding(value)])  # noqa: E731
    right = sample(model(0.0), sampler)
    assert (right[:, 0] != right[:, 1]).all()
    with pytest.raises(ValueError, match=r"Forbidding\.own_table: expected finite scores, .* write 0 for forbidden"):
        sample(model(-np.inf), sampler)


def test_hard_factors_may_send_nan_where_beliefs_are_infinite():
    """It is replaced by the old message. Where all beliefs are finite, half of the samples were impossible."""

    def made(update):
        hard = type("Hard", (Both,), {"hard": property(lambda self: True), "update": update})
        return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [hard(jnp.float32(1.0))])

    def nan_with_evidence(self, beliefs, old):
        return jnp.where(jnp.isinf(beliefs).any((0, 1)), jnp.nan, Both.update(self, beliefs, old))

    assert sample(made(nan_with_evidence), evidence=EVIDENCE)[:, 0].all()
    with pytest.raises(ValueError, match=r"Hard\.update: expected numbers, got NaN"):
        sample(made(lambda self, beliefs, old: old * jnp.nan))


def test_a_score_of_minus_infinity_without_hard_is_named_before_messages():
    """MaxProduct with evidence found impossible states only."""

    def score(self, states):
        return jnp.where(ones(states, np.arange(2)).sum(0) == 1, 0.0, -jnp.inf)

    forgot = type("Forgot", (Both,), {"score": score})
    with pytest.raises(ValueError, match=r"Forgot\.hard: expected True, because the score can be -inf, got False"):
        sample(pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [forgot(jnp.float32(1.0))]))


@pytest.mark.parametrize("count", [lambda forbidden: 1.0 - forbidden, lambda forbidden: -forbidden])
def test_violations_that_contradict_the_score_are_named(count):
    """Gibbs sampling went to the forbidden states."""

    def score(self, states):
        return jnp.where(ones(states, np.arange(2)).sum(0) == 1, 0.0, -jnp.inf)

    body = {"score": score, "hard": property(lambda self: True)}
    body["violations"] = lambda self, states: count((self.score(states) == -jnp.inf).astype(states.dtype))
    wrong = type("Wrong", (Both,), body)
    with pytest.raises(ValueError, match=r"Wrong\.violations: .* counts that contradict the score; they are positive"):
        sample(pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [wrong(jnp.float32(1.0))]), pk.Gibbs())


def test_right_factors_are_accepted():
    both = sample(model(), evidence=EVIDENCE).mean(0)
    assert both[0] == 1
    assert both[1] == pytest.approx(1 / (1 + np.exp(-1.0)), abs=5 * 0.5 / np.sqrt(1000))


def test_a_factor_without_messages_can_be_used_by_chains():
    def update(self, beliefs, messages):
        raise NotImplementedError("no messages")

    scored = type("Scored", (Both,), {"update": update})
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [scored(jnp.float32(1.0))])
    assert sample(graph, pk.Gibbs()).mean() > 0.5
    with pytest.raises(NotImplementedError, match="no messages"):
        sample(graph)
