"""Boolean matrix factorisation, the special case of blind deconvolution without shifts (Section 5.6)."""

import numpy as np

from ..engine import checks
from ..factors import ConvOr
from ..graph import FactorGraph
from ..variables import Binary, Variables
from .blind_deconvolution import prior


def matrix_factorisation(
    rows: int, columns: int, rank: int, left_rate: float = 0.5, right_rate: float = 0.5
) -> FactorGraph:
    """Return a model of X[i, j] = OR over k of U[i, k] AND V[k, j] (Section 5.6). The blocks are "U", "V" and "X".

    It is a blind deconvolution in which each row of X is an image of height 1 and each row of V is a feature as wide as
    the image. Pass the matrix as evidence, {"X": matrix}. FREE entries are inferred.

    Args:
        rows, columns: the shape of X.
        rank: the number of features; U is (rows, rank), V is (rank, columns).
        left_rate, right_rate: prior probability that an entry of U or V is 1.

    Returns: a FactorGraph. Raises: TypeError or ValueError that names the argument.
    """
    rows, columns, rank = (
        checks.count(name, size) for name, size in (("rows", rows), ("columns", columns), ("rank", rank))
    )
    variables = Variables(U=Binary(rows, rank), V=Binary(rank, columns), X=Binary(rows, columns, auxiliary=True))
    features, locations = variables["V"][:, None, :], variables["U"][:, :, None, None]
    factor = ConvOr(features, locations, variables["X"][:, None, :])
    unaries = {"U": np.full((rows, rank), prior("left_rate", left_rate))}
    unaries["V"] = np.full((rank, columns), prior("right_rate", right_rate))
    return FactorGraph(variables, [factor], unaries)
