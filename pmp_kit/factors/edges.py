"""Edges: a list of pairs of binary variables, for sparse models of any shape (Appendix C.1)."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine.planes import add_log_odds, contract, like, log_odds, of_log_odds, ones
from ..engine.signatures import ArrayLike
from .base import check_binary
from .binary_pairs import AbstractBinaryPairs, bounded, corner_tables
from .incidence import Incidence
from .weighted_pairs import AbstractWeightedPairs, weighted_pairs


class Edges(AbstractWeightedPairs, AbstractBinaryPairs):
    """Pairs of binary variables: score sum_e w_e x_i x_j (Appendix C.1).

    If a pair occurs more than once, its weights add up. The messages are two arrays (E, *batch), the log-odds that
    each edge sends to its first and to its second variable. The variables have two colours, and the pairs are reordered
    so that the first variable has the first colour (see `factors/two_colouring.py`). On lattices and trees, information
    then propagates twice as far per sweep with `Alternating()` as with `Flooding()`. Memory and cost of a sweep: 2 E
    for each batch element.
    """

    weight: Float[Array, "*E"]
    pairs: Int[Array, "2 E"]
    incidence: Incidence

    def __init__(self, pairs: ArrayLike, weight: ArrayLike):
        """Args:
        pairs: ids, (E, 2), with two different ids in each pair.
        weight: w, in nats: (E,), or one number, which is one parameter that all edges share.

        Raises: TypeError or ValueError that names the argument.
        """
        self.weight, self.pairs, self.incidence = weighted_pairs(pairs, weight)

    def check(self, variables):
        check_binary("pairs", np.asarray(self.pairs), variables)

    def score(self, states):
        first, second = ones(states, self.pairs[0]), ones(states, self.pairs[1])
        return contract(self.weights, first * second)

    def to_variables(self, messages, beliefs):
        for end, message in zip(self.pairs, messages, strict=True):
            beliefs = add_log_odds(beliefs, end, message)
        return beliefs

    def cavities(self, beliefs, messages, temperature=0.0):
        every = bounded(log_odds(beliefs), self.weights, temperature)  # clipped once, then read for each edge
        return every[self.pairs[0]] - messages[0], every[self.pairs[1]] - messages[1]

    def pair_tables(self):
        return self.pairs.T, corner_tables(self.weights)

    def conditional(self, states, at, where):
        others, weight = self.neighbours(where)
        x = ones(states, others)  # (width, degree, *batch)
        # XLA makes a matrix product of a sum of w x, which takes up to twelve times as long as this choice
        return of_log_odds(jnp.sum(jnp.where(x > 0.5, like(weight, x), 0.0), axis=1), states.shape[0]), None
