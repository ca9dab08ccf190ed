# Theorem 2.2, theta = a, T = 1, x = (1, 1): Q = diag(1/2 - a, 1 + a), B = Q^-1 - I, so h* = B x
from fractions import Fraction as F


def loss(a, once=None):
    """At h*, or after one pass from the state ``once``: Q B x + (I - Q) h with Q B = I - Q."""
    q = (F(1, 2) - a, 1 + a)
    h = [(1 - s) * (1 + once[i] if once else 1 / s) for i, s in enumerate(q)]
    return ((h[0] - F(1, 2)) ** 2 + (h[1] + F(3, 2)) ** 2) / 2


e, fixed = F(1, 10**6), (1, 0)  # an argument: the derivatives themselves are -1/2 and 1/2
once, true = ((loss(e, h) - loss(-e, h)) / (2 * e) for h in (fixed, None))
assert all((loss(0) == loss(0, fixed), once < F(-49, 100), true > F(49, 100)))
print("slope of the loss through one pass at h*:", float(once), "and in truth:", float(true))
