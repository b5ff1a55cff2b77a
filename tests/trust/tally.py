"""What `make trust` counts: cases that were answered rightly, and cases that were refused with a clear error."""

import re
from collections import Counter

TALLY: dict[str, Counter] = {}
GROWTH: dict[str, float] = {}
"""Memory that each explorer took during its soak, in MB."""
CLEAR = re.compile(r"^[\w./\-\[\]'\", ]+: \S")
"""An error names the argument, or the file, first: "evidence: expected ..."."""


def attempt(kind: str, call, right):
    """Count one case.

    Args:
        kind: of the input, a row of the table.
        call: a function without arguments; ValueError and TypeError are its way of refusing.
        right: takes what `call` returned, and raises AssertionError unless it is right.

    Raises: AssertionError for a wrong answer and for an error that names no argument; any other error as it came.
    """
    counts = TALLY.setdefault(kind, Counter())
    answer, refusal = None, None
    try:
        answer = call()
    except FileNotFoundError:  # says it all: there is no such file
        counts["refused"] += 1
        return
    except (TypeError, ValueError) as error:
        refusal = error
    if refusal is None:
        right(answer)
        counts["answered"] += 1
    elif CLEAR.match(str(refusal)):
        counts["refused"] += 1
    else:
        raise AssertionError("this error does not name the argument") from refusal
