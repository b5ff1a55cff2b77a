"""Section 5.5, Appendices B.2 to B.4, page 5_5: restricted Boltzmann machines (RBMs).

`weights` trains the models that the package includes, `samples` draws from them, and `learn` has the data, the methods
and the evaluation. `sizes` has the sizes and tables, `coordinate_ascent` has the comparison of Appendix B.4, and
`full_size` has the stored run with 784 x 500 variables.

`samples` and `full_size` compute Figure 3, left, and `figures.curves` draws it. `learn.draw` computes the samples of
Figure 3, right, and of Figures 6 to 8, and `figures.gallery` draws them.
"""

from .figures import STYLES, effective_digits
from .full_size import load as at_full_size
from .learn import METHODS
from .samples import load as small

__all__ = ["METHODS", "STYLES", "at_full_size", "effective_digits", "small"]
