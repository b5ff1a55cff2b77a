"""Drive an explorer whose picture the page draws through the values of its controls, as a reader would."""

import inspect


def exercise(explorer) -> int:
    """Set every control to a few values and back, paint where one can, and reset; return the number of settings tried.

    Raises: AssertionError if something failed.
    """
    import numpy as np

    from pmp_kit.course.explore import failure_list
    from pmp_kit.course.explore.drive import settings

    before, kept = len(failure_list.failures()), dict(explorer.params)
    tried = sum(1 for name, control in explorer.controls.items() for _ in settings(name, control))
    painted = explorer.picture.painted
    for value in () if painted is None else (0, 1, 2):
        stroke = np.frombuffer(painted, np.uint8).copy()
        stroke[: len(stroke) // 3] = value
        explorer.picture.set_state({"painted": memoryview(stroke.tobytes())})
        tried += 1
    explorer.picture._handle_custom_msg({"ask": "reset"}, [])
    explorer.picture._handle_custom_msg({"ask": "code"}, [])
    explorer.restore(kept)
    failure_list.assert_no_failures(before, f"while exercising {type(explorer).__name__}")
    return tried + 1


SOURCE = f"{inspect.getsource(exercise)}\n"
