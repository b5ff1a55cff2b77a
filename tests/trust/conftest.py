"""Print the table of `make trust` at the end of the run, and fail if a row has too few answered cases."""

import re
from collections import Counter
from pathlib import Path

import pytest

from trust.tally import GROWTH, LEAST, TALLY, too_few_answers, without_cases


def missing(config) -> list[str]:
    """Return the rows without cases, if all tests of this folder were run."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    asked = [Path(config.invocation_params.dir, name).resolve() for name in config.args]
    if not (TALLY and reporter) or asked != [Path(__file__).parent]:
        return []
    if reporter.stats.get("deselected") or config.getoption("lf", False):
        return []
    return without_cases(TALLY, [report.nodeid for report in reporter.stats.get("skipped", [])])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if (too_few_answers(TALLY) or missing(session.config)) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    if not TALLY:
        return
    failed = Counter(
        kind for report in terminalreporter.stats.get("failed", []) for kind in re.findall(r"test_(\w+)", report.nodeid)
    )
    terminalreporter.section("trust")
    terminalreporter.write_line(
        f"{'kind':36}{'cases':>8}{'answered':>10}{'refused':>10}{'share':>8}{'least':>8}{'failures':>10}"
    )
    for kind, counts in TALLY.items():
        total = max(sum(counts.values()), 1)
        cells = f"{total:8}{counts['answered']:10}{counts['refused']:10}"
        shares = f"{counts['answered'] / total:8.2f}{LEAST[kind]:8.2f}"
        terminalreporter.write_line(f"{kind.replace('_', ' '):36}{cells}{shares}{failed[kind]:10}")
    for name, growth in GROWTH.items():
        terminalreporter.write_line(f"{'soak, ' + name:36}{growth:+8.1f} MB")
    for kind in too_few_answers(TALLY):
        terminalreporter.write_line(f"FAILED: {kind}: a smaller share of cases was answered than its least share")
    for kind in missing(terminalreporter.config):
        terminalreporter.write_line(f"FAILED: {kind}: none of its cases was run")
