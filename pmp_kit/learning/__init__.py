"""Learning: `fit`, the state of a training run, moments and pseudo-likelihood."""
