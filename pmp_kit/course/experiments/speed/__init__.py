"""The models that are timed in notebook 13 and by the benchmark, and the charts of their times."""
