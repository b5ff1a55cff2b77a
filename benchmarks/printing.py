"""Format the tables of a run, and its changes since an earlier run."""

import numpy as np

from benchmarks.judging import judge, on_gpu, share_of_bandwidth
from benchmarks.verdicts import table
from pmp_kit.course.experiments.speed.scaling import exponent
from pmp_kit.course.experiments.speed.timing import ratio

ABSENT = "-"


def report(results: dict) -> str:
    """All tables of a run."""
    workloads = results["workloads"]
    parts = [_head(results), sweeps(workloads, on_gpu(results)), _once(workloads), _quality(workloads)]
    parts += [_pgmax(results.get("pgmax", {}))]
    parts += [_samplers(results.get("samplers", {})), _scaling(results.get("scaling", {}))]
    parts += [_flat(results.get("flat", {})), _tuning(results.get("tuning", {})), _rest(results)]
    verdicts = judge(results)
    if verdicts:
        parts.append(table(verdicts))
    elif results["profile"] != "full":
        parts.append("No verdicts: the quick profile is for tests, its figures mean nothing.")
    return "\n\n".join(part for part in parts if part)


def compare(results: dict, earlier: dict) -> str:
    """Milliseconds per sweep in both runs, and the ratios to the plain form, which do not depend on the machine's load.

    Raises: ValueError if the profiles differ.
    """
    if results["profile"] != earlier["profile"]:
        raise ValueError(
            f"compare: expected a run of the {results['profile']} profile, got one of {earlier['profile']}; "
            "give both the same --profile"
        )
    rows = [f"{'change since the earlier run':32s} {'then':>10s} {'now':>10s} {'change':>8s}"]
    for name, found in results["workloads"].items():
        old = earlier["workloads"].get(name, {"ms": {}})["ms"]
        for who in (who for who in found["ms"] if who in old):
            rows.append(_change(f"{name}: {who}, ms", np.median(old[who]), np.median(found["ms"][who])))
        if "plain" in old and "kit" in old:
            then, now = ratio(old["plain"], old["kit"]).value, ratio(found["ms"]["plain"], found["ms"]["kit"]).value
            rows.append(_change(f"{name}: plain / kit", then, now))
    for name, found in results.get("samplers", {}).items():
        if name in earlier.get("samplers", {}):
            then, now = np.median(earlier["samplers"][name]["ms"]), np.median(found["ms"])
            rows.append(_change(f"{name.strip()} on {found['workload']}, ms", then, now))
    return "\n".join(rows)


def _change(line: str, then, now) -> str:
    return f"{line:32s} {then:10.4g} {now:10.4g} {100 * (now / then - 1):+7.0f}%"


def _head(results: dict) -> str:
    facts = results["machine"]
    return (
        f"pmp_kit bench, {results['profile']} profile; {facts['cores']} cores, {facts['processor']}, "
        f"{facts['backend']}, jax {facts['jax']}, Python {facts['python']}"
    )


def sweeps(workloads: dict, with_share: bool) -> str:
    """The cost of a full sweep. The spread is half the interquartile range of the ratio to the kit.

    `with_share` adds the share of the memory bandwidth. On a CPU the messages are in the cache, and it has no meaning.
    """
    if not workloads:
        return ""
    rows = [
        f"{'one full sweep':16s} {'who':13s} {'ms':>9s} {'sweeps/s':>10s} {'ns/message':>11s} {'of copy':>8s} "
        f"{'/ kit':>8s} {'± noise':>8s} {'peak MB':>8s}" + f" {'bandwidth':>10s}" * with_share
    ]
    for name, found in workloads.items():
        for who, times in found["ms"].items():
            middle, to_kit = float(np.median(times)), ratio(times, found["ms"]["kit"])
            each = 1e6 * middle / found["messages"]
            peak = found["memory_MB"].get(who)
            share = f" {share_of_bandwidth(found, who).value:10.0%}" if with_share else ""
            rows.append(
                f"{name:16s} {who:13s} {middle:9.4g} {1e3 / middle:10.4g} {each:11.3g} "
                f"{each / found['copy_ns']:8.3g} {to_kit.value:8.3g} {to_kit.noise:8.2g} "
                f"{ABSENT if peak is None else format(peak, '.0f'):>8s}{share}"
            )
        rows.append(
            f"{'':16s} {found['messages']:,} directed messages; plain computes {found['entries']:,}, "
            f"{1e6 * np.median(found['ms']['plain']) / found['entries']:.2g} ns each; copying 8 bytes takes "
            f"{found['copy_ns']:.2g} ns; load {_load(found['load'])}"
        )
    return "\n".join(rows)


def _load(values: list) -> str:
    return " to ".join(ABSENT if value is None else f"{value:.1f}" for value in values)


def _once(workloads: dict) -> str:
    """Costs that occur once."""
    if not workloads:
        return ""
    rows = [
        f"{'seconds, once':16s} {'first sample, cold':>19s} {'warm cache':>11s}   another number of sweeps, "
        "above its second time"
    ]
    for name, found in workloads.items():
        cold, warm = (np.median(found["first_s"][cache]) for cache in ("cold", "warm"))
        again = ", ".join(f"{who} {seconds:.2g}" for who, seconds in found["new_count_s"].items())
        rows.append(f"{name:16s} {cold:19.2f} {warm:11.2f}   {again}")
    return "\n".join(rows)


def _quality(workloads: dict) -> str:
    """Time to quality."""
    if not workloads:
        return ""
    rows = [
        f"{'time to quality':16s} {'setting':9s} {'target':>9s} {'sweeps, paper / it':>19s} {'paper / it':>11s} "
        f"{'sweeps alone':>13s}"
    ]
    for name, found in workloads.items():
        for setting, race in found["quality"]["races"].items():
            head = f"{name:16s} {setting:9s} {race['target']:9.5g}"
            if race["sweeps"][setting] is None:
                rows.append(f"{head}   not reached; best {max(found['quality']['quality'][setting]):.5g}")
                continue
            never = race["sweeps"]["paper"] is None
            paper = "never" if never else race["sweeps"]["paper"]
            gain = ratio(race["seconds"]["paper"], race["seconds"][setting]).value
            alone = sweeps_alone(race, setting)
            rows.append(
                f"{head} {f'{paper} / ' + str(race['sweeps'][setting]):>19s} {'>' * never + f'{gain:.3g}':>11s} "
                f"{'>' * never + f'{alone:.3g}':>13s}"
            )
    return "\n".join(rows)


def sweeps_alone(race: dict, setting: str) -> float:
    """The paper's time divided by a setting's, both minus the time without sweeps. It is NaN if one is not positive."""
    paper, its = (np.median(race["seconds"][who]) - np.median(race["unswept"][who]) for who in ("paper", setting))
    return float(paper / its) if min(paper, its) > 0 else float("nan")


def _pgmax(workloads: dict) -> str:
    """PGMax and the kit on the same number of chains."""
    if not workloads:
        return ""
    rows = [
        f"{'PGMax':12s} {'chains':>6s} {'ms a sweep':>11s} {'kit, ms':>9s} {'PGMax / kit':>12s} {'graph s':>8s} "
        f"{'first s':>8s} {'new count s':>12s} {'same states':>12s}"
    ]
    for name, found in workloads.items():
        if "skipped" in found:
            rows.append(f"{name:12s} skipped: {found['skipped']}")
            continue
        middle, kit = float(np.median(found["ms"])), float(np.median(found["kit_ms"]))
        rows.append(
            f"{name:12s} {found['chains']:6d} {middle:11.4g} {kit:9.4g} {middle / kit:12.3g} "
            f"{found['building_s']:8.2f} {found['first_s']:8.2f} {found['new_count_s']:12.2f} {found['same']:12.1%}"
        )
    return "\n".join(rows)


def _samplers(samplers: dict) -> str:
    if not samplers:
        return ""
    rows = [f"{'sampler':26s} {'workload':12s} {'ms a sweep':>11s} {'sweeps/s':>9s} {'first call s':>13s}"]
    for name, found in samplers.items():
        middle = float(np.median(found["ms"]))
        rows.append(f"{name:26s} {found['workload']:12s} {middle:11.4g} {1e3 / middle:9.4g} {found['first_s']:13.2f}")
    return "\n".join(rows)


def _scaling(scaling: dict) -> str:
    if not scaling:
        return ""
    rows = ["cost of a sweep against size (ms; exponent of the best power)"]
    for name, curve in scaling.items():
        costs = zip(curve["size"], curve["ms"], strict=True)
        points = ", ".join(f"{size}: {np.nanmedian(times):.3g}" for size, times in costs)
        rows.append(f"{name:10s} on {curve['workload']:14s} exponent {exponent(curve):5.2f}   {points}")
    return "\n".join(rows)


def _flat(graphs: dict) -> str:
    """The cost of a message from small to large models."""
    if not graphs:
        return ""
    rows = [f"{'20 chains':14s} {'edges':>10s} {'ms a sweep':>11s} {'ns/message':>11s} {'copy, ns':>9s}"]
    for name, sizes in graphs.items():
        for row in sizes:
            middle, copy = float(np.median(row["ms"])), float(np.median(row["copy_ns"]))
            each = 1e6 * middle / row["messages"]
            rows.append(f"{name:14s} {row['edges']:10,} {middle:11.4g} {each:11.3g} {copy:9.3g}")
    return "\n".join(rows)


def _tuning(problems: dict) -> str:
    """The settings that `tune` chose, and the times to the same quality."""
    if not problems:
        return ""
    rows = [f"{'tune':18s} {'samples':>7s} {'sweeps':>6s} {'ms':>8s} {'defaults, ms':>12s} {'best, ms':>9s}  chosen"]
    for name, found in problems.items():
        times = {who: 1e3 * float(np.median(seconds)) for who, seconds in found["seconds"].items()}
        rows.append(
            f"{name:18s} {found['samples']:7d} {found['sweeps']['tuned']:6d} {times['tuned']:8.3g} "
            f"{times['defaults']:12.3g} {times['best']:9.3g}  {found['chosen']}"
        )
    return "\n".join(rows)


def _rest(results: dict) -> str:
    rows = []
    if "exact_maps" in results:
        shares = ", ".join(f"{setting} {np.mean(hits):.0%}" for setting, hits in results["exact_maps"].items())
        rows.append(f"exact MAPs of dense random models at equal message updates: {shares}")
    if "calls" in results:
        calls = ", ".join(f"{verb} {np.median(times):.2f}" for verb, times in results["calls"].items())
        rows.append(f"a call on a 5 x 5 lattice with 8 samples and 10 sweeps, ms: {calls}")
    if "building_s" in results:
        times = ", ".join(f"{seconds:.2f}" for seconds in results["building_s"])
        rows.append(
            f"building a graph of edges, s: {times}; compilations when numbers change: {results['recompilations']}"
        )
    return "\n".join(rows)
