"""Page 16: the models and samplers that it times, how `timing` times them, and predicted times.

The test benchmark uses the same models.
"""


def message_times(profile: str) -> tuple[dict[str, float], float, int]:
    """Measure the time of one message in each model, and the time to copy one message.

    Args:
        profile: "quick" or "paper", which takes longer and repeats more.

    Returns: name of a model -> nanoseconds per message, NaN if no round gave a reliable time; the nanoseconds to copy
    the 4 bytes of a message; the number of messages of all models.
    """
    import numpy as np

    from . import scaling, timing, workloads

    rounds, seconds, _ = workloads.EFFORT[{"quick": "quick", "paper": "full"}[profile]]
    copy = timing.copy_8_bytes(timing.COPY_BYTES // {"quick": 4, "paper": 1}[profile]) / 2
    nanoseconds, messages = {}, 0
    for name in workloads.BUILDERS:
        work = workloads.build(name, "full")
        (times,) = timing.sweep_times({name: scaling.runner(work)}, rounds, seconds).values()
        reliable = [time for time in times if np.isfinite(time)]
        nanoseconds[name] = 1e6 * float(np.median(reliable)) / work.messages if reliable else float("nan")
        messages += work.messages
    return nanoseconds, copy, messages
