"""The function with which the import hook of the tests checks annotations of shapes at run time.

Pyright checks the other types. The kit checks the types of users' arguments, and the tests check its errors.
"""

from beartype import beartype


def checked(function):
    """Return the function with a check of its jaxtyping annotations at each call."""
    shaped = {name: kind for name, kind in function.__annotations__.items() if "jaxtyping" in repr(kind)}
    function.__annotations__ = shaped
    return beartype(function)
