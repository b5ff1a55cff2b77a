"""Section 5.6: blind deconvolution."""
