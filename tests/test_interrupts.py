"""Ctrl-C and progress bars of long computations, with real signals in a process of their own."""

import os
import select
import signal
import subprocess
import sys
import time

import pytest
from machine import busy

LIMIT = 2.0
"""Seconds from Ctrl-C to the end of the call, on a machine that does nothing else."""
PROGRAM = """
import signal, sys, time
import jax, numpy as np, pmp_kit as pk

signal.signal(signal.SIGINT, signal.default_int_handler)
key = jax.random.key(0)
large, small = pk.ising_lattice(60, 0.4), pk.ising_lattice(8, 0.3)
data = {"x": np.zeros((50, 60, 60), int)}
long = {"num_samples": 4_000, "num_sweeps": 100_000}
never = pk.MaxProduct(tolerance=0)

for call in sys.argv[1:]:
    code = compile(call, "call", "eval")  # of a text, eval would take a KeyboardInterrupt for one that ends Python
    print("begins", flush=True)
    try:
        found = eval(code)
        assert found.interrupted
    except KeyboardInterrupt:
        pass
    print("ended", flush=True)
    time.sleep(1.0)  # the compiled call that Ctrl-C met ends by itself, after half a second
    after = time.process_time()
    time.sleep(0.5)
    print(time.process_time() - after, flush=True)
    print(pk.sample(key, small, num_samples=5, num_sweeps=10)["x"].shape, flush=True)
"""
CALLS = {
    "Gibbs": "pk.sample(key, large, pk.Gibbs(pk.colours(large)), **long)",
    "ParallelTempering": "pk.sample(key, large, pk.ParallelTempering(), **long)",
    "PMP": "pk.sample(key, large, pk.PerturbAndMAP(never), **long)",
    "fit": "pk.fit(key, large, data, pk.Gibbs(), steps=100, num_sweeps=100_000)",
}
MORE_CALLS = {
    "one sample": "pk.sample(key, large, pk.Gibbs(), num_samples=1, num_sweeps=10_000_000)",
    "solve": "pk.solve(large, never, num_sweeps=10_000_000)",
    "trace": "pk.trace(key, large, pk.Gibbs(), num_sweeps=1_000_000, every=100_000)",
    "annealed": "pk.measures.annealed_log_partition(key, large, num_temperatures=10_000_000)",
    "sample_until": "pk.sample_until(key, large, error=0.001, max_sweeps=10_000_000)",
    "tune": "pk.tune(key, large, budget=600.0)",
}


@pytest.fixture
def start():
    """Start a program that makes long calls one after another, and return the process."""
    started = []

    def run(*calls: str) -> subprocess.Popen:
        command = [sys.executable, "-c", PROGRAM, *calls]
        environment = os.environ | {"PMP_KIT_PROGRESS": "1"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
        started.append(subprocess.Popen(command, **pipes))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def until_bar(process: subprocess.Popen) -> None:
    """Wait until a progress bar is on the screen."""
    shown = b""
    while b"%|" not in shown:
        ready, _, _ = select.select([process.stderr], [], [], 60)
        assert ready, "no bar appeared"
        shown += os.read(process.stderr.fileno(), 10_000)
        assert process.poll() is None, shown.decode()


@pytest.mark.parametrize("calls", [CALLS, pytest.param(MORE_CALLS, marks=pytest.mark.slow)], ids=["four", "more"])
def test_long_calls_show_their_progress_and_end_with_ctrl_c(calls, start):
    process = start(*calls.values())
    for name in calls:
        assert process.stdout.readline() == "begins\n", (name, process.stderr.read())
        until_bar(process)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        assert process.stdout.readline() == "ended\n", name
        assert time.monotonic() - begin < LIMIT * busy(), name
        working = float(process.stdout.readline())
        assert working < 0.1, f"work of {name} went on in the background"
        assert process.stdout.readline() == "(5, 8, 8)\n", name
    assert process.wait(timeout=60) == 0, process.stderr.read()


def test_a_second_ctrl_c_does_no_harm(start):
    process = start(CALLS["Gibbs"])
    until_bar(process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    assert process.returncode in (0, 1, -signal.SIGINT), process.stderr.read()  # no abort of the interpreter
