"""The initial code of every exercise fails its check, and the folded solution passes it."""

import ast
import json
import re

import notebook_runner as runner
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import datasets, exercises, mine
from pmp_kit.course.experiments.deconvolution import drawing


def cells(path, tag):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(c["source"]) for c in notebook["cells"] if tag in c["metadata"].get("tags", [])]


def cases():
    for path in runner.COURSE:
        for number, (stub, solution) in enumerate(zip(cells(path, "exercise"), cells(path, "solution"), strict=True)):
            yield pytest.param(stub, solution, id=f"{path.stem}-{number + 1}")


def names():
    """The names that exercises use and that the cells before them define."""
    unseen = datasets.digits(size=16)["v"][::5]
    return {
        "np": np,
        "pk": pk,
        "exercises": exercises,
        "mine": mine,
        "unseen": unseen,
        "model": pk.pretrained("digits_rbm"),
        "stamp": drawing.draw,
    }


@pytest.mark.parametrize(("stub", "solution"), list(cases()))
def test_the_stub_fails_and_the_solution_passes(stub, solution):
    *begin, last = ast.parse(stub).body
    check = ast.unparse(last)
    assert check.startswith("exercises.check_")
    (block,) = re.findall(r"```python\n(.*?)```", solution, re.DOTALL)
    given = names()
    exec(compile(ast.Module(begin, []), "stub", "exec"), given)
    assert not eval(check, given), "the stub must not pass"
    exec(block, given)
    verdict = eval(check, given)
    assert verdict, verdict.message
