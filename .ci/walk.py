"""The walk of one cold sample: which functions of the library a first call of `pk.sample` enters, file by file.

    make walk

A reader of the method meets these functions. The numbers say how much stands between `pk.sample` and the message
equation. Functions that run while modules are imported, and comprehensions and lambdas, are not counted.
"""

import pathlib
import sys
import threading

import jax

import pmp_kit as pk

LIBRARY = pathlib.Path(pk.__file__).parent


def walk() -> dict[str, list[str]]:
    """Return the functions entered by one call of `sample` on a lattice, by file, in the order of their first call."""
    entered: dict[str, dict[str, None]] = {}

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(LIBRARY)) and "<" not in code.co_name:
            file = str(pathlib.Path(code.co_filename).relative_to(LIBRARY))
            entered.setdefault(file, {}).setdefault(code.co_qualname)

    model = pk.ising_lattice(5)
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        pk.sample(jax.random.key(0), model, pk.PMP(), num_samples=10, num_sweeps=20)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {file: list(names) for file, names in entered.items()}


def main() -> None:
    """Print the walk and its size."""
    entered, lines = walk(), 0
    for file, names in entered.items():
        length = len((LIBRARY / file).read_text().splitlines())
        lines += length
        print(f"{file} ({length} lines)")
        for name in names:
            print(f"    {name}")
    print(f"{sum(map(len, entered.values()))} functions in {len(entered)} files of {lines:,} lines")


if __name__ == "__main__":
    main()
