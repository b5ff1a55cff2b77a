"""The page draws the pixels that it was sent: a player's frames, and still pictures, the newest of them."""

import base64

import numpy as np
import pytest

from browser import lab
from pmp_kit.course import explore
from pmp_kit.course.explore import export
from pmp_kit.course.explore.page import wire
from pmp_kit.course.explore.page.player import Clip

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


STILL = """async (pictures) => {
    let receive;
    const model = { get: () => model.image, on: (name, heard) => (receive = heard), off() {} };
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const show = (picture) => (model.image = new DataView(bytes(picture).buffer));
    show(pictures[0]);
    render({ model, el: document.body });
    for (const picture of pictures.slice(1)) {
        show(picture);
        receive();
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
}"""


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 5), (40, 24)])
def test_a_still(height, width):
    still, sent = explore.Still(100), []
    picture = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    for one in (np.zeros((600, 500, 3), np.uint8), picture):  # the first is ready later, and not to be seen
        still.show(one)
        sent.append(base64.b64encode(still.widget.image).decode("ascii"))
    with lab.page() as page:
        page.evaluate(wire.script("still.js").replace(export.EXPORT, "") + f"({STILL})({sent})")
        shown = np.reshape(page.evaluate(DRAWN), (height, width, 4))
    assert (shown[..., :3] == picture).all()
    assert (shown[..., 3] == 255).all()
