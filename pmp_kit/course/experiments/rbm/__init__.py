"""Section 5.5, Appendix B: restricted Boltzmann machines."""
