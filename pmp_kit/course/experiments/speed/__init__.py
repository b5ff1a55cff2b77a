"""Notebook 13: the models and samplers that it times, and the charts. The benchmark in tests times the same models."""
