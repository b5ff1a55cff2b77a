"""Run the benchmark, print its results and judge them. Use `make bench` or `python benchmarks/bench.py`."""

import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from benchmarks import PARTS, SIZES, compare, exit_code, judge, measure, peer, report


def arguments(words: list[str] | None) -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the kit beside the paper's plain algorithm.")
    parser.add_argument("--profile", choices=sorted(SIZES), default="full", help="quick is for tests; no verdicts")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all figures to a file")
    parser.add_argument("--compare", type=pathlib.Path, metavar="FILE", help="print what changed since that file")
    parser.add_argument("--only", action="append", choices=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--pgmax", metavar="PYTHON", help="a Python that has PGMax, to be measured as well")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Run the benchmark. Returns 1 if a MUST is missed by more than noise, 2 if a line is void, and 0 otherwise."""
    options = arguments(words)
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # other processes need memory of the GPU as well
    earlier = json.loads(options.compare.read_text()) if options.compare else None
    results = measure(options.profile, tuple(options.only or ()), lambda text: print(f"... {text}", file=sys.stderr))
    if options.pgmax:
        results["pgmax"] = peer.measure(options.pgmax, options.profile, tuple(options.only or ()))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    print(report(results))
    if earlier is not None:
        print("\n" + compare(results, earlier))
    return exit_code(judge(results))


if __name__ == "__main__":
    sys.exit(main())
