"""Page 16: the models and samplers that it times, how `timing` times them, predicted times, and its figures.

The test benchmark uses the same models.
"""
