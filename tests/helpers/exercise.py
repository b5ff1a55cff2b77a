"""Use what a cell shows as a reader would: pictures that the page draws, phase maps, predictions and equations."""

import inspect


def exercise(shown) -> int:
    """Drive what a cell shows through its values, and return the number of settings tried.

    Raises: AssertionError if something failed.
    """
    from pmp_kit.course.explore import Linked, PhaseMap, Predict, failure_list

    before = len(failure_list.failures())
    drives = ((Predict, of_prediction), (PhaseMap, of_map), (Linked, of_equation))
    tried = next((drive for kind, drive in drives if isinstance(shown, kind)), of_explorer)(shown)
    failure_list.assert_no_failures(before, f"while exercising {type(shown).__name__}")
    return tried


def of_explorer(explorer) -> int:
    """Set every control to a few values and back, paint where one can, and reset."""
    import numpy as np

    from pmp_kit.course.explore.drive import settings

    kept = dict(explorer.params)
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
    return tried + 1


def of_map(chart) -> int:
    """Compute a few cells, and load two of them; the explorer is then as it was."""
    explorer, kept = chart.explorer, dict(chart.explorer.params)
    locked = [control for control in explorer.controls.values() if control.disabled]
    for control in locked:
        control.disabled = False
    for _ in range(2):
        chart._step()
    tried = chart.work.done
    for row, column in ((0, 0), (len(chart.y.stops) - 1, len(chart.x.stops) - 1)):
        chart.picture._handle_custom_msg({"load": [row, column]}, [])
    explorer.restore(kept)
    for control in locked:
        control.disabled = True
    return tried + 2


def of_prediction(asked) -> int:
    """Choose every option and press every button; all is then as it was."""
    from pmp_kit.course.explore import predict

    explorer, kept, guess, shown = asked._explorer, asked._explorer.params, asked.guess, asked.form.shown
    buttons = [{"show": True}, {"react": "yes"}, {"react": "no"}]
    tried = [message for k in range(len(asked.options)) for message in [{"choose": k}, *buttons]]
    for message in tried:
        asked.form._handle_custom_msg(message, [])
    explorer.restore(kept)
    asked.guess, asked.form.shown = guess, shown
    explorer.controls[asked.question.locked].disabled = shown["stage"] != predict.SHOWN
    return len(tried)


def of_equation(linked) -> int:
    """Light up the part of the picture that each term stands for."""
    parts = [term.lights for term in linked.equation.terms.values()]
    for part in [*parts, ""]:
        linked.view.set_state({"lit": part})
    return len(parts)


SOURCE = "\n\n".join(map(inspect.getsource, (exercise, of_explorer, of_map, of_prediction, of_equation)))
"""The code of this file for a cell of a notebook."""
