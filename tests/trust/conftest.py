"""`make trust`: random input of every kind, counted; one table at the end."""

import re
from collections import Counter

from trust.tally import GROWTH, TALLY


def pytest_terminal_summary(terminalreporter):
    if not TALLY:
        return
    failed = Counter(
        kind for report in terminalreporter.stats.get("failed", []) for kind in re.findall(r"test_(\w+)", report.nodeid)
    )
    terminalreporter.section("trust")
    terminalreporter.write_line(f"{'kind':44}{'cases':>8}{'answered':>10}{'refused':>10}{'failures':>10}")
    for kind, counts in TALLY.items():
        cells = sum(counts.values()), counts["answered"], counts["refused"], failed[kind]
        terminalreporter.write_line(
            f"{kind.replace('_', ' '):44}" + "".join(f"{cell:{8 + 2 * (i > 0)}}" for i, cell in enumerate(cells))
        )
    for name, growth in GROWTH.items():
        terminalreporter.write_line(f"{'soak, ' + name:44}{growth:+8.1f} MB")
