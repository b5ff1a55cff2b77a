"""Starts: the first sweep is right for every share of the neutral messages that is accepted."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.solvers.starts import MOST_SHARE

PAIRS = {
    "edges": lambda x, w: pk.Edges([x], [w]),
    "dense": lambda x, w: pk.DensePairwise(x, np.array([[0.0, w], [w, 0.0]])),
    "bipartite": lambda x, w: pk.Bipartite(x[:1], x[1:], [[w]]),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("share", [-MOST_SHARE, MOST_SHARE])
def test_the_first_messages_of_one_pair_do_not_depend_on_the_start(name, share):
    """The incoming log-odds of a single pair are the unaries alone, because the pair's own message is subtracted."""
    variables = pk.Variables(x=pk.Binary(2))
    for weight in (1.0, -1.0):
        for unary in np.linspace(-8.0, 8.0, 33):
            pair = PAIRS[name](variables["x"], weight)
            graph = pk.FactorGraph(variables, [pair], {"x": [unary, 0.3]})
            odds = graph.planes()[..., None]
            for start in (pk.NeutralStart(0.0), pk.NeutralStart(share)):
                messages = start.messages(graph, (1,))
                new = graph.update(graph.beliefs(odds, messages), messages)
                got = np.asarray(graph.beliefs(odds, new) - odds)[0, :, 0]
                wanted = [max(0.0, field + weight) - max(0.0, field) for field in (0.3, unary)]
                np.testing.assert_allclose(got, wanted, atol=1e-5)
