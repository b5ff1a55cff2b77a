"""A question: the reader guesses, a control unlocks, and the outcome is shown beside the guess."""

from __future__ import annotations

import html
from collections.abc import Sequence

import ipywidgets as widgets

from . import failure_list, layout
from .explorer import Explorer


class Predict:
    """Ask, unlock, compare.

    The control stays locked until the reader has guessed. Once the reader has tried it, the outcome appears beside the
    guess. Without an explorer the outcome appears with the guess.

    Args:
        question: what will happen?
        options: the guesses to choose from.
        answer: index of the one that is right.
        because: why, in a sentence or two.
        explorer, control: the explorer, and the name of its control to lock.

    Raises:
        ValueError: fewer than two options, an answer that is none of them, or an unknown control.
    """

    def __init__(
        self,
        question: str,
        options: Sequence[str],
        *,
        answer: int,
        because: str,
        explorer: Explorer | None = None,
        control: str = "",
    ):
        if len(options) < 2 or not 0 <= answer < len(options):
            raise ValueError(
                f"answer: expected the index of one of at least two options, got {answer} for {len(options)} options; "
                f"count from 0"
            )
        if explorer is not None and control not in explorer.controls:
            raise ValueError(
                f"control: expected one of {sorted(explorer.controls)}, got {control!r}; use the word written beside it"
            )
        self.question, self.options, self.answer, self.because = question, tuple(options), answer, because
        self._control = None if explorer is None else explorer.controls[control]
        self._name = control
        self.choices = widgets.RadioButtons(
            options=list(options), value=None, layout=widgets.Layout(width="auto", min_width="260px")
        )
        self.choices.add_class("pmp-control")
        self.outcome = layout.text("", "pmp-check")
        self.outcome.layout.width = "auto"
        row = widgets.Box(
            [self.choices, self.outcome], layout=widgets.Layout(display="flex", flex_flow="row wrap", width="100%")
        )
        title = f'<div class="pmp-title">Predict</div>{html.escape(question)}'
        self.widget = widgets.VBox([layout.style(), layout.text(title, "pmp-caption"), row])
        self.widget.add_class("pmp-explorer")
        self.choices.observe(self._guessed, "value")
        if self._control is not None:
            self._control.disabled = True
            self._control.observe(self._tried, "value")
        self._show()

    @property
    def guess(self) -> int | None:
        """Index of the guess; None before there is one."""
        return self.choices.index

    @property
    def right(self) -> bool:
        """Whether the guess is the answer."""
        return self.guess == self.answer

    def _guessed(self, change) -> None:
        try:
            if self._control is not None:
                self._control.disabled = False
            self._show()
        except Exception as error:
            failure_list.record("Predict, taking a guess", error)
            raise

    def _tried(self, change) -> None:
        """Show the outcome, once the reader has moved the control."""
        if self.guess is not None and self._control is not None:
            self._control.unobserve(self._tried, "value")
            self._control = None
            self._show()

    def _show(self) -> None:
        for name in ("pmp-check-right", "pmp-check-wrong"):
            self.outcome.remove_class(name)
        if self.guess is None:
            waiting = f"<b>{html.escape(self._name)}</b> is locked until you have guessed." if self._control else ""
            self.outcome.value = waiting or "Guess first."
            return
        yours = f"You said: <i>{html.escape(self.options[self.guess])}</i>."
        if self._control is not None:
            self.outcome.value = f"{yours} Now move <b>{html.escape(self._name)}</b> and see."
            return
        truth = (
            "That is what happens." if self.right else f"What happens: <b>{html.escape(self.options[self.answer])}</b>."
        )
        self.outcome.value = f"{yours} {truth}<br>{html.escape(self.because)}"
        self.outcome.add_class("pmp-check-right" if self.right else "pmp-check-wrong")

    def exercise(self) -> int:
        """Make every guess in turn, for tests; returns how many there were."""
        for index in range(len(self.options)):
            self.choices.index = index
        return len(self.options)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        choices = "".join(f"\n  ( ) {option}" for option in self.options)
        return layout.mimebundle(self.widget, f"Predict: {self.question}{choices}")
