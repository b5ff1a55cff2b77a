"""Internal helpers: array layout, chunks of samples, devices, progress bars and argument checks."""
