"""The signs of the legends: each is drawn, has one meaning, and is used by an explorer."""

import re
import xml.etree.ElementTree as ET

import pytest
from explorers import PAINTED

from pmp_kit.course import plot
from pmp_kit.course.explore.legend import legend
from pmp_kit.course.plot.signs import SIGNS, sign, svg

USED = {name for row in PAINTED.values() for name in row.kind.signs}


def test_every_sign_is_used_and_every_explorer_has_signs():
    assert all(row.kind.signs for row in PAINTED.values())
    assert set(SIGNS) <= USED


@pytest.mark.parametrize("name", [*SIGNS, *plot.METHODS])
def test_a_sign_is_a_drawing_and_a_sentence(name):
    drawn = sign(name)
    root = ET.fromstring(svg(drawn))
    assert len(root) > 0
    assert re.fullmatch(r"[A-Z].*\.", drawn.words)


def test_no_two_signs_are_drawn_alike():
    drawings = [sign(name).drawing for name in {*SIGNS, *plot.METHODS}]
    assert len(set(drawings)) == len(drawings)
    assert len({sign(name).words for name in SIGNS}) == len(SIGNS)


def test_an_unknown_sign_says_so():
    with pytest.raises(ValueError, match=r"name: expected one of belief, .*, got 'halo'"):
        sign("halo")


def test_a_legend_is_folded_and_lists_the_signs_in_their_order():
    page = legend(("noise", "PMP"))
    assert page.startswith("<details class=")
    assert "open" not in page.partition(">")[0]
    assert page.index(SIGNS["noise"].words) < page.index("Colour and mark of PMP.")
    assert legend(()) == ""
