"""Random pairwise models whose scores range from 1e-3 to 1e6 nats, mixed in one model, and their best scores."""

import jax
import jax.numpy as jnp
import numpy as np
from oracle import joint_scores, joint_states

import pmp_kit as pk
from pmp_kit import run
from pmp_kit.engine import planes
from pmp_kit.solvers.host import AbstractHostSolver

BATCH = 6
"""The number of batch elements of each case. Each element has its own evidence."""
WIRING = {  # fixed, so that a program compiled for one case can be used for the next
    "tree": [(0, 1), (2, 1), (1, 3), (3, 4), (5, 3)],
    "loops": [(0, 1), (1, 2), (2, 0), (3, 2), (4, 3), (0, 4), (2, 4), (5, 0), (4, 5)],
}
LEVELS = {"binary": (2,) * 6, "ternary": (3,) * 6, "mixed": (3, 3, 3, 2, 2, 2)}


def any_scale(rng, shape):
    """Scores of both signs whose sizes are log-uniform from 1e-3 to 1e6, as floats of the default precision."""
    numbers = rng.choice([-1.0, 1.0], shape) * 10.0 ** rng.uniform(-3, 6, shape)
    return numbers.astype(jax.dtypes.canonicalize_dtype(np.float64))


class Case:
    """A random pairwise model with evidence, the unaries as solvers get them, and its scores by enumeration."""

    def __init__(self, wiring, levels, seed, attractive=False, forbidden=0.0):
        """Args:
        wiring, levels: keys of WIRING and LEVELS.
        attractive: whether to use Edges with weights >= 0 instead of tables.
        forbidden: share of the states of tables and unaries that get -inf.
        """
        self.rng, self.sizes = np.random.default_rng(seed), np.array(LEVELS[levels])
        self.most = int(self.sizes.max())
        pairs = WIRING[wiring]
        count, most = len(self.sizes), self.most
        self.scores = any_scale(self.rng, (count, most)) * (np.arange(most) < self.sizes[:, None])
        if most == 2:
            self.scores[:, 0] = 0.0
        if attractive:
            weight = np.abs(any_scale(self.rng, len(pairs)))
            self.tables = [(pair, np.array([[0.0, 0.0], [0.0, w]])) for pair, w in zip(pairs, weight, strict=True)]
            factors = [pk.Edges(pairs, weight)]
        else:
            self.tables = [
                (pair, self.thinned(any_scale(self.rng, self.sizes[list(pair)]), forbidden)) for pair in pairs
            ]
            factors = list(self.factors())
        self.graph = pk.FactorGraph(variables_of(self.sizes), factors, self.scores)
        self.evidence = self.rng.integers(0, self.sizes, (BATCH, count)).astype(np.int32)
        self.evidence[self.rng.random(self.evidence.shape) < 0.7] = pk.FREE
        self.evidence[0] = pk.FREE
        clamped = np.asarray(run.clamped_unaries(self.graph, jnp.asarray(self.evidence.T)))
        self.planes = jnp.asarray(self.without_some_states(clamped, forbidden))

    def thinned(self, table, share):
        """Set some entries of a table to -inf, but not all."""
        left = np.where(self.rng.random(table.shape) < share, -np.inf, table).astype(table.dtype)
        return left if np.isfinite(left).any() else table

    def factors(self):
        """The factors. Tables of the same shape form one group."""
        for shape in sorted({table.shape for _, table in self.tables}):
            group = [(pair, table) for pair, table in self.tables if table.shape == shape]
            yield pk.EdgeTables([pair for pair, _ in group], np.stack([table for _, table in group]))

    def without_some_states(self, clamped, share):
        """The unaries with some excluded states. Each variable keeps at least one state."""
        gone = self.rng.random(clamped.shape) < share
        if len(clamped) == 1:
            return np.where(gone & np.isfinite(clamped), -np.inf, clamped)
        left = np.where(gone, -np.inf, clamped)
        return np.where(np.isneginf(left).all(0), clamped, left)

    def best(self):
        """Joint states (M, n) and their 64-bit scores in every batch element (batch, M)."""
        states = joint_states(self.sizes)
        joint = joint_scores(
            [row[:size].astype(float) for row, size in zip(self.scores, self.sizes, strict=True)],
            [(pair, table.astype(float)) for pair, table in self.tables],
        )
        allowed = np.asarray(planes.counted(self.planes, self.most)) > -np.inf  # (C, n, batch)
        agrees = allowed[states, np.arange(len(self.sizes))].all(1)  # (M, batch)
        return states, np.where(agrees.T, joint, -np.inf)

    @property
    def size(self):
        """The sum of the sizes of all scores."""
        finite = [table[np.isfinite(table)] for _, table in self.tables]
        return np.abs(self.scores).sum() + sum(np.abs(table).sum() for table in finite)


def variables_of(sizes) -> pk.Variables:
    """Blocks of variables with equal numbers of states, in order."""
    blocks = {
        f"x{size}": pk.Categorical(int((sizes == size).sum()), states=int(size))
        for size in sorted({*sizes.tolist()}, reverse=True)
    }
    return pk.Variables(**blocks)


@jax.jit
def answer_of(graph, solver, unaries, num_sweeps):
    """The result of a solver for unaries in which states may be excluded."""
    state, _ = run.solver_sweeps(solver, graph, unaries, solver.init(graph, unaries), 0, num_sweeps)
    answer = solver.answer(graph, unaries, state)
    return answer._replace(states=planes.to_states(answer.states))


def check_answer(case: Case, solver, exact: bool):
    """Check that evidence is kept, nothing is NaN, bounds are valid, and exact solvers find the best configuration."""
    answer = jax.tree.map(np.asarray, answer_of(case.graph, solver, case.planes, 30))
    states, scores = case.best()
    best = scores.max(1)
    rounding = 8 * np.finfo(case.planes.dtype).eps * case.size
    for part in jax.tree.leaves(answer):
        assert not np.isnan(part).any()
    known = case.evidence != pk.FREE
    np.testing.assert_array_equal(answer.states.T[known], case.evidence[known])
    offset = constant(case, answer.states)
    possible = best > -np.inf
    found = np.array([row[(states == x).all(1)][0] for row, x in zip(scores, answer.states.T, strict=True)])
    assert (answer.score[~possible] == -np.inf).all()
    np.testing.assert_array_equal(found == -np.inf, answer.score == -np.inf)
    real = found > -np.inf
    assert (np.abs((answer.score + offset)[real] - found[real]) <= rounding).all()
    if answer.bound is not None:
        assert (answer.bound >= answer.score).all()
        assert (answer.bound + offset >= best - rounding)[possible].all()
    if exact:
        kind = float if isinstance(solver, AbstractHostSolver) else case.planes.dtype
        assert (found >= best - 8 * np.finfo(kind).eps * case.size)[possible].all()
        assert (answer.bound[~possible] == -np.inf).all()
        assert answer.converged[possible].all()


def constant(case: Case, states):
    """The part of a batch element's score that its planes omit. It is nonzero only for one plane and evidence."""
    counted = np.asarray(planes.counted(case.planes, case.most), float)
    every = np.arange(len(case.sizes))[:, None], np.arange(states.shape[1])
    return (case.scores[every[0], states].astype(float) - counted[states, *every]).sum(0)
