"""Every question of the course: fair options, an experiment that shows what is claimed, and no answer before it."""

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from drawn_toy import DrawnToy
from exercise import exercise
from pages import PAGES
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.course import datasets, explore
from pmp_kit.course.experiments.speed import costs
from pmp_kit.course.explore import drive, failure_list, live, predict
from pmp_kit.course.explore.graphs import compute as graphs
from pmp_kit.course.explore.picture.page import PLAYERS
from pmp_kit.course.explore.predict import questions
from pmp_kit.course.explore.predict.questions import QUESTIONS, Question

ROOT = Path(__file__).parents[4]
LONGEST = 1.4  # times the shortest option, in characters


def notebooks() -> dict[str, dict[str, str]]:
    """Chapter -> the cells of its notebook by their first tag."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        tagged = {
            cell["metadata"]["tags"][0]: "".join(cell["source"]) for cell in cells if cell["metadata"].get("tags")
        }
        chapter = re.search(r'explore\.Predict\("(\w+)"', tagged.get("predict", ""))
        if chapter:
            found[chapter[1]] = tagged
    return found


NOTEBOOKS = notebooks()


COSTLY = {"digits", "judging", "learning", "race", "speed", "wrong_model", "zeros"}
"""Chapters whose experiment takes more than ten seconds without the compiler's optimisations."""


@pytest.fixture(
    scope="module",
    params=some(sorted(QUESTIONS), set(QUESTIONS) - COSTLY),
)
def explorer(request):
    """The explorer of a chapter as its notebook makes it, and the name of the chapter; not yet asked about."""
    cells = NOTEBOOKS[request.param]
    names = {"pk": pk, "np": np, "explore": explore, "datasets": datasets}
    exec(f"{cells['parameters']}\n{cells['play']}", names)
    name = re.search(r"explore\.Predict\(\"\w+\", (\w+)\)", cells["predict"])[1]
    return request.param, names[name]


@pytest.fixture
def asked(explorer):
    """The prediction of a chapter before the reader has chosen, its explorer, and its question."""
    chapter, one = explorer
    before = dict(one.params)
    yield explore.Predict(chapter, one), one, QUESTIONS[chapter]
    one.restore(before)
    one.controls[QUESTIONS[chapter].locked].disabled = False


def gap(camera) -> float:
    """The root mean square of the differences between samples and data, over all pairs of pixels."""
    return float(np.sqrt(((camera.state.pairs - camera.lesson.data_pairs) ** 2).mean()))


def halves(scope) -> np.ndarray:
    return np.abs(scope.state.fractions - 0.5) < 1e-6


def decided(scope) -> np.ndarray:
    return np.abs(scope.state.fractions * (1 - scope.state.fractions)) < 1e-6


def longer(lab) -> float:
    """How many times as long a run of the chosen model is as one of the lattice."""
    return lab.state.predicted / lab.compute({**lab.params, "model": "lattice"}).predicted


START = {
    "deconvolution": lambda e: e.state.recovered == 3,
    "digits": lambda e: e.state.distinct > 20,
    "energies": lambda e: e.state.modes.sum() == 2 and np.ptp(e.state.probabilities[e.state.modes]) < 1e-6,
    "factors": lambda e: e.state.factor == "OR" and len(set(e.state.incoming)) == 4,
    "graphs": lambda e: e.state.method == 0 and e.state.rmse[0, e.state.place] > 0.09,
    "judging": lambda e: e.state.of("PMP") < 4 and 5 < e.state.of("independent pixels") < 7,
    "learning": lambda e: e.state.step == 200 and gap(e) < 0.022,
    "messages": lambda e: e.state.period == 2 and e.state.gaps[-1] > 1,
    "noise": lambda e: e.state.distance < 0.02,
    "own": lambda e: 0.35 < e.state.marginals[4] < 0.55,
    "programs": lambda e: halves(e).all(),
    "race": lambda e: e.state.values.argmin() == 2 and (e.state.used == 32).all(),
    "rbm": lambda e: (e.state.shares >= 0.02).all(),
    "sampler": lambda e: (e.state.gaps[-40:] < 1e-3).all(),
    "speed": lambda e: longer(e) == 1,
    "wrong_model": lambda e: len(e.state.path) == 1 and e.state.path[0] == 0,
    "zeros": lambda e: e.state.step == 300 and not e.state.kept and gap(e) > 0.1,
}
START |= {name: page.start for name, page in PAGES.items()}
"""Chapter -> whether the explorer shows what the question starts from."""

CLAIMS = {
    "deconvolution": lambda e: e.state.recovered == 0 and e.state.right[-1] > 0.98,
    "digits": lambda e: e.state.distinct == 1,
    "energies": lambda e: e.state.modes.tolist() == [False] * 15 + [True] and e.state.probabilities[-1] > 0.35,
    "factors": lambda e: e.state.factor == "exactly k" and len(set(e.state.formula.round(4))) == 2,
    "graphs": lambda e: (
        e.state.method == 2
        and abs(np.subtract(*e.state.rmse[::2, e.state.place])) < 0.005
        and np.subtract(*e.state.quality[::-2, e.state.place]) > 20
    ),
    "judging": lambda e: e.state.of("PMP") < 2 and 1.5 < e.state.of("independent pixels") < 2.5,
    "learning": lambda e: gap(e) > 0.025,
    "messages": lambda e: e.state.sweeps is not None and e.state.gaps[-1] < 1e-4,
    "noise": lambda e: e.state.shares[1] == 0 and (e.state.shares[[0, 2]] > 0).all(),
    "own": lambda e: e.state.marginals[4] > 0.7,
    "programs": lambda e: (halves(e) | decided(e)).all() and 0.2 < decided(e).mean() < 0.8,
    "race": lambda e: e.state.values[2] > e.state.values[1] and e.state.used[2] < e.state.used[1],
    "rbm": lambda e: (e.state.shares >= 0.02).sum() <= 3 and e.state.method == "PCD-1 constant",
    "sampler": lambda e: e.state.gaps.min() < 1e-3 and e.state.gaps[-1] > 1,
    "speed": lambda e: 200 < longer(e) < 1000,
    "wrong_model": lambda e: abs(e.state.path[-50:].mean() - 0.33) < 0.015 and abs(e.state.best - 0.33) < 0.015,
    "zeros": lambda e: not e.state.kept and gap(e) < 0.05,
}
CLAIMS |= {name: page.claim for name, page in PAGES.items()}
"""Chapter -> whether the explorer shows the right option, and what the explanation says of the picture."""


def sent(*shown) -> str:
    """Return the words that the page knows of explorers and predictions: from the synced states of their widgets."""
    states = [part.get_state() for part in live.parts([one.widget for one in shown]) if hasattr(part, "get_state")]
    values = [value for state in states for name, value in state.items() if name[0] != "_"]
    return html.unescape(" | ".join(str(value) for value in values if not isinstance(value, bytes)))


def assert_not_revealed(prediction, *shown) -> None:
    """No sentence of the explanation is on the page, and the right option stands where the others stand."""
    page = sent(prediction, *shown)
    for sentence in prediction.question.because.split(". "):
        assert sentence not in page
    assert "is right" not in page
    assert not prediction.form.shown["outcome"]
    others = {option for k, option in enumerate(prediction.options) if k != prediction.guess}
    assert {page.count(option) for option in others} == {1}, "each option is on the page once, as a choice"


def assert_fair(question: Question) -> None:
    """The options are as many and as long as they should be, and different."""
    lengths = [len(option) for option in question.options]
    assert len(set(question.options)) == len(lengths) >= 3
    assert max(lengths) <= LONGEST * min(lengths), dict(zip(question.options, lengths, strict=True))


def said(prediction) -> str:
    return prediction.form.shown["said"]


def test_every_question_is_asked_in_a_notebook():
    assert set(NOTEBOOKS) == set(QUESTIONS)
    assert set(START) == set(CLAIMS) == set(QUESTIONS)


def test_the_cells_hold_nothing_of_the_question():
    for chapter, cells in NOTEBOOKS.items():
        call = rf'explore\.Predict\("{chapter}"(, \w+)?\)'
        assert re.fullmatch(rf"guess = {call}\nguess", cells["predict"])


@pytest.mark.parametrize("chapter", QUESTIONS)
def test_options_are_of_similar_length(chapter):
    assert_fair(QUESTIONS[chapter])


def test_a_longer_option_is_found():
    with pytest.raises(AssertionError, match="because"):
        assert_fair(Question("?", ("up, because of the noise", "down", "left"), "So.", "noise"))


def test_the_right_option_is_not_the_odd_one_out():
    """Neither its place nor its length gives it away."""
    places = [questions.shuffled(chapter).index(one.options[0]) for chapter, one in QUESTIONS.items()]
    ranks = [sum(len(option) > len(one.options[0]) for option in one.options) for one in QUESTIONS.values()]
    for found in (places, ranks):
        assert max(found.count(place) for place in range(3)) <= 0.6 * len(QUESTIONS), found
    order = [QUESTIONS["messages"].options.index(option) for option in questions.shuffled("messages")]
    assert order == [2, 0, 1], "the same in every process"


def test_the_experiment_starts_where_the_question_says(asked):
    prediction, one, question = asked
    assert set(one.controls) <= set(question.before)
    assert question.locked in question.shows
    prediction.choose(0)
    now = dict(one.params)
    assert all(now[name] == value for name, value in question.before.items() if value is not None)
    (chapter,) = (name for name, each in QUESTIONS.items() if each is question)
    assert START[chapter](one)
    assert not CLAIMS[chapter](one), "the answer is seen before the experiment, or the claim holds for everything"


def test_nothing_is_revealed_before_the_experiment(asked):
    prediction, one, question = asked
    locked = one.controls[question.locked]
    assert locked.disabled
    assert_not_revealed(prediction, one)
    for index in range(len(prediction.options)):
        prediction.choose(index)
        assert locked.disabled
        assert_not_revealed(prediction, one)
    words = said(prediction)
    for name, control in one.controls.items():
        if name != question.locked:
            for _ in drive.settings(name, control):
                assert locked.disabled
                assert said(prediction) == words
    assert_not_revealed(prediction, one)
    failure_list.assert_no_failures()


def test_the_experiment_shows_what_the_explanation_says(asked):
    prediction, one, question = asked
    (chapter,) = (name for name, each in QUESTIONS.items() if each is question)
    prediction.choose(1)
    for name, control in one.controls.items():  # the reader moves what can be moved
        if name != question.locked:
            *_, last = drive.settings(name, control)
            control.value = control.options[-1] if hasattr(control, "options") else last
    prediction.show()
    assert CLAIMS[chapter](one), one.state
    assert not one.controls[question.locked].disabled
    assert question.because in sent(prediction)
    failure_list.assert_no_failures()


TOY = Question(
    "What does <it> do?", ("it grows", "it falls", "it waits"), "It must.",
    locked="number", before={"number": 10, "kind": "a"}, shows={"number": 50},
)  # fmt: skip


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setitem(QUESTIONS, "toy", TOY)
    one = DrawnToy(number=3)
    return explore.Predict("toy", one), one


def press(prediction, **content):
    """Do what the page sends when the reader presses something."""
    prediction._hear(prediction.form, content, [])


def test_a_prediction_from_the_question_to_the_reaction(toy):
    prediction, one = toy
    assert prediction.guess is None
    assert one.state.number == 3
    assert "<b>number</b> is locked" in said(prediction)
    press(prediction, choose=prediction.options.index("it waits"))
    assert (one.state.number, one.controls["number"].disabled) == (10, True)
    assert "You chose: <i>it waits</i>" in said(prediction)
    press(prediction, choose=prediction.options.index("it falls"))
    assert "sets <b>number</b> to 50" in said(prediction)
    press(prediction, show=True)
    assert (one.state.number, one.controls["number"].disabled) == (50, False)
    assert "The answer is: <b>it grows</b>. It must." in prediction.form.shown["outcome"]
    assert not prediction.right
    for word, words in predict.REACTIONS.items():
        press(prediction, react=word)
        assert prediction.form.shown["reaction"] == words
        assert "It must." in prediction.form.shown["outcome"]


def test_show_me_again_returns_to_the_experiment(toy):
    prediction, one = toy
    prediction.choose(prediction.options.index("it grows"))
    prediction.show()
    assert prediction.right
    assert "Your answer is right. It must." in prediction.form.shown["outcome"]
    one.controls["number"].value, one.controls["kind"].value = 77, "b"
    prediction.show()
    assert (one.state.number, one.state.kind) == (50, "a")


def test_the_messages_of_the_speed_question_are_those_of_its_models():
    sparse, dense = (costs.MODELS[name](1600, 1).messages for name in ("lattice", "dense"))
    assert f"{sparse:,} directed" in QUESTIONS["speed"].because
    assert f"{dense:,}, which is {dense / sparse:.0f} times" in QUESTIONS["speed"].because
    times = [costs.seconds(costs.Setting(name, "PMP", 1600, 100), 100) for name in ("lattice", "dense")]
    assert times[1] / times[0] == pytest.approx(2 * dense / sparse, rel=0.25)  # "about twice as long"


def test_the_graphs_question_states_the_ratios_of_errors_and_of_distances():
    question = QUESTIONS["graphs"]
    state = graphs.state("random graph", "PMP", "sweeps", question.before["sweeps"], question.before["kernel scale"])
    rmse, distance = (values[2] / values[0] for values in (state.rmse, state.quality))
    assert "RMSE of Gibbs-with-gradients is smaller by about 4 %" in question.because
    assert rmse[state.place] == pytest.approx(0.96, abs=0.01)
    assert "more than four times as far" in question.because
    assert 4 < distance[state.place] < 5
    assert "every number of sweeps" in question.because
    assert (rmse < 1).all()
    assert (distance > 1).all()


def test_a_revealed_explanation_is_found(toy):
    prediction, one = toy
    prediction.choose(prediction.options.index("it falls"))
    assert_not_revealed(prediction, one)
    for words, found in (("It must.", "It must"), ("Now it grows.", "once")):
        one.controls["kind"].description = words
        with pytest.raises(AssertionError, match=found):
            assert_not_revealed(prediction, one)


def test_the_text_for_pages_without_a_kernel_marks_no_option(toy):
    lines = "".join(f"\n  ( ) {option}" for option in questions.shuffled("toy"))
    assert toy[0]._repr_mimebundle_()[0]["text/plain"] == f"Predict: What does <it> do?{lines}"


def test_the_form_can_be_used(toy):
    prediction, one = toy
    before, shown = one.params, prediction.form.shown
    assert exercise(prediction) == 4 * len(prediction.options)
    assert (one.params, prediction.form.shown) == (before, shown)
    assert one.controls["number"].disabled


def test_a_failure_is_recorded_and_raised(toy):
    prediction, one = toy
    one.restore = None
    with pytest.raises(TypeError):
        press(prediction, choose=0)
    assert [failure.where for failure in failure_list.failures()] == ["Predict, choose"]
    failure_list.clear_failures()


@pytest.mark.parametrize(
    ("chapter", "explorer", "message"),
    [
        ("sped", None, r"chapter: expected one of \['deconvolution'.* got 'sped'"),
        ("digits", DrawnToy, r"explorer: .* got one without \['damping', 'digit', 'painted', 'perturbation', .*\]"),
        ("digits", lambda: DrawnToy, r"explorer: expected one such as explore.GraphLab\(\), got <class .*Toy'>"),
    ],
)
def test_errors(chapter, explorer, message):
    with pytest.raises(ValueError, match=message):
        explore.Predict(chapter, explorer and explorer())


def test_a_page_without_a_kernel_folds_the_answer(monkeypatch):
    asked, question = explore.Predict("graphs", explore.GraphLab()), QUESTIONS["graphs"]
    assert "text/html" not in asked._repr_mimebundle_()[0]
    monkeypatch.setenv(PLAYERS, "1")
    page = html.unescape(asked._repr_mimebundle_()[0]["text/html"])
    before, fold = page.split("<details", 1)
    assert question.text in before
    places = [before.index(f"> {option}</label>") for option in asked.options]
    assert places == sorted(places)
    assert question.because not in before
    shown = fold.split("</details>")[0]
    assert f"<b>{question.options[0]}</b>. {question.because}" in shown
    assert "open its notebook in JupyterLab" in page
