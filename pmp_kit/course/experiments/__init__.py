"""The paper's experiments. Each one has a row in `EXPERIMENTS` and, except for Section 5.1, a folder.

An experiment runs in pieces, so it can be interrupted and resumed. ledger.py stores finished pieces, record.py shows a
result next to the paper's number, reproduce.py executes the notebooks non-interactively (`make reproduce`), watch.py
prints their progress, and scorecard.py writes docs/scorecard.md. Section 5.1 has no folder because its code is short
enough for its notebook.
"""

from typing import NamedTuple

from .ledger import piece, pieces


class Experiment(NamedTuple):
    """One section of the paper."""

    notebook: str
    """The number at the start of the notebook's file name."""
    folder: str | None
    """A folder of this package. None if all code is in the notebook."""


EXPERIMENTS = {
    "5.1": Experiment("05", None),
    "5.2": Experiment("06", "programs"),
    "5.3": Experiment("07", "zeros"),
    "5.4": Experiment("08", "graphs"),
    "5.5": Experiment("09", "rbm"),
    "5.6": Experiment("10", "deconvolution"),
}
"""Section -> its notebook and folder. `make reproduce`, the scorecard and their tests use these rows."""
