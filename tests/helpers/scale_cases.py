"""Random models of any factors whose scores range from 1e-3 to 1e6 nats, and all their scores by enumeration."""

import jax
import numpy as np
from factor_examples import MAKERS
from hypothesis import Phase, settings
from oracle import joint_scores, joint_states
from random_graphs import grown, with_loops

import pmp_kit as pk

BATCH = 4
"""The number of batch elements of each case. Each element has its own evidence."""
FACTORS = {make(np.random.default_rng(0)).name: make for make in MAKERS}
SMALLEST, LARGEST = -3.0, 6.0
"""Powers of ten of the scales."""


class AnyScale(np.random.Generator):
    """A generator whose normal numbers have random scales, from the whole range or from a random part of it."""

    def __init__(self, seed):
        super().__init__(np.random.PCG64(seed))
        whole = self.random() < 0.5
        self.exponents = (SMALLEST, LARGEST) if whole else tuple(np.sort(self.uniform(SMALLEST, LARGEST, 2)))

    def normal(self, loc=0.0, scale=1.0, size=None):
        del loc, scale
        return super().normal(size=size) * 10.0 ** self.uniform(*self.exponents, size)


class Problem:
    """A model, evidence for a few batch elements, and the scores of all joint states in 64 bits."""

    def __init__(self, graph, unaries, tables, rng):
        """Args:
        graph: the model.
        unaries, tables: the same model as scores of each variable and (ids, scores) of each factor.
        rng: generator of the evidence.
        """
        self.graph, self.sizes = graph, graph.variables.cardinalities
        self.tables = tables
        self.states, self.scores = joint_states(self.sizes), joint_scores(unaries, tables)
        finite = [np.abs(part[np.isfinite(part)]).sum() for part in (*unaries, *(table for _, table in tables))]
        self.rounding = 8.0 * float(np.finfo(jax.dtypes.canonicalize_dtype(np.float64)).eps) * sum(finite)
        self.evidence = self.draw_evidence(rng)

    @classmethod
    def of_factor(cls, name, seed):
        """Make a problem from a factor example and random unaries."""
        rng = AnyScale(seed)
        example = FACTORS[name](rng)
        sizes = example.variables.cardinalities
        unaries = [rng.normal(size=size) for size in sizes]
        padded = np.zeros((len(sizes), sizes.max()))
        for row, own in zip(padded, unaries, strict=True):
            row[: len(own)] = own
        return cls(pk.FactorGraph(example.variables, [example.factor], padded), unaries, example.tables, rng)

    @classmethod
    def of_recipe(cls, recipe, seed):
        """Make a graph of mixed factor types with loops."""
        rng = AnyScale(seed)
        model, _ = with_loops(recipe, rng)
        return cls(model.graph(), model.unaries, model.tables(), rng)

    @classmethod
    def of_forest(cls, recipe, seed):
        """Make a forest of mixed factor types."""
        rng = AnyScale(seed)
        model = grown(recipe, rng)
        return cls(model.graph(), model.unaries, model.tables(), rng)

    def draw_evidence(self, rng):
        """Draw no evidence for row 0, evidence from the best configuration for row 1, and random evidence otherwise."""
        count = len(self.sizes)
        evidence = rng.integers(0, self.sizes, (BATCH, count)).astype(np.int32)
        evidence[1] = self.states[self.scores.argmax()]
        evidence[rng.random(evidence.shape) < 0.7] = pk.FREE
        evidence[0] = pk.FREE
        return evidence

    def named(self, evidence=None):
        """Evidence (BATCH, n) by block name; by default this problem's own."""
        return self.graph.variables.unflatten(self.evidence if evidence is None else evidence)

    def left(self):
        """Scores of the joint states, (BATCH, M). States that contradict the evidence get -inf."""
        known = self.evidence[:, None]
        return np.where(((known == pk.FREE) | (known == self.states)).all(2), self.scores, -np.inf)

    def found(self, states):
        """Look up the scores of flat states (BATCH, n) in the table."""
        return self.scores[np.ravel_multi_index(tuple(np.asarray(states, int).T), tuple(self.sizes))]


def cases(number):
    """Settings of Hypothesis without shrinking, because a smaller seed is not a simpler case."""
    return settings(max_examples=number, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
