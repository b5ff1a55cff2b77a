"""Files that are replaced only after the new ones are complete."""

import contextlib
import os
import pathlib
import secrets
import shutil
from collections.abc import Iterator
from typing import BinaryIO


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[BinaryIO]:
    """Open a new binary file, which takes the place of `path` once the block has ended without an error.

    If `path` is a link, its target is replaced. The new file has the mode of the old one.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path}: expected the path of a file, got a folder; add the name of the file")
    if path.exists() and not path.is_file():
        raise OSError(f"{path}: expected the path of a file, got a device, pipe or socket; give another path")
    target = pathlib.Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: expected a path in a folder that exists, got one without; make it first")
    temporary = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")  # `open` below: the umask sets the mode
    try:
        with open(temporary, "xb") as file:
            if target.exists():
                shutil.copymode(target, temporary)  # before the content is in it
            yield file
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
