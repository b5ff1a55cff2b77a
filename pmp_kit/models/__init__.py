"""Models: each is, or makes, a factor graph."""

from .ising import CompleteIsing, Ising, diagonal_pairs, ising_lattice, lattice_pairs
from .pretrained import pretrained
from .rbm import RBM, rbm
from .spins import binary_to_spins, spins_to_binary

__all__ = [
    "RBM",
    "CompleteIsing",
    "Ising",
    "binary_to_spins",
    "diagonal_pairs",
    "ising_lattice",
    "lattice_pairs",
    "pretrained",
    "rbm",
    "spins_to_binary",
]
