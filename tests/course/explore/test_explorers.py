"""All explorers: no compiling under the reader's fingers, threads, memory; the numbers of the first three."""

import threading
import traceback
from contextlib import contextmanager

import ipywidgets as widgets
import jax
import numpy as np
import pytest
from toys import EXPLORERS, small_rbm

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore import digits as sixty_second
from pmp_kit.course.explore import explorer as explorer_base
from pmp_kit.course.explore import noise as perturbation_lab
from pmp_kit.course.explore.messages import compute as scope_run
from pmp_kit.course.explore.messages import paint as scope_painter
from pmp_kit.course.explore.messages.graphs import TOPOLOGIES
from pmp_kit.course.explore.noise.models import FAMILIES, MODELS, MOST_DRAWS, noise
from pmp_kit.course.explore.painted import PaintedExplorer


@pytest.fixture(scope="module", params=EXPLORERS)
def explorer(request):
    """One explorer after the other, with all its tests: making one takes seconds."""
    return EXPLORERS[request.param]()


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


def test_every_control_works_and_none_compiles(explorer):
    with counted_traces() as names:
        tried = explorer.exercise()
    assert tried >= 15
    assert not names


def test_form(explorer):
    assert len(explorer.controls) <= 5
    order = ["sweeps", "damping", "perturbation", "temperature", "seed"]
    assert all(control.description == word for word, control in explorer.controls.items())
    assert set(explorer.controls) & set(order)
    bundle = explorer._repr_mimebundle_()
    assert bundle["text/plain"].startswith(explorer.title)
    assert 1_000 < len(bundle["image/png"]) < 150_000


def parts(widget):
    """A widget and all that are in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def test_every_part_has_a_name_and_a_text_beside_it(explorer):
    found = list(parts(explorer.widget))
    plays = [part for part in found if isinstance(part, widgets.Play)]
    texts = widgets.HTML | widgets.Play
    used = [part for part in found if isinstance(part, widgets.DOMWidget) and not isinstance(part, texts)]
    used = [part for part in used if hasattr(part, "value") or isinstance(part, widgets.Button)]
    assert set(map(id, explorer.controls.values())) <= set(map(id, used))
    assert all(part.description.strip() for part in used)
    assert all(part.interval >= explorer_base.CALM for part in plays)
    assert explorer._frame._labels.picture == explorer.describe(explorer.state)


def test_a_picture_is_not_overwritten_by_the_next(explorer):
    first, second = (explorer.paint(explorer.state) for _ in range(2))
    if isinstance(first, np.ndarray):
        assert not np.shares_memory(first, second)
        assert (first == second).all()


def moves(explorer) -> list:
    """Ways to disturb an explorer: every control, tool, button and the brush, each a function of a random generator."""
    found = []
    for control in [*explorer.controls.values(), *getattr(explorer, "tools", {}).values()]:
        if hasattr(control, "index"):
            found.append(lambda draw, it=control: it.set_trait("index", int(draw.integers(len(it.options)))))
        elif hasattr(control, "step"):
            steps = round((control.max - control.min) / control.step)
            found.append(
                lambda draw, it=control, n=steps: it.set_trait("value", it.min + draw.integers(n + 1) * it.step)
            )
        else:
            found.append(lambda draw, it=control: it.set_trait("value", bool(draw.integers(2))))
    if isinstance(explorer, PaintedExplorer):
        shape = explorer.painter.values.shape
        found.append(lambda draw: setattr(explorer.painter, "values", draw.choice([pk.FREE, 0, 1], shape)))
    found += [lambda draw, word=word: explorer.press(word) for word in getattr(explorer, "_buttons", ())]
    return found


def drag(explorer, count, seed, errors):
    draw, ways = np.random.default_rng(seed), moves(explorer)
    try:
        for _ in range(count):
            ways[draw.integers(len(ways))](draw)
    except Exception:
        errors.append(traceback.format_exc())


@pytest.mark.parametrize("events", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_threads(explorer, events):
    """Random events over all controls from four threads: nothing raised, and the state is that of the controls."""
    errors = []
    threads = [threading.Thread(target=drag, args=(explorer, events // 4, seed, errors)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if hasattr(explorer, "job"):
        if explorer.job.running:
            explorer.press("start")
        explorer.job.join()
    assert not errors
    explore.assert_no_failures()
    again = explorer.compute(explorer.params())
    assert jax.tree.all(jax.tree.map(lambda a, b: np.array_equal(a, b, equal_nan=False), again, explorer.state))
    for tool in getattr(explorer, "tools", {}).values():
        tool.value = "frozen" if hasattr(tool, "options") else False
    assert threading.active_count() < 20


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


# --- sixty-second PMP


def test_completions_keep_the_evidence_and_are_the_samples_of_the_kit():
    evidence = np.random.default_rng(1).choice([pk.FREE, 0, 1], (8, 8)).astype(np.int32)
    completions, sweeps = sixty_second.compute(small_rbm(), evidence, 20, 0.4, True, 5)
    known = evidence >= 0
    assert completions.shape == (25, 8, 8)
    assert (completions[:, known] == evidence[known]).all()
    sampler = pk.PMP(damping=0.4, keep_best=False, tolerance=1e-2)
    arguments = {"num_samples": 25, "num_sweeps": 20, "evidence": {"v": evidence}}
    expected = pk.sample(jax.random.key(5), small_rbm(), sampler, **arguments)
    assert (completions == expected["v"]).all()
    assert (sweeps == expected.sweeps).all()


def test_without_perturbation_all_completions_agree():
    completions, _ = sixty_second.compute(small_rbm(), np.full((8, 8), pk.FREE), 20, 0.5, False, 0)
    assert (completions == completions[0]).all()


def test_another_digit_brings_its_own_evidence():
    explorer = EXPLORERS["sixty_second"]()
    explorer.painter.values = np.full((8, 8), pk.FREE)
    assert (explorer.state.evidence == pk.FREE).all()
    explorer.controls["digit"].value = 7
    assert (explorer.state.evidence == sixty_second.upper_half(explorer.state.truth)).all()
    assert (explorer.painter.values == explorer.state.evidence).all()
    assert "32 of 64 pixels free" in explorer.describe(explorer.state)


def test_a_stroke_of_the_painter_is_seen():
    explorer = EXPLORERS["sixty_second"]()
    before = explorer.picture.png()
    explorer.painter.values = np.ones((8, 8))
    assert explorer.picture.png() != before
    assert (explorer.state.completions == 1).all()


# --- message scope


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("start", ["neutral", "zero"])
def test_messages_obey_the_update_of_the_paper(topology, start):
    """One undamped sweep is n(i->j) = max(0, P + w) - max(0, P), in the gauge where w / 2 is no push."""
    state = scope_run.state(topology, -0.7, 1.3, 0.0, start, 4)
    weight = 4 * -0.7 * TOPOLOGIES[topology].adjacency
    messages = state.messages + weight / 2
    if start == "neutral":
        assert np.abs(state.messages[0]).max() < 1e-6
    else:
        assert np.abs(messages[0]).max() < 1e-6
    for t in range(3):
        cavity = state.beliefs[t][:, None] - messages[t].T
        expected = np.maximum(0, cavity + weight) - np.maximum(0, cavity)
        assert np.abs(messages[t + 1] - expected).max() < 1e-4
        assert abs(state.residuals[t] - np.abs(expected - messages[t]).max()) < 1e-4


@pytest.mark.parametrize("topology", ["chain", "tree"])
def test_without_loops_disk_and_ring_agree(topology):
    """On chains and trees the beliefs are the exact max-marginals once the messages stand still."""
    state = scope_run.state(topology, 0.9, 1.0, 0.0, "zero", 2)
    used = len(TOPOLOGIES[topology].places)
    assert state.sweeps is not None
    assert state.sweeps <= used
    assert np.abs(state.beliefs[-1] - state.exact).max() < 1e-3
    assert state.gaps[-1] < 1e-4


def test_the_gap_is_that_of_enumeration():
    state = scope_run.state("triangle", -1.0, 1.0, 0.5, "neutral", 7)
    graph = scope_run.ising("triangle", -1.0)
    history = pk.trace(
        jax.random.key(7), graph, pk.PMP(), num_sweeps=1, observe=scope_run.observe
    )  # only for the perturbed unaries
    unaries = {"x": history.values[-1][0, 0]}
    perturbed = pk.FactorGraph(graph.variables, graph.factors, unaries)
    scores = np.asarray(pk.exact.log_weights(perturbed))
    decoded = pk.exact.index_of(graph.variables, {"x": state.states})
    np.testing.assert_allclose(state.gaps, scores.max() - scores[decoded], atol=1e-4)
    assert state.gaps[-1] > 1.0  # a loop where max-product converges to a wrong answer
    assert "below the exact MAP" in explore.MessageScope(seed=7).describe(state)


def test_the_frustrated_triangle_flickers_and_damping_settles_it():
    flickers = scope_run.state("triangle", -1.0, 0.0, 0.0, "zero", 0)
    assert flickers.period == 2
    assert flickers.sweeps is None
    settles = scope_run.state("triangle", -1.0, 0.0, 0.5, "zero", 0)
    assert settles.period is None
    assert settles.sweeps is not None
    scope = explore.MessageScope()
    assert "oscillating with period 2" in scope.describe(flickers)
    assert "converged after 1 sweeps" in scope.describe(settles)


def test_the_drawing_has_a_colour_for_every_part():
    for topology, (places, edges) in TOPOLOGIES.items():
        clip = scope_painter.picture(scope_run.state(topology, 1.0, 1.0, 0.5, "neutral", 0))
        assert clip.palettes.shape == (scope_run.SWEEPS + 1, 2 + 2 * len(edges) + 3 * len(places), 3)
        assert set(np.unique(clip.images)) == set(range(clip.palettes.shape[1]))
        assert ((clip.curve >= 0) & (clip.curve <= 1)).all()


# --- perturbation lab


@pytest.mark.parametrize("model", MODELS)
def test_gibbs_and_log_partition_are_exact(model):
    state = perturbation_lab.compute(model, 0.7, "Gumbel", 1.0, 1_000, 0)
    if "spins" in model:
        spins = {"two": 2, "three": 3, "four": 4}[model.split()[0]]
        graph = pk.CompleteIsing(0.7, spins=spins)
        np.testing.assert_allclose(state.gibbs, pk.exact.probabilities(graph), atol=1e-5)
    assert abs(state.gibbs.sum() - 1) < 1e-5
    assert abs(state.shares.sum() - 1) < 1e-5


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("one variable, 2 states", "Gumbel"),
        ("one variable, 2 states", "logistic on state 0"),
        ("one variable, 3 states", "Gumbel"),
        ("two spins", "Gumbel"),
        ("two spins", "logistic on state 0"),
    ],
)
@pytest.mark.parametrize("coupling", [-0.6, 0.9])
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_shares_meet_the_formula(model, family, coupling, scale):
    state = perturbation_lab.compute(model, coupling, family, scale, MOST_DRAWS, 1)
    error = 4.5 * np.sqrt(state.formula * (1 - state.formula) / MOST_DRAWS)
    assert (np.abs(state.shares - state.formula) < error).all()
    if model != "two spins" and scale == 1.0:
        np.testing.assert_allclose(state.formula, state.gibbs, atol=1e-6)


def test_the_two_spin_formula():
    agree = 1 - 2 / (1 + np.exp(2 * 0.5)) ** 2
    state = perturbation_lab.compute("two spins", 0.5, "Gumbel", 1.0, 100, 0)
    np.testing.assert_allclose(state.formula, [agree / 2, (1 - agree) / 2, (1 - agree) / 2, agree / 2])


def test_with_three_states_only_gumbel_gives_the_softmax():
    distances = {
        family: perturbation_lab.compute("one variable, 3 states", 1.0, family, 1.0, MOST_DRAWS, 0).distance
        for family in FAMILIES
    }
    assert distances.pop("Gumbel") < 0.01
    assert min(distances.values()) > 0.015


@pytest.mark.parametrize("model", MODELS)
def test_gumbel_noise_bounds_log_partition(model):
    state = perturbation_lab.compute(model, 0.8, "Gumbel", 1.0, MOST_DRAWS, 0)
    assert state.excess > -3 * state.error
    if "one variable" in model:
        assert abs(state.excess) < 3 * state.error


def test_fewer_samples_are_the_first_of_more():
    state = perturbation_lab.compute("one variable, 3 states", 0.3, "Gaussian", 1.0, 200, 3)
    draws = np.asarray(noise("Gaussian", 3))[:200].reshape(200, 4, 3)[:, 0]
    best = (0.3 * np.arange(3) + draws).argmax(1)
    np.testing.assert_allclose(state.shares, np.bincount(best, minlength=3) / 200, atol=1e-6)
