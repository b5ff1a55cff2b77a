"""All explorers: controls that work without compiling, threads, memory, and the form of their folders."""

import ast
import importlib
import inspect
import threading
import traceback
from contextlib import contextmanager
from pathlib import Path

import ipywidgets as widgets
import jax
import numpy as np
import pytest
from exercise import exercise
from explorers import EXPLORERS, SOME, parts, small_digits, small_rbm

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, layout, phase_map, stops
from pmp_kit.course.explore.linked import equations, listings


@pytest.fixture(scope="module", params=SOME)
def explorer(request):
    """One explorer after the other, with all its tests: making one takes seconds."""
    return EXPLORERS[request.param].make_small()


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_folder_is_a_class_a_state_and_its_picture(name):
    folder = EXPLORERS[name].kind.__module__
    assert folder == f"{explore.__name__}.{name}"
    compute = importlib.import_module(f"{folder}.compute")
    assert compute.State._fields
    assert compute.state.__annotations__["return"] in ("State", compute.State)
    assert EXPLORERS[name].kind.script() == Path(compute.__file__).with_name("draw.js")
    tree = ast.parse(Path(importlib.import_module(folder).__file__).read_text(encoding="utf-8"))
    written = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    assert written == [EXPLORERS[name].kind.__name__]


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


def test_the_counter_counts():
    with counted_traces() as names:
        jax.jit(lambda x: x + 1)(1.0)
    assert names


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


@pytest.mark.parametrize("name", ["digits", "learning"])
def test_explorers_that_compile_ahead_open_where_no_thread_can_start(name, no_threads):
    explorer = EXPLORERS[name].make_small()
    assert explorer.state is not None
    assert not failure_list.failures()


WRONG: dict[str, tuple] = {
    "a camera's steps": (lambda: explore.TrainingCamera(step=401), "step: expected at most 400 steps .*, got 401"),
    "a camera's negative steps": (lambda: explore.TrainingCamera(step=-1), "step: expected at least 0, got -1"),
    "a camera's past": (
        lambda: explore.TrainingCamera(taken=[("Gibs", "reset", 1, 1)]),
        "taken: expected entries .*Gib",
    ),
    "one image": (lambda: explore.TrainingCamera(np.zeros((8, 8), int)), r"images: expected shape \(number, height"),
    "no RBM": (
        lambda: explore.SixtySecondPMP(**small_digits() | {"model": pk.ising_lattice(3)}),
        "model: expected RBM such as",
    ),
    "digits of another size": (
        lambda: explore.SixtySecondPMP(**small_digits() | {"digits": np.zeros((2, 5, 5), int)}),
        r"digits: expected images of the model, shape \('many', 8, 8\), got \(2, 5, 5\)",
    ),
    "one digit": (
        lambda: explore.SixtySecondPMP(**small_digits() | {"digits": np.zeros((8, 8), int)}),
        r"digits: expected images of the model, .* got \(8, 8\)",
    ),
    "no Ising model": (lambda: explore.ZerosBrush(small_rbm()), "model: expected Ising such as"),
    "spins in a row": (
        lambda: explore.ZerosBrush(pk.Ising(np.zeros((6, 6)), np.zeros(6))),
        r"model: expected one whose spins have shape \(height, width\), got \(6,\)",
    ),
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
    "a text as strength": (
        lambda: explore.EnergyTable(strengths={"J12": "1"}),
        r"strengths\['J12'\]: expected a number, got str '1'",
    ),
    "a float of spins": (lambda: explore.EnergyTable(spins=3.0), "spins: expected a whole number, got float 3.0"),
    "a float of neighbours": (lambda: explore.FactorBench(n=4.0), "n: expected a whole number, got float 4.0"),
    "a text as k": (lambda: explore.FactorBench(k="a"), "k: expected a whole number, got str 'a'"),
    "text as messages": (lambda: explore.FactorBench(incoming=["a"]), "incoming: expected a number, got str 'a'"),
    "layers that are no list": (lambda: explore.OneSample(layers=None), "layers: expected a list of names among"),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_a_question_about_other_strengths_is_refused():
    """The table was left broken after the first answer."""
    wanted = "explorer: expected one with the strengths b1, .*, J34, got b1, b2, b3, J12, J13, J23; give the explorer"
    with pytest.raises(ValueError, match=wanted):
        explore.Predict("energies", explore.EnergyTable(spins=3))


@pytest.mark.parametrize("name", ["digits", "rbm", "zeros"])
def test_evidence_that_follows_a_control_is_that_of_the_given_values(name):
    """A phase map computes in the background, with values from before the reader moved the control."""
    explorer = EXPLORERS[name].make_small()
    before, control = explorer.params, explorer.controls[explorer.chooser]
    control.value = [stop for stop in stops.stops(control) if stop != control.value][-1]
    follows = explorer.moved(before, {explorer.chooser: control.value})
    assert (explorer.evidence(follows) == explorer.given(control.value)).all()
    assert follows["painted"] == explorer.params["painted"] != before["painted"]
    assert explorer.moved(before, {}) == before


def same(state, other) -> bool:
    return jax.tree.all(jax.tree.map(np.array_equal, state, other))


def test_colab_is_told_where_its_widget_manager_is(explorer, colab_manager):
    assert colab_manager(explorer) == "https://manager"


def test_colab_is_told_so_by_everything_else_that_is_not_an_explorer(colab_manager):
    """An explorer among the children makes them widgets that Colab does not load by itself."""
    scope = explore.MessageScope()
    shown = [
        explore.Predict("messages", scope),
        explore.PhaseMap(scope, "coupling", "damping", phase_map.OUTCOME),
        explore.Linked(equations.MESSAGE, listings.message, scope),
    ]
    public = [getattr(explore, name) for name in explore.__all__]
    kinds = {kind for kind in public if hasattr(kind, "_repr_mimebundle_") and not issubclass(kind, explore.Explorer)}
    assert kinds | {explore.PhaseMap} == set(map(type, shown))
    assert [colab_manager(one) for one in shown] == ["https://manager"] * 3


def test_every_part_has_a_name_and_a_text_beside_it(explorer):
    found = list(parts(explorer.widget))
    plays = [part for part in found if isinstance(part, widgets.Play)]
    texts = widgets.HTML | widgets.Label | widgets.Play
    used = [part for part in found if isinstance(part, widgets.DOMWidget) and not isinstance(part, texts)]
    used = [part for part in used if hasattr(part, "value") or isinstance(part, widgets.Button)]
    assert set(map(id, explorer.controls.values())) <= set(map(id, used))
    assert all(part.description.strip() for part in used)
    assert all(part.interval >= layout.CALM for part in plays)
    assert len(explorer.controls) <= 5
    assert all(control.description == word for word, control in explorer.controls.items())


def moves(explorer) -> list:
    """Ways to disturb an explorer: every control, tool, button and the brush, each a function of a random generator."""
    found = []
    for control in explorer.controls.values():
        if hasattr(control, "index"):
            found.append(lambda draw, it=control: it.set_trait("index", int(draw.integers(len(it.options)))))
        elif hasattr(control, "step"):
            steps = round((control.max - control.min) / control.step)
            found.append(
                lambda draw, it=control, n=steps: it.set_trait("value", it.min + draw.integers(n + 1) * it.step)
            )
        else:
            found.append(lambda draw, it=control: it.set_trait("value", bool(draw.integers(2))))
    painted = explorer.picture.painted
    if painted is not None:
        stroke = lambda draw: memoryview(draw.choice([0, 1, 2], len(painted)).astype(np.uint8).tobytes())  # noqa: E731
        found.append(lambda draw: explorer.picture.set_state({"painted": stroke(draw)}))
    found += [lambda draw, word=word: explorer.press(word) for word in getattr(explorer, "_buttons", ())]
    return found


def drag(explorer, count, seed, errors):
    draw, ways = np.random.default_rng(seed), moves(explorer)
    try:
        for _ in range(count):
            ways[draw.integers(len(ways))](draw)
    except Exception:
        errors.append(traceback.format_exc())


def rest(explorer):
    """Pause a job in a thread of its own, which changes the state, and wait for its end."""
    if hasattr(explorer, "job"):
        if explorer.job.running:
            explorer.press("start")
        explorer.job.join()


@pytest.mark.slow
def test_threads(explorer):
    """A thousand random events from four threads: nothing is raised, and the state is that of the controls."""
    errors = []
    threads = [threading.Thread(target=drag, args=(explorer, 250, seed, errors)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rest(explorer)
    assert not errors
    failure_list.assert_no_failures()
    assert same(explorer.compute(explorer.params), explorer.state)
    assert threading.active_count() < 20


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
