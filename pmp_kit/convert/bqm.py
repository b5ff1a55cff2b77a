"""Binary quadratic models (BQM) of dimod, and samples as a `dimod.SampleSet`."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from ..engine.signatures import ArrayLike, Number
from .model import ConvertedModel
from .pairs import pairs_model


def from_dimod(bqm: Any, inverse_temperature: Number = 1.0) -> ConvertedModel:
    """Return the model p(v) proportional to exp(-b E(v)) of a dimod.BinaryQuadraticModel with energy E.

    `energy`, `states` and `evidence` use the values of its vartype: 0 and 1 (BINARY) or -1 and +1 (SPIN).

    Args:
        bqm: the model; only its attributes `variables`, `vartype.name` and `to_numpy_vectors` are used.
        inverse_temperature: b, in nats for each unit of energy.
    """
    labels = list(bqm.variables)
    linear, (row, column, quadratic), offset = bqm.to_numpy_vectors(variable_order=labels)
    pairs = np.stack([np.asarray(row, int), np.asarray(column, int)], 1)
    spins = bqm.vartype.name == "SPIN"
    return pairs_model(
        labels, np.asarray(linear), pairs, np.asarray(quadratic), float(offset), inverse_temperature, spins
    )


def to_sampleset(model: ConvertedModel, samples: Mapping[Any, Any] | ArrayLike) -> Any:
    """Return samples of a converted model as a dimod.SampleSet, with their energies.

    Args:
        model: a converted model of binary variables or spins.
        samples: see `ConvertedModel.blocks`, such as the result of `pk.sample`.

    Raises: ImportError without dimod.
    """
    try:
        dimod = import_module("dimod")
    except ImportError:
        raise ImportError("to_sampleset: expected dimod to be installed, got no such package") from None
    named = model.blocks(samples)
    rows = np.atleast_2d(model.in_order(named)).astype(np.int8)
    vartype = "SPIN" if model.spins else "BINARY"
    energy = np.atleast_1d(model.energy(named))
    return dimod.SampleSet.from_samples((rows, list(model.names)), vartype=vartype, energy=energy)
