"""UAI files: Markov networks and Bayesian networks of tables, and their evidence."""

import math
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from ..engine.signatures import Path
from ..graph import Model, as_graph
from .model import ConvertedModel
from .tables import Group, logarithms, tables_model
from .text import Words, write

LARGEST = 700.0
"""The largest size of a logarithm that a file holds with all digits; numbers of 64 bits end near exp(709)."""


def read_uai(path: Path, evidence: Path | None = None) -> ConvertedModel:
    """Return the model of a .uai file, MARKOV or BAYES: p(x) is proportional to the product of its functions.

    The score is the sum of the logarithms of their values, and the value 0 forbids a configuration. The names are the
    numbers of the variables from 0. A file that is compressed by gzip or xz is known by its content.

    Args:
        path: the path of the file.
        evidence: the path of an .evid file, "n v s v s ...", also with a sample count of 1 in front (the form of
            2010). `model.observed` keeps it, and `model.evidence()` returns it for `solve` and `sample`.

    Raises: ValueError that names the line of a wrong file; OSError. Cost: linear in the size of the file.
    """
    words = Words(path, first=1)
    if words.first[0].upper() not in ("MARKOV", "BAYES"):
        raise words.error(-1, "MARKOV or BAYES")
    count = words.whole(0, "the number of variables", 1)
    sizes = words.wholes(1, count, "the number of states of a variable", 1)
    functions, place = words.whole(1 + count, "the number of functions", 0), 2 + count
    scopes = []
    for number in range(functions):
        length = words.whole(place, f"the number of variables of function {number}", 0, count)
        scopes.append(words.wholes(place + 1, length, f"a variable of function {number}", 0, count - 1))
        if len(set(scopes[-1])) < length:
            raise words.error(place + 1, f"different variables in function {number}")
        place += 1 + length
    groups = defaultdict(list)
    for number, scope in enumerate(scopes):
        shape = tuple(sizes[i] for i in scope)
        size = math.prod(shape)
        words.whole(place, f"the number of values of function {number}, {size}", size, size)
        groups[shape].append((scope, place + 1))
        place += 1 + size
    if place > len(words.numbers):
        raise words.error(len(words.numbers), f"{place} numbers in the file")
    words.end(place)
    members, tables = [], []
    for shape, group in groups.items():
        members.append(np.array([scope for scope, _ in group], int).reshape(len(group), len(shape)))
        tables.append(_logarithms(words, np.array([start for _, start in group]), shape))
    observed = None if evidence is None else _read_evidence(evidence, sizes)
    return tables_model(np.array(sizes), members, tables, range(count), observed)


def _logarithms(words: Words, starts: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the logarithms of the tables of one shape that start at these places."""
    places = starts[:, None] + np.arange(math.prod(shape))
    values = words.numbers[places]
    if not (wrong := (values >= 0) & (values < np.inf)).all():
        raise words.error(int(places[~wrong][0]), "a number that is finite and not negative")
    if not (possible := values.any(1)).all():
        raise words.error(int(starts[~possible][0]), "a function with a positive value")
    return logarithms(values).reshape(len(starts), *shape)


def _read_evidence(path: Path, sizes: list[int]) -> dict[int, int]:
    """Return the evidence of a file. An even number of words has the number of samples in front, which must be 1."""
    words = Words(path)
    start = 1 - len(words.numbers) % 2
    if start and len(words.numbers):
        words.whole(0, "1 sample, because the number of words is even", 1, 1)
    count = words.whole(start, "the number of observed variables", 0)
    observed = {}
    for place in range(start + 1, start + 1 + 2 * count, 2):
        variable = words.whole(place, "an observed variable", 0, len(sizes) - 1)
        state = words.whole(place + 1, f"a state of variable {variable}", 0, sizes[variable] - 1)
        if observed.setdefault(variable, state) != state:
            raise words.error(place + 1, f"the state {observed[variable]} of variable {variable} as before")
    words.end(start + 1 + 2 * count)
    return observed


def write_uai(path: Path, model: Model, evidence: Path | None = None) -> None:
    """Write a model as a MARKOV file, compressed if the name ends in .gz or .xz.

    The variables have the order of `ConvertedModel.names`, or that of the ids of another model. The constant and
    variables with one state are written, too, but labels have no place in the format.

    Args:
        path: the path of the file.
        model: a model of unaries, pairs and tables.
        evidence: the path for `model.observed`, if it is to be written.

    Raises: ValueError if a factor is no table, or if scores are too large for plain numbers; OSError.
    """
    graph = as_graph(model)
    if not isinstance(model, ConvertedModel):
        model = ConvertedModel(graph, np.arange(graph.variables.count), range(graph.variables.count))
    ids, sizes = np.asarray(model.ids), model.cardinalities
    place_of = np.zeros(graph.variables.count, int)
    place_of[ids[ids >= 0]] = np.flatnonzero(ids >= 0)
    scopes, values, constant = [], [], model.constant
    for members, tables in _tables(model):
        for scope, scores in zip(place_of[members], tables, strict=True):
            top = scores.max()
            shift = top if abs(top) > LARGEST else 0.0
            constant += shift
            if (scores - shift)[scores > -np.inf].min() < -LARGEST:
                raise ValueError(
                    f"model: expected scores of a table within {LARGEST:g} nats, got {scores.min():g} to {top:g}; "
                    "forbid a state by -inf"
                )
            scopes.append(f"{len(scope)} {' '.join(map(str, scope))}")
            values.append(np.exp(scores - shift).reshape(-1))
    parts = math.ceil(abs(constant) / LARGEST)  # functions without variables
    scopes += ["0"] * parts
    values += [np.exp([constant / max(parts, 1)])] * parts
    lines = ["MARKOV", str(len(sizes)), " ".join(map(str, sizes)), str(len(scopes)), *scopes]
    lines += [f"\n{len(row)}\n{' '.join(map(repr, row.tolist()))}" for row in values]
    write(path, "\n".join(lines) + "\n")
    if evidence is not None:
        index = {label: number for number, label in enumerate(model.names)}
        pairs = [f"{index[label]} {state}" for label, state in model.observed.items()]
        write(evidence, " ".join([str(len(pairs)), *pairs]) + "\n")


def _tables(model: ConvertedModel) -> Iterator[Group]:
    """Yield the unaries that are not 0, and the tables of all factors."""
    graph = model.graph()
    unaries = np.asarray(graph.with_forbidden(), float)
    for name, block in graph.variables.blocks:
        ids = graph.variables[name].reshape(-1)
        scores = unaries[ids, : block.states]
        telling = (scores != 0).any(1)
        yield ids[telling, None], scores[telling]
    for factor in graph.factors:
        groups = factor.as_tables()
        if groups is None:
            raise ValueError(
                f"model: expected factors that have tables, got {type(factor).__name__}; write it as NWise"
            )
        for ids, tables in groups:
            yield np.asarray(ids), np.asarray(tables, float)
