"""Run the paper's experiments and print the scorecard: `make reproduce`.

Each experiment is a page of notebooks/paper that is executed non-interactively. The page has a title and a cell with
the tag `parameters` that sets `profile`, and it shows its results with `record`. The folder build/reproduce has the
output: the executed notebook, a JSON record, and a ledger of finished pieces from which an interrupted run is resumed.
To add an experiment, add a row to `EXPERIMENTS`.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import warnings

from . import EXPERIMENTS, ledger, scorecard
from .parameters import PROFILES
from .results import MIME, Disagreement
from .watch import Watch

ROOT = pathlib.Path(__file__).parents[3]


class Places:
    """The paths of the files of a project.

    Args:
        root: the folder with notebooks/, docs/ and build/.
    """

    def __init__(self, root: pathlib.Path = ROOT):
        self.root, self.folder = root, root / "build" / "reproduce"
        self.card = root / "docs" / "scorecard.md"

    def notebook(self, experiment: str) -> pathlib.Path:
        """Return the page of an experiment. Raises: FileNotFoundError."""
        path = self.root / "notebooks" / "paper" / f"{EXPERIMENTS[experiment].notebook}.ipynb"
        if not path.exists():
            raise FileNotFoundError(f"there is no {path.name} in {path.parent}")
        return path

    def ledger(self, experiment: str, profile: str) -> pathlib.Path:
        return self.folder / "ledger" / f"{experiment}-{profile}"

    def file(self, experiment: str, profile: str, ending: str, seed: int | None = None) -> pathlib.Path:
        own = "" if seed is None else f"-seed{seed}"
        return self.folder / f"{experiment}-{profile}{own}.{ending}"

    def document(self) -> str:
        """Return the text of the scorecard, or "" if there is none yet."""
        return self.card.read_text(encoding="utf-8") if self.card.exists() else ""


def run(places: Places, experiment: str, profile: str, seed: int | None = None) -> dict:
    """Run the notebook of an experiment, write its record to build/reproduce, and return it.

    Finished pieces stay in the ledger after an error. The seed None is that of the notebook.

    Raises: papermill's PapermillExecutionError if a cell fails; KeyboardInterrupt.
    """
    source, shelf = places.notebook(experiment), places.ledger(experiment, profile)
    executed = places.file(experiment, profile, "ipynb", seed)
    shelf.mkdir(parents=True, exist_ok=True)
    kept = len(list(shelf.glob("*.npz")))
    print(f"==> {experiment}, {profile} profile: {source.relative_to(places.root)}", flush=True)
    if kept:
        print(f"    finished pieces from earlier runs: {kept}; those with the same settings are reused")
    expected = expected_seconds(places, experiment, profile)
    with Watch(experiment, shelf / ledger.LOG, executed, expected):
        execute(source, executed, {"profile": profile} | ({} if seed is None else {"seed": seed}), shelf)
    record = summary(json.loads(executed.read_text(encoding="utf-8")), shelf / ledger.LOG)
    about = {"experiment": experiment, "profile": profile, "seed": seed, "notebook": source.name}
    record = about | {"machine": machine()} | record
    if hasattr(os, "getloadavg"):
        record["load"] = os.getloadavg()[0]  # runnable processes, averaged over the last minute
    path = places.file(experiment, profile, "json", seed)
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"==> the numbers are in {path.relative_to(places.root)}, the page with its figures in {executed.name}")
    return record


def execute(source: pathlib.Path, executed: pathlib.Path, parameters: dict, shelf: pathlib.Path) -> None:
    """Run a notebook with these parameters in a kernel of this Python. Its ledger is the folder `shelf`.

    Numbers that do not agree, which the last cell raises, are no error here: `main` reports them.
    """
    os.environ |= {ledger.FOLDER: str(shelf), "PMP_KIT_PROGRESS": "0", "JUPYTER_PLATFORM_DIRS": "1"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # papermill warns about its own libraries
        import papermill

        try:
            papermill.execute_notebook(
                str(source), str(executed), parameters, kernel_name="python3", progress_bar=False,
                cwd=str(source.parent),
            )  # fmt: skip
        except papermill.PapermillExecutionError as error:
            if error.ename != Disagreement.__name__:
                raise


def expected_seconds(places: Places, experiment: str, profile: str) -> float | None:
    """Return the seconds of an earlier run on this machine, else those in the scorecard, else None."""
    earlier = places.file(experiment, profile, "json")
    if earlier.exists():
        return json.loads(earlier.read_text(encoding="utf-8"))["seconds"]
    return scorecard.seconds(places.document(), experiment, profile)


def summary(notebook: dict, log: pathlib.Path) -> dict:
    """Return the results, times and title of an executed notebook."""
    facts = notebook["metadata"]["papermill"]
    start, end = (datetime.datetime.fromisoformat(facts[key]) for key in ("start_time", "end_time"))
    events = ledger.events(log)
    results, seconds = [], 0.0
    for cell in notebook["cells"]:
        times = cell["metadata"].get("papermill", {})
        if cell["cell_type"] != "code" or not times.get("start_time"):
            continue
        first, last = (datetime.datetime.fromisoformat(times[key]) for key in ("start_time", "end_time"))
        seconds += (last - first).total_seconds() + kept_seconds(events, first, last)
        found = [output["data"][MIME] for output in cell["outputs"] if MIME in output.get("data", {})]
        results += [result | {"seconds": seconds} for result in found]
        seconds = 0.0 if found else seconds
    kept = kept_seconds(events, start, end)
    title = next(
        line for cell in notebook["cells"] for line in "".join(cell["source"]).splitlines() if line[:2] == "# "
    )
    return {
        "title": title.split(" · ")[-1],
        "date": end.date().isoformat(),
        "seconds": (end - start).total_seconds() + kept,
        "kept": kept,
        "results": results,
    }


def kept_seconds(events: list[dict], start: datetime.datetime, end: datetime.datetime) -> float:
    """Return the original run time of the pieces that were read from the ledger between two times."""
    return sum(e["seconds"] for e in events if e["kept"] and start.timestamp() <= e["time"] <= end.timestamp())


def machine() -> dict:
    """Return the facts about this machine. A subprocess reads them, so this process does not occupy the GPU."""
    code = "import json; from pmp_kit.course.experiments.speed.timing import machine; print(json.dumps(machine()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def arguments(words: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="reproduce", description="Run the paper's experiments; print the scorecard.")
    parser.add_argument("--experiment", action="append", choices=list(EXPERIMENTS), help="by its section; default: all")
    parser.add_argument("--profile", choices=PROFILES, default="quick", help="paper: the paper's sizes; may take hours")
    parser.add_argument("--seed", type=int, help="another seed than that of the page, with results in files of its own")
    parser.add_argument("--write", action="store_true", help="put what ran into docs/scorecard.md")
    parser.add_argument("--fresh", action="store_true", help="forget the finished pieces of earlier runs first")
    options = parser.parse_args(words)
    if options.write and options.seed is not None:
        parser.error("--write: expected no --seed, because the scorecard has the seeds of the pages")
    return options


def main(words: list[str] | None = None, places: Places | None = None) -> int:
    """Run the experiments and print the scorecard.

    Returns: 0 if all runs succeeded and all verdicts agree, 130 after an interruption, else 1.
    """
    options, places = arguments(words), places or Places()
    runs, failed = [], []
    for experiment in options.experiment or EXPERIMENTS:
        if options.fresh:
            shutil.rmtree(places.ledger(experiment, options.profile), ignore_errors=True)
        start = time.monotonic()
        try:
            runs.append(run(places, experiment, options.profile, options.seed))
        except KeyboardInterrupt:
            seconds = time.monotonic() - start
            print(f"\n==> interrupted after {seconds:.0f} s; run the same command to continue")
            return 130
        except Exception as error:  # a cell failed; the other experiments still run, and the exit status is 1
            failed.append(f"{experiment}: {type(error).__name__}: {error}")
    print("\n" + "\n".join(scorecard.section(run) for run in runs))
    if options.write and runs:
        text, left_out = scorecard.merged(places.document(), runs, list(EXPERIMENTS))
        places.card.write_text(text, encoding="utf-8", newline="\n")
        print("\n".join([*left_out, f"==> written: {places.card.relative_to(places.root)}"]))
    disagree = [
        f"{run['experiment']}: {r['name']}" for run in runs for r in run["results"] if not r.get("agrees", True)
    ]
    print("\n".join([f"==> does not agree: {text}" for text in disagree] + [f"==> failed: {text}" for text in failed]))
    return 1 if failed or disagree else 0


if __name__ == "__main__":
    sys.exit(main())
