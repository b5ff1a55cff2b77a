"""Messages of every factor type against enumeration, in a process of its own that runs in 64 bits."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def errors() -> dict:
    """The largest error of each row of `factor_examples`: random scores, ties, and certain states."""
    paths = [str(TESTS.parent), str(TESTS / "helpers"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"JAX_ENABLE_X64": "1", "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(TESTS / "helpers" / "one_update.py")]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def test_messages_equal_enumeration(errors, row):
    """Relative to the message where that is more than one nat; infinite ones count as 100."""
    for name, error in errors.items():
        row(f"C.1-C.3 largest error of a message, {name}", (0.0, 1e-12), error)
