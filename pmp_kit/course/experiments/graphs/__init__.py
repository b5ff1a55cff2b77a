"""Section 5.4, Appendices A and B.1: lattices and random graphs."""
