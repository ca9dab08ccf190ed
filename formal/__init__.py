"""Proofs in Rocq, what they rest on, and the program that is extracted from one of them."""
