"""Text files of numbers: compressed ones are known by their content, and errors name the line."""

import pathlib
import re
import warnings
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from ..engine.files import replacing
from ..engine.signatures import Path

COMMENT = re.compile(r"^#.*$", re.MULTILINE)


class Words:
    """The words of a text file, of which all but some at the beginning are numbers. Lines that begin with # are none.

    Attributes:
        first: the words before the numbers.
        numbers: all numbers, in 64 bits.
    """

    def __init__(self, path: Path, first: int = 0):
        self.path, self.text = path, COMMENT.sub("", _text_of(path))
        *self.first, rest = (self.text.split(None, first) + [""] * (first + 1))[: first + 1]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # NumPy stops at the first word that is no number
                self.numbers: NDArray[np.floating] = np.fromstring(rest, sep=" ")
        except (ValueError, DeprecationWarning):
            place = next(place for place, word in enumerate(rest.split()) if not _is_number(word))
            raise self.error(place, "a number") from None

    def error(self, place: int, expected: str) -> ValueError:
        """Return an error about the number at a place, with its line. Negative places are words before the numbers."""
        left = place + len(self.first)
        for line, text in enumerate(self.text.splitlines(), 1):
            words = text.split()
            if left < len(words):
                return ValueError(f"{self.path}, line {line}: expected {expected}, got {words[left]!r}")
            left -= len(words)
        lines = max(len(self.text.splitlines()), 1)
        return ValueError(f"{self.path}, line {lines}: expected {expected}, got the end of the file")

    def whole(self, place: int, expected: str, low: int, high: int | None = None) -> int:
        """Return the whole number at a place."""
        return self.wholes(place, 1, expected, low, high)[0]

    def wholes(self, place: int, count: int, expected: str, low: int, high: int | None = None) -> list[int]:
        """Return `count` whole numbers from a place on. Raise ValueError if they are not from `low` to `high`."""
        found = self.numbers[place : place + count].tolist()
        for number, value in enumerate(found):
            if not (value >= low and (high is None or value <= high) and value.is_integer()):
                limits = f"at least {low}" if high is None else f"from {low} to {high}"
                raise self.error(place + number, expected if low == high else f"{expected}, a whole number {limits}")
        if len(found) < count:
            raise self.error(len(self.numbers), expected)
        return list(map(int, found))

    def end(self, place: int) -> None:
        """Raise ValueError unless the file ends before a place."""
        if place < len(self.numbers):
            raise self.error(place, "the end of the file")


def write(path: Path, text: str) -> None:
    """Write a text file, compressed if its name ends in .gz or .xz."""
    pack = {".gz": "gzip", ".xz": "lzma"}.get(pathlib.Path(path).suffix)
    content = text.encode()
    with replacing(pathlib.Path(path)) as file:
        file.write(import_module(pack).compress(content) if pack else content)


def _text_of(path: Path) -> str:
    """Return the text of a file; gzip and xz are known by their first bytes."""
    content = pathlib.Path(path).read_bytes()
    for start, pack in ((b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\x00", "lzma")):
        if content.startswith(start):
            content = import_module(pack).decompress(content)
    return content.decode("utf-8-sig", errors="replace")


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word  # which Python allows
