"""The matrices of ``lagrange.py`` compiled by Numba: one matrix after another, in a few passes. Their portable twin is the array-API code there.

Not imported unless a matrix is large enough to repay it. Squares of moduli are multiplied, and the root is taken at the end; that leaves out
differences of modulus below 10^-24 or above 10^24, which the twin takes. Points are (4, n): real and imaginary parts, and what is below their last place.
"""

from __future__ import annotations

from math import frexp, ldexp, sqrt

import numpy as np

from .compiled import kept_on_disk

#: squares of moduli are between these bounds; products are brought back into the second range
SMALLEST, LARGEST = 1e-48, 1e48
LOW, HIGH = 1e-100, 1e100

#: sums may not be reordered: differences of parts in two doubles depend on it
compiled = kept_on_disk(error_model="numpy")


@compiled
def subtract(points, others, i, real, imag, square):
    """The ``points`` minus number i of the ``others``, and their squares; how many of these are out of range."""
    x, y, x_low, y_low = others[0, i], others[1, i], others[2, i], others[3, i]
    outside = 0
    for k in range(square.size):
        real[k] = (points[0, k] - x) + (points[2, k] - x_low)
        imag[k] = (points[1, k] - y) + (points[3, k] - y_low)
        square[k] = real[k] * real[k] + imag[k] * imag[k]
        outside += 0 if SMALLEST < square[k] < LARGEST else 1
    return outside


@compiled
def product(factors):
    """Mantissa and exponent."""
    mantissa, exponent = 1.0, 0
    for start in range(0, factors.size, 4):
        part = 1.0
        for k in range(start, min(start + 4, factors.size)):
            part *= factors[k]
        mantissa *= part
        if not LOW < mantissa < HIGH:
            mantissa, more = frexp(mantissa)
            exponent += more
    return mantissa, exponent


@compiled
def multiply(mantissas, exponents, factors):
    """Each number times its factor."""
    outside = 0
    for k in range(factors.size):
        mantissas[k] *= factors[k]
        outside += 0 if LOW < mantissas[k] < HIGH else 1
    if outside:
        for k in range(factors.size):
            mantissas[k], more = frexp(mantissas[k])
            exponents[k] += more


@compiled
def roots(mantissas, exponents):
    """Square roots over 2^top, (values, top): the largest is near 1, and what is below the range of float64 is 0."""
    top = exponents[0]
    for i in range(mantissas.size):
        mantissas[i], more = frexp(mantissas[i])
        exponents[i] += more
        top = max(top, exponents[i])
    top += top & 1
    for i in range(mantissas.size):
        mantissas[i] = sqrt(ldexp(mantissas[i], max(exponents[i] - top, -1100)))
    return mantissas, top // 2


@compiled
def choose(points, mantissas, exponents, places):
    """Leja points: the ``places`` where the weight times the squares of the distances from the points before is largest; False if no weight is left."""
    m, top = mantissas.size, np.max(exponents)
    weights, real, imag, square = np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    for i in range(m):
        weights[i] = ldexp(mantissas[i], max(exponents[i] - top, -1100))
    for c in range(places.size):
        k = np.argmax(weights)
        if weights[k] == 0:
            return False
        places[c], scale = k, 1 / weights[k]
        subtract(points, points, k, real, imag, square)
        for i in range(m):
            weights[i] = weights[i] * scale * square[i]
    return True


@compiled
def fill(s, t, is_tall, large, small, S):
    """Fills ``large`` (m, n), ``small`` (n, n) and, unless it is square, ``S`` (m, n); returns the exponent, and False if the twin has to do it."""
    m, n = large.shape
    real, imag, gaps = np.empty(n), np.empty(n), np.empty((m, n))
    rows, row_exponents, columns, column_exponents = np.ones(m), np.zeros(m, np.int64), np.ones(n), np.zeros(n, np.int64)
    for i in range(m):
        if subtract(t, s, i, real, imag, gaps[i]):
            return 0, False
        for k in range(n):
            inverse = 1 / gaps[i, k]
            large[i, k] = complex(real[k] * inverse, -imag[k] * inverse)
        rows[i], row_exponents[i] = product(gaps[i])
        multiply(columns, column_exponents, gaps[i])
    # squares of g, and then of alpha
    alpha, alpha_exponents = np.ones(m), np.zeros(m, np.int64)
    if not is_tall:
        for i in range(m):
            alpha[i], alpha_exponents[i] = 1 / rows[i], -row_exponents[i]
    places, same = np.arange(n), np.full(m, -1)
    if m > n and not choose(s, alpha, alpha_exponents, places):
        return 0, False
    for c in range(n):
        same[places[c]] = c
    chosen, square = s[:, places].copy(), np.empty(n)
    for i in range(m):
        if subtract(chosen, s, i, real, imag, square):
            for c in range(n):
                if real[c] == 0 and imag[c] == 0 and (same[i] == c or (same[i] < 0 and m > n)):
                    same[i], square[c] = c, 1.0
                if not SMALLEST < square[c] < LARGEST:
                    return 0, False
        mantissa, exponent = product(square)
        alpha[i], alpha_exponents[i] = alpha[i] * mantissa, alpha_exponents[i] + exponent
        if m > n:
            for c in range(n):
                inverse = 1 / square[c]
                S[i, c] = complex(real[c] * inverse, -imag[c] * inverse)
    # squares of beta and gamma
    beta, beta_exponents, gamma, gamma_exponents = np.empty(n), np.empty(n, np.int64), np.ones(n), np.zeros(n, np.int64)
    for c in range(n):
        beta[c], beta_exponents[c] = 1 / alpha[places[c]], -alpha_exponents[places[c]]
        multiply(gamma, gamma_exponents, gaps[places[c]])
    for k in range(n):
        if is_tall:
            gamma[k] /= n * n
        else:
            if subtract(t, t, k, real, imag, square) != 1:
                return 0, False
            square[k] = 1.0
            slope, exponent = product(square)
            slope, more = frexp(slope * columns[k])
            gamma[k], gamma_exponents[k] = gamma[k] / slope, gamma_exponents[k] - (exponent + column_exponents[k] + more)
    alpha, alpha_top = roots(alpha, alpha_exponents)
    beta, beta_top = roots(beta, beta_exponents)
    gamma, gamma_top = roots(gamma, gamma_exponents)
    for c in range(n):
        for k in range(n):
            small[c, k] = large[places[c], k] * (beta[c] * gamma[k])
    if is_tall:
        rows, large_top = roots(rows, row_exponents)
        for i in range(m):
            for k in range(n):
                large[i, k] *= rows[i]
    else:
        columns, large_top = roots(columns, column_exponents)
        for i in range(m):
            for k in range(n):
                large[i, k] *= columns[k]
    if m > n:
        # entries of S are small, so the largest alpha and beta are not far apart
        scale = ldexp(1.0, alpha_top + beta_top)
        for i in range(m):
            for c in range(n):
                S[i, c] = S[i, c] * (alpha[i] * beta[c] * scale) if same[i] < 0 else 0
            if same[i] >= 0:
                S[i, same[i]] = 1
    return large_top + beta_top + gamma_top, True


@compiled
def fill_all(nodes, turned, is_tall, large, small, S, exponents, done):
    """``fill`` for a batch of nodes, complex of shape (b, N), and the parts (4, L) of the turned roots."""
    points = np.zeros((4, nodes.shape[1]))
    for b in range(nodes.shape[0]):
        for i in range(nodes.shape[1]):
            points[0, i], points[1, i] = nodes[b, i].real, nodes[b, i].imag
        if is_tall:
            exponents[b], done[b] = fill(points, turned, True, large[b], small[b], S[b])
        else:
            exponents[b], done[b] = fill(turned, points, False, large[b], small[b], S[b])
