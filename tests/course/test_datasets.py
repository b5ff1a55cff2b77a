"""Data sets: the digits that come with scikit-learn, and MNIST through a server on this machine."""

import functools
import gzip
import hashlib
import http.server
import threading

import numpy as np
import pytest

from pmp_kit.course import datasets


def idx(array: np.ndarray) -> bytes:
    """An array of bytes as a compressed IDX file."""
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">i4").tobytes()
    return gzip.compress(header + array.astype(np.uint8).tobytes(), mtime=0)


@pytest.fixture
def images():
    return np.random.default_rng(0).integers(0, 256, (50, 28, 28))


@pytest.fixture
def server(tmp_path, images, monkeypatch):
    """A mirror with 50 test images; `.requests` lists what was asked for, `.folder` is what it serves."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    for name, array in zip(datasets.FILES["test"], (images, np.arange(50) % 10), strict=True):
        (folder / name).write_bytes(idx(array))
        monkeypatch.setitem(datasets.SHA256, name, hashlib.sha256((folder / name).read_bytes()).hexdigest())

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format, *args):
            web.requests.append(self.path)

    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    web.requests, web.folder = [], folder
    thread = threading.Thread(target=web.serve_forever)
    thread.start()
    web.address = f"http://127.0.0.1:{web.server_port}/"
    monkeypatch.setattr(datasets, "MIRRORS", (web.address,))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("PMP_KIT_DATA", str(tmp_path / "cache"))
    yield web
    web.shutdown()
    thread.join()
    web.server_close()


def test_digits_are_real_digits_with_ink_as_one():
    v = datasets.digits()["v"]
    assert v.shape == (1797, 8, 8)
    assert v.dtype == np.int32
    assert set(np.unique(v)) == {0, 1}
    assert 0.2 < v.mean() < 0.5
    zero = datasets.digits(only=0)["v"].mean(0)
    assert len(datasets.digits(only=0)["v"]) == 178
    assert zero[4, 4] < 0.1
    assert zero[1, 3] > 0.8


def test_mnist_is_downloaded_once_and_thresholded(server, images):
    v = datasets.mnist("test")["v"]
    assert v.dtype == np.int32
    np.testing.assert_array_equal(v, images > 127)
    asked = len(server.requests)
    assert asked == 2
    np.testing.assert_array_equal(datasets.mnist("test", only=3)["v"], v[3::10])
    assert len(server.requests) == asked, "the second call must come from the cache"


def test_a_damaged_file_in_the_cache_is_fetched_again(server, images):
    datasets.mnist("test")
    name = datasets.FILES["test"][0]
    file = datasets.cache_folder() / name
    file.write_bytes(file.read_bytes()[:100])
    np.testing.assert_array_equal(datasets.mnist("test")["v"], images > 127)
    assert file.read_bytes() == (server.folder / name).read_bytes()


def test_the_next_mirror_is_tried(server, images, monkeypatch):
    empty = server.address + "not_here/"
    monkeypatch.setattr(datasets, "MIRRORS", (empty, server.address))
    np.testing.assert_array_equal(datasets.mnist("test")["v"], images > 127)
    assert any("not_here" in path for path in server.requests)


def test_without_a_network_the_error_says_what_to_do(server, monkeypatch):
    monkeypatch.setattr(datasets, "MIRRORS", ("http://127.0.0.1:9/", server.address + "not_here/"))
    with pytest.raises(ConnectionError) as caught:
        datasets.mnist("test")
    message = str(caught.value)
    assert datasets.FILES["test"][0] in message
    assert "http://127.0.0.1:9/" in message
    assert "404" in message
    assert str(datasets.cache_folder()) in message
    assert "PMP_KIT_DATA" in message
    assert "digits()" in message
    assert not list(datasets.cache_folder().iterdir()), "nothing half-done may stay in the cache"
