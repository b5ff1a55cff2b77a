"""One case of `make trust`: the input is answered correctly, or refused with a clear error."""

import re

import jax

import pmp_kit as pk

CLEAR = re.compile(r"^[\w./\-\[\]'\", ]+: expected \S")
"""An error message names the argument or the file and what was expected, such as "evidence: expected ..."."""


def attempt(call, right, must_refuse: bool = False) -> None:
    """Try one input.

    Args:
        call: a function without arguments. It refuses its input by a ValueError, a TypeError or a FileNotFoundError.
        right: checks the result of `call`, and raises AssertionError if it is wrong.
        must_refuse: whether this input must be refused.

    Raises: AssertionError for a wrong answer, an answer to input that must be refused, a refusal of other input, and
        an error that names no argument. All other errors are passed on.
    """
    refusal, answer = None, None
    try:
        answer = call()
    except (TypeError, ValueError, FileNotFoundError) as error:
        refusal = error
    assert (refusal is not None) == must_refuse, f"must be refused: {must_refuse}, and got {refusal or answer!r}"
    if refusal is None:
        right(answer)
    elif not isinstance(refusal, FileNotFoundError):  # this error is always clear
        assert CLEAR.match(str(refusal)), f"this error does not name the argument: {refusal}"


def asked(model):
    """Return a solution and three samples of a model."""
    return pk.solve(model, num_sweeps=20), pk.sample(jax.random.key(0), model, num_samples=3, num_sweeps=10)
