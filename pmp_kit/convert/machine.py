"""Restricted Boltzmann machines of scikit-learn."""

from typing import Any

import numpy as np

from ..models import RBM


def from_bernoulli_rbm(estimator: Any) -> RBM:
    """Return the RBM of a fitted sklearn.neural_network.BernoulliRBM.

    The visible variable i, in the block "v", is column i of its data; the hidden variables are the block "h".

    Args:
        estimator: the estimator; only `components_` (hidden, visible), `intercept_visible_` and `intercept_hidden_` are
            used.

    Raises: ValueError if it is not fitted.
    """
    if not hasattr(estimator, "components_"):
        raise ValueError("estimator: expected a fitted BernoulliRBM, got one without components_; call its fit first")
    return RBM(np.asarray(estimator.components_).T, estimator.intercept_visible_, estimator.intercept_hidden_)
