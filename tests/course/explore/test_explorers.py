"""All explorers: controls that work without compiling, arguments that are refused, memory, and Colab."""

import inspect
import threading
from contextlib import contextmanager

import jax
import numpy as np
import pytest
from exercise import exercise
from explorers import EXPLORERS, SOME, small_digits, small_rbm

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.noise.models import noise


@pytest.fixture(scope="module", params=SOME)
def explorer(request):
    """One explorer after the other, with all its tests: making one takes seconds."""
    noise.cache_clear()  # another file may have drawn it, and its program may have been deleted since
    return EXPLORERS[request.param].make_small()


TRANSLATED = []  # names of functions, in the order of their compilation


def note(event, duration, **details):
    if event == "/jax/core/compile/jaxpr_to_mlir_module_duration":
        TRANSLATED.append(details.get("fun_name", "?"))


jax.monitoring.register_event_duration_secs_listener(note)


@contextmanager
def counted_traces():
    """Collect the functions that JAX traces and translates, which comes before every compilation."""
    TRANSLATED.clear()
    yield TRANSLATED


def test_controls_start_at_the_arguments_of_their_names(explorer):
    (row,) = (row for row in EXPLORERS.values() if row.kind is type(explorer))
    first = {name: one.default for name, one in inspect.signature(row.kind).parameters.items()}
    first |= (row.small or row.full)()
    compared = [name for name in explorer.controls if first.get(explorer.argument(name)) is not None]
    compared = [name for name in compared if name != "states"]  # these are written with another minus sign
    for name in compared:
        assert explorer.controls[name].value == first[explorer.argument(name)]
    assert compared


def test_every_control_works_and_none_compiles(explorer):
    if hasattr(explorer, "warming"):
        explorer.warming.join()
    with counted_traces() as names:
        tried = exercise(explorer)
    assert tried >= 2 * len(explorer.controls)
    assert not names


def test_no_digit_waits_for_a_compiler_after_a_page_without_paint():
    size = {"model": pk.rbm(jax.random.key(0), visible=(8, 8), hidden=11)}  # of no other test, so nothing is compiled
    explorer = explore.SixtySecondPMP(**small_digits() | size, painted=["." * 8] * 8)
    explorer.warming.join()
    with counted_traces() as names:
        explorer.controls["digit"].value = 7
    assert (explorer.state.evidence == pk.FREE).sum() == 32
    assert not names


def test_where_no_thread_can_start_work_in_the_background_is_done_at_once(monkeypatch):
    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert EXPLORERS["digits"].make_small().state is not None
    chart = explore.PhaseMap(explore.EnergyTable(spins=2), "strength", "temperature", lambda state: state.up[0])
    chart.press()
    assert chart.work.over
    assert not failure_list.failures()


WRONG: dict[str, tuple] = {
    "a camera's steps": (lambda: explore.TrainingCamera(step=401), "step: expected at most 400 steps .*, got 401"),
    "a camera's past": (
        lambda: explore.TrainingCamera(taken=[("Gibs", "reset", 1, 1)]),
        "taken: expected entries .*Gib",
    ),
    "one image": (lambda: explore.TrainingCamera(np.zeros((8, 8), int)), r"images: expected shape \(number, height"),
    "no RBM": (
        lambda: explore.SixtySecondPMP(**small_digits() | {"model": pk.ising_lattice(3)}),
        "model: expected RBM such as",
    ),
    "one digit": (
        lambda: explore.SixtySecondPMP(**small_digits() | {"digits": np.zeros((8, 8), int)}),
        r"digits: expected images of the model, .* got \(8, 8\)",
    ),
    "no Ising model": (lambda: explore.ZerosBrush(small_rbm()), "model: expected Ising such as"),
    "no explorer": (lambda: explore.PhaseMap(3, "a", "b", len), "explorer: expected Explorer such as"),
    "the name of a measure": (
        lambda: explore.PhaseMap(explore.EnergyTable(), "strength", "temperature", "outcome"),
        "measure: expected a Measure or a function of a state, got str 'outcome'",
    ),
    "a sampler in place of its function": (
        lambda: explore.Composer(pk.ising_lattice(3), sampler=pk.PMP()),
        "sampler: expected a function of damping and perturbation, got PerturbAndMAP",
    ),
    "a scale beyond the slider": (
        lambda: explore.Composer(pk.ising_lattice(3), parameters=["unaries"], scales={"unaries": 5}),
        r"scales: expected a number in \[0.0, 3.0\], got 5.0",
    ),
    "a list of strengths": (lambda: explore.EnergyTable(strengths=[1, 2]), "strengths: expected a dict of names"),
    "a float of spins": (lambda: explore.EnergyTable(spins=3.0), "spins: expected a whole number, got float 3.0"),
    "text as messages": (lambda: explore.FactorBench(incoming=["a"]), "incoming: expected a number, got str 'a'"),
    "layers that are no list": (lambda: explore.OneSample(layers=None), "layers: expected a list of names among"),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_colab_is_told_where_its_widget_manager_is(explorer, colab_manager):
    assert colab_manager(explorer) == "https://manager"


@pytest.mark.slow
def test_memory_does_not_grow(explorer):
    import tracemalloc

    tracemalloc.start()
    try:
        for _ in range(5):
            explorer.refresh()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            explorer.refresh()
        assert tracemalloc.get_traced_memory()[0] - before < 2_000_000
    finally:
        tracemalloc.stop()
