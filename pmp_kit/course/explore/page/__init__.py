"""The parts of a page: widgets in Python, each beside its JavaScript, and the style sheet."""
