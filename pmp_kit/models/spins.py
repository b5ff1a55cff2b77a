"""Conversion between spins and binary variables.

Internally, all models have states {0, 1} and scores: p(x) ~ exp(1/2 x'Wx + b'x), energy E = -score. Models of spins
s = 2x - 1 in {-1, +1} are converted: p(s) ~ exp(sum_{i<j} J_ij s_i s_j + sum_i h_i s_i). Then

    w = 4 J,    b_i = 2 h_i - 2 sum_j J_ij,    score(s) = score(x) + offset,    offset = sum_{i<j} J_ij - sum_i h_i.

Sections 5.1 and 5.2 of the paper use this convention, E = -sum_{i<j} J_ij s_i s_j. Appendix B.1 uses E = -s'Ws - h's,
which counts each pair twice, so J = 2 W there.
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..engine import checks
from ..engine.arrays import is_traced
from ..engine.signatures import ArrayLike
from ..factors.dense_pairwise import check_diagonal, check_symmetric, without_diagonal


def spins_to_binary(
    coupling: ArrayLike, bias: ArrayLike
) -> tuple[Float[Array, "n n"], Float[Array, " n"], Float[Array, ""]]:
    """Return weight W, bias b and offset of the {0,1} model that equals a spin model; differentiable.

    Args:
        coupling: J, (n, n), symmetric, in nats; its diagonal is not used, because s s = 1.
        bias: h, (n,), or one number for all, in nats.

    Returns: W, b and the offset with score(s) = score(x) + offset. Cost: n^2.

    Raises: TypeError or ValueError that names the argument.
    """
    matrix, field = _checked("coupling", coupling, bias)
    pairs = without_diagonal(matrix)
    offset = 0.5 * pairs.sum() - field.sum()
    return 4.0 * pairs, 2.0 * field - 2.0 * pairs.sum(1), offset


def binary_to_spins(
    weight: ArrayLike, bias: ArrayLike
) -> tuple[Float[Array, "n n"], Float[Array, " n"], Float[Array, ""]]:
    """Return coupling J, bias h and offset of the spin model that equals a {0,1} model; inverse of `spins_to_binary`.

    Args:
        weight: W, (n, n), symmetric with a diagonal of 0, in nats.
        bias: b, (n,), or one number for all, in nats.

    Returns: J, h and the offset with score(s) = score(x) + offset. Cost: n^2.

    Raises: TypeError or ValueError that names the argument.
    """
    matrix, unary = _checked("weight", weight, bias)
    if not is_traced(matrix):
        check_diagonal("weight", np.asarray(matrix))
    pairs = without_diagonal(matrix)
    coupling, field = pairs / 4.0, unary / 2.0 + pairs.sum(1) / 4.0
    return coupling, field, 0.5 * coupling.sum() - field.sum()


def _checked(name: str, matrix: ArrayLike, bias: ArrayLike) -> tuple[Array, Array]:
    """Return the checked square matrix, and a bias for each of its rows."""
    matrix, bias = checks.parameter(name, matrix, (None, None)), checks.parameter("bias", bias)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: expected a square matrix, got shape {matrix.shape}")
    if not is_traced(matrix):
        check_symmetric(name, np.asarray(matrix))
    if bias.shape not in ((), matrix.shape[:1]):
        raise ValueError(f"bias: expected one number or shape {matrix.shape[:1]}, got {bias.shape}")
    return matrix, jnp.broadcast_to(bias, matrix.shape[:1])
