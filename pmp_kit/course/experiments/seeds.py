"""Numbers over seeds: a mean and how sure it is."""

import numpy as np


def mean_and_error(values) -> tuple[float, float | None]:
    """Mean over seeds, and its standard error; None with one seed."""
    values = np.asarray(values, float)
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else None
