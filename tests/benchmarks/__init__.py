"""How fast the kit is, beside the paper's algorithms written down plainly and beside the machine: `make bench`.

`measure` gives a dict of figures, `report` prints it, `judge` holds it against the limits, `compare` against an earlier
run. The workloads are those of notebook 13, in `pmp_kit/course/experiments/speed`.
"""

from pmp_kit.course.experiments.speed.workloads import SIZES

from .judging import judge
from .measuring import PARTS, measure
from .printing import compare, report
from .verdicts import LIMITS, exit_code
