"""Animations as files: GIF, MP4, and a page that fetches nothing. Each is opened again and its frames are compared."""

import base64
import json
import re
import stat
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from toys import Toy

from pmp_kit.course import explore
from pmp_kit.course.explore import export, film, filmed
from pmp_kit.course.explore.page import player, wire
from pmp_kit.course.plot import strips

CURVE = np.array([0.0, 1.0, 0.5])


def clip(curve=CURVE) -> explore.Clip:
    """Three frames of 60 x 40, plain red, green and blue, over a curve."""
    palettes = np.eye(3, dtype=np.uint8)[:, None] * np.uint8(255)
    return explore.Clip(np.zeros((1, 40, 60), np.uint8), palettes, curve, "top", "bottom", first=2, width=30)


class Films(Toy):
    """A toy whose picture is a player."""

    def make_picture(self):
        return explore.Player("three colours", unit="sweep")

    def paint(self, state):
        return clip()


def sent(page: str) -> dict:
    """What a page carries for its player."""
    return json.loads(re.search(r"^const sent = (.*);$", page, re.MULTILINE)[1])


def test_a_page_carries_the_clip_and_fetches_nothing(tmp_path):
    page = Films().export(tmp_path / "x.html", rate=2).read_text()
    assert not re.search(r"https?:|src=|@import|import\(|fetch\(|export ", page)
    parts = sent(page)
    assert (parts["label"], parts["unit"], parts["rate"]) == ("Toy", "sweep", 2)
    assert tuple(parts["rates"]) == player.RATES
    assert base64.b64decode(parts["clip"]) == player.pack(clip())
    assert base64.b64decode(parts["images"]) == wire.squeeze(clip().images, level=9)
    assert "Watch the <b>grey</b>." in page
    assert "number 10 of kind a" in page


def test_words_cannot_end_the_script(tmp_path):
    words = export.Words("</script>", "", "<b>", "</script>")
    export.write(tmp_path / "x.html", clip(), words, 4)
    assert (tmp_path / "x.html").read_text().count("</script>") == 1


def test_a_gif_has_every_frame_over_its_curve(tmp_path):
    with Image.open(Films().export(tmp_path / "x.gif", rate=2)) as gif:
        assert gif.n_frames == 3
        assert gif.info["duration"] == 500
        assert gif.info["loop"] == 0
        assert gif.size == (60, 40 + 2 * strips.CURVE)
        for k in range(3):
            gif.seek(k)
            pixels = np.asarray(gif.convert("RGB")).astype(int)
            assert np.abs(pixels[20, 30] - clip().pixels(k)[20, 30]).max() <= 4
            dark = (pixels[40:] < 120).all(-1)
            columns = dark.sum(0)
            assert abs(columns.argmax() - 60 * (0.02 + 0.96 * k / 2)) <= 2  # the mark moves from left to right


def test_a_clip_without_curve_is_its_frames():
    frames = list(export.frames(clip(np.zeros(0))))
    assert (np.stack(frames) == np.stack([clip().pixels(k) for k in range(3)])).all()


def test_a_control_is_filmed_from_end_to_end(tmp_path):
    toy = Toy()
    before = toy.params(), toy.state, toy.picture.png()
    made, unit = film.of(toy, "number", chosen=True)
    assert unit == "frame"
    assert made.length == 101
    assert made.width == 20
    greys = [made.pixels(k)[5, 10, 0] for k in range(101)]
    assert greys == list(range(101))
    assert (toy.params(), toy.state, toy.picture.png()) == before
    with Image.open(toy.export(tmp_path / "x.gif", over="number")) as gif:
        assert gif.n_frames == 101


def test_the_value_of_the_control_stands_below_the_frame():
    below = strips.words(["scale 1", "scale 2"], width=200, pixels=301)
    assert below.shape == (2, round(strips.WORDS * 301 / 200), 301, 3)
    assert (below[0] != below[1]).any()
    assert (below < 128).any((1, 2, 3)).all()


def test_what_plays_is_filmed_by_itself():
    toy = Toy()
    toy.play("kind", moves="index", max=1, interval=500)
    assert film.of(toy, toy.playing, chosen=False)[0].length == 2


def test_an_animation_starts_at_the_view_that_is_shown():
    assert film.of(Toy(number=30), "number", chosen=True)[0].first == 30


def test_so_does_an_animation_of_pictures_that_are_players():
    class Grey(Films):
        def paint(self, state):
            return clip()._replace(palettes=np.full((3, 1, 3), state["number"], np.uint8))

    assert film.of(Grey(number=30), "number", chosen=True)[0].first == 30


def test_too_large_a_player_keeps_fewer_frames(monkeypatch):
    noise = np.random.default_rng(0).integers(0, 256, (9, 50, 50), dtype=np.uint8)
    palette = np.arange(256, dtype=np.uint8)[None, :, None].repeat(3, 2)
    long, words = explore.Clip(noise, palette, np.linspace(0, 1, 9), first=8), export.Words("", "", "", "sweep")
    whole = export.inlined(long, words)
    monkeypatch.setattr(export, "MOST", len(whole) - 1)
    thin = export.inlined(long, words)
    kept = long._replace(images=noise[::2], curve=long.curve[::2], first=4)
    assert base64.b64decode(sent(thin)["clip"]) == player.pack(kept)
    assert (sent(whole)["unit"], sent(thin)["unit"]) == ("sweep", "frame"), "frame 2 is no longer sweep 2"
    assert base64.b64decode(sent(thin)["images"]) == wire.squeeze(kept.images, level=9)
    monkeypatch.setattr(export, "MOST", 1000)
    with pytest.raises(ValueError, match=r"clip: expected frames that fit into a page of 1000 bytes"):
        export.inlined(long, words)


def test_cells_hold_a_player_only_if_pages_are_made(monkeypatch):
    toy = Films()
    assert "text/html" not in toy._repr_mimebundle_()[0]
    monkeypatch.setenv(filmed.PLAYERS, "1")
    assert "text/html" not in Toy()._repr_mimebundle_()[0]  # it has nothing to play
    bundle, _ = toy._repr_mimebundle_()
    assert export.LIVE in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle  # pages with a kernel choose this one


@pytest.mark.parametrize("control", ["coupling", "perturbation", "samples", "model"])
def test_stops_are_values_that_the_control_takes(control):
    lab = explore.PerturbationLab()
    values = film.stops(lab.controls[control])
    assert len(values) == {"coupling": 61, "perturbation": 39, "samples": 8, "model": 5}[control]
    for value in (values[0], values[-1], values[len(values) // 2]):
        lab.controls[control].value = value
        assert lab.params[control] == value


def test_many_colours_become_the_nearest_of_256():
    x = np.linspace(0, 255, 90).astype(np.uint8)
    frame = np.stack(np.broadcast_arrays(x[:, None], x, 128), -1).astype(np.uint8)
    images, palette = film.index(np.stack([frame, frame[::-1]]))
    assert len(palette) <= 256
    away = np.abs(palette[images[1]].astype(int) - frame[::-1])
    assert away.max() < 40
    assert away.mean() < 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "x.avi"}, r"path: expected a name that ends in \.gif, \.html, \.mp4, got 'x.avi'"),
        ({"path": "x.gif", "rate": 5}, r"rate: expected one of \(1, 2, 4, 6, 15, 30\) frames per second, got 5"),
        ({"path": "x.gif"}, r"over: expected the control .* one of \['kind', 'number', 'perturbation'\], got ''"),
        ({"path": "x.gif", "over": "sweeps"}, r"over: .* got 'sweeps'"),
    ],
)
def test_errors_name_the_argument(arguments, message, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=message):
        Toy().export(
            **arguments | {"path": tmp_path / arguments["path"]} if "x.gif" in arguments["path"] else arguments
        )
    assert not list(tmp_path.iterdir())


def test_without_ffmpeg_an_mp4_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(RuntimeError, match=r"path: expected the program ffmpeg .*`pip install imageio-ffmpeg"):
        Films().export(tmp_path / "x.mp4")


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A program named ffmpeg that writes its arguments and input to a file, or fails where the title is "fail"."""
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nimport sys\ndata = sys.stdin.buffer.read()\n"
        "if 'title=fail' in sys.argv: sys.exit('planted')\n"
        "open(sys.argv[-1], 'wb').write(' '.join(sys.argv).encode() + b'\\n' + data)\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)


@pytest.mark.usefixtures("stand_in")
def test_ffmpeg_is_sent_every_frame(tmp_path):
    odd = clip(np.zeros(0))._replace(images=np.zeros((1, 39, 59), np.uint8))
    export.write(tmp_path / "x.mp4", odd, export.Words("a title", "", "", ""), 4)
    told, pixels = (tmp_path / "x.mp4").read_bytes().split(b"\n", 1)
    assert b"-s 60x40 -r 4 -i -" in told
    frames = np.frombuffer(pixels, np.uint8).reshape(3, 40, 60, 3)
    for k in range(3):
        assert (frames[k] == clip().pixels(k)[0, 0]).all()


@pytest.mark.usefixtures("stand_in")
def test_what_ffmpeg_says_is_passed_on(tmp_path):
    with pytest.raises(RuntimeError, match=r"could not write .*planted"):
        export.write(tmp_path / "x.mp4", clip(), export.Words("fail", "", "", ""), 4)


@pytest.mark.usefixtures("stand_in")
def test_the_ffmpeg_of_imageio_is_used_where_it_is_installed(tmp_path, monkeypatch):
    installed = SimpleNamespace(get_ffmpeg_exe=lambda: str(tmp_path / "bin" / "ffmpeg"))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", installed)
    monkeypatch.setenv("PATH", str(tmp_path))  # where none is found
    told, pixels = Films().export(tmp_path / "x.mp4", rate=2).read_bytes().split(b"\n", 1)
    height = 40 + 2 * strips.CURVE
    assert f"-s 60x{height} -r 2 -i -".encode() in told
    assert len(pixels) == 3 * height * 60 * 3
