"""The scorecard: the paper's numbers next to ours, one section per experiment. It is written to docs/scorecard.md.

A new experiment is added to `EXPERIMENTS` in `__init__.py` of this folder.
"""

import re

HEAD = """# Scorecard

This page compares the numbers of the paper's experiments with ours. `make reproduce EXP=5.1 PROFILE=paper` runs one
experiment again and prints its section, and `OPTIONS=--write` also writes the section to this page. How to run it with
other settings is in the [questions](faq.md#an-experiment-with-other-settings). A section contains the results of one
run on one machine, except for rows that a sentence above its table names.

- **paper**: the paper's number. "Exact" marks the result of an exact calculation, and "at most" the largest acceptable
  value. The number after ± is the tolerance of the verdict. For log Z and exact MAPs it is three standard errors of the
  difference, so numbers with large errors agree easily. The limits of (a) in 5.6 are the results of the authors' code.
  The other tolerances and limits are our choice. For the random models of 5.2 the paper has a picture and no numbers,
  so the column has a run of the authors' code, or an independent run
  ([page 5.2](../notebooks/paper/5_2_programs.ipynb) says which).
- **ours**: the number after ± is a standard error over seeds. On the lattices of 5.2 it is over perturbations. In the
  rows "dual less exact MAP" of 5.2, and in a run of 5.2 with fewer than three seeds, it is over models.
- **verdict**: whether our number is within the tolerance. Without a tolerance or a limit there is no verdict.
- **size**: the size of the run. Most runs are smaller than the paper's: compare it with the table "What runs here" of
  the page.
- **seconds**: the time of the cell that recorded the number, and of the cells before it that recorded none. All numbers
  of a cell have the same seconds.

Some names of numbers: "sd from held-out images" and "sd from new data", scale 10, are MMD² with a kernel of scale 10,
in standard deviations of a perfect sampler ([page 07](../notebooks/07_judging_samples.ipynb)). "Log MMD²" has scale 1
and counts each image also with itself, as in the paper. In 5.4 and in the rows "8 x 8" of 5.5 it is against data held
out, elsewhere against the images of learning, as in the paper. "Lean" is the largest distance of a marginal from one
half. "Erdos-Renyi" is the random graph, and MAP the configuration with the highest score. The page of a section
explains its other names.

## Where the results differ from the paper

These are the largest differences. The pages of the paper's shelf (`notebooks/paper`) describe all of them.

- **Time.** On the lattice of [5.4](../notebooks/paper/5_4_graphs.ipynb), the paper's Gibbs takes 150 times as long as
  PMP and its Gibbs-with-gradients 800 times, on a GPU, perhaps with 3.2 times too many updates. Here Gibbs is faster
  than PMP, and Gibbs-with-gradients a few times slower. In [5.2](../notebooks/paper/5_2_programs.ipynb), the paper
  compares MPLP in compiled Python on one thread with PMP in JAX. Here both are in JAX, and the ratio is much smaller.
  Times depend on the program and the machine, so they have no verdict.
- **Independent pixels** have no couplings, and yet they are better than all learned models in the paper's measure (the
  zeros of [5.3](../notebooks/paper/5_3_zeros.ipynb) and the 2s of [5.5](../notebooks/paper/5_5_rbm.ipynb)). With scale
  1 the kernel is nearly linear, so this measure sees little more than the mean of each pixel. With scale 10 it also
  sees couplings.
- **Zeros of 5.3.** Gibbs-with-gradients needs fewer sweeps than PMP. In the paper PMP is the best at every number.
- **Digits of 5.5.** Gibbs-reset with 100 sweeps and PCD-100 with 2,000 are at least as good as PMP with as many.
- **2s of 5.5.** On average over five seeds PMP is first, and the best block Gibbs is Gibbs-reset. In the paper, the
  linear program, which did not run here, is level with Gibbs-reset. PCD-100 is ahead of PCD-1, which the paper does not
  show. Our runs learn from fewer images, so there is no verdict.
- **Lattice of 5.4.** All learned models are further from new data than independent pixels. PMP has the smallest error
  of the couplings, as in the paper, but couplings of 0 are almost as good.
"""
COLUMNS = ("number", "method", "paper", "ours", "verdict", "size", "seconds")
ABOUT = re.compile(r"^Profile (?P<profile>\w+), .*?; (?P<seconds>\d+) s in all", re.MULTILINE)


def section(run: dict) -> str:
    """Return the section of one run in Markdown.

    Args:
        run: the JSON record of `reproduce`.
    """
    facts = run["machine"]
    device = facts["processor"] if facts["backend"] == "cpu" else facts["device"]
    kept = f", {run['kept']:.0f} s of it kept from before an interruption" if run["kept"] else ""
    load = (
        f", while other jobs were running (load {run['load']:.0f})" if run.get("load", 0) > facts["cores"] + 1 else ""
    )
    seed = "" if run.get("seed") is None else f"seed {run['seed']}, "
    about = (
        f"Profile {run['profile']}, {seed}{run['date']}, {device}, {facts['cores']} cores, jax {facts['jax']}, "
        f"Python {facts['python']}; {run['seconds']:.0f} s in all{kept}{load}."
    )
    table = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    table += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row(result)) + " |" for result in run["results"]]
    return f"## {run['experiment']} · {run['title']}\n\n{about}\n\n" + "\n".join(table) + "\n"


def row(result: dict) -> tuple[str, ...]:
    """Return the table cells of one result."""
    ours = f"{result['value']:.4g}" + (f" ± {result['error']:.2g}" if "error" in result else "")
    verdict = {True: "agrees", False: "does NOT agree", None: ""}[result.get("agrees")]
    size, method = result.get("size", ""), result.get("method", "")
    return result["name"], method, reference(result), ours, verdict, size, f"{result['seconds']:.1f}"


def reference(result: dict) -> str:
    """Return the reference value of a result as text, or "" if there is none."""
    if "source" not in result:
        return ""
    band = "" if result["tolerance"] is None else f" ± {result['tolerance']:.2g}"
    words = {"paper": "", "exact": "exact ", "at most": "at most "}[result["source"]]
    return f"{words}{result['reference']:.4g}{band}"


def sections(document: str) -> dict[str, str]:
    """Split a scorecard: experiment -> its section."""
    parts = [part.split(" · ", 1) for part in document.split("\n## ")[1:] if " · " in part.splitlines()[0]]
    return {name: f"## {name} · {rest.rstrip()}\n" for name, rest in parts}


def profile(text: str) -> str | None:
    """Return the profile of the run in a section, or None."""
    found = ABOUT.search(text)
    return found and found["profile"]


def seconds(document: str, experiment: str, wanted: str) -> float | None:
    """Return the seconds of an experiment in a profile, or None if the scorecard has no such run."""
    found = ABOUT.search(sections(document).get(experiment, ""))
    return float(found["seconds"]) if found and found["profile"] == wanted else None


def merged(document: str, runs: list[dict], experiments: list[str]) -> tuple[str, list[str]]:
    """Replace the sections of some runs in a scorecard, and keep all others.

    A quick run never replaces a run at the paper's sizes.

    Args:
        document: the current scorecard, or "".
        runs: JSON records.
        experiments: all experiments, in order.

    Returns: the new scorecard, and a sentence about each run that was not used.
    """
    kept, left_out = sections(document), []
    for run in runs:
        name = run["experiment"]
        if run["profile"] == "quick" and profile(kept.get(name, "")) == "paper":
            left_out.append(f"{name}: the scorecard has it at the paper's sizes; this quick run is left out")
        else:
            kept[name] = section(run)
    missing = [name for name in experiments if name not in kept]
    parts = [HEAD, *(kept[name] for name in experiments if name in kept)]
    parts += [f"## Not run\n\nSections {', '.join(missing)}.\n"] if missing else []
    return "\n".join(parts), left_out
