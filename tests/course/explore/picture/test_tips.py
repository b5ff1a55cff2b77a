"""Every tip of every picture says what was computed, and planted faults are found."""

import pytest
from explorers import EXPLORERS
from pictures import PICTURES, make
from reading import disagreements, read

FAULTS = [(name, fault) for name, row in PICTURES.items() for fault in row.faults]


def test_the_registry_has_every_picture_that_the_page_draws():
    assert set(PICTURES) == set(EXPLORERS)


@pytest.fixture(scope="module", params=PICTURES)
def drawn(request):
    """An explorer and its row."""
    return make(request.param), PICTURES[request.param]


def test_every_tip_says_what_was_computed(drawn):
    explorer, row = drawn
    assert len(row.settings) >= 2
    for setting in [{}, *row.settings]:
        explorer.restore(setting)
        for view in [{}, *({"frame": frame} for frame in row.frames)]:
            found = read(explorer, **view)
            assert not disagreements(found, row.expected(explorer.state, found.frame)), (setting, view)


def compared(name: str, sent: bytes | None = None, fault: tuple[str, str] | None = None) -> list[str]:
    """The disagreements at the first setting of a row, with a fault in the script or the bytes of another state."""
    explorer, row = make(name), PICTURES[name]
    explorer.restore(row.settings[0])
    found = read(explorer, fault, sent, frame=max(row.frames, default=0))
    return disagreements(found, row.expected(explorer.state, found.frame))


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_planted_faults_are_found(name, fault):
    assert compared(name, fault=PICTURES[name].faults[fault])


@pytest.mark.parametrize("name", PICTURES)
def test_a_stale_state_is_found(name):
    assert not compared(name)
    assert compared(name, sent=make(name).picture.frame)


def test_layers_have_the_names_of_the_class(drawn):
    explorer, _ = drawn
    assert tuple(read(explorer).layers) == explorer.layer_names


@pytest.mark.parametrize("width", [390, 700, 1000])
def test_every_mark_is_inside_the_picture(drawn, width):
    explorer, _ = drawn
    assert not read(explorer, width=width).outside
