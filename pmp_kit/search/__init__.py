"""Best-effort search within a number of seconds, and exact elimination of variables."""
