"""The paper's experiments: a folder and a row of `EXPERIMENTS` each, run piece by piece, so that a run can be stopped.

ledger.py keeps finished pieces, record.py shows a number beside the paper's, reproduce.py runs the notebooks without a
reader (`make reproduce`), watch.py tells how far they are, and scorecard.py writes docs/scorecard.md. Section 5.1 has
no folder: what it computes is short enough for its notebook.
"""

from typing import NamedTuple

from .ledger import piece, pieces


class Experiment(NamedTuple):
    """One section of the paper."""

    notebook: str
    """The number that the notebook's name begins with."""
    folder: str | None
    """Of this package; None where the notebook has all."""


EXPERIMENTS = {
    "5.1": Experiment("05", None),
    "5.2": Experiment("06", "programs"),
    "5.3": Experiment("07", "zeros"),
    "5.4": Experiment("08", "graphs"),
    "5.5": Experiment("09", "rbm"),
    "5.6": Experiment("10", "deconvolution"),
}
"""Section -> where it is. `make reproduce`, the scorecard and their tests run over these rows."""
