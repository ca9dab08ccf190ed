from fractions import Fraction

alpha, beta, h, x = map(Fraction, ("1/2", "1", "1/2", "-3/4"))
assert abs(h) == alpha, "a state of the unit"
assert abs(x) < beta, "an input that should keep it"
eq8 = alpha * (1 if h + x / beta >= 0 else -1)
print(f"alpha = {alpha}, beta = {beta}, h = {h}, x = {x}: Eq. 8 gives {eq8}, Eq. 9 gives {h}.")
assert eq8 == -h
print("An argument: S(alpha + x/beta) = 1 for all |x| < beta if and only if alpha >= 1.")
