"""A question that a reader answers before an experiment, and what the experiment is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Question(NamedTuple):
    """A question about an explorer. Values are those of `Explorer.view`, most of them of controls."""

    text: str
    """The question."""
    options: tuple[str, ...]
    """The answers to choose from, the right one first. The page shows them in another order."""
    because: str
    """The explanation, in one to three sentences."""
    locked: str
    """The control that would answer the question; it can be moved after the experiment. No player may move it."""
    before: Mapping[str, Any] = NOTHING
    """The values of all controls that the experiment starts from."""
    shows: Mapping[str, Any] = NOTHING
    """The values that change in the experiment."""
    more: Callable[[Any], Mapping[str, Any]] = lambda explorer: NOTHING
    """A function of the explorer that computes further values to start from."""
