"""What cells show: running a cell again closes what its last run made."""

import IPython
import ipywidgets
import pytest
from drawn_toy import DrawnToy
from explorers import ring_images, wait_for
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.linked import equations, listings

CELLS = {
    "scope": "first, scope = explore.EnergyTable(), explore.MessageScope()",
    "others": (
        "chart = explore.PhaseMap(scope, 'coupling', 'damping', explore.phase_map.OUTCOME)\n"
        "linked = explore.Linked(equations.MESSAGE, listings.message, scope)\n"
        "asked = explore.Predict('messages', scope)"
    ),
}


def comms() -> int:
    """Return the number of open comms: each widget of ipywidgets has one."""
    base = ipywidgets.widgets.widget
    return len(base._instances if hasattr(base, "_instances") else base.Widget.widgets)


@pytest.fixture
def shell(monkeypatch):
    """An IPython in which `run(cell)` runs a cell, or a new text in the cell of that name."""
    ipywidgets.Widget.close_all()
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    shell.user_ns.update(
        explore=explore, equations=equations, listings=listings, images=ring_images(), DrawnToy=DrawnToy
    )

    def run(name: str, text: str | None = None):
        shell.get_parent = lambda: {"metadata": {"cellId": name}} if text else {}
        shell.run_cell(text or CELLS[name], store_history=True).raise_error()
        return shell.user_ns

    return run


def test_running_cells_again_leaves_no_comms(shell):
    counts = []
    for _ in range(3):
        for name in CELLS:
            names = shell(name)
        counts.append(comms())
    assert counts[0] == counts[1] == counts[2]
    assert not any(names[one].closed for one in ("first", "scope", "chart", "linked", "asked"))


def test_what_belongs_to_a_closed_explorer_says_so(shell):
    names = [shell(name) for name in CELLS][-1]
    ended = [names[one] for one in ("chart", "linked", "asked")]
    shell("scope")
    assert all("Run this cell again" in one.widget.children[-1].value and not one.closed for one in ended)
    shell("others")
    assert all(one.closed for one in ended)
    names["linked"].close()
    assert names["scope"].picture.comm is not None
    for one in ("chart", "asked", "first", "scope"):
        names[one].close()
    assert comms() == 0


def test_a_training_camera_that_plays_stops(shell):
    camera = shell("camera", "camera = explore.TrainingCamera(images, sweeps=5)")["camera"]
    camera.press("start")
    wait_for(lambda: camera.params["taken"])
    shell("camera", "camera = explore.TrainingCamera(images, sweeps=5)")
    camera.job.join()
    assert camera.params["step"] < 400
    failure_list.assert_no_failures()
