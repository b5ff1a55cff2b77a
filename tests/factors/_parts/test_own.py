"""Wrong numbers of a factor class of one's own raise errors that name the method, before samples are drawn."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, like, log_odds, ones

KEY = jax.random.key(0)
EVIDENCE = {"x": np.array([1, pk.FREE])}


class Both(pk.factors.AbstractFactor):
    """Score w x_i x_j of a pair of binary variables, with a limit for the beliefs that `update` reads."""

    weight: jax.Array
    limit: float = eqx.field(static=True, default=10.0)
    wrong: tuple = eqx.field(static=True, default=("", 0.0))
    """A method, and what is added to its result."""

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
    "kernel": lambda graph: pk.Kernel(graph, num_samples=2),
    "annealed": lambda graph: pk.measures.annealed_log_partition(KEY, graph),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("method", ["score", "neutral_messages", "update"])
def test_nan_names_the_method(call, method):
    with pytest.raises(ValueError, match=rf"Both\.{method}: expected numbers, got NaN; look for "):
        call(model(wrong=(method, float("nan"))))


def test_tables_of_pairs_that_are_nan_are_found():
    """ForwardBackward drew one constant sample from them."""
    assert np.unique(sample(model(), pk.ForwardBackward()), axis=0).shape == (4, 2)
    with pytest.raises(ValueError, match=r"Both\.pair_tables: expected scores, got NaN; look for"):
        sample(model(wrong=("pair_tables", float("nan"))), pk.ForwardBackward())


def test_messages_that_are_nan_with_evidence_alone_are_found():
    """Without the limit, the belief of an observed variable is infinite, and the message is inf - inf."""
    with pytest.raises(ValueError, match=r"Both\.update: expected numbers, got NaN; look for inf - inf: beliefs of"):
        sample(model(limit=float("inf")))


def test_hard_factors_may_send_nan():
    """It is replaced by the old message."""
    hard = type("Hard", (Both,), {"hard": property(lambda self: True), "update": lambda self, _, old: old * jnp.nan})
    assert sample(pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [hard(jnp.float32(1.0))])).mean() > 0.5


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
