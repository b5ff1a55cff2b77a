"""A prediction: the reader chooses an answer, the explorer shows the experiment, and the explanation follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from .. import failure_list, filmed, layout, recorded
from ..explorer import Explorer
from ..live import Live
from ..question import NOTHING
from . import questions

ASKED, CHOSEN, SHOWN = range(3)
REACTIONS = {
    "yes": "You were surprised: read the explanation once more beside the picture.",
    "no": "You were not surprised: continue with the next section.",
}


class Predict(Live):
    """Ask the question of a chapter, set up its experiment, and show the outcome when the reader asks for it.

    One control of the explorer is locked until the experiment was shown. Until then the explanation is not on the page.

    Args:
        chapter: the name of the question, which is that of the explorer's folder.
        explorer: the explorer of the experiment.

    Raises:
        ValueError: an unknown chapter, or an explorer that is not the one of the question.
    """

    def __init__(self, chapter: str, explorer: Explorer):
        self.question, self.options = questions.find(chapter), questions.shuffled(chapter)
        self._explorer, self._stage = explorer, ASKED
        self._check_explorer(chapter)
        self.choices = widgets.RadioButtons(
            options=self.options,
            value=None,
            layout=widgets.Layout(width="auto", min_width="260px", margin="2px 18px 2px 2px"),
        )
        self.choices.add_class("pmp-control")
        self.said, self.outcome, self.reaction = (layout.text("", "pmp-check") for _ in range(3))
        self.show_me = self._button("show me", self._show_experiment)
        self.surprised = {word: self._button(word, lambda word=word: self._react(word)) for word in REACTIONS}
        self._buttons = [widgets.HBox([self.show_me]), widgets.HBox(list(self.surprised.values()))]
        for box in self._buttons:
            box.add_class("pmp-tools")
        self.loose = [self.outcome, self.reaction, *self._buttons]  # those of later stages
        self._answer = widgets.VBox(layout=widgets.Layout(flex="1 1 300px", width="auto"))
        row = widgets.Box(
            [self.choices, self._answer], layout=widgets.Layout(display="flex", flex_flow="row wrap", width="100%")
        )
        title = layout.marked('<div class="pmp-title">Predict</div>{}', self.question.text)
        self.widget = widgets.VBox([layout.style(), layout.text(title, "pmp-caption"), row])
        self.widget.add_class("pmp-explorer")
        self.choices.observe(self._chosen, "value")
        self._go(ASKED)
        self.begin(explorer)

    def _check_explorer(self, chapter: str) -> None:
        """Raise a ValueError if the explorer has not all values of the question."""
        if not isinstance(self._explorer, Explorer):
            raise ValueError(f"explorer: expected one such as explore.GraphLab(), got {self._explorer!r}")
        view = self._explorer.view()
        wanted = {self.question.locked, *self.question.before, *self.question.shows}
        for name, value in self.question.before.items():
            given = view.get(name)
            if isinstance(value, Mapping) and isinstance(given, Mapping) and value.keys() != given.keys():
                raise ValueError(
                    f"explorer: expected one with the {name} {', '.join(value)}, got {', '.join(given)}; give the "
                    "explorer that the question is about"
                )
        there = set(view)
        if not wanted <= there:
            raise ValueError(
                f"explorer: expected the one of chapter {chapter!r} with {sorted(wanted)}, got one without "
                f"{sorted(wanted - there)}; give the explorer that the question is about"
            )

    @property
    def guess(self) -> int | None:
        """The index of the chosen option in the order of the page; None before the reader has chosen."""
        return self.choices.index

    @property
    def right(self) -> bool:
        """Whether the chosen option is the right one."""
        return self.choices.value == self.question.options[0]

    def _button(self, word: str, action: Callable[[], None]) -> widgets.Button:
        button = widgets.Button(description=word, layout=widgets.Layout(width="auto"))
        button.on_click(lambda _: self._do(word, action))
        return button

    def _do(self, doing: str, action: Callable[[], None]) -> None:
        """Act, and record a failure: the page does not show what a callback raises."""
        try:
            action()
        except Exception as error:
            failure_list.record(f"Predict, {doing}", error)
            raise

    def _arrange(self, changes: Mapping[str, Any] = NOTHING) -> None:
        """Set all values of the experiment, whatever the reader has moved meanwhile."""
        explorer, question = self._explorer, self.question
        explorer.restore({**explorer.view(), **question.before, **question.more(explorer), **changes})

    def _chosen(self, change) -> None:
        self._do("choosing an answer", self._set_up)

    def _set_up(self) -> None:
        self._arrange()
        self._go(CHOSEN)

    def _show_experiment(self) -> None:
        self._arrange(self.question.shows)
        self._go(SHOWN)
        self._explorer.show_picture()  # the answer below may have pushed the picture out of view

    def _react(self, word: str) -> None:
        self.reaction.value = REACTIONS[word]
        self._answer.children = (*self._answer.children[:4], self.reaction)

    def _go(self, stage: int) -> None:
        """Show a stage: texts, buttons, and which controls can be moved."""
        self._stage = stage
        self.choices.disabled = stage == SHOWN
        self._explorer.controls[self.question.locked].disabled = stage != SHOWN
        self.said.value = self._words()
        self.outcome.value = self._outcome() if stage == SHOWN else ""
        for name, wanted in {"pmp-check-right": self.right, "pmp-check-wrong": not self.right}.items():
            (self.outcome.add_class if wanted and stage == SHOWN else self.outcome.remove_class)(name)
        show, yes_no = self._buttons
        parts = {ASKED: (), CHOSEN: (show,), SHOWN: (show, self.outcome, yes_no)}
        self._answer.children = (self.said, *parts[stage])

    def _words(self) -> str:
        """Return what stands beside the options: what is locked, or what was chosen and what comes next."""
        locked = layout.marked("<b>{}</b>", self.question.locked)
        if self._stage == ASKED:
            return f"{locked} is locked until you have seen the experiment. Choose an answer first."
        yours = layout.marked("You chose: <i>{}</i>.", self.choices.value)
        if self._stage == SHOWN:
            return f"{yours} {locked} is no longer locked."
        sets = (
            layout.marked("<b>{}</b> to {}", name, layout.short(value)) for name, value in self.question.shows.items()
        )
        return f"{yours} The explorer above is set up for the experiment, which sets {' and '.join(sets)}."

    @property
    def _truth(self) -> str:
        return layout.marked("The answer is: <b>{}</b>.", self.question.options[0])

    def _outcome(self) -> str:
        """Return the answer and its explanation."""
        head = "Your answer is right." if self.right else self._truth
        return f"{self._explained(head)}<br>Were you surprised?"

    def _explained(self, head: str) -> str:
        return head + layout.marked(" {}", self.question.because)

    def exercise(self) -> int:
        """Choose every option and press every button, for tests; all is left as it was.

        Returns:
            The number of choices and buttons.

        Raises:
            AssertionError: something failed.
        """
        stage, index, explorer = self._stage, self.guess, self._explorer
        view = explorer.view()
        before = len(failure_list.failures())
        for option in range(len(self.options)):
            self._reset(ASKED, None)
            self.choices.index = option
            for button in (self.show_me, *self.surprised.values()):
                button.click()
        self._reset(stage, index)
        explorer.restore(view)
        failure_list.assert_no_failures(before, "while exercising Predict")
        return len(self.options) * (2 + len(self.surprised))

    def _reset(self, stage: int, index: int | None) -> None:
        """Go to a stage with a choice, without an experiment."""
        self.choices.unobserve(self._chosen, "value")
        self.choices.index = index
        self.choices.observe(self._chosen, "value")
        self._go(stage)

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        choices = "".join(f"\n  ( ) {option}" for option in self.options)
        player = self.recording() if filmed.players_wanted() else ""
        return layout.mimebundle(self.widget, f"Predict: {self.question.text}{choices}", player=player)

    def recording(self) -> str:
        """Return HTML with the question and its options; the answer and the explanation are folded."""
        return recorded.question("Predict", self.question.text, self.options, self._explained(self._truth))
