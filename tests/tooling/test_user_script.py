"""A script that builds five models with the methods of README.md and the documentation gives correct results."""

import pytest

from tooling import user_script

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", user_script.PARTS, ids=lambda part: part.__name__)
def test_the_script_of_a_user_runs(part):
    print(part())
