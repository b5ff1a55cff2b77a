"""The Python blocks of README.md in order."""

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
FIRST, DIGITS, QUEENS, SEGMENTATION, WATCHED, COMPILED = range(6)
