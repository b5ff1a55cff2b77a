"""`check_sampler` accepts the samplers of the kit, and names the method of a wrong one."""

import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.samplers.chain import AbstractChain, softmax_noise

PAIRS = np.array([[0, 1], [1, 2], [2, 3]])
BINARY = pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.Edges(PAIRS, [0.5, -1.0, 0.7])], {"x": [0.3, -0.2, 0.1, 0.0]})
SAMPLERS = {
    "PMP": pk.PMP(),
    "PMP with joint noise": pk.PMP(noise=pk.StratifiedGumbel()),
    "persistent PMP": pk.PersistentPMP(),
    "forward-backward": pk.ForwardBackward(),
    "Gibbs": pk.Gibbs(),
    "Gibbs in random order": pk.RandomScanGibbs(),
    "Gibbs with gradients": pk.GibbsWithGradients(),
    "Langevin": pk.DiscreteLangevin(),
    "tempering": pk.ParallelTempering(),
}


@pytest.mark.parametrize("name", some(SAMPLERS, {"PMP", "persistent PMP", "Gibbs"}))
def test_the_samplers_of_the_kit(name):
    pk.testing.check_sampler(SAMPLERS[name], BINARY)


@pytest.mark.parametrize("name", ["PMP", "Gibbs", "Langevin"])
@pytest.mark.slow
def test_variables_with_more_states(name):
    rng = np.random.default_rng(0)
    tables = pk.EdgeTables(PAIRS, 0.5 * rng.normal(size=(3, 3, 3)))
    model = pk.FactorGraph(pk.Variables(x=pk.Categorical(4, states=3)), [tables])
    pk.testing.check_sampler(SAMPLERS[name], model)


def wrong(base=pk.Gibbs, **methods):
    """A sampler with other methods."""
    return type("Wrong", (base,), methods)()


class Restless(AbstractChain):
    """All variables at once from their conditionals, which does not leave p(x) as it is."""

    def sweep(self, keys, graph, unaries, state):
        at = jnp.arange(graph.variables.count)
        field = graph.conditional(state, unaries, at, graph.locate(at))
        return pk.engine.planes.decode_noisy(field, softmax_noise(keys, unaries))


@pytest.mark.parametrize(
    ("sampler", "message"),
    [
        (wrong(sweep=lambda self, keys, graph, unaries, state: state[0]), r"Wrong.sweep: expected float32\[1, 4, 3\]"),
        (wrong(done=lambda self, state: jnp.zeros(2, bool)), r"Wrong.done: expected bool\[3\], got bool\[2\]"),
        (wrong(view=lambda self, graph, unaries, state: state), r"Wrong.view: expected View"),
        (
            wrong(sweep=lambda self, keys, graph, unaries, state: 1.0 - state),
            r"Wrong.sweep: expected states that agree with the evidence",
        ),
        (
            wrong(
                sweep=lambda self, keys, graph, unaries, state: jnp.roll(
                    pk.Gibbs.sweep(self, keys, graph, unaries, state), 1, -1
                )
            ),
            r"Wrong.sweep: expected samples that depend on their own keys alone",
        ),
        (
            wrong(
                init=lambda self, keys, graph, unaries, previous: (
                    pk.Gibbs.init(self, keys, graph, unaries, previous) if previous is None else 0.0 * previous
                )
            ),
            r"Wrong.init: expected the states of `previous`",
        ),
        (wrong(AbstractChain, sweep=Restless.sweep), r"Wrong.sweep: expected the probability"),
        (
            wrong(sweep=lambda self, keys, graph, unaries, state: state),
            r"Wrong.sweep: expected chains that reach state \d of variable 0",
        ),
        (
            wrong(done=lambda self, state: jnp.zeros(state.shape[-1], bool) | (state[0, 0] > 0)),
            r"Wrong.sweep: expected (the same state of finished samples|samples that depend on their own keys)",
        ),
    ],
    ids=lambda value: value[:45] if isinstance(value, str) else "",
)
def test_faults(sampler, message):
    with pytest.raises(AssertionError, match=message):
        pk.testing.check_sampler(sampler, BINARY)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="sampler: expected Sampler"):
        pk.testing.check_sampler(pk.MaxProduct(), BINARY)
