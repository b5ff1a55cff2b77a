"""The question about the scale of the kernel: what does the paper's kernel see of independent pixels?"""

from ..question import Question

QUESTION = Question(
    "At kernel scale 20, independent pixels are about 6 standard deviations from real zeros, and the samples of PMP "
    "about 3. The paper uses kernel scale 1. Where will independent pixels be at scale 1?",
    (
        "about 2 away, close to PMP",
        "about 6 away, as at scale 20",
        "further away than at scale 20",
    ),
    "Between two zeros about a sixth of the pixels differ. In this range the kernel of scale 1 is almost a straight "
    "line, and a straight line compares only how often each pixel is on. Independent pixels have the right values. "
    "With most seeds they are inside the grey band, and with others a little outside.",
    locked="kernel scale",
    before={"kernel scale": 20.0, "reference": "held out", "samples": 200, "seed": 5},
    shows={"kernel scale": 1.0},
)
