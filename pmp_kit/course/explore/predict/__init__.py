"""A prediction: the reader chooses an answer, the explorer shows the experiment, and the explanation follows."""

from __future__ import annotations

import html
import pathlib
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import traitlets

from .. import failure_list, layout
from ..live import Live
from ..picture import Explorer, bundle, page
from ..picture.page import WHERE
from ..picture.scripted import Scripted
from . import questions
from .questions import NOTHING

HERE = pathlib.Path(__file__).parent
STYLE = layout.style_sheet() + (HERE / "form.css").read_text(encoding="utf-8")
ASKED, CHOSEN, SHOWN = range(3)
REACTIONS = {
    "yes": "You were surprised: read the explanation once more beside the picture.",
    "no": "You were not surprised: continue with the next section.",
}
RECORDED = """<div class="pmp-explorer pmp-drawn">
<style>
{style}
</style>
<div class="pmp-view pmp-form">
<div class="pmp-title">Predict</div>
<fieldset><legend>{text}</legend>{options}</fieldset>
{fold}
<p class="pmp-live">To see the experiment, {where}</p>
</div>
</div>
"""


class _Form(Scripted):
    """The widget. It sends what the reader does: {"choose": number of an option}, {"show": true}, {"react": word}."""

    _esm = bundle.script(HERE / "form.js")
    _css = STYLE
    text = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    """The stage, the number of the chosen option, and the words of each place as HTML, see `Predict._go`."""


class Predict(Live):
    """Ask the question of a chapter, set up its experiment, and show the outcome when the reader asks for it.

    One control of the explorer is locked until the experiment was shown. Until then the explanation is not on the page.

    Args:
        chapter: the name of the question, which is that of the explorer's folder.
        explorer: the explorer of the experiment.

    Attributes:
        guess: the number of the chosen option in the order of the page; None before the reader has chosen.

    Raises:
        ValueError: an unknown chapter, or an explorer that is not the one of the question.
    """

    def __init__(self, chapter: str, explorer: Explorer):
        self.question, self.options = questions.find(chapter), questions.shuffled(chapter)
        self.guess: int | None = None
        self._explorer = explorer
        self._check_explorer(chapter)
        self.form = _Form(text=self.question.text, options=self.options)
        self.form.on_msg(self._hear)
        self.widget = widgets.VBox([self.form])
        for name in ("pmp-explorer", "pmp-drawn"):
            self.widget.add_class(name)
        self._go(ASKED)
        self.begin(explorer)

    def _check_explorer(self, chapter: str) -> None:
        """Raise a ValueError if the explorer has not all values of the question."""
        if not isinstance(self._explorer, Explorer):
            raise ValueError(f"explorer: expected one such as explore.GraphLab(), got {self._explorer!r}")
        params = self._explorer.params
        wanted = {self.question.locked, *self.question.before, *self.question.shows}
        for name, value in self.question.before.items():
            given = params.get(name)
            if isinstance(value, Mapping) and isinstance(given, Mapping) and value.keys() != given.keys():
                raise ValueError(
                    f"explorer: expected one with the {name} {', '.join(value)}, got {', '.join(given)}; give the "
                    "explorer that the question is about"
                )
        if not wanted <= params.keys():
            raise ValueError(
                f"explorer: expected the one of chapter {chapter!r} with {sorted(wanted)}, got one without "
                f"{sorted(wanted - params.keys())}; give the explorer that the question is about"
            )

    @property
    def right(self) -> bool:
        """Whether the chosen option is the right one."""
        return self.guess is not None and self.options[self.guess] == self.question.options[0]

    def choose(self, option: int) -> None:
        """Choose an answer by its number on the page, and set up the experiment."""
        self.guess = option
        self._arrange()
        self._go(CHOSEN)

    def show(self) -> None:
        """Show the experiment, the answer and the explanation."""
        self._go(SHOWN)
        self._arrange(self.question.shows)
        self._explorer.show_picture()  # the answer below may have pushed the picture out of view

    def react(self, word: str) -> None:
        """Say what to do next after "yes" or "no", whether the reader was surprised."""
        self.form.shown = {**self.form.shown, "reaction": REACTIONS[word]}

    def _hear(self, form: _Form, content: Any, buffers: Any) -> None:
        """Do what the reader asks for, and record a failure: the page does not show what is raised here."""
        try:
            match content:
                case {"choose": option}:
                    self.choose(option)
                case {"show": _}:
                    self.show()
                case {"react": word}:
                    self.react(word)
        except Exception as error:
            failure_list.record(f"Predict, {next(iter(content))}", error)
            raise

    def _arrange(self, changes: Mapping[str, Any] = NOTHING) -> None:
        """Set all values of the experiment, whatever the reader has moved meanwhile."""
        explorer, question = self._explorer, self.question
        explorer.restore({**explorer.params, **question.before, **changes})

    def _go(self, stage: int) -> None:
        """Show a stage, and lock or unlock the control of the question."""
        self._explorer.controls[self.question.locked].disabled = stage != SHOWN
        self.form.shown = {
            "stage": stage,
            "chosen": self.guess,
            "said": self._words(stage),
            "right": self.right,
            "outcome": self._explained("Your answer is right.") if stage == SHOWN else "",
            "reaction": "",
        }

    def _words(self, stage: int) -> str:
        """Return what stands beside the options: what is locked, or what was chosen and what comes next."""
        locked = layout.marked("<b>{}</b>", self.question.locked)
        if self.guess is None:
            return f"{locked} is locked until you have seen the experiment. Choose an answer first."
        yours = layout.marked("You chose: <i>{}</i>.", self.options[self.guess])
        if stage == SHOWN:
            return f"{yours} {locked} is no longer locked."
        sets = (
            layout.marked("<b>{}</b> to {}", name, layout.short(value)) for name, value in self.question.shows.items()
        )
        return f"{yours} The explorer above is set up for the experiment, which sets {' and '.join(sets)}."

    def _explained(self, right: str) -> str:
        """Return the explanation behind the right answer, or behind `right` if that was chosen."""
        head = right if self.right else layout.marked("The answer is: <b>{}</b>.", self.question.options[0])
        return head + layout.marked(" {}", self.question.because)

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        choices = "".join(f"\n  ( ) {option}" for option in self.options)
        player = self.recording() if page.players_wanted() else ""
        return layout.mimebundle(self.widget, f"Predict: {self.question.text}{choices}", player=player)

    def recording(self) -> str:
        """Return HTML for pages without a kernel: the question and its options; the answer is folded."""
        options = "".join(
            layout.marked('<label><input type="radio" name="{}"> {}</label>', self.question.text, option)
            for option in self.options
        )
        answer = layout.marked("The answer is: <b>{}</b>. {}", self.question.options[0], self.question.because)
        fold = page.folded("Choose an answer. Then open this.", f'<div class="pmp-outcome">{answer}</div>')
        text = html.escape(self.question.text)
        return RECORDED.format(style=STYLE, text=text, options=options, fold=fold, where=WHERE)
