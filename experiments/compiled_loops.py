"""The recurrences of several networks as compiled loops over NumPy arrays, forward and backward, in float32 and float64.

The first axis goes through all words of all networks. A loop reads each number once and keeps the state in the cache, where PyTorch writes
a matrix for every letter. Sums may be reordered, so results agree with PyTorch's to rounding.
"""

from __future__ import annotations

import numpy as np

from ..numerics.compiled import kept_on_disk

# what is infinite or no number stays so: a network that diverges is seen
compiled = kept_on_disk(fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")


@compiled
def dot(a, b):
    """The sum of the products of two vectors."""
    total = a.dtype.type(0)
    for j in range(len(a)):
        total += a[j] * b[j]
    return total


@compiled
def entrywise(a, b, initial, states):
    """h_t = a_t h_(t-1) + b_t, entry by entry: a, b and ``states`` (N, T, m), ``initial`` (N, m)."""
    N, T, m = a.shape
    for i in range(N):
        for t in range(T):
            before = states[i, t - 1] if t else initial[i]
            for j in range(m):
                states[i, t, j] = a[i, t, j] * before[j] + b[i, t, j]


@compiled
def entrywise_back(a, initial, states, gradient, d_a, d_b, d_initial):
    """Gradients of :func:`entrywise` from that by its states; complex ones as PyTorch has them."""
    N, T, m = a.shape
    for i in range(N):
        total = d_initial[i]
        total[:] = 0
        for t in range(T - 1, -1, -1):
            before = states[i, t - 1] if t else initial[i]
            for j in range(m):
                d_b[i, t, j] = total[j] + gradient[i, t, j]
                d_a[i, t, j] = d_b[i, t, j] * np.conj(before[j])
                total[j] = d_b[i, t, j] * np.conj(a[i, t, j])


#: words that a loop over small states takes at once, one for each lane of the processor's vectors
LANES = 16


@compiled
def gathered(words, first, t, lanes):
    """The entries (m,) of token t of each of the next words, from (N, T, m), as (m, lanes); of the last word where there are no more."""
    N = len(words)
    for w in range(LANES):
        row = words[min(first + w, N - 1), t]
        for a in range(len(row)):
            lanes[a, w] = row[a]


@compiled
def scattered(lanes, words, first, t):
    """What :func:`gathered` took, given back."""
    for w in range(min(LANES, len(words) - first)):
        row = words[first + w, t]
        for a in range(len(row)):
            row[a] = lanes[a, w]


@compiled
def along(k, H, q, c, total):
    """k^T H of column q for every lane: k (n, lanes), H (n c, lanes)."""
    total[:] = 0
    for a in range(len(k)):
        for w in range(LANES):
            total[w] += k[a, w] * H[a * c + q, w]


@compiled
def micro_step(k, v, beta, H, errors):
    """H <- H + beta k (v - k^T H) in every lane; ``errors`` (c, lanes) are v - k^T H."""
    n, c = len(k), len(v)
    for q in range(c):
        error = errors[q]
        along(k, H, q, c, error)
        for w in range(LANES):
            error[w] = v[q, w] - error[w]
        for a in range(n):
            for w in range(LANES):
                H[a * c + q, w] += k[a, w] * beta[0, w] * error[w]


@compiled
def delta_rule(keys, values, beta, gates, initial, states):
    """The delta rule: a gate, then micro-steps, first to act first.

    keys (J, N, T, n), values (J, N, T, c), beta (J, N, T, 1), gates (N, T, 1) or (N, T, 0) for none, ``initial`` (N, 1, n c), ``states`` (N, T, n c).
    """
    (J, N, T, n), c, kind = keys.shape, values.shape[3], states.dtype
    H, k, v, errors = np.empty((n * c, LANES), kind), np.empty((n, LANES), kind), np.empty((c, LANES), kind), np.empty((c, LANES), kind)
    strength, gate = np.empty((1, LANES), kind), np.empty((1, LANES), kind)
    for first in range(0, N, LANES):
        gathered(initial, first, 0, H)
        for t in range(T):
            if gates.shape[2]:
                gathered(gates, first, t, gate)
                for a in range(n * c):
                    for w in range(LANES):
                        H[a, w] *= gate[0, w]
            for j in range(J):
                gathered(keys[j], first, t, k)
                gathered(values[j], first, t, v)
                gathered(beta[j], first, t, strength)
                micro_step(k, v, strength, H, errors)
            scattered(H, states, first, t)


@compiled
def delta_rule_back(keys, values, beta, gates, initial, states, gradient, d_keys, d_values, d_beta, d_gates, d_initial):
    """Gradients of :func:`delta_rule` from that by its states; the states between micro-steps are made again."""
    (J, N, T, n), c, kind = keys.shape, values.shape[3], states.dtype
    gated = gates.shape[2] > 0
    between, errors = np.empty((J + 1, n * c, LANES), kind), np.empty((J, c, LANES), kind)
    k, v, strength, gate = (
        np.empty((J, n, LANES), kind),
        np.empty((c, LANES), kind),
        np.empty((J, 1, LANES), kind),
        np.empty((1, LANES), kind),
    )
    G, new, before, size = (
        np.empty((n * c, LANES), kind),
        np.empty((n * c, LANES), kind),
        np.empty((n * c, LANES), kind),
        np.empty(LANES, kind),
    )
    d_k, d_v, d_strength, d_gate = (
        np.empty((n, LANES), kind),
        np.empty((c, LANES), kind),
        np.empty((1, LANES), kind),
        np.empty((1, LANES), kind),
    )
    for first in range(0, N, LANES):
        G[:] = 0
        for t in range(T - 1, -1, -1):
            gathered(gradient, first, t, new)
            if t:
                gathered(states, first, t - 1, before)
            else:
                gathered(initial, first, 0, before)
            if gated:
                gathered(gates, first, t, gate)
            for a in range(n * c):
                for w in range(LANES):
                    G[a, w] += new[a, w]
                    between[0, a, w] = gate[0, w] * before[a, w] if gated else before[a, w]
            for j in range(J):
                gathered(keys[j], first, t, k[j])
                gathered(values[j], first, t, v)
                gathered(beta[j], first, t, strength[j])
                between[j + 1] = between[j]
                micro_step(k[j], v, strength[j], between[j + 1], errors[j])
            for j in range(J - 1, -1, -1):
                own, power = k[j], strength[j, 0]
                d_k[:] = 0
                d_strength[:] = 0
                for q in range(c):
                    along(own, G, q, c, size)
                    for w in range(LANES):
                        d_strength[0, w] += size[w] * errors[j, q, w]
                        d_v[q, w] = power[w] * size[w]
                    for a in range(n):
                        for w in range(LANES):
                            d_k[a, w] += power[w] * errors[j, q, w] * G[a * c + q, w] - d_v[q, w] * between[j, a * c + q, w]
                            G[a * c + q, w] -= own[a, w] * d_v[q, w]
                scattered(d_k, d_keys[j], first, t)
                scattered(d_v, d_values[j], first, t)
                scattered(d_strength, d_beta[j], first, t)
            if gated:
                d_gate[:] = 0
                for a in range(n * c):
                    for w in range(LANES):
                        d_gate[0, w] += G[a, w] * before[a, w]
                        G[a, w] *= gate[0, w]
                scattered(d_gate, d_gates, first, t)
        scattered(G, d_initial, first, 0)


@compiled
def exponents(step, rates, out):
    """-step rate for every channel and state: step (N, T, c), rates (networks, s c), ``out`` (N, T, s c), a row of channels for each state."""
    (N, T, m), c = out.shape, step.shape[2]
    for i in range(N):
        rate = rates[i // (N // len(rates))]
        for t in range(T):
            row, own = out[i, t], step[i, t]
            for j in range(0, m, c):
                for a in range(c):
                    row[j + a] = -own[a] * rate[j + a]


@compiled
def selective(step, u, raw, decays, least, states, read):
    """Mamba's recurrence from 0: H_t = A_t * H_(t-1) + step_t u_t k_t^T entry by entry, A = (1 - least) decay + least, read as H_t q_t.

    step, u and ``read`` (N, T, c), ``raw`` (N, T, c + 2 s and more) with k and q after the first c, decays and ``states`` (N, T, s c), a row of channels for
    each state, ``least`` (networks,).
    """
    (N, T, m), c = decays.shape, u.shape[2]
    s, nothing, written = m // c, np.zeros(m, decays.dtype), np.empty(c, decays.dtype)
    for i in range(N):
        floor = least[i // (N // len(least))]
        span = decays.dtype.type(1) - floor
        for t in range(T):
            before = states[i, t - 1] if t else nothing
            for a in range(c):
                read[i, t, a] = 0
                written[a] = step[i, t, a] * u[i, t, a]
            for j in range(s):
                k, q = raw[i, t, c + j], raw[i, t, c + s + j]
                for a in range(c):
                    states[i, t, j * c + a] = (span * decays[i, t, j * c + a] + floor) * before[j * c + a] + written[a] * k
                for a in range(c):
                    read[i, t, a] += q * states[i, t, j * c + a]


@compiled
def selective_back(step, u, raw, decays, least, rates, states, gradient, d_step, d_u, d_raw, d_rates):
    """Gradients of :func:`selective` from that by what is read, also by step and rates (networks, s c), to which it adds: decays are exp(-step rate).

    Those by the first c of ``raw`` are left alone.
    """
    (N, T, m), c, kind = decays.shape, u.shape[2], decays.dtype
    nothing, G, g, exponent, zero = np.zeros(m, kind), np.empty(m, kind), np.empty(m, kind), np.empty(m, kind), kind.type(0)
    s, written, d_written = m // c, np.empty(c, kind), np.empty(c, kind)
    for i in range(N):
        network = i // (N // len(least))
        floor = least[network]
        span = kind.type(1) - floor
        G[:] = 0
        for t in range(T - 1, -1, -1):
            before = states[i, t - 1] if t else nothing
            # short loops over few arrays are vectorised, one over all is not; a slice of an array costs more than a row of numbers
            for a in range(c):
                written[a] = step[i, t, a] * u[i, t, a]
            for j in range(s):
                q, d_q, d_k = raw[i, t, c + s + j], zero, zero
                for a in range(c):
                    g[j * c + a] = G[j * c + a] + gradient[i, t, a] * q
                for a in range(c):
                    d_q += gradient[i, t, a] * states[i, t, j * c + a]
                for a in range(c):
                    d_k += written[a] * g[j * c + a]
                d_raw[i, t, c + s + j], d_raw[i, t, c + j] = d_q, d_k
            for e in range(c + 2 * s, raw.shape[2]):
                d_raw[i, t, e] = zero
            for e in range(m):
                exponent[e] = g[e] * before[e] * decays[i, t, e] * span
            for e in range(m):
                G[e] = g[e] * (span * decays[i, t, e] + floor)
            for a in range(c):
                d_step[i, t, a] = 0
                d_written[a] = 0
            for j in range(s):
                k = raw[i, t, c + j]
                for a in range(c):
                    d_rates[network, j * c + a] -= exponent[j * c + a] * step[i, t, a]
                for a in range(c):
                    d_step[i, t, a] -= exponent[j * c + a] * rates[network, j * c + a]
                for a in range(c):
                    d_written[a] += g[j * c + a] * k
            for a in range(c):
                d_step[i, t, a] += d_written[a] * u[i, t, a]
            for a in range(c):
                d_u[i, t, a] = d_written[a] * step[i, t, a]


@compiled
def convolution(x, taps, bias, out):
    """A short causal convolution of each channel: x and ``out`` (N, T, c), taps (networks, K, c), the last on the newest input, bias (networks, c)."""
    (N, T, c), K = x.shape, taps.shape[1]
    for i in range(N):
        network = i // (N // len(taps))
        for t in range(T):
            for a in range(c):
                out[i, t, a] = bias[network, a]
            for k in range(max(0, K - 1 - t), K):
                for a in range(c):
                    out[i, t, a] += taps[network, k, a] * x[i, t - (K - 1 - k), a]


@compiled
def convolution_back(x, taps, gradient, d_x, d_taps, d_bias):
    """Gradients of :func:`convolution`; to those by taps and bias it adds."""
    (N, T, c), K = x.shape, taps.shape[1]
    for i in range(N):
        network = i // (N // len(taps))
        d_x[i] = 0
        for t in range(T):
            for a in range(c):
                d_bias[network, a] += gradient[i, t, a]
            for k in range(max(0, K - 1 - t), K):
                for a in range(c):
                    d_x[i, t - (K - 1 - k), a] += taps[network, k, a] * gradient[i, t, a]
                for a in range(c):
                    d_taps[network, k, a] += x[i, t - (K - 1 - k), a] * gradient[i, t, a]


@compiled
def matrices(A, B, initial, states):
    """H_t = A_t H_(t-1) + B_t: A (N, T, n, n), B and ``states`` (N, T, n, c), ``initial`` (N, n, c)."""
    N, T, n, c = B.shape
    for i in range(N):
        for t in range(T):
            before = states[i, t - 1] if t else initial[i]
            states[i, t] = B[i, t]
            for a in range(n):
                for e in range(n):
                    for q in range(c):
                        states[i, t, a, q] += A[i, t, a, e] * before[e, q]


@compiled
def matrices_back(A, initial, states, gradient, d_A, d_B, d_initial):
    """Gradients of :func:`matrices` from that by its states."""
    N, T, n, c = states.shape
    for i in range(N):
        total = d_initial[i]
        total[:] = 0
        for t in range(T - 1, -1, -1):
            before = states[i, t - 1] if t else initial[i]
            for a in range(n):
                for q in range(c):
                    d_B[i, t, a, q] = total[a, q] + gradient[i, t, a, q]
            total[:] = 0
            for a in range(n):
                for e in range(n):
                    product = d_B[i, t, a, 0] * before[e, 0]
                    for q in range(1, c):
                        product += d_B[i, t, a, q] * before[e, q]
                    d_A[i, t, a, e] = product
                    for q in range(c):
                        total[e, q] += A[i, t, a, e] * d_B[i, t, a, q]


@compiled
def normalised(raw, unit):
    """Put raw / |raw| into ``unit``; |raw|."""
    size = np.sqrt(dot(raw, raw))
    for j in range(len(raw)):
        unit[j] = raw[j] / size
    return size


@compiled
def through(gradient, unit, size):
    """A gradient by a unit vector becomes that by the vector before it was normalised."""
    along = dot(unit, gradient)
    for j in range(len(unit)):
        gradient[j] = (gradient[j] - along * unit[j]) / size


@compiled
def bedouin_token(raw, rate, gates, units, sizes, log_decay):
    """One token of a Bedouin layer with one reflection, as ``bedouin_loop`` has it: its parameters from the raw ones, (N, d + 1 + d + 2 n) for N words.

    ``rate`` (networks, n, d). Out: ``gates`` delta, alpha (N, d + 1), unit vectors u, B, C in a row ``units`` (N, d + 2 n), their ``sizes`` before (N, 3),
    ``log_decay`` (N, n, d).
    """
    N, (networks, n, d), one = len(raw), rate.shape, raw.dtype.type(1)
    for i in range(N):
        own = rate[i // (N // networks)]
        for j in range(d + 1):
            gates[i, j] = one / (one + np.exp(-raw[i, j]))
        start = 0
        for part, width in enumerate((d, n, n)):
            sizes[i, part] = normalised(raw[i, d + 1 + start : d + 1 + start + width], units[i, start : start + width])
            start += width
        for a in range(n):
            for j in range(d):
                log_decay[i, a, j] = own[a, j] * gates[i, j]


@compiled
def bedouin_step(x, gates, units, decay, before, after, solution, z, y):
    """The new state of a Bedouin layer and its output: x, z and y (N, d), states (N, n, d); ``solution`` (N, 3) are c, e and the determinant."""
    N, n, d = decay.shape
    p, one = np.empty(d, x.dtype), x.dtype.type(1)
    for i in range(N):
        delta, alpha, u, B, C = gates[i, :d], gates[i, d], units[i, :d], units[i, d : d + n], units[i, d + n :]
        p[:] = 0
        for a in range(n):
            for j in range(d):
                after[i, a, j] = decay[i, a, j] * before[i, a, j]
                p[j] += C[a] * after[i, a, j]
        c = dot(B, C)
        along, bent = x.dtype.type(0), x.dtype.type(0)
        for j in range(d):
            along += u[j] * (p[j] - x[i, j] + c * delta[j] * x[i, j])
            bent += delta[j] * u[j] * u[j]
        determinant = one - (alpha + alpha) * c * bent
        e = along / determinant
        solution[i, 0], solution[i, 1], solution[i, 2] = c, e, determinant
        for j in range(d):
            z[i, j] = delta[j] * (x[i, j] + (alpha + alpha) * e * u[j])
            y[i, j] = p[j] + c * z[i, j]
        for a in range(n):
            for j in range(d):
                after[i, a, j] += B[a] * z[i, j]


@compiled
def bedouin_back(x, rate, gates, units, sizes, decay, before, solution, z, d_y, d_h, d_x, d_raw, d_rate):
    """Gradients of a token by x, the raw parameters and the rate, to which it adds; ``d_h`` becomes that by the state before."""
    N, n, d = decay.shape
    zero = x.dtype.type(0)
    p, d_z, inner = np.empty(d, x.dtype), np.empty(d, x.dtype), np.empty(d, x.dtype)
    d_w, d_p, d_log, g = np.empty(d, x.dtype), np.empty(d, x.dtype), np.empty(d, x.dtype), np.empty(d, x.dtype)
    for i in range(N):
        network = i // (N // len(rate))
        delta, alpha, u, B, C = gates[i, :d], gates[i, d], units[i, :d], units[i, d : d + n], units[i, d + n :]
        c, e, determinant = solution[i, 0], solution[i, 1], solution[i, 2]
        twice = alpha + alpha
        of_delta, of_u, of_B, of_C = (
            d_raw[i, :d],
            d_raw[i, d + 1 : d + 1 + d],
            d_raw[i, d + 1 + d : d + 1 + d + n],
            d_raw[i, d + 1 + d + n :],
        )
        p[:] = 0
        d_z[:] = 0
        for a in range(n):
            for j in range(d):
                p[j] += C[a] * decay[i, a, j] * before[i, a, j]
                d_z[j] += B[a] * d_h[i, a, j]
        along, bent = zero, zero
        for j in range(d):
            d_z[j] += c * d_y[i, j]
            inner[j] = delta[j] * d_z[j]
            along += u[j] * inner[j]
            bent += delta[j] * u[j] * u[j]
        by_w = twice * along / determinant
        by_determinant = -e * by_w
        by_bent = -twice * c * by_determinant
        d_c = -twice * bent * by_determinant
        for j in range(d):
            d_w[j] = by_w * u[j]
            d_p[j] = d_y[i, j] + d_w[j]
            d_c += d_y[i, j] * z[i, j] + d_w[j] * delta[j] * x[i, j]
            w = p[j] - x[i, j] + c * delta[j] * x[i, j]
            of_u[j] = twice * e * inner[j] + by_w * w + (by_bent + by_bent) * delta[j] * u[j]
            d_x[i, j] = inner[j] + c * delta[j] * d_w[j] - d_w[j]
            of_delta[j] = d_z[j] * (x[i, j] + twice * e * u[j]) + c * x[i, j] * d_w[j] + by_bent * u[j] * u[j]
        d_alpha = (e + e) * along - (c + c) * bent * by_determinant
        # short loops over few arrays are vectorised, one over all is not; a slice of an array costs more than a row of numbers
        for a in range(n):
            written, by_read = zero, zero
            for j in range(d):
                written += d_h[i, a, j] * z[i, j]
            for j in range(d):
                g[j] = decay[i, a, j] * before[i, a, j]
            for j in range(d):
                by_read += g[j] * d_p[j]
            for j in range(d):
                d_h[i, a, j] += C[a] * d_p[j]
            for j in range(d):
                d_log[j] = d_h[i, a, j] * g[j]
            for j in range(d):
                d_h[i, a, j] *= decay[i, a, j]
            for j in range(d):
                of_delta[j] += d_log[j] * rate[network, a, j]
            for j in range(d):
                d_rate[network, a, j] += d_log[j] * delta[j]
            of_B[a] = d_c * C[a] + written
            of_C[a] = d_c * B[a] + by_read
        for j in range(d):
            of_delta[j] *= delta[j] - delta[j] * delta[j]
        d_raw[i, d] = d_alpha * (alpha - alpha * alpha)
        through(of_u, u, sizes[i, 0])
        through(of_B, B, sizes[i, 1])
        through(of_C, C, sizes[i, 2])
