"""A run of max-product on any model, with the message of each factor to each of its variables."""

from __future__ import annotations

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

import pmp_kit as pk

from ....engine import checks, planes
from ....factors.binary_pairs import AbstractBinaryPairs
from ....factors.entries import AbstractEntries
from ....factors.weighted_pairs import AbstractWeightedPairs
from ....graph import as_graph
from ....samplers import View
from ....solvers.starts import AbstractStart, NeutralStart
from ..shared.limits import SETTLED
from . import placing, wiring

AS_GIVEN = "as given"
STARTS = {"neutral": 1.0, "zero": 0.0}
"""Name -> share of the neutral messages."""


class Figure(NamedTuple):
    """What stays the same in all states of a model: n variables, F factors, L links between them.

    A factor of two binary variables is an edge between them. All others are squares.
    """

    names: list[str]
    """Of the factors: the type and a number."""
    of: Int[np.ndarray, " L"]
    """The factor of each link."""
    to: Int[np.ndarray, " L"]
    """The variable of each link."""
    other: Int[np.ndarray, " L"]
    """The other variable of an edge; -1 for a link to a square."""
    weights: Float[np.ndarray, " F"]
    """Weight W of a pair of binary variables; NaN for other factors and where a state is forbidden."""
    neutral: Float[np.ndarray, "L planes"]
    """The message that favours no state: the mean of the potential; 0 for hard factors."""
    places: Float[np.ndarray, "n_and_F 2"]
    """Of variables, then of factors (NaN for edges); x to the right, y downwards, both from 0."""
    images: Float[np.ndarray, "L 2"]
    """Where a message of an edge comes from: the place of the other variable, or its image across the border."""
    size: Float[np.ndarray, " 2"]
    """Width and height of all places."""
    nearest: float
    """The smallest distance between two of them."""


class State(NamedTuple):
    """T = sweeps + 1 rows; row 0 is the start. Planes: one of log-odds if all variables are binary, else scores."""

    messages: Float[np.ndarray, "T L planes"]
    """The message m from the factor to the variable of each link, in nats."""
    beliefs: Float[np.ndarray, "T n planes"]
    states: Int[np.ndarray, "T n"]
    """Decoded from the beliefs of this row."""
    residuals: Float[np.ndarray, " T"]
    """Largest message update of the next sweep, in nats."""
    scores: Float[np.ndarray, " T"]
    """Score of the decoded states, without the noise, in nats; -inf if they are forbidden."""
    bias: Float[np.ndarray, "n planes"]
    """The unary of the model."""
    noise: Float[np.ndarray, "n planes"]
    """What is added to it; 0 for variables that are observed."""
    evidence: Int[np.ndarray, " n"]
    """The observed state, or FREE."""
    seed: int

    @property
    def sweeps(self) -> int | None:
        """Sweeps until the messages converged; None if they did not."""
        moving = np.flatnonzero(~(self.residuals < SETTLED))
        settled = 0 if moving.size == 0 else int(moving[-1]) + 1
        return settled if settled < len(self.residuals) else None


class Watched:
    """A model that is watched. As a function of a view, it is what `trace` observes.

    Args:
        model: a FactorGraph, or anything with .graph().
        sampler: perturb-and-MAP with max-product.
        evidence: as for `sample`, of one problem.
        positions: see `placing.given`.

    Raises:
        TypeError or ValueError: it names the argument.
    """

    def __init__(self, model: pk.FactorGraph, sampler, evidence, positions):
        self.graph = as_graph(model)
        self.solver, self.noise = parts_of(sampler)
        self.variables = self.graph.variables
        self.groups = wiring.groups_of(self.graph)
        self.named = evidence
        self.evidence = np.asarray(self.variables.evidence_rows(evidence, 1))[0]
        self._shape = self.variables.num_planes, self.variables.count
        self.figure = self._make_figure(placing.given(self.variables, positions))

    def __call__(self, view: View) -> dict[str, Array]:
        """Observe all that the picture shows."""
        assert view.messages is not None
        beliefs = view.graph.beliefs(view.unaries, view.messages)
        states = planes.decode(beliefs)
        return {
            "messages": self._apart(view.graph, view.messages)[..., None],
            "beliefs": jnp.moveaxis(beliefs, 0, 1),
            "states": planes.to_states(states),
            "residuals": pk.observe.residual(view),
            "scores": view.graph.score(states),
            "unaries": jnp.moveaxis(view.unaries, 0, 1),
        }

    def sampler(self, damping: float, start: str, perturbation: float) -> pk.PerturbAndMAP:
        """Return the sampler with other settings. It makes all sweeps, and each shows its own decoded states."""
        first = self.solver.start if start == AS_GIVEN else NeutralStart(STARTS[start])
        solver = pk.MaxProduct(damping, first, keep_best=False, tolerance=0.0, schedule=self.solver.schedule)
        return pk.PerturbAndMAP(solver, eqx.tree_at(lambda noise: noise.scale, self.noise, perturbation))

    def _apart(self, graph: pk.FactorGraph, messages) -> Float[Array, "L planes"]:
        parts = zip(graph.factors, messages, self.groups, strict=True)
        return jnp.concatenate([wiring.apart(*part, self._shape) for part in parts], 1).T

    def _make_figure(self, given: placing.Places) -> Figure:
        """Name, weigh and place the factors."""
        scopes = [ids for group in self.groups for ids in group.scopes]
        first = np.cumsum([0, *(len(group.scopes) for group in self.groups)])
        of = np.concatenate([group.of + start for group, start in zip(self.groups, first, strict=False)])
        to = np.concatenate([group.to for group in self.groups])
        binary = self.variables.cardinalities == 2
        edge = np.array([len(ids) == 2 and bool(binary[ids].all()) for ids in scopes])
        pairs = np.array([ids for ids, joins in zip(scopes, edge, strict=True) if joins], int).reshape(-1, 2)
        other = np.full(len(to), -1)
        other[edge[of]] = pairs[:, ::-1].ravel()  # the links of a factor are beside each other
        neutral = self._apart(self.graph, tuple(factor.neutral_messages((1,)) for factor in self.graph.factors))
        fixed = np.where(np.isnan(given), placing.boards(self.variables), given)
        board = bool(np.isfinite(fixed[np.isnan(given[:, 0])]).any())
        squares = [ids for ids, joins in zip(scopes, edge, strict=True) if not joins]
        found = placing.arranged(fixed, pairs, squares, board)
        found -= found.min(0)
        places = np.full((len(fixed) + len(scopes), 2), np.nan)
        places[: len(fixed)], places[len(fixed) :][~edge] = found[: len(fixed)], found[len(fixed) :]
        images = np.full((len(to), 2), np.nan)
        shift = placing.wrapped(self.variables, pairs) if np.isnan(given).all() else np.zeros_like(pairs, float)
        ends = places[pairs] + np.stack([shift, -shift], 1)  # of the first, beside the second, and the reverse
        images[edge[of]] = ends[:, ::-1].reshape(-1, 2)
        weights = np.concatenate([weights_of(*part) for part in zip(self.graph.factors, self.groups, strict=True)])
        return _from_corner(
            Figure(names_of(self.graph, self.groups), of, to, other, np.where(edge, weights, np.nan),
                   np.asarray(neutral), places, images, np.zeros(2), nearest(found))
        )  # fmt: skip


def state(watched: Watched, damping: float, start: str, perturbation: float, seed: int, sweeps: int) -> State:
    """Record one run, sweep by sweep."""
    sampler = watched.sampler(damping, start, perturbation)
    seen = pk.trace(
        jax.random.key(seed), watched.graph, sampler, num_sweeps=sweeps, observe=watched, evidence=watched.named
    ).values
    seen = {name: value[:, 0] for name, value in seen.items()}
    bias, unaries = np.asarray(watched.graph.planes()).T, seen.pop("unaries")[0]
    free = (watched.evidence == pk.FREE)[:, None] & np.isfinite(unaries) & np.isfinite(bias)
    noise = np.where(free, unaries, 0.0) - np.where(free, bias, 0.0)
    return State(**seen, bias=bias, noise=noise, evidence=watched.evidence, seed=seed)


def _from_corner(figure: Figure) -> Figure:
    """Return the figure with places from 0, and with its size; images across a border count three quarters."""
    at = figure.places[figure.to]
    seen = np.concatenate([figure.places, at + 0.75 * (figure.images - at)])
    low, high = np.nanmin(seen, 0), np.nanmax(seen, 0)
    return figure._replace(places=figure.places - low, images=figure.images - low, size=high - low)


def nearest(places: Float[np.ndarray, "k 2"]) -> float:
    """Return the smallest distance between two places, 1 if there is one place."""
    far = np.hypot(*(places[:, None] - places).T) + np.diag(np.full(len(places), np.inf))
    return float(far.min()) if len(places) > 1 else 1.0


def names_of(graph: pk.FactorGraph, groups: list[wiring.Group]) -> list[str]:
    """Return a name for each factor: its type, and its number among those of this type."""
    names, met = [], dict[str, int]()
    for factor, group in zip(graph.factors, groups, strict=True):
        kind = type(factor).__name__
        first = met.get(kind, 0)
        met[kind] = first + len(group.scopes)
        names += [f"{kind} {first + number + 1}" for number in range(len(group.scopes))]
    return names


def weights_of(factor, group: wiring.Group) -> Float[np.ndarray, " F"]:
    """Return W of each pair of binary variables, f(1, 1) - f(1, 0) - f(0, 1) + f(0, 0), NaN for all other factors."""
    nothing = np.full(len(group.scopes), np.nan)
    pairwise = isinstance(factor, AbstractBinaryPairs | AbstractWeightedPairs | AbstractEntries)
    if not pairwise or any(len(ids) != 2 for ids in group.scopes):
        return nothing
    table = np.asarray(factor.pair_tables()[1])
    if table.shape[1:] != (2, 2) or not np.isfinite(table).all():
        return nothing
    return table[:, 1, 1] - table[:, 1, 0] - table[:, 0, 1] + table[:, 0, 0]


def parts_of(sampler) -> tuple[pk.MaxProduct, pk.noise.AbstractNoise]:
    """Return the solver and the noise of a sampler, by default `PMP()`.

    Raises:
        TypeError: the sampler passes no max-product messages.
    """
    sampler = pk.PMP() if sampler is None else checks.instance("sampler", sampler, pk.PerturbAndMAP, "pk.PMP()")
    if not isinstance(sampler.solver, pk.MaxProduct):
        got = type(sampler.solver).__name__
        raise TypeError(f"sampler: expected one with the solver MaxProduct, got {got}; write pk.PMP()")
    return sampler.solver, sampler.noise


def start_of(start: AbstractStart) -> str:
    """Return the name of a start."""
    share = float(start.share) if isinstance(start, NeutralStart) else None
    return next((name for name, one in STARTS.items() if one == share), AS_GIVEN)


def shown(values: Float[np.ndarray, "... k planes"], cardinalities: Int[np.ndarray, " k"]) -> np.ndarray:
    """Return what is shown of planes: log-odds of binary variables in the first place, scores of others, best 0."""
    if values.shape[-1] == 1:
        return values
    with np.errstate(invalid="ignore"):  # -inf - -inf of states that a variable does not have
        scores = values - values.max(-1, keepdims=True)
        odds = np.concatenate([values[..., 1:2] - values[..., :1], np.full_like(values[..., 1:], np.nan)], -1)
    there = np.arange(values.shape[-1]) < cardinalities[:, None]
    return np.where((cardinalities == 2)[:, None], odds, np.where(there, scores, np.nan))
