"""The examples of docs/large.md run as written, in little memory."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import child

ROOT = Path(__file__).parents[2]
LIMIT_MB = {"A million spins": 400, "Three dimensions": 500, "More samples than memory": 700}
"""The most memory that a section may need at its peak, besides that of the program and the earlier sections."""

PROGRAM = """
import json, pathlib, re
import jax, pmp_kit as pk
from benchmarks.child import reset_peak, resident

pk.sample(jax.random.key(0), pk.ising_lattice(3), num_samples=1, num_sweeps=1)
names, found = {}, {}
for section in pathlib.Path("docs/large.md").read_text().split("## ")[1:]:
    before = resident("VmRSS")
    reset_peak()
    for code in re.findall(r"```python\\n(.*?)```", section, re.DOTALL):
        exec(code, names)
    found[section.splitlines()[0]] = (resident("VmHWM") - before) / 1e3
shapes = {name: names[name].shape for name in ("spins", "block", "mean")}
print(json.dumps([found, shapes, float(names["mean"].mean())]))
"""


@pytest.mark.all
@pytest.mark.skipif(not child.STATUS.exists(), reason="peak memory is measured on Linux only")
def test_large_models_need_little_memory():
    environment = os.environ | child.FIXED_THRESHOLD | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    found, shapes, mean = json.loads(done.stdout.splitlines()[-1])
    assert found.keys() == LIMIT_MB.keys()
    for section, megabytes in found.items():
        assert megabytes < LIMIT_MB[section], f"{section} needs {megabytes:.0f} MB"
    assert shapes == {"spins": [1000, 1000], "block": [100, 100, 100], "mean": [1000, 1000]}
    assert 0.4 < mean < 0.6
