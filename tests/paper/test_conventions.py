"""Two conventions of the Ising model have log-partition functions that differ by a known number."""

import numpy as np
from oracle import joint_states, log_partition

import pmp_kit as pk


def gap(seed) -> float:
    """|log Z1 - (log Z2 + sum(b) - sum(W))|: E2 = -s'Ws - b's by NumPy in 64 bits, E1 = -x'W1 x / 2 - b1'x by us."""
    rng = np.random.default_rng(seed)
    size = 4 + 3 * (seed % 3)
    weight, bias = rng.normal(size=(size, size), scale=0.5), rng.normal(size=size)
    weight = np.triu(weight, 1) + np.triu(weight, 1).T
    spins = 2 * joint_states([2] * size) - 1
    in_spins = log_partition(np.einsum("si,ij,sj->s", spins, weight, spins) + spins @ bias)
    binary = float(pk.exact.log_partition(pk.Ising(8 * weight, 2 * bias - 4 * weight.sum(1))))
    return abs(binary - (in_spins + bias.sum() - weight.sum()))


def test_log_partition_functions_differ_by_the_offset(row):
    worst = np.max([gap(seed) for seed in range(20)])
    row("A.6 |log Z1 - (log Z2 + sum b - sum W)|, 20 models, 32 bits", 0.0, worst, 1e-4)
