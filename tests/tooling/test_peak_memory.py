"""The memory of a page is its own: neither that of the tests that start it, nor too little."""

import subprocess
import sys

import numpy as np
import peak_memory


def peak_of_a_child(statement: str) -> float:
    program = f"{peak_memory.SOURCE}\n{statement}\nprint(peak_megabytes())"
    return float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout)


def test_a_child_does_not_count_the_memory_of_its_parent():
    memory = np.ones(2**25)
    assert peak_of_a_child("") < 100 < memory.nbytes / 1e6 < peak_memory.peak_megabytes()


def test_a_child_counts_what_it_had_and_gave_back():
    assert 200 < peak_of_a_child("memory = bytearray(range(256)) * 800_000; del memory") < 300
