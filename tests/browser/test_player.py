"""The player's page draws the frames that it was sent: unpacked, one change after the other."""

import numpy as np
import pytest

from browser import lab
from pmp_kit.explore import export
from pmp_kit.explore.player import Clip

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(lab.CHROMIUM is None, reason="no Chromium found; apt-get install chromium"),
]
DRAWN = """() => {
    const canvas = document.querySelector('canvas');
    return Array.from(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data);
}"""


@pytest.mark.parametrize(("frames", "height", "width", "palettes"), [(5, 8, 12, 1), (4, 3, 5, 4), (1, 6, 7, 3)])
def test_every_frame(frames, height, width, palettes, tmp_path):
    draw = np.random.default_rng(0)
    images = draw.integers(0, 4, (frames, height, width), dtype=np.uint8)
    colours = draw.integers(0, 256, (palettes, 4, 3), dtype=np.uint8)
    clip = Clip(images, colours, width=50)
    export.write(tmp_path / "player.html", clip, export.Words("a test", "", "", "frame"), 4)
    with lab.page() as page:
        page.goto((tmp_path / "player.html").as_uri())
        page.wait_for_selector("canvas[data-drawn]")
        for number in range(clip.length):
            shown = np.reshape(page.evaluate(DRAWN), (height, width, 4))
            assert (shown[..., :3] == clip.pixels(number)).all(), f"frame {number}"
            assert (shown[..., 3] == 255).all()
            page.get_by_role("button", name="step forward").click()
