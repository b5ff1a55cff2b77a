"""Models that several explorers compute with."""
