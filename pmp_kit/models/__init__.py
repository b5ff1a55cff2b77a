"""Ready-made models. Each is a model class or a function that returns a factor graph."""

from .blind_deconvolution import blind_deconvolution
from .ising import CompleteIsing, Ising, ising_lattice, lattice_pairs
from .matrix_factorisation import matrix_factorisation
from .rbm import RBM, rbm
from .spins import binary_to_spins, spins_to_binary

__all__ = [
    "RBM",
    "CompleteIsing",
    "Ising",
    "binary_to_spins",
    "blind_deconvolution",
    "ising_lattice",
    "lattice_pairs",
    "matrix_factorisation",
    "rbm",
    "spins_to_binary",
]
