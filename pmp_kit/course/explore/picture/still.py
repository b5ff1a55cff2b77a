"""Stills: PNG pictures of views, made by `make stills` in a browser, for pages that run neither Python nor scripts."""

from __future__ import annotations

import hashlib
import json
import pathlib
from typing import Any

FOLDER = pathlib.Path(__file__).parent / "stills"


def name_of(explorer: Any) -> str:
    """Return the name of the still of exactly this view: another value of a control has another name."""
    view = {"layers": list(explorer.picture.layers), **explorer.params}
    digest = hashlib.sha256(json.dumps(view, sort_keys=True, default=repr).encode()).hexdigest()
    return f"{type(explorer).__name__}-{digest[:12]}.png"


def of(explorer: Any) -> bytes | None:
    """Return the still of this view as PNG, or None if there is none."""
    path = FOLDER / name_of(explorer)
    return path.read_bytes() if path.exists() else None
