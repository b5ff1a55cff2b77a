"""The experiments. Those of the paper have a folder, a row in `EXPERIMENTS` and a page in notebooks/paper.

An experiment runs in pieces, so it can be interrupted and resumed. ledger.py stores finished pieces, parameters.py
checks the parameters of a page, results.py shows a result next to the paper's number, reproduce.py executes the pages
non-interactively (`make reproduce`), watch.py prints their progress, and scorecard.py writes docs/scorecard.md.
"""

import functools
from typing import NamedTuple

from .ledger import piece, pieces
from .parameters import check_parameters
from .results import record


class Experiment(NamedTuple):
    """One section of the paper."""

    notebook: str
    """The file name of the page in notebooks/paper, without its ending."""
    folder: str
    """A folder of this package."""


EXPERIMENTS = {
    "5.1": Experiment("5_1_the_wrong_model", "wrong_model"),
    "5.2": Experiment("5_2_programs", "programs"),
    "5.3": Experiment("5_3_zeros", "zeros"),
    "5.4": Experiment("5_4_graphs", "graphs"),
    "5.5": Experiment("5_5_rbm", "rbm"),
    "5.6": Experiment("5_6_deconvolution", "deconvolution"),
    "B": Experiment("appendix_b", "graphs"),
}
"""Section -> its page and folder. `make reproduce`, the scorecard and their tests use these rows."""


@functools.cache
def adam(rate: float):
    """Return Adam, the same object for the same rate. A new object would trigger a recompilation."""
    import optax

    return optax.adam(rate)
