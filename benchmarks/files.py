"""Try the kit on model files of other people: `python benchmarks/files.py FOLDER [--budget SECONDS] [--only NAME ...]`.

FOLDER has .uai files, each with an .evid file for its evidence and a .MAR file with exact marginals if there are such,
edge lists (.txt) whose maximum cut is wanted, and answers.json: file -> {"best_score", "log_partition"}. For each file
a new process is started, so the first calls compile. The table has one row for each file:

- `solve` and `portfolio`: seconds of the first and of the second call of pk.solve, by default and with four members,
  in brackets those of the processor;
- `budget`: the score of pk.solve(model, budget=), its distance from the best score, the seconds, and what found it;
- `log Z`: the difference of pk.exact.log_partition from the answer, and its seconds; `Bethe`: that of SumProduct;
- `marginal`: the largest error of the marginals of SumProduct, and of pk.exact.marginals;
- `MB_of_portfolio`, `MB`: the peak memory of the process after the portfolio, and at the end.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import jax
import numpy as np

import pmp_kit as pk


def read(path: Path):
    """Return the model of a file, and its evidence by block."""
    if path.suffix == ".uai":
        evidence = path.with_name(f"{path.name}.evid")
        model = pk.convert.read_uai(path, evidence if evidence.exists() else None)
    elif path.suffix == ".txt":
        model = pk.convert.read_edge_list(path)
    else:
        from pgmpy.readwrite import BIFReader  # only for .bif

        model = pk.convert.from_pgmpy(BIFReader(str(path)).get_model())
    return model, model.evidence()


def twice(call):
    """Return the seconds of two calls, those of the processor in brackets, and the result of the second."""
    seconds = []
    for _ in range(2):
        begin, processor = time.perf_counter(), time.process_time()
        found = call()
        seconds.append(f"{time.perf_counter() - begin:.2f} ({time.process_time() - processor:.2f})")
    return seconds, found


def exact_marginals(path: Path) -> list[np.ndarray] | None:
    """Return the marginals of a .MAR file, one array for each variable; None without the file."""
    file = path.with_name(f"{path.name}.MAR")
    if not file.exists():
        return None
    words = file.read_text().split()[1:]
    place, found = 1 if words[0] == "1" and len(words) > 1 else 0, []
    count, place = int(words[place]), place + 1
    for _ in range(count):
        size = int(words[place])
        found.append(np.array(words[place + 1 : place + 1 + size], float))
        place += 1 + size
    return found


def worst(model, marginals, wanted: list[np.ndarray]) -> float:
    """Return the largest error of marginals by block."""
    rows = [row for of_block in marginals.values() for row in np.asarray(of_block).reshape(-1, of_block.shape[-1])]
    pairs = ((rows[i], want) for i, want in zip(np.asarray(model.ids).tolist(), wanted, strict=True) if i >= 0)
    return max(float(np.abs(got[: len(want)] - want).max()) for got, want in pairs)


def measured(path: Path, budget: float, answer: dict) -> dict:
    """Return the numbers of one file."""
    begin = time.perf_counter()
    model, evidence = read(path)
    row = {"read": round(time.perf_counter() - begin, 2), "variables": len(model.names)}
    row["solve"], _ = twice(lambda: pk.solve(model, evidence=evidence))
    members = [pk.MaxProduct(schedule=pk.RandomMask(key)) for key in jax.random.split(jax.random.key(0), 4)]
    row["portfolio"], _ = twice(lambda: pk.solve(model, pk.Portfolio(*members), evidence=evidence))
    row["MB_of_portfolio"] = megabytes()
    seconds, found = twice(lambda: pk.solve(model, evidence=evidence, budget=budget))
    score = float(found.score) + model.constant
    row["budget"] = {"seconds": seconds[0], "score": score, "by": found.found_by, "proved": bool(found.proved)}
    if "best_score" in answer:
        row["budget"]["below_best"] = answer["best_score"] - score
    if path.suffix == ".txt":
        row["budget"]["cut"] = -float(model.energy(found.states))
    begin = time.perf_counter()
    try:
        log_z = float(pk.exact.log_partition(model, evidence)) + model.constant
        row["log_z"] = {
            "seconds": round(time.perf_counter() - begin, 2),
            "error": log_z - (answer.get("log_partition") or np.nan),
        }
    except ValueError as error:
        row["log_z"] = {"refused": str(error)[:60]}
    smooth = pk.solve(model, pk.SumProduct(), evidence=evidence)
    if smooth.log_partition is not None and answer.get("log_partition") is not None:
        row["bethe_error"] = float(smooth.log_partition) + model.constant - answer["log_partition"]
    if (wanted := exact_marginals(path)) is not None:
        row["marginal_error"] = worst(model, smooth.marginals, wanted)
        row["exact_marginal_error"] = worst(model, pk.exact.marginals(model, evidence), wanted)
    row["MB"] = megabytes()
    return row


def megabytes() -> int:
    """Return the peak memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Measure all files, each in a process of its own, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=float, default=10.0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    file = options.folder / "answers.json"
    answers = json.loads(file.read_text()) if file.exists() else {}
    if options.one:
        path = options.folder / options.one
        print(json.dumps(measured(path, options.budget, answers.get(path.name, {}))))
        return
    paths = sorted(path for path in options.folder.iterdir() if path.suffix in (".uai", ".txt", ".bif"))
    for path in paths:
        if options.only and path.name not in options.only:
            continue
        command = [sys.executable, __file__, str(options.folder), "--budget", str(options.budget), "--one", path.name]
        done = subprocess.run(command, capture_output=True, text=True)
        print(f"{path.name:24} {done.stdout.strip() or done.stderr.strip().splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    main()
