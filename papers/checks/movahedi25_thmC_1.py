# Theorem C.1: gates sigma(w'x + b), independent Gaussian x; the mean run above 0.99
from math import exp, log
from statistics import NormalDist


def run(size, b):
    closed = NormalDist().cdf((log(99) - b) / size)  # the chance that a gate is at most 0.99
    return (1 - closed) / closed


rising, falling = [run(s, 1) for s in (1, 2, 4)], [run(s, 6) for s in (1, 4, 16)]
assert all((rising == sorted(rising), falling == sorted(falling, reverse=True), falling[2] > 1))
assert all((falling[1] / falling[0] > exp(1 - 16), abs(run(1, log(99)) - 1) < 1e-9))
print("|w| grows; b = 1:", rising, " b = 6:", falling)
print("The argument: inputs are independent, so a run has the mean p / (1 - p), p = P(open).")
