"""Every tip of every picture says what was computed, and planted faults are found."""

import pytest
from explorers import EXPLORERS, SOME
from pages import PAGES
from pictures import PICTURES, make
from reading import disagreements, read

FAULTS = {
    "messages": {
        "a wrong index": ("messages[sweep * sent + k]", "messages[sweep * sent + (k ^ 1)]"),
        "a stale frame": ("beliefs[frame * count + k]", "beliefs[Math.max(0, frame - 1) * count + k]"),
        "a unit": ("`${num(value, digits)} nats`", "`${num(value, digits)} bits`"),
        "a sign": ("Math.abs(now(k) - neutral)", "now(k) - neutral"),
    },
    **{name: page.FAULTS for name, page in PAGES.items()},
}
"""Explorer -> words of its script, and others in their place."""


def test_the_registry_has_every_picture_that_the_page_draws():
    assert set(PICTURES) == set(EXPLORERS)


@pytest.fixture(scope="module", params=SOME)
def drawn(request):
    """An explorer and its row."""
    return make(request.param), PICTURES[request.param]


def test_every_tip_says_what_was_computed(drawn):
    explorer, row = drawn
    for setting in [{}, *row.settings]:
        explorer.restore(setting)
        for view in [{}, *({"frame": frame} for frame in row.frames)]:
            found = read(explorer, **view)
            assert not disagreements(found, row.expected(explorer.state, found.frame)), (setting, view)


def test_layers_have_the_names_of_the_class_and_every_mark_is_inside_a_narrow_picture(drawn):
    explorer, _ = drawn
    found = read(explorer, width=390)
    assert tuple(found.layers) == explorer.layer_names
    assert not found.outside


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_and_a_stale_state_are_found(name):
    explorer, row = make(name), PICTURES[name]
    stale, frame = explorer.picture.frame, max(row.frames, default=0)
    explorer.restore(row.settings[0])
    expected = row.expected(explorer.state, frame)
    assert not disagreements(read(explorer, frame=frame), expected)
    for words, fault in FAULTS[name].items():
        assert disagreements(read(explorer, fault, frame=frame), expected), words
    assert disagreements(read(explorer, sent=stale, frame=frame), expected)
