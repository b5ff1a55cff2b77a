"""Damaged files are refused, killed fits can be resumed, and calls after Ctrl-C give the same results as before."""

import os
import signal
import subprocess
import sys
import time

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pmp_kit as pk
from trust.attempts import attempt

KEY = jax.random.key(0)
many = settings(
    max_examples=300, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
MODEL = pk.rbm(KEY, (2, 3), 4, scale=1.0)


@many
@given(st.integers(0, 2**32 - 1))
def test_damaged_model_files(tmp_path_factory, seed):
    """A file is cut off, bits of it are changed, bytes are added before or after its content, or it stays as it is."""
    path = tmp_path_factory.getbasetemp() / "damaged.eqx"
    draw = np.random.default_rng(seed)
    pk.save(path, MODEL)
    whole = path.read_bytes()
    content = bytearray(whole)
    kind = ["cut", "changed", "before", "after", "none"][draw.integers(5)]
    if kind == "cut":
        content = content[: draw.integers(len(content))]
    elif kind == "changed":
        for place in draw.integers(len(content), size=draw.integers(1, 5)):
            content[place] ^= 1 << draw.integers(8)
    elif kind == "before":
        content = draw.bytes(int(draw.integers(1, 50))) + content
    elif kind == "after":
        content = content + draw.bytes(int(draw.integers(1, 50)))
    path.write_bytes(bytes(content))

    def right(model):
        for ours, theirs in zip(jax.tree.leaves(model), jax.tree.leaves(MODEL), strict=True):
            np.testing.assert_array_equal(ours, theirs)

    attempt(lambda: pk.load(path, MODEL), right, must_refuse=bytes(content) != whole)


TRAINING = """
import sys, jax, numpy as np, optax
import pmp_kit as pk
path, steps = sys.argv[1], int(sys.argv[2])
import pathlib
resume = path if pathlib.Path(path).exists() else None
def keep(state):
    pk.save(path, state)
    print(state.step, flush=True)
model, data = pk.Ising(np.zeros((4, 4)), np.zeros(4)), {"x": np.random.default_rng(0).integers(0, 2, (20, 4))}
result = pk.fit(jax.random.key(0), model, data, pk.Gibbs(), steps=steps, persistent=True, num_sweeps=1,
                optimizer=optax.adam(0.05), resume=resume, callback=keep)
print("weights", np.asarray(result.model.weight).tobytes().hex(), flush=True)
"""


def train(path, steps: int, kill_at: int | None):
    """Run `TRAINING` in a new process, which is killed when it reports step `kill_at`.

    Returns: the first step that was reported, and the weights. They are None if the process was killed.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", TRAINING, str(path), str(steps)]
    first = steps
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("weights"):
                return first, line.split()[1]
            first = min(first, int(line))
            if kill_at is not None and int(line) >= kill_at:
                process.kill()
                return first, None
    raise AssertionError("the training ended without weights")


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by a signal")
def test_killed_fits(tmp_path):
    """A fit that is killed several times goes on, and returns the same weights as an uninterrupted fit."""
    _, whole = train(tmp_path / "whole.eqx", 30, None)
    path, kill_at = tmp_path / "killed.eqx", (3, 11, 25)
    runs = [train(path, 30, step) for step in (*kill_at, None)]
    assert [weights for _, weights in runs] == [None] * len(kill_at) + [whole]
    assert all(first > killed for (first, _), killed in zip(runs[1:], kill_at, strict=True))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no interval timer here")
def test_interrupts_at_any_moment():
    model = pk.ising_lattice(12, 0.3)
    calls = (
        lambda: pk.sample(KEY, model, num_samples=400, num_sweeps=60)["x"],
        lambda: pk.sample(KEY, model, pk.Gibbs(), num_samples=400, num_sweeps=20)["x"],
        lambda: pk.solve(model, num_sweeps=500).states["x"],
    )
    for call in calls:
        interrupts_of(call, np.linspace(0.02, 0.98, 25))


def interrupts_of(call, moments) -> None:
    """Check that a call gives its usual result after Ctrl-C interrupted earlier calls at these moments."""
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores Ctrl-C
    try:
        truth, start = call(), time.perf_counter()
        call()
        whole = time.perf_counter() - start
        for share in moments:
            interrupted(call, whole * share)
            np.testing.assert_array_equal(call(), truth)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.signal(signal.SIGINT, usual)


def interrupted(call, seconds: float) -> None:
    """Call a function and send Ctrl-C after this many seconds. The call may be finished by then."""
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
