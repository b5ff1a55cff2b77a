"""Page 07: sets of zeros that a measure of sample quality should tell apart. It is not one of the paper's experiments.

`sets` draws the sets and compares them with real zeros by the maximum mean discrepancy (MMD). `figures` draws why a
wide kernel sees only means, and where the standard deviation of a perfect sampler comes from.
"""
