"""Data sets of real handwritten digits, in the form that `fit` takes: {"v": images of 0 (paper) and 1 (ink)}.

`digits` is part of scikit-learn and needs no network. `mnist` is downloaded once, checked, and stored. Its folder is
the environment variable PMP_KIT_DATA or, if that is not set, the user's cache folder.
"""

import gzip
import os
import pathlib

import numpy as np
from jaxtyping import Int, UInt8

from ..engine import checks
from ..engine.signatures import ArrayLike

MIRRORS = (
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
)
FILES = {
    "train": ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"),
    "test": ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
}
SHA256 = {
    "train-images-idx3-ubyte.gz": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "train-labels-idx1-ubyte.gz": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    "t10k-images-idx3-ubyte.gz": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    "t10k-labels-idx1-ubyte.gz": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
}


def digits(only: int | None = None, size: int = 8) -> dict[str, Int[np.ndarray, "images size size"]]:
    """Load scikit-learn's 1,797 handwritten digits, whose 8 x 8 grey values 0 .. 16 become pixels of 0 and 1.

    Args:
        only: keep the images of this digit, 0 .. 9; all by default.
        size: 8, where a pixel is 1 if its grey value is at least 8; or 16, where the grey values are first enlarged by
            linear interpolation, and a pixel is 1 from 7 on. The larger digits are smoother.

    Returns: {"v": (1797, size, size) int32 of 0 and 1}, fewer images with `only`.

    Raises: ValueError if `only` or `size` is not one of the values above.
    """
    from scipy import ndimage
    from sklearn.datasets import load_digits

    if size not in (8, 16):
        raise ValueError(f"size: expected 8 or 16 pixels, got {size!r}; enlarge the images of size 16 yourself")
    grey, labels = load_digits(return_X_y=True)
    images = grey.reshape(-1, 8, 8)
    if size == 16:
        images = ndimage.zoom(images, (1, 2, 2), order=1, mode="nearest", grid_mode=True)
    return {"v": _keep(np.asarray(images >= {8: 8, 16: 7}[size], np.int32), np.asarray(labels), only)}


def mnist(split: str = "train", only: int | None = None) -> dict[str, Int[np.ndarray, "images 28 28"]]:
    """Load MNIST, handwritten digits of 28 x 28 pixels. A pixel is 1 if its grey value is above one half.

    Args:
        split: "train" (60,000 images) or "test" (10,000 images).
        only: keep the images of this digit, 0 .. 9; all by default.

    Returns: {"v": (60000, 28, 28) or (10000, 28, 28) int32 of 0 and 1}, fewer images with `only`.

    Raises: ValueError if `split` or `only` is not one of the values above; ConnectionError if the files are not in the
    cache folder, and no download succeeded.
    """
    if split not in FILES:
        raise ValueError(f"split: expected 'train' or 'test', got {split!r}")
    images, labels = (_read(_file(name)) for name in FILES[split])
    return {"v": _keep((images > 127).astype(np.int32), np.asarray(labels), only)}


def contours(images: ArrayLike) -> Int[np.ndarray, "images height+2 width+2"]:
    """Return the outlines of binary images (Section 5.3).

    The outline is the set of pixels without ink whose upper, lower, left or right neighbour has ink. A frame of one
    pixel is added for ink that touches the edge, so 28 x 28 pixels become 30 x 30.

    Args:
        images: (N, height, width) of 0 and 1.

    Returns: (N, height + 2, width + 2) int32 of 0 and 1. Raises: ValueError for other images.
    """
    images = np.asarray(images)
    if images.ndim != 3 or not np.isin(images, (0, 1)).all():
        raise ValueError(
            f"images: expected 0 and 1 of shape (number, height, width), got {checks.describe(images)}; "
            'take datasets.mnist(only=0)["v"]'
        )
    ink = np.pad(images.astype(np.int32), ((0, 0), (2, 2), (2, 2)))
    wide = ink[:, :-2, 1:-1] | ink[:, 2:, 1:-1] | ink[:, 1:-1, :-2] | ink[:, 1:-1, 2:]
    return wide & ~ink[:, 1:-1, 1:-1]


def cache_folder() -> pathlib.Path:
    """Return the folder of the downloads: PMP_KIT_DATA, or the user's cache folder."""
    import pooch

    return pathlib.Path(os.environ.get("PMP_KIT_DATA") or pooch.os_cache("pmp_kit"))


def _keep(images: np.ndarray, labels: np.ndarray, only: int | None) -> np.ndarray:
    if only is None:
        return images
    if checks.count("only", only, minimum=0) > 9:
        raise ValueError(f"only: expected a digit 0 .. 9, got {only}")
    return images[labels == only]


def _file(name: str) -> pathlib.Path:
    """Return an MNIST file with the correct checksum, from the cache or from the first mirror that has it.

    A cached file with a wrong checksum, for example after an interrupted download, is downloaded again.
    """
    import pooch

    folder, failed = cache_folder(), []
    for mirror in MIRRORS:
        try:
            return pathlib.Path(pooch.retrieve(mirror + name, "sha256:" + SHA256[name], name, folder))
        except (OSError, ValueError) as error:  # OSError: no connection or no such file; ValueError: wrong checksum
            failed.append(f"  {mirror}: {type(error).__name__}: {error}")
    raise ConnectionError(
        f"mnist: expected {name} in {folder} or from a mirror, got no good copy of it:\n" + "\n".join(failed) + "\n"
        "Connect to the network for the first call, or put the file into that folder (set PMP_KIT_DATA to choose "
        "another one), or use pmp_kit.course.datasets.digits(), which needs no network."
    )


def _read(path: pathlib.Path) -> UInt8[np.ndarray, "..."]:
    """Read an array in the IDX format: two zero bytes, type 8 (bytes), the number of axes, their lengths, the data."""
    data = gzip.decompress(path.read_bytes())
    if data[:3] != b"\0\0\x08":
        raise ValueError(f"{path}: expected an IDX file of unsigned bytes, got one that starts with {data[:4].hex()}")
    axes = data[3]
    shape = np.frombuffer(data, ">i4", axes, offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * axes).reshape(shape)
