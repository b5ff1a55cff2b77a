"""The base of what can be filmed: animations as files, and players for pages without a kernel."""

from __future__ import annotations

import os
import pathlib
import threading
from collections.abc import Callable
from typing import Any, ClassVar

from . import export, film, layout
from .legend import legend
from .page.player import Clip, Player

PLAYERS = "PMP_KIT_PLAYERS"
"""The environment variable that, set to any text, adds a player to what a cell shows; without it cells stay small."""


def players_wanted() -> bool:
    """Return whether cells are run for pages without a kernel."""
    return bool(os.environ.get(PLAYERS))


class Filmed:
    """The part of an explorer that writes animations.

    Attributes:
        telling: the control that an animation moves unless another one is named; by default `playing`.
    """

    title: str
    caption: str
    signs: ClassVar[tuple[str, ...]]
    telling: str = ""
    playing: str
    controls: dict[str, Any]
    picture: Any
    state: Any
    lock: threading.RLock
    params: Callable[[], dict[str, Any]]
    compute: Callable[[dict[str, Any]], Any]
    describe: Callable[[Any], str]

    def moved(self, params: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        """Return `params` as they are after controls have moved to `changes`; what else depends on these follows."""
        return params | changes

    def export(self, path: str | pathlib.Path, over: str = "", rate: int = export.RATE) -> pathlib.Path:
        """Write an animation: "name.gif", "name.mp4", or "name.html", a page with a player in it that fetches nothing.

        Args:
            path: of the file; its ending chooses the form.
            over: the control whose values are the frames; by default the picture's own frames, or else `telling`.
            rate: frames per second.

        Raises: ValueError if an ending, a control or a rate does not exist, RuntimeError without a program for MP4.
        """
        target = export.check(path, rate)
        export.write(target, *self._filmed(over), rate)
        return target

    def player(self) -> str:
        """Return HTML that plays without a kernel if PLAYERS is set and there is something to play, else ""."""
        if not players_wanted() or not (self.telling or self.playing or isinstance(self.picture, Player)):
            return ""
        return export.inlined(*self._filmed(""))

    def _filmed(self, over: str) -> tuple[Clip, export.Words]:
        """Return an animation and the words around it."""
        with self.lock:
            clip, unit = film.of(self, over or self.telling or self.playing, chosen=bool(over))
            caption = self.caption + legend(self.signs)
            return clip, export.Words(self.title, caption, layout.typeset(self.describe(self.state)), unit)

    def recording(self) -> Clip:
        """Return the frames of a picture that is a player; its reader may switch the layers that the clip has."""
        return self.picture.clip

    def states(self, over: str) -> list[tuple[Any, Any]]:
        """Return the values of a control in order, each with the state that it gives. The explorer stays as it is.

        Raises: ValueError if there is no control of that name.
        """
        if over not in self.controls:
            raise ValueError(
                f"over: expected the control whose values are the frames, one of {sorted(self.controls)}, got "
                f"{over!r}; use the word written beside it"
            )
        now = self.params()
        return [(value, self.compute(self.moved(now, {over: value}))) for value in film.stops(self.controls[over])]
