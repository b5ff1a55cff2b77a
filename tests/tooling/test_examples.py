"""The examples of the reference run as they stand."""

import re
from pathlib import Path

import jax
import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "api" / "inference.md"


def test_the_examples_of_the_inference_page_run():
    names: dict = {}
    with jax.numpy_dtype_promotion("standard"):
        for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
            exec(code, names)
    assert names["samples"]["x"].shape == (100, 50, 6)
    assert names["scores"].shape == (50,)
    np.testing.assert_array_equal(names["slope"], names["best"].states["x"])
    assert names["mixed"].shape == (100, 6)
    assert 0 < int(names["state"].sweeps) < 200
