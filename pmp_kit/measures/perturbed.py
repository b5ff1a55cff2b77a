"""Perturbed problems, solved one chunk at a time, for the bounds of log Z and the cavity estimate."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from .. import loops
from ..engine import chunks, validate
from ..graph import as_graph
from ..samplers import PerturbAndMAP
from ..samplers.base import keys_of
from ..verbs import check_supported


def observe_perturbed(key, model, sampler: PerturbAndMAP, observe, *, num_samples: int, num_sweeps: int, evidence=None):
    """Return the results of `observe` for each solved perturbed problem, arrays (num_samples, ...).

    Args: those of `sample`, and
        observe: a function (sampler, graph, unaries, state) -> arrays (..., batch), with clamped unaries without noise.
    """
    key, graph = validate.key(key), as_graph(model)
    check_supported(sampler, graph, traced=False)
    number = validate.count("num_samples", num_samples, minimum=2)
    total = validate.count("num_sweeps", num_sweeps, minimum=0)
    known = graph.variables.evidence(evidence, number)
    shared = sampler.prepare(key, graph, number, None)
    parts = []
    chunk = chunks.choose(graph, sampler, number)
    for ids in chunks.rounds(number, chunk, graph.variables.count):
        batched = chunks.take((known, shared), ids)
        parts.append(_observe(key, graph, sampler, jnp.asarray(ids), *batched, total, observe=observe))
    return jax.tree.map(np.asarray, chunks.join(parts, number))


@partial(jax.jit, static_argnames=("observe",))
def _observe(key, graph, sampler, ids, evidence, shared, num_sweeps, *, observe):
    def one_chunk(arguments):
        ids, evidence, shared = arguments
        keys, unaries = keys_of(key, ids), loops.clamped_unaries(graph, evidence.T)
        beginning = sampler.init(keys_of(keys, 0), graph, unaries, chunks.samples_last(shared, unaries.dtype))
        _, state, _ = sampler.run(keys, graph, unaries, beginning, num_sweeps)
        return chunks.samples_first(observe(sampler, graph, unaries, state))

    return jax.lax.map(one_chunk, (ids, evidence, shared))
