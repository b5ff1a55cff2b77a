"""What the import hook of the tests checks at run time: annotations with shapes.

Other types are checked by pyright, and those of users' arguments by the kit itself, whose errors the tests want to see.
"""

from beartype import beartype


def checked(function):
    """The function, its annotations of jaxtyping checked at each call."""
    shaped = {name: kind for name, kind in function.__annotations__.items() if "jaxtyping" in repr(kind)}
    function.__annotations__ = shaped
    return beartype(function)
