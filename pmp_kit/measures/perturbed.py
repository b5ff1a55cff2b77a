"""Perturbed problems, solved as `sample` draws, for the bounds of log Z and the cavity estimate."""

from .. import batches
from ..engine import checks, chunks
from ..engine.devices import chosen
from ..graph import as_graph
from ..sample import check_supported
from ..samplers import PerturbAndMAP


def observe_perturbed(key, model, sampler: PerturbAndMAP, observe, *, num_samples: int, num_sweeps: int, evidence=None):
    """Return the results of `observe` for each solved perturbed problem, arrays (num_samples, ...).

    Args: those of `sample`, and
        observe: a function (sampler, graph, unaries, state) -> arrays (..., batch), with clamped unaries without noise.
    """
    key, graph, on = checks.key(key), as_graph(model), chosen()
    check_supported(sampler, graph, traced=False)
    number = checks.count("num_samples", num_samples, minimum=2)
    total = checks.count("num_sweeps", num_sweeps, minimum=0)
    known, chunk = graph.variables.evidence_rows(evidence, number), chunks.choose(graph, sampler, number, on)
    parts = batches.draw_parts(key, graph, sampler, known, None, total, number, chunk, on, observe)
    return chunks.join(list(parts), number)[0]
