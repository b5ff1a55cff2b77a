"""The base of explorers whose pictures the page draws from numbers. README.md says how."""

from .explorer import Explorer, Picture
from .painted import Painted

__all__ = ["Explorer", "Painted", "Picture"]
