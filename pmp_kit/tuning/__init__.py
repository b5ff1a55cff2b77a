"""Tuning: which settings of PMP give good samples of a model in the shortest time."""
