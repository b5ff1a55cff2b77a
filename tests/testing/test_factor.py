"""`check_factor` accepts every factor of the kit, and finds a fault of each kind in small classes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import FEW, each_slowly

import pmp_kit as pk
from pmp_kit.engine.planes import add_log_odds, like, log_odds, of_log_odds, ones
from pmp_kit.factors.base import AbstractDetermining, positions

PAIR = np.arange(2)
VARIABLES = pk.Variables(x=pk.Binary(3))


@each_slowly(FEW)
def test_factors_of_the_kit(example):
    pk.testing.check_factor(example.factor, example.variables, example.tables)


class Both(pk.factors.AbstractFactor):
    """Score w x_0 x_1 of two binary variables, with all optional methods."""

    binary = True
    weight: jax.Array
    scopes = (PAIR[None],)
    sides = 2

    def score(self, states):
        return self.weight * ones(states, PAIR).prod(0)

    def neutral_messages(self, batch):
        return jnp.broadcast_to(0.5 * self.weight, (2, *batch))

    def to_variables(self, messages, beliefs):
        return add_log_odds(beliefs, PAIR, messages)

    def cavity(self, beliefs, messages, bound=None):
        bound = jnp.abs(self.weight) if bound is None else bound
        return jnp.clip(log_odds(beliefs, PAIR) - messages, -bound, bound)[::-1]

    def update(self, beliefs, messages):
        others = self.cavity(beliefs, messages)
        return jnp.maximum(others + self.weight, 0.0) - jnp.maximum(others, 0.0)

    def update_side(self, beliefs, messages, side):
        return messages.at[side].set(self.update(beliefs, messages)[side])

    def soft_update(self, beliefs, messages, temperature):
        p = self.cavity(beliefs, messages, jnp.abs(self.weight) + 50.0 * temperature) / temperature
        return temperature * (jax.nn.softplus(p + self.weight / temperature) - jax.nn.softplus(p))

    def pair_tables(self):
        return jnp.asarray(PAIR[None], jnp.int32), jnp.zeros((1, 2, 2)).at[0, 1, 1].set(self.weight)

    def locate(self, at):
        return positions(jnp.asarray(PAIR, jnp.int32), at)

    def conditional(self, states, at, where):
        other = jnp.where(like(where < 2, states[0]), ones(states, PAIR)[1 - jnp.minimum(where, 1)], 0.0)
        return of_log_odds(self.weight * other, states.shape[0]), None


class Never(Both):
    """The score w x_0 x_1 of three states; the fourth is forbidden."""

    def odd(self, states):
        return ones(states, PAIR).sum(0) == 1

    def score(self, states):
        return jnp.where(self.odd(states), -jnp.inf, Both.score(self, states))

    def violations(self, states):
        return self.odd(states).astype(states.dtype)

    def update(self, beliefs, messages):
        odds = log_odds(beliefs, PAIR)
        return jnp.where(jnp.isinf(odds), odds, odds - messages)[::-1] + self.weight

    def soft_update(self, beliefs, messages, temperature):
        return self.update(beliefs, messages)

    def update_side(self, beliefs, messages, side):
        return messages.at[side].set(self.update(beliefs, messages)[side])

    def finite_score(self, states):
        return jnp.where(self.odd(states), 0.0, Both.score(self, states))

    conditional = pk.factors.AbstractFactor.conditional
    locate = pk.factors.AbstractFactor.locate

    def pair_tables(self):
        return Both.pair_tables(self)[0], jnp.array([[[0.0, -jnp.inf], [-jnp.inf, 0.0]]]).at[0, 1, 1].set(self.weight)


class Copying(Never, AbstractDetermining):
    """It says that the third variable follows from the others."""

    determined = ((np.array([2]), np.array([[0, 1]])),)


def made(base=Both, weight=1.3, **methods):
    return type("Mine", (base,), methods)(jnp.float32(weight))


def result(method, change, base=Both):
    """A factor whose method returns `change` of the right result."""
    return lambda: made(base, **{method: lambda self, *given: change(getattr(base, method)(self, *given))})


def nan_if_observed(self, beliefs, messages):
    others = (log_odds(beliefs, PAIR) - messages)[::-1]
    return self.weight + jnp.minimum(0.0, others) - jnp.minimum(0.0, others + self.weight)


def with_own_message(self, beliefs, messages):
    return Both.update(self, beliefs, jnp.zeros_like(messages))


def one_triangle(self, states, at, where):
    """The conditional of variable 0 reads another parameter than the score."""
    return of_scores(lambda x: x * (1.0 + 0.2 * jnp.sign(self.weight - 1.3) ** 2))(
        Both.conditional(self, states, at, where)
    )


def of_scores(change):
    """A change of the scores of `conditional`, without the violations."""
    return lambda got: (change(got[0]), got[1])


ONE = r"expected one number for each batch element, \[8\], got "
FAULTS = {
    "a method as property": (lambda: made(sides=lambda self: 2), r"\.sides: expected a property, got a method"),
    "scopes of lists": (lambda: made(scopes=([[0, 1]],)), r"\.scopes: expected a tuple of NumPy arrays of ids"),
    "an id twice": (lambda: made(scopes=(np.array([[0, 0]]),)), r"\.scopes: expected distinct variables"),
    "a scope too small": (lambda: made(scopes=(np.array([[0]]),)), r"\.scopes: expected all variables of which"),
    "couplings that are missing": (
        lambda: made(couples=lambda self, members: False),
        r"\.couples: expected True for the variables 0 and 1, as in `scopes`, got False",
    ),
    "no check of ids": (lambda: made(check=lambda self, variables: None), r"\.check: expected ValueError for ids that"),
    "a score of all samples": (result("score", jnp.sum), rf"\.score: {ONE}"),
    "a score that is NaN": (result("score", lambda x: x * jnp.nan), r"\.score: expected a number or -inf, got nan for"),
    "a score of +inf": (result("score", lambda x: x + jnp.inf), r"\.score: expected a number or -inf, got inf for the"),
    "-inf without violations": (
        lambda: made(score=Never.score, odd=Never.odd),
        r"\.violations: expected a count of violations, because the score can be -inf, got no such method",
    ),
    "violations that are NaN": (result("violations", lambda x: x * jnp.nan, Never), r"\.violations: expected a number"),
    "another finite score": (result("finite_score", lambda x: 2 * x), r"\.finite_score: expected 1.3 for the states"),
    "a gradient of NaN": (
        lambda: made(
            finite_score=lambda self, x: jnp.where(self.score(x) > 0, self.score(x), jnp.sqrt(0 * self.weight))
        ),
        r"gradient of Mine\.finite_score: expected finite numbers, got NaN",
    ),
    "a spread too small": (
        lambda: made(bounds=lambda self: (0.1 * self.weight, self.weight)),
        r"\.bounds: expected at least 1.3 as the spread, got 0.13",
    ),
    "messages without batch": (
        lambda: made(neutral_messages=lambda self, batch: jnp.zeros(2)),
        r"\.neutral_messages: expected arrays that end in the batch axes \(3,\), got float32\[2\]",
    ),
    "messages that are no means": (
        result("neutral_messages", lambda m: 2 * m),
        r"\.neutral_messages: expected the beli",
    ),
    "half of the beliefs": (
        lambda: made(to_variables=lambda self, messages, beliefs: Both.to_variables(self, messages, 0.5 * beliefs)),
        r"\.to_variables: expected the given beliefs plus the messages",
    ),
    "a wrong sign": (
        result("update", lambda m: -m),
        r"\.update: expected the beliefs \[.*\] of variable 0, by enumera",
    ),
    "the own message in the cavity": (lambda: made(update=with_own_message), r"\.update: expected the beliefs"),
    "NaN with evidence": (
        lambda: made(weight=-2.0, update=nan_if_observed),
        r"\.update: expected .* with .*evidence, go",
    ),
    "an update of all samples": (
        result("update", lambda m: jnp.broadcast_to(m.mean(1, keepdims=True), m.shape)),
        r"\.update: expected the beliefs",
    ),
    "sums that are maxima": (
        lambda: made(soft_update=lambda self, b, m, temperature: self.update(b, m)),
        r"\.soft_update: expected the beliefs",
    ),
    "a side that is never updated": (
        lambda: made(update_side=lambda self, b, m, side: Both.update_side(self, b, m, 0)),
        r"\.update_side: expected the beliefs .* after 60 updates of each of 2 sides",
    ),
    "conditionals with a wrong sign": (
        result("conditional", of_scores(lambda x: -x)),
        r"\.conditional: expected the scores",
    ),
    "conditionals of other parameters": (
        lambda: made(conditional=one_triangle),
        r"\.conditional: .* each parameter was",
    ),
    "tables of another score": (
        lambda: made(pair_tables=lambda self: (jnp.array([[0, 1]]), jnp.zeros((1, 2, 2)))),
        r"\.pair_tables: expected the score 1.3 as the sum for the states \[1, 1, 0\], got 0",
    ),
    "a variable that is not determined": (
        lambda: made(Copying),
        r"\.determined: expected variables that are functions of others, got variable 2",
    ),
    "log-odds of three states": (
        lambda: made(binary=False),
        r"\.binary: expected True, because the factor is wrong for",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults(name):
    make, message = FAULTS[name]
    with pytest.raises(AssertionError, match=message):
        pk.testing.check_factor(make(), VARIABLES)


class Two(Both):
    """The score w x_i x_j of two pairs that share a variable, without a loop."""

    scopes = (np.array([[0, 1], [1, 2]]),)


def test_a_group_needs_the_tables_of_its_factors():
    with pytest.raises(ValueError, match=r"tables: expected one \(ids, scores\) for each of the 2 factors, got None"):
        pk.testing.check_factor(made(Two), VARIABLES)


def test_tables_are_compared_with_the_score_and_the_scopes():
    factor, table = pk.Edges([[0, 1], [1, 2]], [0.5, -1.0]), np.array([[0.0, 0.0], [0.0, 1.0]])
    tables = [((0, 1), 0.5 * table), ((1, 2), -table)]
    pk.testing.check_factor(factor, VARIABLES, tables)
    with pytest.raises(AssertionError, match=r"Edges\.score: expected 1 for the states \[0, 1, 1\], got -1"):
        pk.testing.check_factor(factor, VARIABLES, [tables[0], ((1, 2), table)])
    with pytest.raises(AssertionError, match=r"Mine\.scopes: expected the variables 0 and 1 in one row"):
        pk.testing.check_factor(made(weight=0.5, scopes=(np.array([[0], [1]]),)), VARIABLES, tables[:1])
    with pytest.raises(ValueError, match=r"tables: expected scores of shape \(2, 2\) for the variables \(0, 1\)"):
        pk.testing.check_factor(factor, VARIABLES, [((0, 1), np.zeros((3, 3)))])


def test_examples_that_are_too_large():
    with pytest.raises(ValueError, match="variables: expected at most 16384 joint states, got 32768; use fewer"):
        pk.testing.check_factor(Both(jnp.float32(1.0)), pk.Variables(x=pk.Binary(15)))
    with pytest.raises(TypeError, match="factor: expected Factor such as"):
        pk.testing.check_factor(pk.Edges, VARIABLES)


def test_errors_of_a_method_say_where_they_came_from():
    def update(self, beliefs, messages):
        return messages if self.weight > 0 else -messages

    with pytest.raises(jax.errors.TracerBoolConversionError) as raised:
        pk.testing.check_factor(made(update=update), VARIABLES)
    assert any("Mine.update, inside jax.jit" in note for note in raised.value.__notes__)
