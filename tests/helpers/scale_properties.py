"""Properties of every factor, solver and sampler at any scale of the scores. Each function asserts one property.

`make test` runs some cases of each (tests/laws/test_scale_properties.py), and `make trust` runs many.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from sampler_examples import EXAMPLES
from scale_cases import BATCH, Problem
from scale_models import Case, check_answer

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.samplers.chain import everywhere, fields

KEY = jax.random.key(0)
SOLVERS = {
    "exhaustive": pk.Exhaustive(),
    "max-product": pk.MaxProduct(),
    "max-product, the last decoded state": pk.MaxProduct(0.0, start="zero", keep_best=False),
    "max-product, alternating": pk.MaxProduct(schedule=pk.Alternating()),
    "max-product, random mask": pk.MaxProduct(schedule=pk.RandomMask(KEY), patience=10),
    "max-product, random start": pk.MaxProduct(start=pk.RandomStart(KEY, 1e3)),
    "sum-product": pk.SumProduct(),
    "sum-product, cold": pk.SumProduct(1e-4, damping=0.0),
    "coordinate ascent": pk.CoordinateAscent(),
    "polished": pk.Polished(pk.MaxProduct()),
    "portfolio": pk.Portfolio(pk.MaxProduct(), pk.CoordinateAscent(), pk.Exhaustive()),
}
EXACT = ("exhaustive", "portfolio")
PAIRS = {
    "tree pass": ("tree", {}, pk.TreePass()),
    "minimum cut": ("loops", {"attractive": True}, pk.MaxFlow()),
    "exhaustive": ("loops", {}, pk.Exhaustive()),
    "linear program": ("loops", {}, pk.LinearProgram()),
    "MPLP": ("loops", {}, pk.MPLP()),
    "portfolio": ("loops", {}, pk.Portfolio(pk.MPLP(), pk.LinearProgram())),
}
EXACT_PAIRS = ("tree pass", "minimum cut", "exhaustive")
SAMPLERS = {example.name: example.make for example in EXAMPLES} | {
    "forward-backward": lambda model: pk.ForwardBackward(),
    "exact perturb-and-MAP of trees": lambda model: pk.PerturbAndMAP(pk.TreePass()),
}
ONLY_TREES = ("forward-backward", "exact perturb-and-MAP of trees")
ALWAYS_POSSIBLE = ("forward-backward", "exact perturb-and-MAP of trees", "exact perturb-and-MAP")


# --- factors


@jax.jit
def seen(graph, states, unaries):
    """Scores, violations and local fields of states (n, M), and the beliefs after two undamped sweeps."""
    x = planes.from_states(states, graph.variables.num_planes, unaries.dtype)
    local = fields(graph, jnp.broadcast_to(graph.planes()[..., None], x.shape), x, everywhere(graph))
    undamped = pk.MaxProduct(0.0)
    sweep = lambda _, state: undamped.sweep(graph, unaries, state)  # noqa: E731
    state = jax.lax.fori_loop(0, 2, sweep, undamped.init(graph, unaries))
    beliefs = graph.beliefs(unaries, state.messages)
    counts = graph.variables.num_states
    return graph.score(x), graph.violations(x), planes.counted(local, counts), planes.counted(beliefs, counts)


def factors_score_as_their_tables(problem: Problem) -> None:
    """Scores and local fields equal those of the enumeration, what is proved impossible is impossible, none is NaN."""
    evidence = jnp.asarray(problem.evidence.T)
    unaries = planes.clamp(problem.graph.planes(), evidence)
    states = jnp.asarray(problem.states.T.astype(np.int32))
    answers = [np.asarray(part) for part in seen(problem.graph, states, unaries)]
    assert not any(np.isnan(part).any() for part in answers)
    score, violations, local, beliefs = answers
    possible = np.isfinite(problem.scores)
    np.testing.assert_array_equal(np.isfinite(score), possible)
    np.testing.assert_array_equal(violations == 0, possible)
    assert (np.abs(score[possible] - problem.scores[possible]) <= problem.rounding).all()
    fields_are_differences(problem, local.astype(float))
    for row, proved in zip(problem.left(), np.moveaxis(beliefs, -1, 0), strict=True):
        best = best_of_each(problem, row)
        if np.isfinite(row).any():
            assert (best[np.isneginf(proved)] == -np.inf).all()


def fields_are_differences(problem: Problem, local) -> None:
    """The local field of a state minus that of the current state is the difference of two scores."""
    index = np.arange(len(problem.states))
    strides = np.append(np.cumprod(problem.sizes[:0:-1])[::-1], 1)
    start = np.isfinite(problem.scores)
    for i, size in enumerate(problem.sizes):
        for c in range(size):
            then = problem.scores[index + (c - problem.states[:, i]) * strides[i]][start]
            now = problem.scores[start]
            change = (local[c, i] - local[problem.states[:, i], i, index])[start]
            left = np.isfinite(then)
            assert (np.abs(change[left] - (then - now)[left]) <= problem.rounding).all()
            assert (change[~left] < -1e20).all()


def best_of_each(problem: Problem, scores):
    """The best score for each state of each variable, (C, n). It is -inf if no allowed configuration has the state."""
    best = np.full((problem.sizes.max(), len(problem.sizes)), -np.inf)
    for i in range(len(problem.sizes)):
        np.maximum.at(best[:, i], problem.states[:, i], scores)
    return best


# --- solvers


def solvers_keep_their_promises(problem: Problem, solver, exact: bool) -> None:
    """Evidence is kept, nothing is NaN, scores and bounds are valid, and exact solvers find the best score.

    Only results with a possible state have converged.
    """
    solution = pk.solve(problem.graph, solver, num_sweeps=30, evidence=problem.named())
    assert not any(np.isnan(leaf).any() for leaf in jax.tree.leaves(solution))
    states = problem.graph.variables.flatten(solution.states)
    known = problem.evidence != pk.FREE
    np.testing.assert_array_equal(states[known], problem.evidence[known])
    found, best = problem.found(states), problem.left().max(1)
    real = np.isfinite(found)
    np.testing.assert_array_equal(np.isfinite(solution.score), real)
    np.testing.assert_array_equal(solution.possible, real)
    assert (np.abs(solution.score[real] - found[real]) <= problem.rounding).all()
    assert not (solution.converged & ~real).any()
    if solution.bound is not None:
        assert (solution.bound >= solution.score).all()
        assert (solution.bound >= best - problem.rounding)[np.isfinite(best)].all()
    for marginal in (solution.marginals or {}).values():
        assert ((marginal >= 0) & (marginal <= 1)).all()
    if exact:
        np.testing.assert_array_equal(real, np.isfinite(best))
        assert (found >= best - problem.rounding)[real].all()
        if solution.bound is not None:  # None for forests, where rounding may keep messages changing
            assert solution.converged[real].all()
            assert (solution.bound <= best + problem.rounding)[real].all()
            assert (solution.bound == -np.inf)[~real].all()


def forests_are_solved(problem: Problem) -> None:
    """Undamped max-product is exact on a forest of any factors."""
    solvers_keep_their_promises(problem, pk.MaxProduct(0.0), exact=True)


def solvers_of_pairs_keep_their_promises(name, levels, forbidden, seed) -> None:
    """Solvers of pairwise models have the same properties if some states of single variables are excluded."""
    wiring, options, solver = PAIRS[name]
    if name == "minimum cut":
        levels, forbidden = "binary", 0.0
    check_answer(Case(wiring, levels, seed, forbidden=forbidden, **options), solver, name in EXACT_PAIRS)


# --- samplers


def samplers_keep_evidence(problem: Problem, name, seed) -> None:
    """Evidence is kept by new chains and by chains with other evidence, and samples do not depend on the chunk size."""
    graph, variables = problem.graph, problem.graph.variables
    sampler, key = SAMPLERS[name](graph), jax.random.key(seed)
    draw = partial(pk.sample, key, graph, sampler, num_samples=BATCH, num_sweeps=5)
    samples = draw(evidence=problem.named(), chunk=BATCH)
    check_samples(problem, samples, problem.evidence, name)
    apart = draw(evidence=problem.named(), chunk=2)
    for block in variables:
        np.testing.assert_array_equal(samples[block], apart[block])
    if sampler.is_markov_chain:
        other = problem.evidence[::-1]
        more = draw(evidence=problem.named(other), previous=samples.chains)
        check_samples(problem, more, other, name)


def check_samples(problem: Problem, samples, evidence, name) -> None:
    """States are valid, agree with the evidence and have numeric scores. States of exact samplers are allowed."""
    states, known = problem.graph.variables.flatten(samples), evidence != pk.FREE
    assert ((states >= 0) & (states < problem.sizes)).all()
    np.testing.assert_array_equal(states[known], evidence[known])
    assert not np.isnan(pk.score(problem.graph, samples)).any()
    assert not any(np.isnan(leaf).any() for leaf in jax.tree.leaves(samples.chains) if leaf.dtype.kind == "f")
    if name in ALWAYS_POSSIBLE:
        possible = np.isfinite(problem.left().max(1))
        assert np.isfinite(problem.found(states))[possible].all()


# --- checks


def checks_do_not_look_at_values(problem: Problem, seed) -> None:
    """Couplings, colours and the checks of each solver and sampler do not change if all parameters are 0."""
    graph = problem.graph
    blank = jax.tree.map(lambda leaf: jnp.zeros_like(leaf) if leaf.dtype.kind == "f" else leaf, graph)
    members = np.random.default_rng(seed).random(len(problem.sizes)) < 0.4
    joined = any(members[list(ids)].sum() > 1 for ids, _ in problem.tables)
    for model in (graph, blank):
        assert any(factor.couples(members) for factor in model.factors) == joined
    assert [c.tolist() for c in pk.colours(graph)] == [c.tolist() for c in pk.colours(blank)]
    parts = [*SOLVERS.values(), pk.TreePass(), pk.LinearProgram(), pk.MPLP()]
    parts += [make(graph) for make in SAMPLERS.values()]
    for part in parts:
        assert refusal(part, graph) == refusal(part, blank)


def refusal(part, graph) -> str | None:
    """Return why a solver or a sampler refuses a graph, or None if it accepts the graph."""
    try:
        part.check(graph)
    except ValueError as error:
        return str(error)
    return None


def refuses_to_alternate(graph) -> bool:
    """Return whether the graph has only one group of messages, so that alternating is impossible."""
    return sum(factor.sides for factor in graph.factors) == 1
