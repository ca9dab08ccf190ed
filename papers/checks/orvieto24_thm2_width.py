# Theorem 2, its proof for T_k(v) = cos(w_k v_k), w_k = 1 + k / L, and eps = 1
from fractions import Fraction as F


def width(L):
    constant = sum(1 + F(k, L) for k in range(1, L + 1))  # every extension has C~ >= sum of w_k
    radius = F(L - 1, 2)  # a ball that holds the clock 1, ..., L, wherever its centre is
    return 2 * radius**2 * constant**2  # Theorem 1


for L in (8, 16, 32, 64):
    print(f"L = {L}: D = {float(width(L))}, D / L^4 = {float(width(L) / L**4)}")
    assert width(2 * L) > 12 * width(L)
print("The argument: waves in v of different frequencies cannot cancel, and over each of them the")
print("extension interpolates 1 at k and 0 at the other steps, so its constant is at least w_k.")
