"""A table that compares samples with references: real data, independent pixels and, if given, the true model.

The squared maximum mean discrepancy (MMD^2) alone is not enough, because at the paper's scale of the kernel a model
without structure is better than most others. So the table also contains a row for real data (a lower limit for any
sampler) and a row for independent pixels (no structure). Compare with data that the models were not fitted to.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jax import Array

from .. import exact
from ..engine import checks
from ..graph import FactorGraph, Model, as_graph
from . import mmd as metrics
from .errors import divergence, moment_errors

REAL, PIXELS = "real data", "independent pixels"
FEWEST = 8
"""The fewest samples of a reference whose halves are compared: MMD^2 and its deviation need 4 in each half."""


class Row(NamedTuple):
    """The comparison of one set of samples with the reference.

    Attributes:
        name: the name of the row.
        mmd: MMD^2 for each scale of the kernel.
        first: the root mean square error of the first moments (`moment_errors`).
        second: the root mean square error of the second moments.
        kl: the Kullback-Leibler divergence KL(truth || samples) in nats (`divergence`); None without a true model. It
            ranks samplers only if there are many more samples than joint states.
    """

    name: str
    mmd: list[metrics.Discrepancy]
    first: float
    second: float
    kl: float | None


class Panel(list[Row]):
    """A list of `Row`, one for each set of samples, that prints as a table."""

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
    """Compare sets of samples with a reference, next to rows for real data and for independent pixels.

    Args:
        key: a JAX key.
        samples: dict name of a row -> samples, each (N, ...) states or a dict of such arrays by block name. Samples of
            the true model can be one of these rows.
        reference: (M, ...) states, or a dict by block name: data that were not used for training.
        training: the training data, for the row "real data" and the frequencies of "independent pixels". Without it,
            one half of the reference takes their place, and these two rows are compared with the other half. The errors
            of "real data" are then larger than those of a perfect sampler with as many samples as the reference (1.4
            times for the moments).
        truth: the model that the reference comes from, if known and small enough to enumerate; adds the exact
            Kullback-Leibler divergence. The reference must have all of its blocks.
        scales: scales of the kernel exp(-scale * H / D), where H is the Hamming distance and D the number of variables.

    Returns: a `Panel`. Cost: (N + M)^2 D for each row. Raises: TypeError or ValueError that names the argument.
    """
    key = checks.key(key)
    checks.instance("samples", samples, dict, '{"PMP": pmp_kit.sample(...)}')
    if taken := {REAL, PIXELS} & set(samples):
        raise ValueError(f"samples: expected names other than {REAL!r} and {PIXELS!r}, got {taken.pop()!r}")
    for value in (*samples.values(), reference):
        metrics.matrices(value, reference)  # checks them
    if truth is not None:
        _check_truth(as_graph(truth), reference)
    number = min((len(_first(x)) for x in samples.values()), default=len(_first(reference)))
    if training is None and len(_first(reference)) < FEWEST:
        raise ValueError(
            f"reference: expected at least {FEWEST} samples, because one half is compared with the other, got "
            f"{len(_first(reference))}; give more samples, or training="
        )
    real, held_out = (_part(reference, 1), _part(reference, 0)) if training is None else (training, reference)
    pixels = metrics.independent_pixels(key, _known(real, reference), number)
    result = Panel(_row(name, value, reference, truth, scales) for name, value in samples.items())
    result += [_row(name, value, held_out, truth, scales) for name, value in ((REAL, real), (PIXELS, pixels))]
    return result


def _row(name: str, samples, reference, truth, scales) -> Row:
    distances, errors = metrics.mmd_panel(samples, reference, scales=scales), moment_errors(samples, reference)
    kl = None
    if truth is not None:
        graph = as_graph(truth)
        named = samples if isinstance(samples, dict) else {graph.variables.names[0]: samples}
        kl = divergence(graph, {block: named[block] for block in graph.variables.names})
    return Row(name, distances, *errors, kl)


def _check_truth(graph: FactorGraph, reference) -> None:
    """Raise ValueError if the true model is too large to enumerate, or has blocks that the reference does not have."""
    exact.num_configurations(graph.variables)
    names = graph.variables.names
    missing = set(names) - set(reference if isinstance(reference, dict) else names[:1])
    if missing:
        raise ValueError(
            f"truth: expected a model with all blocks in the reference, got a reference without {sorted(missing)}; "
            "give samples and reference of all blocks, or leave out truth"
        )


def _cells(row: Row) -> list[str]:
    cells = [row.name, *(f"{d.u:.2e} ({d.sigmas:.1f})" for d in row.mmd), f"{row.first:.4f}", f"{row.second:.4f}"]
    return cells if row.kl is None else [*cells, f"{row.kl:.4f}"]


def _first(samples: Any) -> Any:
    return next(iter(samples.values())) if isinstance(samples, dict) else samples


def _known(data, reference):
    """Return the blocks of the data that the reference contains. Raise ValueError if the data lack one of them."""
    if not isinstance(reference, dict) or not isinstance(data, dict):
        return data
    if missing := sorted(set(reference) - set(data)):
        raise ValueError(f"training: expected the blocks {sorted(reference)} of the reference, got none for {missing}")
    return {name: data[name] for name in reference}


def _part(samples, parity: int):
    """Return the samples with even (parity 0) or odd (parity 1) numbers."""
    if isinstance(samples, dict):
        return {name: np.asarray(x)[parity::2] for name, x in samples.items()}
    return np.asarray(samples)[parity::2]
