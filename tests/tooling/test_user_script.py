"""A user who has read README and docs alone builds five models; the script checks what comes of each."""

import pytest

from tooling import user_script

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", user_script.PARTS, ids=lambda part: part.__name__)
def test_the_script_of_a_user_runs(part):
    print(part())
