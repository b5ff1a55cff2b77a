"""The speed of the kit compared with a plain implementation of the paper's algorithms and with the machine.

`make bench` runs it. `measure` returns a dict of results, `report` prints it, `judge` compares it with the limits, and
`compare` with an earlier run. The workloads are those of page 16, in `pmp_kit/course/experiments/speed`.
"""

from pmp_kit.course.experiments.speed.workloads import SIZES

from .judging import judge
from .measuring import PARTS, measure
from .printing import compare, report
from .verdicts import LIMITS, exit_code
