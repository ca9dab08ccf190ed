"""Rational intervals [low, high] with the elementary functions, enough to decide strict inequalities about e, pi, log and tanh."""

from fractions import Fraction
from math import isqrt

from .exact import require

BITS = 160


def rounded(low, high):
    """An interval with dyadic ends that contains [low, high]."""
    one = 1 << BITS
    return Fraction((low.numerator * one) // low.denominator, one), Fraction(-((-high.numerator * one) // high.denominator), one)


def exact(x):
    return Fraction(x), Fraction(x)


def plus(a, b):
    return rounded(a[0] + b[0], a[1] + b[1])


def negated(a):
    return -a[1], -a[0]


def minus(a, b):
    return plus(a, negated(b))


def times(a, b):
    products = [x * y for x in a for y in b]
    return rounded(min(products), max(products))


def divided(a, b):
    require(b[0] > 0 or b[1] < 0, "division by an interval that contains 0")
    quotients = [x / y for x in a for y in b]
    return rounded(min(quotients), max(quotients))


def sqrt(a):
    require(a[0] >= 0, "the root of a negative number")
    return root(a[0], 0), root(a[1], 1)


def root(x, up):
    """A dyadic number at most (or, with ``up`` 1, at least) the square root of x."""
    scaled = x * (1 << (2 * BITS))
    r = isqrt(scaled.numerator // scaled.denominator)
    return Fraction(r + up, 1 << BITS)


def exp(a):
    return exp_point(a[0])[0], exp_point(a[1])[1]


def exp_point(x):
    """exp of a fraction: exp(x / 2^k)^(2^k) with |x| / 2^k <= 1/2, the rest of the series bounded by its next term doubled."""
    require(abs(x) <= 10_000, "exp of a number of modulus above 10000")
    k = 0
    while abs(x) > Fraction(1 << k, 2):
        k += 1
    y, term, total, n = x / (1 << k), Fraction(1), Fraction(0), 0
    small = Fraction(1, 1 << (BITS + k + 8))
    y = rounded(y, y)[0] if y.denominator > (1 << 2 * BITS) else y
    while abs(term) > small:
        total, n = total + term, n + 1
        term = term * y / n
    slack = 2 * abs(term) + abs(x / (1 << k) - y) * 2
    interval = rounded(total - slack, total + slack)
    for _ in range(k):
        interval = times(interval, interval)
    return interval


def log(a):
    require(a[0] > 0, "the logarithm of a number that may not be positive")
    return log_point(a[0])[0], log_point(a[1])[1]


def log_point(x):
    """log of a positive fraction: x = m 2^k with m in [2/3, 4/3], log m = 2 artanh((m-1)/(m+1))."""
    k = 0
    while x > Fraction(4, 3):
        x, k = x / 2, k + 1
    while x < Fraction(2, 3):
        x, k = x * 2, k - 1
    return plus(artanh_twice((x - 1) / (x + 1)), times(exact(k), artanh_twice(Fraction(1, 3))))


def artanh_twice(u):
    """2 artanh(u) for |u| <= 1/3, the rest bounded by a geometric series of ratio 1/9."""
    power, total, n, small = u, Fraction(0), 1, Fraction(1, 1 << (BITS + 4))
    while abs(power) / n > small:
        total, n = total + power / n, n + 2
        power = power * u * u
        low, high = rounded(power, power)
        power = high if power > 0 else low
    slack = abs(power) / n * 2 + Fraction(n, 1 << BITS)
    return rounded(2 * (total - slack), 2 * (total + slack))


def tanh(a):
    """tanh, increasing: (e^(2x) - 1) / (e^(2x) + 1)."""
    ends = []
    for x in a:
        e = exp(exact(2 * x))
        ends.append(divided(minus(e, exact(1)), plus(e, exact(1))))
    return ends[0][0], ends[1][1]


def pi():
    """Machin: 16 arctan(1/5) - 4 arctan(1/239)."""
    return minus(times(exact(16), arctan_inverse(5)), times(exact(4), arctan_inverse(239)))


def arctan_inverse(q):
    """arctan(1/q), an alternating series."""
    total, power, n, sign = Fraction(0), Fraction(1, q), 1, 1
    while power / n > Fraction(1, 1 << (BITS + 8)):
        total += sign * power / n
        power, n, sign = power / (q * q), n + 2, -sign
    return rounded(total - power / n, total + power / n)


def cos(a):
    """cos on an interval, by its series at the middle and slope at most 1."""
    middle, radius = (a[0] + a[1]) / 2, (a[1] - a[0]) / 2
    total, term, n = Fraction(0), Fraction(1), 0
    require(abs(middle) <= 100, "cos of a number of modulus above 100")
    while n < 2 * abs(middle) + 2 or abs(term) > Fraction(1, 1 << (BITS + 8)):
        total += term
        term = -term * middle * middle / ((n + 1) * (n + 2))
        n += 2
        term = rounded(term, term)[0] if term.denominator > (1 << 4 * BITS) else term
    slack = 2 * abs(term) + radius + Fraction(n, 1 << (3 * BITS))
    return rounded(total - slack, total + slack)


def sin(a):
    half = divided(pi(), exact(2))
    return cos(minus(a, half))


def normal_cdf(a):
    """P(Z <= x) of a standard Gaussian, increasing in x."""
    return normal_cdf_point(a[0])[0], normal_cdf_point(a[1])[1]


def normal_cdf_point(x):
    """1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...) for x >= 0, the rest bounded by a geometric series of ratio 1/2; 1 minus it for x < 0."""
    if x < 0:
        low, high = normal_cdf_point(-x)
        return 1 - high, 1 - low
    require(x <= 12, "the Gaussian at a number of modulus above 12")
    term, square = exact(x), exact(x * x)
    total, n = term, 1
    while 2 * x * x >= n + 2 or term[1] > Fraction(1, 1 << (BITS - 8)):
        term = divided(times(term, square), exact(n + 2))
        total, n = plus(total, term), n + 2
    density = divided(exp(exact(-x * x / 2)), sqrt(times(exact(2), pi())))
    return plus(exact(Fraction(1, 2)), times(density, (total[0], total[1] + 2 * term[1])))
