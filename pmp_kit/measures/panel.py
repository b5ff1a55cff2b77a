"""The honest panel: samples beside what they should be compared with.

MMD^2 alone says little: at the paper's scale of the kernel a model without any structure beats most. So each set of
samples stands in a table with real data (the floor: no sampler can be expected below it), with independent pixels (no
structure: what is not clearly better has learned none), and, where there is one, with a sampler of the true model.
Compare with data that the models were not fitted to.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jax import Array

from .. import exact
from ..engine import validate
from ..graph import Model, as_graph
from . import mmd as metrics
from .errors import divergence, moment_errors

REAL, PIXELS = "real data", "independent pixels"


class Row(NamedTuple):
    """One set of samples against the reference."""

    name: str
    mmd: list[metrics.Discrepancy]
    """MMD^2, one for each scale of the kernel."""
    first: float
    """Root mean square error of first moments (`moment_errors`)."""
    second: float
    """The same of second moments."""
    kl: float | None
    """KL(truth || samples) in nats (`divergence`), where a true model was given that can be enumerated."""


class Panel(list[Row]):
    """Rows, printed as a table."""

    def __str__(self) -> str:
        scales = [f"MMD^2 x{d.scale:g} (sd)" for d in self[0].mmd]
        header = ["", *scales, "moments 1", "moments 2", *(["KL"] if self[0].kl is not None else [])]
        lines = [header] + [_cells(row) for row in self]
        widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
        return "\n".join(
            "  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True))])
            for line in lines
        )

    __repr__ = __str__


def panel(
    key: Array, samples: dict[str, Any], reference: metrics.Data, *,
    training: metrics.Data | None = None, truth: Model | None = None,
    scales: Sequence[float] | float = metrics.SCALES,
) -> Panel:  # fmt: skip
    """A table of samples against a reference, with the rows that they must be compared with.

    Args:
        key: a JAX key.
        samples: dict name of a row -> samples, each (N, ...) states or a dict of such arrays by block name. A sampler
            of the true model is one of these rows.
        reference: (M, ...) states or a dict by block name; data that were kept out of training.
        training: the data of training: the row "real data", and the means of "independent pixels". Without it the
            halves of the reference are compared with each other.
        truth: the model that the reference came from, if there is one: adds exact KL where it can be enumerated.
        scales: of the kernel exp(-scale * Hamming / D).

    Cost: N M D for each row.
    """
    key = validate.key(key)
    validate.instance("samples", samples, dict, '{"PMP": pmp_kit.sample(...)}')
    rows = dict(samples)
    if taken := {REAL, PIXELS} & set(rows):
        raise ValueError(f"samples: expected other names than {REAL!r} and {PIXELS!r}, got {taken.pop()!r}")
    number = min(len(_first(x)) for x in rows.values()) if rows else len(_first(reference))
    rows[PIXELS] = metrics.independent_pixels(
        key, _known(reference if training is None else training, reference), number
    )
    result = Panel(_row(name, value, reference, truth, scales) for name, value in rows.items())
    odd, even = _part(reference, 1), _part(reference, 0)
    floor = _row(REAL, odd, even, truth, scales) if training is None else _row(REAL, training, reference, truth, scales)
    result.insert(len(samples), floor)
    return result


def _row(name: str, samples, reference, truth, scales) -> Row:
    kl = None
    if truth is not None:
        graph = as_graph(truth)
        exact.num_configurations(graph.variables)
        named = samples if isinstance(samples, dict) else {graph.variables.names[0]: samples}
        kl = divergence(graph, {block: named[block] for block in graph.variables.names})
    return Row(name, metrics.mmd_panel(samples, reference, scales=scales), *moment_errors(samples, reference), kl)


def _cells(row: Row) -> list[str]:
    cells = [row.name, *(f"{d.u:.2e} ({d.sigmas:.1f})" for d in row.mmd), f"{row.first:.4f}", f"{row.second:.4f}"]
    return cells if row.kl is None else [*cells, f"{row.kl:.4f}"]


def _first(samples: Any) -> Any:
    return next(iter(samples.values())) if isinstance(samples, dict) else samples


def _known(data, reference):
    """The blocks of the data that the reference has."""
    return {name: data[name] for name in reference} if isinstance(reference, dict) and isinstance(data, dict) else data


def _part(samples, parity: int):
    """Every other sample."""
    if isinstance(samples, dict):
        return {name: np.asarray(x)[parity::2] for name, x in samples.items()}
    return np.asarray(samples)[parity::2]
