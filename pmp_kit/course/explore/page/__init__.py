"""The parts of a page: Python widgets with their JavaScript files, and the style sheet."""
