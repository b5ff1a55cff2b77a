"""Count the cases of `make trust` that were answered correctly and those that were refused with a clear error."""

import re
from collections import Counter
from collections.abc import Iterable

import jax

import pmp_kit as pk

LEAST = {
    "damaged_model_files": 0.15,
    "killed_fits": 1.0,
    "interrupts_at_any_moment": 1.0,
    "graphs_of_any_shape": 0.5,
    "weights_of_any_size": 0.5,
    "arguments_of_sample": 0.08,
    "arguments_of_max_product": 0.09,
    "arguments_of_ising": 0.04,
    "arguments_of_factors": 0.05,
    "arguments_of_rbm": 0.1,
    "arguments_of_fit": 0.08,
    "evidence_of_any_kind": 0.4,
    "samples_do_not_depend_on_chunks": 1.0,
    "samples_do_not_depend_on_jit": 1.0,
    "events_on_explorers": 1.0,
    "factors_at_any_scale": 1.0,
    "mixed_graphs_at_any_scale": 1.0,
    "forests_at_any_scale": 1.0,
    "solvers_at_any_scale": 1.0,
    "schedules_at_any_scale": 0.35,
    "solvers_of_pairs_at_any_scale": 1.0,
    "samplers_at_any_scale": 1.0,
    "checks_at_any_scale": 1.0,
}
"""For each row of the table, the smallest share of its cases that must be answered."""
TALLY: dict[str, Counter] = {}
GROWTH: dict[str, float] = {}
"""Memory growth of each explorer during the soak test, in MB."""
CLEAR = re.compile(r"^[\w./\-\[\]'\", ]+: expected \S")
"""An error message names the argument or the file and what was expected, such as "evidence: expected ..."."""


def attempt(kind: str, call, right, must_refuse: bool | None = False):
    """Count one case.

    Args:
        kind: the kind of input, which is a row of the table.
        call: a function without arguments. It refuses its input by a ValueError, TypeError or FileNotFoundError.
        right: checks the result of `call`, and raises AssertionError if it is wrong.
        must_refuse: whether this input must be refused. None means that an answer and a refusal are both correct, and
            a comment at the caller explains why.

    Raises: AssertionError for a wrong answer, an answer to input that must be refused, a refusal of other input, and
        an error that names no argument. All other errors are passed on.
    """
    least, counts = LEAST[kind], TALLY.setdefault(kind, Counter())
    assert 0 < least <= 1
    refusal = None
    try:
        answer = call()
    except (TypeError, ValueError, FileNotFoundError) as error:
        refusal = error
    if refusal is None:
        assert must_refuse is not True, f"this must be refused, and got {answer!r}"
        right(answer)
        counts["answered"] += 1
        return
    if must_refuse is False:
        raise AssertionError("this must be answered") from refusal
    if not isinstance(refusal, FileNotFoundError) and not CLEAR.match(str(refusal)):  # this error is always clear
        raise AssertionError("this error does not name the argument") from refusal
    counts["refused"] += 1


def too_few_answers(tally: dict[str, Counter]) -> list[str]:
    """Return the rows in which the share of answered cases is below the limit in `LEAST`."""
    return [kind for kind, counts in tally.items() if counts["answered"] < LEAST[kind] * sum(counts.values())]


def without_cases(tally: dict[str, Counter], skipped: Iterable[str] = ()) -> list[str]:
    """Return the rows that have no case although no test with their name was skipped."""
    return [kind for kind in LEAST if kind not in tally and not any(f"test_{kind}" in name for name in skipped)]


def asked(model):
    """Return a solution and three samples of a model."""
    return pk.solve(model, num_sweeps=20), pk.sample(jax.random.key(0), model, num_samples=3, num_sweeps=10)
