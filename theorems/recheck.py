"""The independent re-checker: verifies certificates with the standard library alone.

It shares no code with what produced them (FLINT, NumPy, the checks) and trusts nothing but integers and fractions; run it as
``lemmata recheck DIR`` or, without lemmata installed, ``python recheck.py DIR``. Each rule below restates in its docstring
what it establishes; the file format is docs/certificates.md.
"""

import hashlib
import json
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

LARGEST_THRESHOLD = 100_000


class Rejected(Exception):
    """A certificate does not prove what it says; the message says why."""


def require(condition, why):
    if not condition:
        raise Rejected(why)


# -- numbers and matrices --------------------------------------------------------------------------------------------------


def number(x):
    """A fraction from an int or text such as "-3/4"; floats are refused."""
    require(isinstance(x, (int, str)) and not isinstance(x, bool), f"expected an exact number, got {x!r}")
    return Fraction(x)


def matrix(rows):
    m = [[number(x) for x in row] for row in rows]
    require(m and m[0] and all(len(row) == len(m[0]) for row in m), "expected a rectangular matrix")
    return m


def times(a, b):
    require(len(a[0]) == len(b), "matrices of fitting sizes")
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def plus(a, b):
    return [[x + y for x, y in zip(r, s)] for r, s in zip(a, b)]


def one(n):
    return [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]


def rank(m):
    m, r = [row[:] for row in m], 0
    for column in range(len(m[0])):
        pivot = next((i for i in range(r, len(m)) if m[i][column]), None)
        if pivot is None:
            continue
        m[r], m[pivot] = m[pivot], m[r]
        for i in range(r + 1, len(m)):
            q = m[i][column] / m[r][column]
            m[i] = [x - q * y for x, y in zip(m[i], m[r])]
        r += 1
    return r


def points(values):
    """A finite set D, sorted, with the midpoints between neighbours."""
    d = sorted({number(v) for v in values})
    require(d, "D is empty")
    return d, [(x + y) / 2 for x, y in zip(d, d[1:])]


def cast(x, d):
    """The nearest element of D, the smaller one at a tie."""
    return min(d, key=lambda z: (abs(z - x), z))


# -- exponential sums: {(eigenvalue, m): coefficient} ----------------------------------------------------------------------


def value(terms, k):
    return sum((c * comb(k, m) * x ** (k - m) for (x, m), c in terms.items() if k >= m), Fraction(0))


def sign_is_settled(terms, shift, k, parity):
    """The sign of a_j - shift, the same for every j >= k with j = parity mod 2; Rejected if that is not shown.

    With every |lambda| > 0 and its sign fixed by the parity, the term of largest (|lambda|, m) outweighs the others together
    at the first such j, and the ratio of each of them to it never grows again: the step's factor is
    (j+1-M) x / ((j+1-m) X) <= 1, that is (j+1)(X - x) >= m X - M x.
    """
    start = k + (k - parity) % 2
    positive = {}
    for (x, m), c in list(terms.items()) + [((Fraction(1), 0), -shift)]:
        require(m < start + 1 or not c, "the threshold lies below m")
        if x:
            flipped = -c if x < 0 and (parity - m) % 2 else c
            positive[abs(x), m] = positive.get((abs(x), m), 0) + flipped
        else:
            require(m < start or not c, "a term with eigenvalue 0 is still alive at the threshold")
    positive = {key: c for key, c in positive.items() if c}
    if not positive:
        return 0
    big, m_big = max(positive)
    rest = Fraction(0)
    for (x, m), c in positive.items():
        if (x, m) != (big, m_big):
            require((start + 1) * (big - x) >= m * big - m_big * x, "a ratio to the leading term may still grow")
            rest += abs(c) * comb(start, m) * x ** (start - m)
    lead = positive[big, m_big]
    require(rest < abs(lead) * comb(start, m_big) * big ** (start - m_big), "the leading term does not outweigh the rest")
    return 1 if lead > 0 else -1


def settled_values(terms, d, middles, k):
    """(value at even j, value at odd j) of cast(a_j) for all j >= k."""
    return [d[sum(sign_is_settled(terms, y, k, parity) > 0 for y in middles)] for parity in (0, 1)]


# -- the rules -------------------------------------------------------------------------------------------------------------


def check_cast_of_sum(data):
    """cast(a_k) equals ``even`` or ``odd`` by parity for all k >= ``threshold``, a_k = sum c C(k,m) lambda^(k-m)."""
    terms = {}
    for x, m, c in data["terms"]:
        require(isinstance(m, int) and m >= 0, "m is a natural number")
        terms[number(x), m] = terms.get((number(x), m), 0) + number(c)
    d, middles = points(data["D"])
    values = settled_values(terms, d, middles, natural(data["threshold"]))
    require(values == [number(data["even"]), number(data["odd"])], "the settled values differ from those claimed")


def check_eventually_periodic(data):
    """Layers in the cast model on an eventually periodic input: from ``threshold`` on the states repeat ``cycle``.

    For each layer check_layer shows this for its own input, the word ``before`` and then ``period`` for ever; and what the next
    layer (or ``outputs``) reads is a function of this layer's state and letter, so a decoder with this table exists.
    """
    d, middles = points(data["D"])
    words = data["layers"] + ([data["outputs"]] if data.get("outputs") else [])
    require(data["layers"], "at least one layer")
    for layer, above in zip(data["layers"], [*words[1:], None]):
        states = check_layer(layer, d, middles)
        if above is not None:
            decoder, p = {}, len(layer["cycle"])
            horizon = max(layer["threshold"], len(layer["before"]) + 1, len(above["before"]) + 1)
            for t in range(1, horizon + p * len(above["period"]) + 1):
                state = states[t] if t < len(states) else freeze(matrix(layer["cycle"][(t - layer["threshold"]) % p]))
                require(
                    consistent(decoder, [((state, letter_at(layer, t)), letter_at(above, t))]),
                    f"the output at time {t} is a function of state and letter",
                )


def letter_at(word, t):
    """The letter at time t >= 1 of the word ``before``, then ``period`` for ever."""
    beyond = t - 1 - len(word["before"])
    return word["before"][t - 1] if beyond < 0 else word["period"][beyond % len(word["period"])]


def check_layer(layer, d, middles):
    """The states H_0, ... up to the threshold and through one cycle, simulated; Rejected unless they repeat for ever.

    At times |before| + p j + r the state is the cast of a constant, of casts of M C^j V, and of sums over q < j of casts of
    M C^q V, with C the product of the transitions over the period. The Jordan data turn the entries into exponential sums, whose
    casts are 2-periodic from j = ``settled`` on; so along each parity of j the argument of the outer cast is an arithmetic
    progression, which must be constant or beyond the last midpoint.
    """
    maps = [(matrix(f["A"]), matrix(f["B"])) for f in layer["maps"]]
    before, period, h = [natural(x) for x in layer["before"]], [natural(x) for x in layer["period"]], matrix(layer["H0"])
    n, p = len(h), len(period)
    require(p > 0 and all(len(a) == n == len(b) and len(b[0]) == len(h[0]) for a, b in maps), "a period, and maps of the state's size")
    settled, threshold = natural(layer["settled"]), natural(layer["threshold"])
    start, left = divmod(threshold - len(before), p)
    require(left == 0 and settled <= start and threshold <= LARGEST_THRESHOLD, "the threshold is |before| + p j with j >= settled")
    product = one(n)
    for x in period:
        product = times(maps[x][0], product)
    jordan = check_jordan_form(product, layer)
    terms = [h]
    for x in before:
        terms = [times(maps[x][0], term) for term in terms] + [maps[x][1]]
    for r in range(p):
        head = one(n)
        for x in period[:r]:
            head = times(maps[x][0], head)
        fixed, growing = [power_entries(jordan, head, v) for v in terms], []
        for s, x in enumerate(period):
            v = maps[x][1]
            for y in period[s + 1 :]:
                v = times(maps[y][0], v)
            growing.append(power_entries(jordan, head, v))
        for i in range(n):
            for j in range(len(h[0])):
                steps = [settled_values(g[i][j], d, middles, settled) for g in growing]
                for f in fixed:
                    settled_values(f[i][j], d, middles, settled)
                step = sum((even + odd for even, odd in steps), Fraction(0))
                constant = sum((cast(injected(maps, period, s, r)[i][j], d) for s in range(r)), Fraction(0))
                for k in (start, start + 1):
                    argument = constant + sum((cast(value(f[i][j], k), d) for f in fixed), Fraction(0))
                    argument += sum((cast(value(g[i][j], q), d) for g in growing for q in range(k)), Fraction(0))
                    beyond = argument > middles[-1] if middles and step > 0 else argument <= middles[0] if middles and step < 0 else True
                    require(beyond, f"entry {i, j} may still cross a midpoint")
                    listed = layer["cycle"][p * (k - start) + r][i][j]
                    require(cast(argument, d) == number(listed), f"entry {i, j} at time {len(before) + p * k + r} differs from the cycle")
    require(len(layer["cycle"]) == 2 * p, "a cycle of two periods")
    return simulated(maps, before, period, h, d, threshold + 2 * p)


def injected(maps, period, s, r):
    """What the s-th step of a period has become after its r-th: A(w_r) ... A(w_{s+1}) B(w_s)."""
    v = maps[period[s]][1]
    for x in period[s + 1 : r]:
        v = times(maps[x][0], v)
    return v


def simulated(maps, before, period, h, d, horizon):
    """The states of the cast model at times 0 .. horizon - 1, term by term."""
    terms, states = [h], []
    for t in range(horizon):
        total = [[sum((cast(term[i][j], d) for term in terms), Fraction(0)) for j in range(len(h[0]))] for i in range(len(h))]
        states.append(freeze([[cast(x, d) for x in row] for row in total]))
        x = before[t] if t < len(before) else period[(t - len(before)) % len(period)]
        terms = [times(maps[x][0], term) for term in terms] + [maps[x][1]]
    return states


def check_jordan_form(a, data):
    """(P, P^-1, blocks) with A = P J P^-1, verified."""
    p, q = matrix(data["P"]), matrix(data["P_inverse"])
    blocks = [(number(x), natural(size)) for x, size in data["blocks"]]
    n, jordan = len(a), []
    require(sum(size for _, size in blocks) == n and times(p, q) == one(n), "P P^-1 = I, blocks of total size n")
    for x, size in blocks:
        start = len(jordan)
        for i in range(size):
            jordan.append([x if j == start + i else Fraction(int(i + 1 < size and j == start + i + 1)) for j in range(n)])
    require(times(a, p) == times(p, jordan), "A P = P J")
    return p, q, blocks


def power_entries(jordan, left, right):
    """The entries of left A^k right as sums: C(k,m) lambda^(k-m) sits on the m-th superdiagonal of a block's power."""
    p, q, blocks = jordan
    rows, columns = times(left, p), times(q, right)
    out = [[{} for _ in right[0]] for _ in rows]
    start = 0
    for x, size in blocks:
        for m in range(size):
            for i, row in enumerate(rows):
                for j in range(len(right[0])):
                    weight = sum(row[start + t] * columns[start + t + m][j] for t in range(size - m))
                    out[i][j][x, m] = out[i][j].get((x, m), 0) + weight
        start += size
    return out


def check_stepwise_orbit(data):
    """h -> cast(A h + b) moves through ``orbit`` and returns to its start; ``eigenvalues`` are those of A."""
    a, b = matrix(data["A"]), [number(x) for x in data["b"]]
    d, _ = points(data["D"])
    orbit = [[number(x) for x in h] for h in data["orbit"]]
    require(len(orbit) >= 2 and orbit[0] == orbit[-1], "the orbit is closed")
    require(len({tuple(h) for h in orbit}) == len(orbit) - 1, "its states are distinct")
    for h, after in zip(orbit, orbit[1:]):
        image = [cast(sum(x * y for x, y in zip(row, h)) + c, d) for row, c in zip(a, b)]
        require(image == after, f"the state after {h} is {image}, not {after}")
    expected = [Fraction(1)]
    for x in (number(x) for x in data["eigenvalues"]):
        expected = [u - x * v for u, v in zip(expected + [Fraction(0)], [Fraction(0)] + expected)]
    require(characteristic_polynomial(a) == expected, "the eigenvalues are not those of A")


def characteristic_polynomial(a):
    """Coefficients of det(xI - A), highest first (Faddeev and LeVerrier)."""
    n, m, out = len(a), one(len(a)), [Fraction(1)]
    for k in range(1, n + 1):
        m = times(a, m)
        out.append(-sum(m[i][i] for i in range(n)) / k)
        m = plus(m, [[out[-1] * x for x in row] for row in one(n)])
    return out


def check_gh_product(data):
    """``matrix`` is the product of the I - beta v v^T / v^T v with 1 - beta in [low, high]; ``fewest``: rank(M - I) is their number."""
    m = matrix(data["matrix"])
    product, low, high = one(len(m)), number(data["low"]), number(data["high"])
    for factor in data["factors"]:
        v, beta = [number(x) for x in factor["v"]], number(factor["beta"])
        length = sum(x * x for x in v)
        require(len(v) == len(m) and length, "a nonzero vector of the right size")
        require(low <= 1 - beta <= high, f"1 - beta = {1 - beta} lies outside [{low}, {high}]")
        product = times(product, [[Fraction(int(i == j)) - beta * v[i] * v[j] / length for j in range(len(v))] for i in range(len(v))])
    require(product == m, "the product of the factors is not the matrix")
    if data["fewest"]:
        needed = rank([[x - int(i == j) for j, x in enumerate(row)] for i, row in enumerate(m)])
        require(needed == len(data["factors"]), f"rank(M - I) = {needed} is not the number of factors")


def check_not_below_one(data):
    """||M|| >= 1, and > 1 if ``strict``: the vector is not zero and not shortened (is lengthened)."""
    m, v = matrix(data["matrix"]), [number(x) for x in data["vector"]]
    image = [sum(x * y for x, y in zip(row, v)) for row in m]
    before, after = sum(x * x for x in v), sum(x * x for x in image)
    require(len(v) == len(m[0]) and before > 0, "a nonzero vector of the right size")
    require(after > before if data["strict"] else after >= before, "the vector is shortened")


def check_contraction(data):
    """||M|| <= 1: I - M^T M is positive semidefinite, by symmetric elimination."""
    m = matrix(data["matrix"])
    gram = times([list(c) for c in zip(*m)], m)
    g = [[int(i == j) - x for j, x in enumerate(row)] for i, row in enumerate(gram)]
    for i in range(len(g)):
        require(g[i][i] > 0 or (g[i][i] == 0 and not any(g[i][i:])), "I - M^T M has a negative pivot")
        for r in range(i + 1, len(g)):
            if g[i][i]:
                q = g[r][i] / g[i][i]
                g[r] = [x - q * y for x, y in zip(g[r], g[i])]


def check_eigenvector(data):
    """``matrix`` times ``vector`` is ``eigenvalue`` times ``vector``, which is not 0."""
    m, v, x = matrix(data["matrix"]), [number(y) for y in data["vector"]], number(data["eigenvalue"])
    require(any(v) and [sum(a * b for a, b in zip(row, v)) for row in m] == [x * y for y in v], "M v differs from lambda v")


def check_overlap_moment(data):
    """E[X^copies] for X = <A_I Y, A_J Y> / N, A_I = A^{i_n} ... A^{i_1}, A^i = W^i M^i' / sqrt(N r), is the sum of count N^-a r^-b over ``terms`` [a, b, count].

    Y, W^i (N x r) and M^i are independent with independent standard Gaussian entries. The mean is the sum over all pairings of equal matrices;
    a pairing merges the places where their indices stand, and counts N for each merged place of size N, r for each of size r.
    """
    copies, words = natural(data["copies"]), [data["I"], data["J"]]
    require(copies >= 1 and all(isinstance(x, int) for w in words for x in w), "expected words of integers, and a copy at least")
    total = copies * sum(map(len, words))
    require(total <= 10, "more pairings than this checker goes through")
    kinds, places = {}, {"N": set(), "r": set()}
    for c in range(copies):
        for side, word in enumerate(words):
            # the place above the last letter is shared by both sides
            at = [(c, side, k) if k < len(word) else (c, "top") for k in range(len(word) + 1)]
            places["N"].update(at)
            places["r"].update((c, side, k) for k in range(len(word)))
            kinds.setdefault("Y", []).append((at[0], None))
            for k, letter in enumerate(word):
                kinds.setdefault(("M", letter), []).append((at[k], (c, side, k)))
                kinds.setdefault(("W", letter), []).append((at[k + 1], (c, side, k)))
    found = {}
    for pairing in joint_pairings(list(kinds.values())):
        loops = [merged(places["N"], [(x[0], y[0]) for x, y in pairing]), merged(places["r"], [(x[1], y[1]) for x, y in pairing if x[1]])]
        key = (copies + total // 2 - loops[0], total // 2 - loops[1])
        found[key] = found.get(key, 0) + 1
    require(found == {(a, b): count for a, b, count in data["terms"]}, "the pairings give other terms")


def joint_pairings(groups):
    """All ways to pair up the members within each group."""
    if not groups:
        yield []
        return
    first, *others = groups
    if not first:
        yield from joint_pairings(others)
        return
    for i in range(1, len(first)):
        for rest in joint_pairings([first[1:i] + first[i + 1 :], *others]):
            yield [(first[0], first[i]), *rest]


def merged(places, pairs):
    """How many classes are left of the places when each pair is merged."""
    classes = {p: {p} for p in places}
    for p, q in pairs:
        if classes[p] is not classes[q]:
            classes[p] |= classes[q]
            for member in classes[q]:
                classes[member] = classes[p]
    return len({id(c) for c in classes.values()})


def check_automaton(data):
    """A stack of layers H -> A H + B outputs, after every nonempty word, what the automaton of ``edges`` outputs.

    Every pair (network state, automaton state) of the list has an edge for every letter, back into the list; states move by
    the layers' maps; and what a layer reads depends only on the state and letter of the layer below, the output only on the
    state and letter of the last layer, so decoders with these tables exist.
    """
    field = natural(data["field"])
    modulus = cyclotomic_polynomial(field)
    layers = [[(field_matrix(f["A"], modulus), field_matrix(f["B"], modulus)) for f in layer] for layer in data["layers"]]
    states = [tuple(freeze(field_matrix(h, modulus)) for h in network) for network in data["states"]]
    automaton, outputs, letters = data["automaton"], data["outputs"], data["letters"]
    require(len(states) == len(automaton) == len(outputs) and states and letters, "lists of one length")
    require(all(len(s) == len(layers) for s in states), "one state for each layer")
    reads, delta, emits, seen = {}, {}, {}, set()
    require(consistent({}, zip(automaton, outputs)), "the output is a function of the automaton's state")
    for i, letter, read, j in data["edges"]:
        require(0 <= i < len(states) and 0 <= j < len(states) and 0 <= letter < len(letters), "an edge within the lists")
        require(len(read) == len(layers), "one letter for each layer")
        seen.add((i, letter))
        require(consistent(delta, [((automaton[i], letter), automaton[j])]), "the automaton is deterministic")
        source = ("input", letter)
        for level, (layer, index) in enumerate(zip(layers, read)):
            require(consistent(reads, [((level, source), index)]), f"layer {level + 1} reads a function of what lies below")
            require(0 <= index < len(layer), "a letter of the layer's table")
            a, b = layer[index]
            new = field_plus(field_times(a, states[i][level], modulus), b)
            require(freeze(new) == states[j][level], f"layer {level + 1} moves to another state than listed on edge {i, letter}")
            source = (freeze(new), index)
        require(consistent(emits, [(source, outputs[j])]), "the output is a function of the last layer")
    require(seen == {(i, x) for i in range(len(states)) for x in range(len(letters))}, "an edge for every pair and letter")


def check_copy(data):
    """Layers h^l_t = V h^l_(t-1) + U h^(l-1)_t from 0, read by ``readout``, copy every input ``p`` steps forward, at every length.

    Output minus copy is a linear recurrence with N + p states, N those of all layers; where its first N + p + 1 responses vanish, all do.
    """
    layers, readout, p = [(matrix(a["U"]), matrix(a["V"])) for a in data["layers"]], matrix(data["readout"]), natural(data["p"])
    d, size = len(layers[0][0][0]), sum(len(V) for _, V in layers)
    for channel in range(d):
        states = [[[Fraction(0)] for _ in V] for _, V in layers]
        for t in range(size + p + 1):
            below = [[Fraction(int(t == 0 and i == channel))] for i in range(d)]
            for i, (U, V) in enumerate(layers):
                states[i] = below = plus(times(V, states[i]), times(U, below))
            wanted = [[Fraction(int(t == p and i == channel))] for i in range(d)]
            require(times(readout, below) == wanted, f"the response to channel {channel} is another at step {t}")


def check_collision(data):
    """Layers with piecewise linear activations between them have the same states after two words of inputs with different products.

    h^l_t = V h^l_(t-1) + U y^(l-1)_t + b from ``initial``; y is h through the function with these slopes between the knots, 0 at 0.
    """
    finals, products = [], []
    for word in data["inputs"]:
        states, total = [[[number(x)] for x in a["initial"]] for a in data["layers"]], Fraction(1)
        for x in word:
            below, total = [[number(x)]], total * number(x)
            for i, a in enumerate(data["layers"]):
                inner = plus(times(matrix(a["V"]), states[i]), times(matrix(a["U"]), below))
                states[i] = plus(inner, [[number(b)] for b in a["b"]])
                knots, slopes = [number(k) for k in a["knots"]], [number(c) for c in a["slopes"]]
                below = [[broken_line(h, knots, slopes)] for (h,) in states[i]]
        finals.append(states)
        products.append(total)
    require(len(finals) == 2 and finals[0] == finals[1], "the states differ")
    require(len(data["inputs"][0]) == len(data["inputs"][1]) and products[0] != products[1], "the products agree")


def broken_line(u, knots, slopes):
    """The integral from 0 to u of the slope, slopes[i] between knots[i - 1] and knots[i]."""
    require(len(slopes) == len(knots) + 1 and knots == sorted(knots), "expected sorted knots and one slope more")
    low, high = min(u, Fraction(0)), max(u, Fraction(0))
    cuts = [low, *[k for k in knots if low < k < high], high]
    total = sum(((b - a) * slopes[sum(k <= a for k in knots)] for a, b in zip(cuts, cuts[1:])), Fraction(0))
    return total if u > 0 else -total


def check_network(document):
    """The stack of layers outputs the automaton's state after every nonempty word.

    Each layer's letters are arrows between places. A layer multiplies the graph of its places by its states, and what it hands on
    gives every (place, state) one place in the next layer's graph, the automaton's state for the last layer. Every reachable pair
    and every arrow is visited. Where a map lists ``steps``, they compose to it, with every beta in [0, 2].
    """
    modulus = cyclotomic_polynomial(natural(document["field"]))
    automaton, layers = document["automaton"], document["layers"]
    table, states = automaton["table"], range(len(automaton["states"]))
    require(len(table) == len(document["letters"]) > 0 and layers, "one row of the table for each letter, and a layer")
    require(all(len(row) == len(states) and all(q in states for q in row) for row in table), "a total automaton")
    require(automaton["start"] in states and all(q in states for q in automaton["accepting"]), "states of the automaton")
    require([y[0] for y in layers[0]["letters"]] == list(range(len(table))), "the first layer reads the alphabet")
    require(all(y[1] == y[2] == 0 for y in layers[0]["letters"]), "the first layer has one place")
    for k, layer in enumerate(layers, start=1):
        maps = [(field_matrix(m["A"], modulus), field_matrix(m["B"], modulus)) for m in layer["maps"]]
        for (a, b), m in zip(maps, layer["maps"]):
            require(m["steps"] is None or composes(m["steps"], a, b, modulus), f"the steps of a map of layer {k} compose to it")
        above = layers[k]["letters"] if k < len(layers) else None
        place = walk(layer, maps, above, table, automaton["start"], f"layer {k}", modulus)
        require(above is None or place[0, 0] == 0, "the start's place is numbered 0")


def walk(layer, maps, above, table, start, name, modulus):
    """The place in the next graph of each (place, state) that can be reached; the next graph is the automaton if ``above`` is None."""
    states = [freeze(field_matrix(h, modulus)) for h in layer["states"]]
    numbers = {h: i for i, h in enumerate(states)}
    require(len(numbers) == len(states), "states that differ")
    decoder = {(i, y): z for i, y, z in layer["decoder"]}
    leaving = {}
    for y, (letter, before, after, f) in enumerate(layer["letters"]):
        leaving.setdefault(before, []).append((y, letter, after, f))
    place, seen, waiting, moved = {}, {(0, 0)}, [(0, 0)], {}
    if above is None:
        place[0, 0] = start
    for p, i in waiting:
        for y, letter, after, f in leaving.get(p, []):
            if (i, f) not in moved:
                a, b = maps[f]
                moved[i, f] = numbers.get(freeze(field_plus(field_times(a, states[i], modulus), b)))
            j = moved[i, f]
            require(j is not None and (j, y) in decoder, f"{name} lists every state that it reaches, and decodes it")
            z = decoder[j, y]
            if above is None:
                require(table[letter][place[p, i]] == z, f"the output of {name} is the automaton's state")
                target = z
            else:
                letter_above, source, target, _ = above[natural(z)]
                require(letter_above == letter and place.setdefault((p, i), source) == source, f"{name} hands on the letter from its place")
            require(place.setdefault((after, j), target) == target, f"{name} gives every pair one place")
            if (after, j) not in seen:
                seen.add((after, j))
                waiting.append((after, j))
    return place


def composes(steps, a, b, modulus):
    """The steps H -> H - scale v (v^T H) + write v, in turn, are H -> A H + B, and scale v^T v = beta lies in [0, 2]."""
    n = len(a)
    one = [[element(int(i == j), modulus) for j in range(n)] for i in range(n)]
    h = [list(row) + [()] for row in one]
    for step in steps:
        v = [[element(x, modulus)] for x in step["v"]]
        scale, write, beta = element(step["scale"], modulus), element(step["write"], modulus), number(step["beta"])
        require(len(v) == n and 0 <= beta <= 2, "vectors of the layer's width and 0 <= beta <= 2")
        row = [[x[0] for x in v]]
        length = field_times(row, v, modulus)[0][0]
        require(field_times([[scale]], [[length]], modulus) == [[element(str(beta), modulus)]], "scale v^T v = beta")
        along = field_times([[scale]], field_times(row, h, modulus), modulus)
        minus = field_times(v, [[reduce([-c for c in x], modulus) for x in along[0]]], modulus)
        h = field_plus(h, minus)
        added = field_times(v, [[write]], modulus)
        h = [r[:-1] + [x] for r, x in zip(h, [field_plus([[r[-1]]], [s])[0][0] for r, s in zip(h, added)])]
    return freeze([r[:-1] for r in h]) == freeze(a) and freeze([[r[-1]] for r in h]) == freeze(b)


def consistent(table, items):
    """Add (key, value) items to a table; False if a key already has another value."""
    return all(table.setdefault(key, value) == value for key, value in items)


# -- arithmetic in Q(zeta_N): coefficient tuples modulo the cyclotomic polynomial -------------------------------------------


def cyclotomic_polynomial(n):
    """Coefficients of the n-th cyclotomic polynomial, lowest first: x^n - 1 divided by those of the proper divisors."""
    require(1 <= n <= 10_000, "a field of roots of unity of moderate order")
    p = [-1] + [0] * (n - 1) + [1]
    for divisor in range(1, n):
        if n % divisor == 0:
            p = divide(p, cyclotomic_polynomial(divisor))[0]
    return p


def divide(p, q):
    """(quotient, remainder) of polynomials with leading coefficient of q equal to 1."""
    p, quotient = list(p), [0] * max(len(p) - len(q) + 1, 1)
    for shift in range(len(p) - len(q), -1, -1):
        c = quotient[shift] = p[shift + len(q) - 1]
        for i, y in enumerate(q):
            p[shift + i] -= c * y
    return quotient, p[: len(q) - 1]


def element(x, modulus):
    coefficients = [number(c) for c in x] if isinstance(x, list) else [number(x)]
    return reduce(coefficients, modulus)


def reduce(coefficients, modulus):
    remainder = divide(coefficients, modulus)[1] if len(coefficients) >= len(modulus) else list(coefficients)
    while remainder and not remainder[-1]:
        remainder.pop()
    return tuple(remainder)


def field_matrix(rows, modulus):
    m = [[element(x, modulus) for x in row] for row in rows]
    require(m and m[0] and all(len(row) == len(m[0]) for row in m), "expected a rectangular matrix")
    return m


def field_times(a, state, modulus):
    """Matrix times a frozen state (tuple of rows)."""
    require(len(a[0]) == len(state), "matrices of fitting sizes")
    out = []
    for row in a:
        entries = []
        for column in zip(*state):
            total = [Fraction(0)] * (2 * len(modulus))
            for x, y in zip(row, column):
                for i, u in enumerate(x):
                    for j, v in enumerate(y):
                        total[i + j] += u * v
            entries.append(reduce(total, modulus))
        out.append(entries)
    return out


def field_plus(a, b):
    require(len(a) == len(b) and len(a[0]) == len(b[0]), "matrices of one size")
    out = []
    for r, s in zip(a, b):
        row = []
        for x, y in zip(r, s):
            n = max(len(x), len(y))
            total = [(x[i] if i < len(x) else 0) + (y[i] if i < len(y) else 0) for i in range(n)]
            while total and not total[-1]:
                total.pop()
            row.append(tuple(total))
        out.append(row)
    return out


def check_shared_head(data):
    """One head of steps, reading the states (k, V_k v) of a diagonal recurrence, equals ``heads[k - 1]`` of v_1, ..., v_k for all |v_i| <= ``largest``.

    At step k a neuron is an affine function of the tokens. One that keeps its sign on the cube is a constant; the others must be the same on both sides.
    """
    nodes, largest = [number(x) for x in data["nodes"]], number(data["largest"])
    require(data["heads"] and largest >= 0, "at least one step, and tokens of modulus at most 0 or more")
    shared, offset = neurons(data["head"], 1 + len(nodes))
    for k, own in enumerate(data["heads"], start=1):
        powers = [[x ** (k - 1 - j) for x in nodes] for j in range(k)]
        seen = [([sum(a * p for a, p in zip(row[1:], column)) for column in powers], bias + k * row[0], c) for row, bias, c in shared]
        require(left_on_cube(seen, offset, largest) == left_on_cube(*neurons(own, k), largest), f"the head is another function at step {k}")


def neurons(head, size):
    """([(row, bias, weight), ...], offset)."""
    rows = [[number(x) for x in row] for row in head["inner"]]
    bias, outer = [number(x) for x in head["bias"]], [number(x) for x in head["outer"]]
    require(
        len(rows) == len(bias) == len(outer) and all(len(row) == size for row in rows),
        f"as many rows of {size} entries as biases and weights",
    )
    return list(zip(rows, bias, outer)), number(head["offset"])


def left_on_cube(steps, offset, largest):
    """(constant, weights of the steps that are not constant on the cube)."""
    left = {}
    for row, bias, weight in steps:
        spread = largest * sum(abs(a) for a in row)
        if bias - spread >= 0:
            offset += weight
        elif bias + spread >= 0:
            left[tuple(row), bias] = left.get((tuple(row), bias), 0) + weight
    return offset, {key: weight for key, weight in left.items() if weight}


def freeze(m):
    return tuple(tuple(row) for row in m)


def natural(x):
    require(isinstance(x, int) and not isinstance(x, bool) and x >= 0, f"expected a natural number, got {x!r}")
    return x


# -- files -----------------------------------------------------------------------------------------------------------------

RULES = {
    "cast-of-sum": check_cast_of_sum,
    "eventually-periodic": check_eventually_periodic,
    "stepwise-orbit": check_stepwise_orbit,
    "gh-product": check_gh_product,
    "contraction": check_contraction,
    "not-below-one": check_not_below_one,
    "eigenvector": check_eigenvector,
    "overlap-moment": check_overlap_moment,
    "automaton": check_automaton,
    "copy": check_copy,
    "collision": check_collision,
    "network": check_network,
    "shared-head": check_shared_head,
}


def check_certificate(certificate):
    """Raise Rejected unless the certificate proves what its kind says."""
    kind = certificate["kind"]
    require(kind in RULES, f"unknown kind {kind!r}")
    RULES[kind](certificate["data"])


def check_file(path):
    """(claim id, number of certificates) of a file all of whose certificates hold; Rejected otherwise."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=lambda name: name)
    except OSError as error:
        raise Rejected(f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise Rejected("is not JSON") from None
    try:
        if isinstance(document, dict) and document.get("format") == "lemmata-network":
            require(document["version"] == 2, "is of another version")
            check_network(document)
            return f"a network for {len(document['automaton']['states'])} states", 1
        require(document["format"] == "lemmata-certificates" and document["version"] == 1, "is of another format or version")
        body = {k: v for k, v in document.items() if k != "sha256"}
        digest = hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()
        require(digest == document["sha256"], "does not match its digest: it was changed or damaged")
        require(document["certificates"], "holds no certificate")
        for i, certificate in enumerate(document["certificates"], start=1):
            try:
                check_certificate(certificate)
            except Rejected as why:
                raise Rejected(f"certificate {i} ({certificate['kind']}) is rejected: {why}") from None
        return document["claim"], len(document["certificates"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise Rejected(f"is malformed: {type(error).__name__}: {error}") from None


def files_of(directory):
    """The certificate files of a directory, sorted, or the one file given; Rejected if there is none."""
    directory = Path(directory)
    if directory.is_file():
        return [directory]
    require(directory.is_dir(), f"expected a file or a directory of certificates, got {str(directory)!r}")
    files = sorted(directory.glob("*.json"))
    require(files, f"expected certificates (*.json) in {str(directory)!r}, found none")
    return files


def main(arguments):
    """Check a file or directory; print a line for each file; 0 if all hold, 2 otherwise."""
    try:
        (directory,) = arguments
        files = files_of(directory)
    except (ValueError, Rejected) as error:
        print(f"recheck: {error}" if isinstance(error, Rejected) else "usage: python recheck.py PATH", file=sys.stderr)
        return 2
    bad = 0
    for path in files:
        try:
            claim, count = check_file(path)
            print(f"{claim}: {count} certificate{'s' if count > 1 else ''} hold")
        except Rejected as why:
            bad += 1
            print(f"{path.name} {why}", file=sys.stderr)
    return 2 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
