"""The reference of the benchmark for pairwise models: a plain implementation of Algorithm 1.

It has Appendix C.1 on full matrices, Appendix C.2, and C.1 on a list of edges. Each function is written for one chain,
with `vmap` over chains and `scan` over sweeps. Messages start at zero, and the last decoded state is the result. The
code must stay simple, without optimised layouts, chunks or early stopping.
"""

from functools import partial

import jax
import jax.numpy as jnp

from pmp_kit.noise import logistic


def noise(key, number, count: int):
    """The logistic noise of sample `number` on `count` log-odds. `pmp_kit.sample` draws the same with the same key."""
    return logistic(jax.random.fold_in(jax.random.fold_in(key, number), 0), (count,))


def pair_message(incoming, weight):
    """N = max(0, P + w) - max(0, P) (Appendix C.1)."""
    return jnp.maximum(0.0, incoming + weight) - jnp.maximum(0.0, incoming)


@partial(jax.jit, static_argnames=("chains", "num_sweeps"))
def dense(key, weight, bias, damping, *, chains: int, num_sweeps: int):
    """Appendix C.1 in matrices, with n^2 messages per chain even if two variables are not coupled.

    Args:
        weight: W, (n, n), symmetric, zero diagonal, x in {0,1}.
        bias: b, (n,).
    Returns: states, (chains, n) bool.
    """

    def chain(number):
        field = bias + noise(key, number, bias.size)

        def sweep(messages, _):  # [i, j] = n(i -> j)
            incoming = (field + messages.sum(0))[:, None] - messages.T
            return damping * messages + (1.0 - damping) * pair_message(incoming, weight), None

        messages, _ = jax.lax.scan(sweep, jnp.zeros_like(weight), None, length=num_sweeps)
        return field + messages.sum(0) >= 0

    return jax.vmap(chain)(jnp.arange(chains))


@partial(jax.jit, static_argnames=("chains", "num_sweeps"))
def bipartite(key, weight, visible_bias, hidden_bias, damping, *, chains: int, num_sweeps: int):
    """Appendix C.2: both directions of every pair of a visible and a hidden variable.

    Args:
        weight: W, (V, H).
        visible_bias: c, (V,).
        hidden_bias: b, (H,).
    Returns: states, (chains, V + H) bool, the visible variables first.
    """

    def chain(number):
        field = jnp.concatenate([visible_bias, hidden_bias])
        field = field + noise(key, number, field.size)
        visible, hidden = field[: visible_bias.size], field[visible_bias.size :]

        def sweep(messages, _):  # [i, j] of both = between v_i and h_j
            to_visible, to_hidden = messages
            from_visible = (visible + to_visible.sum(1))[:, None] - to_visible
            from_hidden = (hidden + to_hidden.sum(0))[None] - to_hidden
            new = pair_message(from_hidden, weight), pair_message(from_visible, weight)
            return jax.tree.map(lambda old, new: damping * old + (1.0 - damping) * new, messages, new), None

        start = jnp.zeros_like(weight), jnp.zeros_like(weight)
        (to_visible, to_hidden), _ = jax.lax.scan(sweep, start, None, length=num_sweeps)
        return jnp.concatenate([visible + to_visible.sum(1), hidden + to_hidden.sum(0)]) >= 0

    return jax.vmap(chain)(jnp.arange(chains))


@partial(jax.jit, static_argnames=("chains", "num_sweeps"))
def edges(key, pairs, weight, bias, damping, *, chains: int, num_sweeps: int):
    """Appendix C.1 on a list of edges.

    Args:
        pairs: (E, 2) ids.
        weight: w, (E,).
        bias: b, (n,).
    Returns: states, (chains, n) bool.
    """

    def chain(number):
        field = bias + noise(key, number, bias.size)

        def sweep(messages, _):  # [e, s] = message of edge e to variable pairs[e, s]
            belief = field.at[pairs].add(messages)
            incoming = (belief[pairs] - messages)[:, ::-1]
            return damping * messages + (1.0 - damping) * pair_message(incoming, weight[:, None]), None

        start = jnp.zeros(pairs.shape, bias.dtype)
        messages, _ = jax.lax.scan(sweep, start, None, length=num_sweeps)
        return field.at[pairs].add(messages) >= 0

    return jax.vmap(chain)(jnp.arange(chains))
