"""How close a number must be to another one to count as the same, where pictures, maps and figures have to agree."""

EXACT_GAP = 1e-3
"""Nats: a score this close to the best one is the best one."""
SETTLED = 1e-3
"""Nats: messages have converged if the largest change of a message in a sweep is below this."""
UNDECIDED = 1e-2
"""Nats: a belief this close to 0 does not decide; it is 0 within what is left of the residual."""
