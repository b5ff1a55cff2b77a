"""Exact results: log Z, probabilities, moments, marginals, best configuration, of small models by enumeration.

`sample`, `log_partition`, `marginals` and `map_state` of larger models are computed by elimination of variables,
outside of `jit` and without derivatives, if their graph is close enough to a tree (of low induced width). `evidence` is
a dict block name -> states or FREE, in the block's shape. Wrong arguments raise TypeError or ValueError, and more than
2^20 joint states raise ValueError where enumeration is needed.
"""

import math
from functools import partial
from typing import Any, Never

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int
from numpy.typing import NDArray

from .engine import checks, parameters, planes
from .engine.arrays import any_traced, is_traced, on_device, refuse_traced, with_values
from .engine.signatures import ArrayLike, Floats, NamedArrays, States
from .graph import AnyModel, FactorGraph, Model, as_graph
from .search import elimination
from .search.order import Plan
from .search.tables import Table, tables_of
from .variables import FREE, Variables, check_rows

MOST_CONFIGURATIONS = 2**20
LONGEST = 600.0  # seconds that an elimination may take by estimate
ROUNDING = 1e-3  # the largest difference from 1 of a sum of probabilities in float32


def num_configurations(variables: Variables) -> int:
    """Return the number M of joint states. Raise ValueError if M is too large to enumerate (above 2^20)."""
    checks.instance("variables", variables, Variables, "model.graph().variables")
    total = math.prod(map(int, variables.cardinalities))
    if total > MOST_CONFIGURATIONS:
        got = f"about 10^{math.log10(total):.0f}; use samples, or enumerate a smaller model"
        raise ValueError(f"model: expected at most {MOST_CONFIGURATIONS} joint states (20 binary variables), got {got}")
    return total


def digits_of(index: Int[Array, " m"], variables: Variables) -> Int[Array, "n m"]:
    """Return the state numbers of the joint states with these indices; the last variable changes fastest."""
    sizes = variables.cardinalities
    strides = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    return (index[None] // jnp.asarray(strides[:, None], index.dtype)) % jnp.asarray(sizes[:, None], index.dtype)


def all_states(variables: Variables, dtype: Any) -> planes.Planes:
    """Return planes of all M joint states, (planes, n, M)."""
    index = jnp.arange(num_configurations(variables), dtype=jnp.int32)
    return planes.from_states(digits_of(index, variables), variables.num_planes, dtype)


def states(variables: Variables) -> dict[str, States]:
    """Return all M joint states by block name, (M, *shape) int32, in the order of `probabilities`."""
    num_configurations(variables)
    digits = np.indices(tuple(variables.cardinalities), dtype=np.int32).reshape(variables.count, -1)
    return variables.unflatten(digits.T)


def log_weights(model: Model, evidence: NamedArrays | None = None) -> Float[Array, " M"]:
    """Return score(x) = -E(x) of all M joint states, (M,), in nats.

    Forbidden states and states that contradict the evidence get -inf. Cost: M scores.
    """
    return _log_weights(*_graph_and_evidence(model, evidence))


def log_partition(model: Model, evidence: NamedArrays | None = None) -> Float[Array, ""]:
    """Return the log-partition function log Z = log sum_x exp(score(x)) in nats (Section 2.1).

    With evidence, the sum is over the states that agree with it. If none is possible, it is -inf, with derivative 0.
    Models with more than 2^20 joint states are eliminated in 64-bit precision: the cost is exponential in the induced
    width alone.
    """
    if _is_large(model, evidence):
        graph = as_graph(model)
        return jnp.asarray(elimination.log_partition(*_planned(graph, evidence)), graph.unaries.dtype)
    return _log_sum(log_weights(model, evidence))


def probabilities(model: Model, evidence: NamedArrays | None = None) -> Float[Array, " M"]:
    """Return p(x) of all M joint states, (M,), in the order of `states`.

    Raises: ValueError if no state is possible. Inside compiled code, all probabilities are 0 instead.
    """
    return _softmax(_possible_weights(*_graph_and_evidence(model, evidence), evidence))


def moments(model: AnyModel, evidence: NamedArrays | None = None) -> AnyModel:
    """Return the moments E[d score / d parameters], which are the gradient of log Z (Section 2.1).

    `data_moments` returns those of samples.

    Returns: a model of the same form, with moments in place of parameters.

    Raises: ValueError if no state is possible. Inside compiled code, all moments are 0 instead.
    """
    graph, known = _graph_and_evidence(model, evidence)
    p = _softmax(_possible_weights(graph, known, evidence))
    return _moments(parameters.required(model), known, p)


def marginals(model: Model, evidence: NamedArrays | None = None) -> dict[str, Floats]:
    """Return the marginals p(x_i = c) by block name, (*shape, states).

    Models with more than 2^20 joint states are eliminated in 64-bit precision, as for `log_partition`.

    Raises: ValueError if no state is possible. Inside compiled code, all marginals are 0 instead.
    """
    variables = as_graph(model).variables
    if _is_large(model, evidence):
        graph = as_graph(model)
        found = elimination.marginals(*_planned(graph, evidence, keep=True))
        table = np.zeros((variables.num_states, variables.count))
        for i, state in enumerate(variables.evidence(evidence, 1)[0].tolist()):
            size = variables.cardinalities[i]
            table[:size, i] = found[i] if i in found else np.arange(size) == state
        if np.isnan(table).any():
            _refuse_impossible(evidence)
        return variables.unflatten_marginals(table.astype(graph.unaries.dtype))
    values = _marginals(variables, probabilities(model, evidence))
    return variables.unflatten_marginals(with_values(values, is_traced(values)))


def map_state(model: Model, evidence: NamedArrays | None = None) -> dict[str, States]:
    """Return the highest-scoring configuration (MAP, maximum a posteriori), by block name.

    Models with more than 2^20 joint states are eliminated in 64-bit precision, as for `log_partition`.

    Raises: ValueError if no state is possible. Inside compiled code, all states are 0 instead.
    """
    if _is_large(model, evidence):
        variables = as_graph(model).variables
        problem, plan = _planned(as_graph(model), evidence)
        observed = variables.evidence(evidence, 1)[0]
        states, score = elimination.best_states(problem.tables, plan.order, observed, np.inf)
        if np.isneginf(score + problem.constant):
            _refuse_impossible(evidence)
        return variables.unflatten(states)
    graph, known = _graph_and_evidence(model, evidence)
    index = jnp.argmax(_possible_weights(graph, known, evidence)).astype(jnp.int32)
    digits = digits_of(index[None], graph.variables)
    return graph.variables.unflatten(with_values(digits, is_traced(digits))[:, 0])


def kl(p: ArrayLike, q: ArrayLike) -> Float[Array, ""]:
    """Return the Kullback-Leibler divergence KL(p || q) = sum_x p log(p / q), in nats.

    It is infinite if some state has p > 0 and q = 0.

    Args:
        p, q: probabilities, (M,) each.

    Raises: TypeError or ValueError that names the argument. Inside compiled code, values are not checked.
    """
    p, q = checks.parameter("p", p, (None,)), checks.parameter("q", q)
    if p.shape != q.shape:
        raise ValueError(f"q: expected the shape {p.shape} of p, got {q.shape}")
    for name, values in (("p", p), ("q", q)):
        _check_probabilities(name, values)
    return _kl(p, q)


def index_of(variables: Variables, samples: NamedArrays) -> NDArray[np.int64]:
    """Return the index of each sample among all joint states, (N,). It works outside `jit` only, like `frequencies`.

    Args:
        variables: the blocks of variables, `model.graph().variables`.
        samples: dict block name -> states (N, *shape), with every block and no entry FREE.

    Raises: TypeError or ValueError that names the block.
    """
    refuse_traced("index_of", samples)
    num_configurations(variables)
    flat = np.asarray(variables.flatten_all(samples, argument="samples"), np.int64)
    strides = np.append(np.cumprod(variables.cardinalities[:0:-1].astype(np.int64))[::-1], 1)
    return flat @ strides


def frequencies(variables: Variables, samples: NamedArrays) -> NDArray[np.float64]:
    """Return the relative frequency of each of the M joint states among samples, (M,), in the order of `states`.

    Args:
        variables, samples: see `index_of`.

    Raises: TypeError or ValueError that names the block.
    """
    index = index_of(variables, samples)
    check_rows("samples", index[..., None])
    return np.bincount(index, minlength=num_configurations(variables)) / len(index)


def sample(key: Array, model: Model, num_samples: int, evidence: NamedArrays | None = None) -> dict[str, States]:
    """Draw independent samples that follow p(x) exactly, by elimination of variables, or by enumeration.

    Elimination sums over one variable after the other, and draws them in the reverse order, each given those drawn
    before. On a chain this is forward filtering and backward sampling (`ForwardBackward` does it in compiled code).

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph(), with at most 2^20 joint states or of low induced width.
        num_samples: the number of samples.
        evidence: see the module.

    Returns: dict block name -> (num_samples, *shape) int32. Cost: that of `log_partition`, and for each sample the
    number of factors.

    Raises: TypeError or ValueError that names the argument; ValueError if no state is possible, or if the elimination
    needs too much memory.
    """
    refuse_traced("exact.sample", (key, evidence))
    graph, number = as_graph(model), checks.count("num_samples", num_samples)
    seed = np.asarray(jax.random.key_data(checks.key(key))).ravel()
    if tables_of(graph) is None:
        p = np.asarray(probabilities(graph, evidence), np.float64)
        rows = np.random.default_rng(seed).choice(p.size, number, p=p / p.sum())
        return {name: of_block[rows] for name, of_block in states(graph.variables).items()}
    observed = graph.variables.evidence(evidence, number)
    drawn = elimination.samples(*_planned(graph, evidence, keep=True), observed, np.random.default_rng(seed))
    if drawn is None:
        _refuse_impossible(evidence)
    return graph.variables.unflatten(drawn)


def takes_little(model: Model, evidence: NamedArrays | None = None, seconds: float = 5.0) -> bool:
    """Return whether `sample`, `marginals` and `log_partition` take at most about some seconds, by estimate."""
    graph = as_graph(model)
    tables = tables_of(graph)
    if tables is None:
        return math.prod(map(int, graph.variables.cardinalities)) <= MOST_CONFIGURATIONS
    return elimination.plan_within(_problem(graph, tables, evidence), seconds, keep=True) is not None


def _graph_and_evidence(model: Model, evidence: NamedArrays | None) -> tuple[FactorGraph, Int[Array, " n"]]:
    """Return the graph of a model and its flat evidence. Raise ValueError if the model is too large to enumerate."""
    graph = as_graph(model)
    num_configurations(graph.variables)
    parameters.refuse_half_precision(graph)
    return graph, on_device(graph.variables.evidence(evidence, 1)[0])


def _is_large(model: Model, evidence: NamedArrays | None) -> bool:
    """Return whether a model outside of compiled code cannot be enumerated."""
    graph = as_graph(model)
    if math.prod(map(int, graph.variables.cardinalities)) <= MOST_CONFIGURATIONS:
        return False
    return not any_traced((graph,), evidence)


def _problem(graph: FactorGraph, tables: list[Table], evidence: NamedArrays | None) -> elimination.Problem:
    """Return the tables of the variables that the evidence leaves free."""
    return elimination.reduced(tables, graph.variables.cardinalities, graph.variables.evidence(evidence, 1)[0])


def _planned(graph: FactorGraph, evidence: NamedArrays | None, keep: bool = False) -> tuple[elimination.Problem, Plan]:
    """Return the tables of a model and an order of elimination. Raise ValueError if it needs too much memory."""
    parameters.refuse_half_precision(graph)
    tables = tables_of(graph)
    if tables is None:
        num_configurations(graph.variables)
    assert tables is not None
    problem = _problem(graph, tables, evidence)
    plan = elimination.plan_within(problem, LONGEST, keep)
    if plan is None:
        raise ValueError(
            f"model: expected at most {MOST_CONFIGURATIONS} joint states (20 binary variables), or a graph of low "
            f"induced width, whose elimination needs tables of at most {elimination.MOST_ENTRIES} entries, got "
            f"{graph.variables.count} variables that need more; use samples, add evidence, or use a smaller model"
        )
    return problem, plan


def _possible_weights(graph: FactorGraph, known, evidence: NamedArrays | None):
    """Return the relative weights. Raise ValueError if no joint state is possible; traced weights are not checked."""
    weights = _relative_weights(graph, known)
    if is_traced(weights) or (np.asarray(weights) > -np.inf).any():
        return weights
    _refuse_impossible(evidence)


def _refuse_impossible(evidence: NamedArrays | None) -> Never:
    """Raise ValueError, because no configuration is possible."""
    if evidence:
        raise ValueError(
            f"evidence: expected evidence that some configuration agrees with, got {checks.describe(evidence)}, with "
            "which every configuration is impossible; remove the entries that contradict the model's hard constraints"
        )
    raise ValueError(
        "model: expected a model that allows some configuration, got one in which every configuration is impossible or "
        "has a score of NaN; look for constraints that contradict each other, and for NaN in factors of your own"
    )


def _check_probabilities(name: str, values) -> None:
    """Raise ValueError unless the values are probabilities that sum to 1. Traced values are not checked."""
    if is_traced(values):
        return
    smallest, total = np.asarray(values).min(initial=0.0), np.asarray(values).sum(dtype=np.float64)
    if smallest < 0 or abs(total - 1.0) > ROUNDING:
        raise ValueError(
            f"{name}: expected probabilities that sum to 1, got numbers from {smallest:g} with sum {total:g}; divide "
            "counts by their sum"
        )


@jax.jit
def _log_weights(graph: FactorGraph, evidence):
    every = all_states(graph.variables, graph.unaries.dtype)
    return jnp.where(_agrees(every, evidence), graph.score(every), -jnp.inf)


@jax.jit
def _relative_weights(graph: FactorGraph, evidence):
    """Return `_log_weights` less the highest unary of each variable: a large one would absorb the small scores."""
    every, unaries = all_states(graph.variables, graph.unaries.dtype), graph.planes()
    possible = _agrees(every, evidence)
    if graph.allowed is not None:
        possible &= graph.unary_score(every) > -jnp.inf
    return jnp.where(possible, graph.factor_score(every) + planes.relative_dot(unaries, every), -jnp.inf)


def _agrees(every, evidence):
    """Return which joint states agree with flat evidence, (M,)."""
    return ((evidence == FREE)[:, None] | (planes.to_states(every) == evidence[:, None])).all(0)


@jax.jit
def _softmax(weights):
    """Return the probabilities of joint states; all are 0 if no state is possible."""
    possible = (weights > -jnp.inf).any()
    return jnp.where(possible, jax.nn.softmax(jnp.where(possible, weights, 0.0)), 0.0)


_log_sum = jax.jit(lambda weights: jax.nn.logsumexp(weights, where=weights != -jnp.inf))  # derivative 0 of -inf


@eqx.filter_jit
def _moments(model, evidence, p):
    def expected_score(m):  # its gradient with constant p is the gradient of log Z
        return jnp.sum(jnp.where(p > 0, p * _log_weights(m.graph(), evidence), 0.0))

    return eqx.filter_grad(expected_score)(model)


@partial(jax.jit, static_argnums=0)
def _marginals(variables: Variables, p):
    """Return p(x_i = c) of all variables, (C, n)."""
    every = all_states(variables, p.dtype)
    return planes.contract(planes.indicators(every, jnp.arange(variables.count), variables.num_states), p)


@jax.jit
def _kl(p, q):
    p, q = jnp.where(p == 0, 1.0, p), jnp.where(p == 0, 1.0, q)  # states with p = 0 count 0
    return jnp.sum(p * (jnp.log(p) - jnp.log(q)))
