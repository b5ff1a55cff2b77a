"""Markov chains that start at samples of perturb-and-MAP."""

import jax
from jaxtyping import Array

from ..engine import checks
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph
from .base import keys_of
from .chain import AbstractChain
from .gibbs import Gibbs
from .perturb_and_map import PMP, PerturbAndMAP


class WarmStart(AbstractChain):
    """Markov chains that start at samples of PMP (perturb-and-max-product) instead of random states.

    PMP finds probable configurations in all parts of a model at once, but its samples do not follow p(x). A few sweeps
    of a chain remove the part of this error that is local: the states of single variables given the others. What chains
    cannot repair quickly remains, such as the shares of modes that are far apart. With many sweeps the samples follow
    p(x), as far as those of the chain do. Cost: `start_sweeps` sweeps of PMP before the first sweep, and the sweeps of
    the chain.
    """

    chain: AbstractChain
    start: PerturbAndMAP
    start_sweeps: Number

    def __init__(
        self, chain: AbstractChain | None = None, start: PerturbAndMAP | None = None, start_sweeps: Number = 50
    ):
        """Args:
        chain: the Markov chain; by default Gibbs().
        start: the sampler of the first states; by default PMP().
        start_sweeps: its number of sweeps. All are made, and the states after the last one count.

        Raises: TypeError or ValueError that names the argument.
        """
        self.chain = checks.instance("chain", Gibbs() if chain is None else chain, AbstractChain, "Gibbs()")
        self.start = checks.instance("start", PMP() if start is None else start, PerturbAndMAP, "PMP()")
        self.start_sweeps = checks.sweeps(start_sweeps)

    def check(self, graph):
        self.chain.check(graph)
        self.start.check(graph)

    def init(self, keys: Array, graph: FactorGraph, unaries: Planes, previous: PyTree | None) -> PyTree:
        return self.chain.init(keys, graph, unaries, self.first_states(keys, graph, unaries, previous))

    def first_states(self, keys: Array, graph: FactorGraph, unaries: Planes, previous: PyTree | None) -> PyTree:
        """Return samples of `start` as planes of states, or the states of the chains to continue."""
        if previous is not None:
            return previous
        keys = keys_of(keys, 0)
        sweep = lambda number, state: self.start.sweep(keys_of(keys, number + 1), graph, unaries, state)  # noqa: E731
        begin = self.start.init(keys, graph, unaries, None)
        return self.start.view(graph, unaries, jax.lax.fori_loop(0, self.start_sweeps, sweep, begin)).states

    def sweep(self, keys, graph, unaries, state):
        return self.chain.sweep(keys, graph, unaries, state)
