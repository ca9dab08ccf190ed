"""Batched linear algebra on CuPy for the large sweeps. Empty so far: the topics parity and householder are exact and small."""
