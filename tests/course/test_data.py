"""The files of the course: arrays and what made them."""

import numpy as np
import pytest

from pmp_kit.course import data


def test_arrays_come_back_and_damaged_or_incomplete_files_are_refused(tmp_path):
    path = tmp_path / "arrays.npz"
    data.store(path, {"a": np.arange(3)}, {"b": "text"})
    arrays, about = data.read(path, ("a",))
    assert arrays["a"].tolist() == [0, 1, 2]
    assert about == {"b": "text"}
    with pytest.raises(ValueError, match=r"arrays.npz: expected the arrays c, got a, about"):
        data.read(path, ("a", "c"))
    content = path.read_bytes()
    path.write_bytes(content[:-30])
    with pytest.raises(ValueError, match=r"arrays.npz: expected a complete .npz file, got one that cannot be read"):
        data.read(path)
