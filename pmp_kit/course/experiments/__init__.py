"""The paper's experiments: one module each, run piece by piece, so that a long run can be interrupted."""

from .ledger import piece, pieces
