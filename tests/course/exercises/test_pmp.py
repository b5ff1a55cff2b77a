"""The exercise on the sampler: the right function passes and is kept, and each usual mistake is named."""

import exercise_answers as answers
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import exercises, mine
from pmp_kit.course.exercises import pmp
from pmp_kit.course.mine import reference


def damped(keep_old=True, in_turn=False):
    def own(unaries, weight, num_sweeps, damping):
        share = damping if keep_old else 1 - damping
        messages = np.zeros((*unaries.shape, len(weight)))
        for _ in range(num_sweeps):
            if in_turn:
                for i in range(len(weight)):
                    new = reference.update(unaries, weight, messages)[:, i]
                    messages[:, i] = share * messages[:, i] + (1 - share) * new
            else:
                messages = share * messages + (1 - share) * reference.update(unaries, weight, messages)
        return (unaries + messages.sum(axis=1) > 0).astype(int)

    return own


def noisy(unaries, weight, num_sweeps, damping):
    return reference.pmp(unaries + np.random.default_rng().logistic(size=unaries.shape), weight, num_sweeps, damping)


def noisy_in_each_sweep(unaries, weight, num_sweeps, damping):
    draw, messages = np.random.default_rng(0), np.zeros((*unaries.shape, len(weight)))
    for _ in range(num_sweeps):
        noise = draw.logistic(size=unaries.shape)
        messages = damping * messages + (1 - damping) * reference.update(unaries + noise, weight, messages)
    return (unaries + messages.sum(axis=1) > 0).astype(int)


def sweep(unaries, weight, messages):
    cavity = (unaries + messages.sum(axis=1))[:, :, None] - messages.swapaxes(1, 2)
    return np.maximum(0, cavity + weight) - np.maximum(0, cavity)


@pytest.mark.parametrize(
    ("own", "says", "case"),
    [
        (damped(), "pass it as sampler=pmp", "Your answer for 25 samples"),
        (damped(keep_old=False), "damping is the share of the OLD messages", "two spins after one sweep"),
        (damped(in_turn=True), "replaced one after the other", ""),
        (noisy, "The unaries contain the noise already", ""),
        (noisy_in_each_sweep, "The unaries contain the noise already", ""),
        (lambda u, w, n, d: 1 - reference.pmp(u, w, n, d), "The states are exchanged", "two spins without a sweep"),
        (lambda u, w, n, d: 2 * reference.pmp(u, w, n, d) - 1, "The states are -1 and 1", "two spins without a sweep"),
        (lambda u, w, n, d: reference.pmp(u, w, 1, d), "There is only one sweep", "two spins without a sweep"),
        (lambda u, w, n, d: u, "", "two spins without a sweep"),
        (lambda u, w, n, d: u[:, 0] > 0, "expected shape (1, 2) and got (1,)", "two spins without a sweep"),
    ],
)
def test_diagnoses(own, says, case):
    verdict = exercises.check_pmp(own)
    assert says in verdict.message
    assert verdict.passed == ("sampler=pmp" in says)
    assert case in (verdict.picture.title if verdict.picture else verdict.message)


def test_the_reference_is_the_librarys_algorithm():
    """With the same noise and as many sweeps, PMP of the kit has the same states."""
    unaries, weight, sweeps, damping = list(pmp._problems().values())[-1]
    solver = pk.MaxProduct(**pk.paper_settings(damping=damping))
    for bias, states in zip(unaries, reference.pmp(unaries, weight, sweeps, damping), strict=True):
        found = pk.solve(pk.Ising(weight, bias), solver, num_sweeps=sweeps)
        np.testing.assert_array_equal(np.asarray(found.states["x"]).ravel(), states)


def test_a_function_that_passes_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(mine, "_folder", lambda: tmp_path)
    for name, function in {"update": sweep, "pmp": answers.pmp, "or_update": answers.or_update}.items():
        message = getattr(exercises, f"check_{name}")(function).message
        assert message.endswith(f"Your {name} is now in mine.py beside this notebook, and later pages run it."), message
    before = (tmp_path / "mine.py").read_text()
    assert "def sweep(" in before
    assert "import pmp_kit.course.mine.reference as reference\n" in before
    assert not exercises.check_update(answers.no_cavity)
    assert (tmp_path / "mine.py").read_text() == before, "only what passes is kept"
