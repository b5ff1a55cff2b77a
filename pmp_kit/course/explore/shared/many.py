"""Many settings of an explorer at once: in batches of one size, so that the program is compiled once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

BATCH = 25  # settings that are computed together


def in_batches(run: Callable[..., Any], *columns: np.ndarray) -> list[Any]:
    """Return the result of each row; the last batch is filled up with its last row.

    Args:
        run: a compiled function of arrays (BATCH, ...); returns arrays (BATCH, ...).
        columns: its arguments for all settings, (settings, ...).

    Returns:
        What `run` gives for each setting, (...), as NumPy arrays.
    """
    count = len(columns[0])
    rows = np.minimum(np.arange(-(-count // BATCH) * BATCH), count - 1).reshape(-1, BATCH)
    parts = [jax.tree.map(np.asarray, run(*(column[batch] for column in columns))) for batch in rows]
    return [jax.tree.map(lambda value, k=k: value[k], part) for part in parts for k in range(BATCH)][:count]
