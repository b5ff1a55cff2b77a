"""Tables of text: a page does not break their lines."""

from pmp_kit.course import plot


def test_a_listing_is_its_text_and_its_lines_do_not_break():
    listing = plot.Listing("sd    1 < 10\nPMP   5.5 ± 0.5")
    assert listing.splitlines() == ["sd    1 < 10", "PMP   5.5 ± 0.5"]
    shown = listing._repr_mimebundle_()
    assert shown["text/plain"] == "sd    1 < 10\nPMP   5.5 ± 0.5"
    assert "white-space: pre;" in shown["text/html"]
    assert "sd    1 &lt; 10\nPMP   5.5 ± 0.5</pre>" in shown["text/html"]
