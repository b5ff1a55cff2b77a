"""Compare one message update of a group of factors with enumeration. As a program, print the errors of all types.

Infinite values of hard constraints are compared as 100.
"""

import json

import jax
import jax.numpy as jnp
import numpy as np
from factor_examples import examples
from oracle import centred, log_odds, message

CERTAIN = 100.0
KINDS = ("random", "ties", "certain")


def two_scores(odds):
    return np.array([-max(odds, 0.0), min(odds, 0.0)])


def certain(scores):
    """Scores minus that of the first state, or of the best state if the first is excluded, clipped to 100."""
    return np.clip(scores - scores.max(), -CERTAIN, 0.0)


def incoming_scores(variables, kind, rng):
    """Scores that each variable sends. They are random, have many ties, or contain states of probability 1."""
    if kind == "ties":
        return [rng.integers(-1, 2, size=c).astype(float) for c in variables.cardinalities]
    sent = [rng.normal(size=c, scale=2) for c in variables.cardinalities]
    for scores in sent if kind == "certain" else ():
        if rng.uniform() < 0.5:
            scores[np.arange(scores.size) != rng.integers(scores.size)] = -np.inf
    return sent


def planes_of(variables, cases):
    """Scores of each variable in each case as planes (planes, n, cases)."""
    if variables.num_planes == 1:
        return np.array([[log_odds(scores) for scores in sent] for sent in cases]).T[None]
    table = np.full((variables.num_planes, variables.count, len(cases)), -np.inf)
    for case, sent in enumerate(cases):
        for i, scores in enumerate(sent):
            table[: len(scores), i, case] = scores
    return table


def enumerated(example, sent, reduce):
    """The sum of the messages of all tables at each variable, by enumeration."""
    total = [np.zeros(c) for c in example.variables.cardinalities]
    for ids, table in example.tables:
        for axis, i in enumerate(ids):
            scores = message(table, [sent[j] for j in ids], axis, reduce)
            total[i] = total[i] + centred(scores)
    return total


def possible(example, sent):
    """Whether every factor has an allowed configuration and no two factors contradict each other."""
    if any((message(t, [sent[i] for i in ids], 0) + sent[ids[0]]).max() == -np.inf for ids, t in example.tables):
        return False
    return all(scores.max() > -CERTAIN for scores in enumerated(example, sent, np.max))


def possible_cases(example, kind) -> list:
    """Twenty cases of incoming scores."""
    rng, cases = np.random.default_rng(8), []
    while len(cases) < 20:
        sent = incoming_scores(example.variables, kind, rng)
        if possible(example, sent):
            cases.append(sent)
    return cases


def updated(example, cases, temperature=None):
    """The sum of the library's new messages at each variable, (cases, planes, n). The old messages are zero.

    The messages are those of max-product, or of sum-product if a temperature is given.
    """
    beliefs = planes_of(example.variables, cases)
    new = (
        max_update(example.factor, beliefs)
        if temperature is None
        else soft_update(example.factor, beliefs, temperature)
    )
    return np.moveaxis(np.asarray(new), -1, 0)


@jax.jit
def max_update(factor, beliefs):
    return factor.to_variables(factor.update(beliefs, old_messages(factor, beliefs)), jnp.zeros_like(beliefs))


@jax.jit
def soft_update(factor, beliefs, temperature):
    new = factor.soft_update(beliefs, old_messages(factor, beliefs), temperature)
    return factor.to_variables(new, jnp.zeros_like(beliefs))


def old_messages(factor, beliefs):
    return jax.tree.map(jnp.zeros_like, factor.neutral_messages(beliefs.shape[2:]))


def largest_error(example) -> float:
    """Largest |ours - enumerated| / max(1, |enumerated|) of the max-product messages in all kinds of cases."""
    cases = [case for kind in KINDS for case in possible_cases(example, kind)]
    worst = 0.0
    for ours, sent in zip(updated(example, cases), cases, strict=True):
        for i, scores in enumerate(enumerated(example, sent, np.max)):
            row = two_scores(ours[0, i]) if len(ours) == 1 else ours[: len(scores), i]
            truth = certain(scores)
            error = np.abs(certain(row) - truth) / np.maximum(1.0, np.abs(truth))
            worst = np.maximum(worst, error.max())  # NaN if any is: Python's `max` may drop it
    return float(worst)


if __name__ == "__main__":
    print(json.dumps({example.name: largest_error(example) for example in examples()}))
