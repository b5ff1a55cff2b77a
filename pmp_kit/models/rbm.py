"""The restricted Boltzmann machine (RBM) of Section 5.5 and Appendix C.2."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import checks
from ..engine.signatures import ArrayLike, Number, Shape
from ..factors import Bipartite
from ..graph import FactorGraph
from ..variables import Binary, Variables


class RBM(eqx.Module):
    """A restricted Boltzmann machine with score v'Wh + c'v + b'h, v and h in {0,1} (Section 5.5).

    The blocks are "v" and "h". The parameters are W, c and b.
    """

    weight: Float[Array, "V H"]
    visible_bias: Float[Array, " V"]
    hidden_bias: Float[Array, " H"]
    visible: tuple[int, ...] = eqx.field(static=True)

    def __init__(
        self, weight: ArrayLike, visible_bias: ArrayLike, hidden_bias: ArrayLike, visible: Shape | None = None
    ):
        """Args:
        weight: W, (V, H), in nats.
        visible_bias: c, (V,), in nats.
        hidden_bias: b, (H,), in nats.
        visible: shape of the block "v", by default (V,).

        Raises: TypeError or ValueError that names the argument.
        """
        self.weight = checks.parameter("weight", weight, (None, None))
        self.visible_bias = checks.parameter("visible_bias", visible_bias, self.weight.shape[:1])
        self.hidden_bias = checks.parameter("hidden_bias", hidden_bias, self.weight.shape[1:])
        visible = self.visible_bias.shape if visible is None else visible
        self.visible = checks.shape("visible", visible, self.visible_bias.size)

    def graph(self) -> FactorGraph:
        variables = Variables(v=Binary(*self.visible), h=Binary(self.hidden_bias.size))
        factor = Bipartite(variables["v"], variables["h"], self.weight)
        return FactorGraph(variables, [factor], {"v": self.visible_bias.reshape(self.visible), "h": self.hidden_bias})


def rbm(key: Array, visible: int | Shape, hidden: int, scale: Number = 0.01) -> RBM:
    """Return a new RBM (restricted Boltzmann machine) with weights from N(0, scale^2) and zero biases.

    Args:
        key: a JAX key.
        visible: number or shape of the visible variables.
        hidden: number of hidden variables.
        scale: standard deviation of the weights (0.01 in the paper).

    Raises: TypeError or ValueError that names the argument.
    """
    listed = isinstance(visible, (tuple, list))
    shape = checks.shape("visible", visible) if listed else (checks.count("visible", visible),)
    size, hidden = math.prod(shape), checks.count("hidden", hidden)
    weight = checks.number("scale", scale, 0.0) * jax.random.normal(checks.key(key), (size, hidden))
    return RBM(weight, jnp.zeros(size), jnp.zeros(hidden), shape)
