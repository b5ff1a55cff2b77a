"""The question about the number of images: what do a few of them leave open?"""

from ..question import Question
from .compute import traces

QUESTION = Question(
    "From 16 images PMP finds the three true shapes. Give it only four of these images, each with three or four copies "
    "of the shapes. What will it find after 80 sweeps?",
    (
        "not all of the shapes, but nearly all pixels",
        "all of the three shapes, and nearly all pixels",
        "not all of the shapes, and few of the pixels",
    ),
    "Several sets of features explain four images almost equally well, and the true shapes are only one of these sets. "
    "Here PMP finds none of the three shapes, and with other seeds one or two. Sixteen images leave fewer sets.",
    locked="images",
    before={"images": 16, "prior": "0.01", "observed": "X only", "sweeps": traces.SWEEPS, "seed": 40},
    shows={"images": 4},
)
