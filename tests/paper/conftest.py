"""One row for each number of the paper: what it says, what we get, within which tolerance."""

import pytest

ROWS = "paper row"


@pytest.fixture
def row(record_property):
    """Record a number and check it: row(name, paper, ours, tolerance); `paper` may be (low, high)."""

    def check(name: str, paper, ours: float, tolerance: float = 0.0):
        low, high = paper if isinstance(paper, tuple) else (paper - tolerance, paper + tolerance)
        passed = bool(low <= ours <= high)
        said = f"{paper[0]:g} to {paper[1]:g}" if isinstance(paper, tuple) else f"{paper:g} ± {tolerance:g}"
        record_property(ROWS, f"{name:66} {said:>20} {ours:12.5g}   {'pass' if passed else 'FAIL'}")
        assert passed, f"{name}: expected {said}, got {ours}"

    return check


def pytest_terminal_summary(terminalreporter):
    reports = [report for kind in ("passed", "failed", "xfailed") for report in terminalreporter.stats.get(kind, [])]
    rows = [text for report in reports for name, text in getattr(report, "user_properties", []) if name == ROWS]
    if rows:
        terminalreporter.section("the paper's numbers")
        terminalreporter.write_line(f"{'':66} {'expected':>20} {'ours':>12}")
        for text in rows:
            terminalreporter.write_line(text)
    long = {item.name for item in terminalreporter.stats.get("deselected", []) if item.get_closest_marker("all")}
    if rows and long:
        terminalreporter.write_line(f"Not run, because they take minutes (-m all): {'; '.join(sorted(long))}")
