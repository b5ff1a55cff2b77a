"""Perturbed problems, solved as `sample` draws, for the bounds of log Z and the cavity estimate."""

from .. import batches
from ..engine import checks, chunks
from ..engine.devices import chosen
from ..graph import as_graph
from ..run import Task
from ..sample import check_supported
from ..samplers import PerturbAndMAP


def solve_perturbed(key, model, sampler: PerturbAndMAP, answer, *, num_samples: int, num_sweeps: int, evidence=None):
    """Return the results of `answer` for each solved perturbed problem, arrays (num_samples, ...).

    Args: those of `sample`, and
        answer: a function (sampler, graph, unaries, state) -> arrays (..., batch), with clamped unaries without noise.
    """
    key, graph, devices = checks.key(key), as_graph(model), chosen()
    check_supported(sampler, graph, traced=False)
    num_samples = checks.count("num_samples", num_samples, minimum=2)
    num_sweeps = checks.count("num_sweeps", num_sweeps, minimum=0)
    rows = graph.variables.evidence_rows(evidence, num_samples)
    chunk = chunks.choose(graph, sampler, num_samples, devices)
    task = Task(key, graph, sampler, rows, None, num_sweeps, num_samples, chunk, devices, answer)
    return batches.draw(task)[0]
