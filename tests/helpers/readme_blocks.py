"""The Python blocks of README.md in order, and two longer examples of the documentation."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def blocks(page: str) -> list[str]:
    """Return the Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


FIRST, QUEENS, CONVERTED, WATCHED = blocks("README.md")
SEGMENTATION, DIGITS = blocks("docs/api/models.md")[-1], blocks("docs/api/learning.md")[-1]
