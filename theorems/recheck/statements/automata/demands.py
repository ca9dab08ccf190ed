"""What the claims of topic automata demand of their certificates."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import factorial
from typing import Any

from ...cyclotomic import cyclotomic_polynomial, element, field_matrix, field_plus, field_times, reduce
from ...exact import natural, require
from ...registry import statement
from ...schema import Fields, Items, Natural
from ...typed import Certificates, Data, Decided

# -- permutations and automata ---------------------------------------------------------------------------------------------


def permutation(images: Sequence[int]) -> tuple[int, ...]:
    require(sorted(natural(i) for i in images) == list(range(len(images))) and images, "expected a permutation of 0 .. n-1")
    return tuple(images)


def compose(g: Sequence[int], h: Sequence[int]) -> tuple[int, ...]:
    """g after h."""
    return tuple(g[i] for i in h)


def inverse(g: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(range(len(g)), key=g.__getitem__))


def generated(generators: Sequence[tuple[int, ...]], most: int = 20_000) -> set[tuple[int, ...]]:
    """The group of a few permutations."""
    found, waiting = {tuple(range(len(generators[0])))}, [tuple(range(len(generators[0])))]
    for g in waiting:
        for x in generators:
            new = compose(x, g)
            if new not in found:
                require(len(found) < most, "a group of moderate order")
                found.add(new)
                waiting.append(new)
    return found


def cycles(g: tuple[int, ...]) -> int:
    seen, count = set(), 0
    for start in range(len(g)):
        count += start not in seen
        while start not in seen:
            seen.add(start)
            start = g[start]
    return count


def moved(g: tuple[int, ...]) -> int:
    return sum(i != j for i, j in enumerate(g))


def reachable(table: Sequence[Sequence[int]], start: int) -> set[int]:
    """States that words reach from ``start``; ``table[letter][state]``."""
    found = [start]
    for q in found:
        found += [row[q] for row in table if row[q] not in found]
    return set(found)


def transitions(data: Data) -> tuple[str, dict[tuple[str, str], str], dict[str, Any]]:
    """(start, {(state, letter): state}) of a certificate of kind ``automaton``, by the names of states and letters, with its output."""
    names, letters = data["automaton"], data["letters"]
    return names[0], {(names[i], letters[x]): names[j] for i, x, _, j in data["edges"]}, dict(zip(names, data["outputs"], strict=True))


def computes(
    data: Data,
    start: int | tuple[int, ...],
    step: Callable[..., Any],
    letters: Sequence[str | tuple[Any, ...]] | Iterable[int],
    output: Any = str,
) -> list[int | tuple[int, ...]]:
    """The certificate's automaton is the one given: it starts in ``start`` and moves by ``step(state, letter)``, all named by ``str``."""
    first, edges, outputs = transitions(data)
    require(first == str(start), "starts where the claim starts")
    require(data["letters"] == [str(x) for x in letters], "reads the claim's letters")
    states, waiting = {str(start): start}, [start]
    for q in waiting:
        require(outputs.get(str(q)) == output(q), "outputs what the claim says")
        for x in letters:
            new = step(q, x)
            require(edges.get((str(q), str(x))) == str(new), f"moves from {q} by {x} to {new}")
            if str(new) not in states:
                states[str(new)] = new
                waiting.append(new)
    require(set(data["automaton"]) == set(states), "has the states of the claim's automaton")
    return list(states.values())


# -- matrices over Q(zeta_N) -----------------------------------------------------------------------------------------------


def field_one(n: int, modulus: Sequence[int]) -> list[list[tuple[Fraction, ...]]]:
    return [[element(int(i == j), modulus) for j in range(n)] for i in range(n)]


def columns(m: Sequence[Sequence[tuple[Fraction, ...]]]) -> list[list[tuple[Fraction, ...]]]:
    return [list(column) for column in zip(*m, strict=True)]


def negated(m: Sequence[Sequence[tuple[Fraction, ...]]], modulus: Sequence[int]) -> list[list[tuple[Fraction, ...]]]:
    return [[reduce([-c for c in x], modulus) for x in row] for row in m]


def is_orthogonal(m: Sequence[Sequence[tuple[Fraction]]], modulus: Sequence[int]) -> bool:
    return field_times(columns(m), m, modulus) == field_one(len(m), modulus)


def is_reflection(m: Sequence[Sequence[tuple[Fraction, ...]]], modulus: Sequence[int]) -> bool:
    """Symmetric, its own inverse, and of trace n - 2."""
    trace = field_plus([[m[i][i] for i in range(len(m))]], [[() for _ in m]])[0]
    total = [()]
    for x in trace:
        total = field_plus([total], [[x]])[0]
    symmetric_involution = columns(m) == m and field_times(m, m, modulus) == field_one(len(m), modulus)
    return symmetric_involution and total[0] == element(len(m) - 2, modulus)


def layers_of(data: Data) -> tuple[list[int], list[list[tuple[list[Any], list[Any]]]]]:
    """(modulus, for each layer the list of its pairs (A, B))."""
    modulus = cyclotomic_polynomial(data["field"])
    return modulus, [[(field_matrix(f["A"], modulus), field_matrix(f["B"], modulus)) for f in layer] for layer in data["layers"]]


def all_zero(b: Sequence[Sequence[tuple[Any, ...]]]) -> bool:
    return not any(x for row in b for x in row)


# -- Theorem 3 -------------------------------------------------------------------------------------------------------------


@statement("grazzi25.thm3.cyclic", "automaton")
def rotations_count(data: Data) -> None:
    """Theorem 3: sums modulo m by one layer, B = 0, of width 2 (1 for m = 2), each A orthogonal with determinant 1: two reflections; a sign for m = 2."""
    m = len(data["letters"])
    require(m >= 2, "a modulus of 2 at least")
    computes(data, 0, lambda q, x: (q + x) % m, range(m))
    modulus, layers = layers_of(data)
    require(len(layers) == 1, "one layer")
    for a, b in layers[0]:
        require(len(a) == (1 if m == 2 else 2) and all_zero(b), "width 2, or 1 for m = 2, and B = 0")
        require(is_orthogonal(a, modulus), "an orthogonal transition")
        if m > 2:
            require(a[0][0] == a[1][1] and a[0][1] == negated([[a[1][0]]], modulus)[0][0], "a rotation")


@statement("grazzi25.thm3.cyclic")
def moduli(certificates: Certificates) -> None:
    require([len(d["letters"]) for _, d in certificates] == list(range(2, 9)), "m = 2, ..., 8")


def network_layers(document: dict[str, Any]) -> tuple[list[int], list[tuple[int, list[tuple[Any, Any, Any]]]]]:
    """(modulus, width and maps (A, B, steps) of each layer) of a certificate of kind ``network``."""
    modulus = cyclotomic_polynomial(document["field"])
    out = []
    for layer in document["layers"]:
        maps = [(field_matrix(f["A"], modulus), field_matrix(f["B"], modulus), f["steps"]) for f in layer["maps"]]
        out.append((len(layer["states"][0]), maps))
    return modulus, out


def pairs_of(n: int) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(n), 2))


@statement("grazzi25.thm3", "network")
def permutations_of_pairs(document: dict[str, Any]) -> None:
    """Theorem 3: S_n on pairs of n points, by one layer of n x n permutation matrices from (1, ..., n), each of k - 1 reflections at most."""
    modulus, layers = network_layers(document)
    require(len(layers) == 1, "one layer")
    n, maps = layers[0]
    require(n in (4, 5), "four or five points")
    cycle, swap = tuple((i + 1) % n for i in range(n)), (1, 0, *range(2, n))
    pairs = pairs_of(n)
    table = [[pairs.index(tuple(sorted((g[i], g[j])))) for i, j in pairs] for g in (cycle, swap)]  # pyright: ignore[reportArgumentType]
    require(document["automaton"]["table"] == table and document["automaton"]["start"] == 0, "S_n acting on pairs")
    require(document["layers"][0]["states"][0] == [[str(i + 1)] for i in range(n)], "H_0 = (1, ..., n)")
    for g, (_, _, _, f) in zip((cycle, swap), document["layers"][0]["letters"], strict=True):
        a, b, steps = maps[f]
        one = field_one(n, modulus)
        require(a == [one[inverse(g)[i]] for i in range(n)] and all_zero(b), "the permutation matrix of the letter, and B = 0")
        require(steps is not None and len(steps) <= n - 1 and all(s["beta"] == "2" for s in steps), "k - 1 reflections at most")


@statement(
    "grazzi25.thm3.count",
    "witness",
    Fields(on_Q=Items(Items(Natural(0, 3), 4, 4), 2, 2), on_points=Items(Items(Natural(0, 3), 4, 4), 2, 2)),
    hypotheses={"isomorphic": "the letters generate isomorphic groups"},
    violates={"counts": "the counts differ"},
)
def displaced_points(data: Data) -> Decided:
    """App. C.3: k on Q is k on the n points; refuted by letters on both, isomorphic, n least since the order divides no smaller n!."""
    on_q, on_points = [permutation(g) for g in data["on_Q"]], [permutation(g) for g in data["on_points"]]
    require(len(on_q) == len(on_points) > 0, "as many letters on Q as on the points")
    joined = [(*g, *(len(g) + i for i in h)) for g, h in zip(on_q, on_points, strict=True)]
    order, n = len(generated(on_q)), len(on_points[0])
    require(reachable(on_q, 0) == set(range(len(on_q[0]))), "every state is reached")
    require(all(factorial(k) % order for k in range(1, n)), "no smaller n serves")
    return {
        "isomorphic": order == len(generated(on_points)) == len(generated(joined)),
        "counts": max(map(moved, on_q)) != max(map(moved, on_points)),
    }


@statement(
    "grazzi25.thm3.proof",
    "witness",
    Fields(octahedra=Natural(6, 6), letters=Items(Items(Natural(0, 35), 36, 36), 8, 8), words=Items(Items(Natural(0, 7), 2, 43), 13, 13)),
    hypotheses={
        "moves": "every letter moves a state",
        "reached": "every state is reached",
        "actions": "the actions on Q and on n points are isomorphic",
        "subgroup": "Z_2^13 is a subgroup, which acts faithfully on no fewer than 26 points",
    },
    violates={"rank": "rank(I - P) exceeds k - 1, and no product of fewer reflections is P"},
)
def too_few_reflections(data: Data) -> Decided:
    """App. C.3: the n x n permutation matrices are k - 1 reflections; refuted by signed permutations of R^(3b), in blocks of three, that also move diagonals.

    The action on the 4b diagonals and on two points, by the determinant of the blocks, is computed from the letters; it is isomorphic to that on the 6b
    vertices, since a block map that keeps every diagonal is I or -I, and the determinant tells which. n = 4b + 2 is least, since 2b + 1 commuting
    involutions generate a group of order 2^(2b+1), which acts faithfully on no fewer than 2 (2b + 1) points.
    """
    b = natural(data["octahedra"])
    require(1 <= b <= 8, "a moderate number of octahedra")
    letters = [permutation(g) for g in data["letters"]]
    require(letters and all(len(g) == 6 * b for g in letters), "letters on 6b vertices")
    require(all(g[v ^ 1] == g[v] ^ 1 for g in letters for v in range(6 * b)), "opposite vertices stay opposite")
    require(all(len({g[v] // 6 for v in range(6 * t, 6 * t + 6)}) == 1 for g in letters for t in range(b)), "octahedra stay together")
    on_points = [diagonals_and_sign(g, b) for g in letters]
    kernel = [g for g in block_maps() if all(same_line(block_image(g, d), d) for d in DIAGONALS)]
    involutions = [spelled(letters, word) for word in data["words"]]
    one = tuple(range(6 * b))
    require(len(involutions) == 2 * b + 1 and all(compose(g, g) == one for g in involutions), "2b + 1 involutions")
    require(all(compose(g, h) == compose(h, g) for g in involutions for h in involutions), "that commute")
    k, n = max(map(moved, letters)), 4 * b + 2
    return {
        "moves": all(map(moved, letters)),
        "reached": reachable(letters, 0) == set(range(6 * b)),
        "actions": len(kernel) == 2 and {determinant(g) for g in kernel} == {1, -1},
        "subgroup": len(generated(involutions)) == 2 ** (2 * b + 1),
        "rank": max(n - cycles(g) for g in on_points) > k - 1,
    }


DIAGONALS = [(1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)]


def block_maps() -> list[tuple[Any, ...]]:
    """The 48 signed permutations of R^3 as images (axis, sign) of the three axes."""
    return [tuple(zip(p, s, strict=True)) for p in itertools.permutations(range(3)) for s in itertools.product((1, -1), repeat=3)]


def block_image(g: tuple[Any, ...], v: tuple[int, int, int]) -> tuple[Any, ...]:
    out = [0, 0, 0]
    for (axis, sign), x in zip(g, v, strict=True):
        out[axis] = sign * x
    return tuple(out)


def same_line(v: tuple[int, int, int], w: tuple[int, int, int]) -> bool:
    return v in (w, tuple(-x for x in w))


def determinant(g: tuple[Any, ...]) -> int:
    axes = [axis for axis, _ in g]
    odd = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3)) % 2
    sign = -1 if odd else 1
    for _, s in g:
        sign *= s
    return sign


def diagonals_and_sign(g: tuple[int, ...], b: int) -> tuple[int, ...]:
    """The permutation of 4b diagonals and two points that a signed permutation of the 6b vertices +e_1, -e_1, +e_2, ... makes."""
    out, signs = [], set()
    for t in range(b):
        to = g[6 * t] // 6
        block = tuple(((g[6 * t + 2 * i] - 6 * to) // 2, 1 - 2 * (g[6 * t + 2 * i] % 2)) for i in range(3))
        signs.add(determinant(block))
        images = [block_image(block, d) for d in DIAGONALS]
        out += [4 * to + next(j for j, d in enumerate(DIAGONALS) if same_line(v, d)) for v in images]
    require(len(signs) == 1, "all blocks have one determinant")
    return permutation([*out, *((4 * b, 4 * b + 1) if signs == {1} else (4 * b + 1, 4 * b))])


def spelled(letters: Sequence[tuple[int, ...]], word: Sequence[int]) -> tuple[int, ...]:
    """The product of a word, the first letter acting first."""
    g = tuple(range(len(letters[0])))
    require(word and len(word) <= 100, "a word of moderate length")
    for x in word:
        g = compose(letters[natural(x)], g)
    return g


@statement("grazzi25.thm3.amended", "network")
def group_by_permutation_matrices(document: dict[str, Any]) -> None:
    """A group automaton: each letter moves n points by a permutation matrix of n - #cycles reflections, B = 0, and the automaton has a state for each element."""
    modulus, layers = network_layers(document)
    require(len(layers) == 1, "one layer")
    n, maps = layers[0]
    letters = []
    for _, _, _, f in document["layers"][0]["letters"]:
        a, b, steps = maps[f]
        one = field_one(n, modulus)
        require(all(row in one for row in a) and all_zero(b), "a permutation matrix, and B = 0")
        g = permutation([one.index(column) for column in columns(a)])
        require(steps is not None and len(steps) == n - cycles(g) and all(s["beta"] == "2" for s in steps), "n - #cycles reflections")
        letters.append(g)
    elements = generated(letters)
    table, start = document["automaton"]["table"], document["automaton"]["start"]
    require(len(elements) == len(table[0]) > 1, "a state for each element of a group that is not trivial")
    state, waiting = {tuple(range(n)): start}, [tuple(range(n))]
    for g in waiting:
        for x, row in zip(letters, table, strict=True):
            new = compose(x, g)
            require(state.setdefault(new, row[state[g]]) == row[state[g]], "the automaton multiplies by the letter")
            if new not in waiting:
                waiting.append(new)
    require(len(set(state.values())) == len(elements), "different elements are different states")


# -- Theorem 6 and reflections ---------------------------------------------------------------------------------------------


@statement("grazzi25.thm6", "automaton")
def additions(data: Data) -> None:
    """Theorem 6: sums modulo m; layer 1 has A = -1 and 2 states, layer 2 reflections of the plane and 2m states."""
    m = len(data["letters"])
    computes(data, 0, lambda q, x: (q + x) % m, range(m))
    modulus, layers = layers_of(data)
    require(
        len(layers) == 2 and all(a == negated(field_one(1, modulus), modulus) for a, _ in layers[0]), "A = -1 in the first of two layers"
    )
    require(
        all(len(a) == 2 and all_zero(b) and is_reflection(a, modulus) for a, b in layers[1]),
        "reflections of the plane in the second, B = 0",
    )
    require([len({str(s[k]) for s in data["states"]}) for k in (0, 1)] == [2, 2 * m], "2 and 2m states")


@statement("grazzi25.thm6")
def moduli_by_reflections(certificates: Certificates) -> None:
    require([len(d["letters"]) for _, d in certificates] == list(range(1, 9)), "m = 1, ..., 8")


def reflected(m: int, theta: int, x: int) -> int:
    """The angle, in units of pi/m modulo 2m, of H(theta) applied to the direction x."""
    return (theta - x) % (2 * m)


@statement(
    "grazzi25.thm6.display",
    "witness",
    Fields(m=Natural(1, 50), x=Natural(0, 49), y=Natural(0, 49)),
    hypotheses={"below": "x and y lie below m"},
    violates={"differ": "the two sides differ"},
)
def exchanged_cases(data: Data) -> Decided:
    """App. D: H(theta(x, 1)) c_y = c_{x+y}; all angles are multiples of pi/m: theta(x, 1) = 1 - 2x, and c_y stands at 1 - 2y."""
    m, x, y = (natural(data[k]) for k in "mxy")
    return {"below": x < m and y < m, "differ": reflected(m, 1 - 2 * x, 1 - 2 * y) != (1 - 2 * (x + y)) % (2 * m)}


@statement(
    "grazzi25.thm6.eq7",
    "witness",
    Fields(m=Natural(1, 50), i=Natural(0, 49), j=Natural(0, 49)),
    hypotheses={"below": "i and j lie below m"},
    violates={"differ": "the two sides differ"},
)
def first_line(data: Data) -> Decided:
    """Eq. 7: H(theta(j, 0)) c_i = H(theta(j, 1)) R(-2i pi/m) c_0, the vector being c_i on both sides."""
    m, i, j = (natural(data[k]) for k in "mij")
    return {"below": i < m and j < m, "differ": reflected(m, 1 + 2 * j, 1 - 2 * i) != reflected(m, 1 - 2 * j, 1 - 2 * i)}


@statement(
    "grazzi25.thm6.sum",
    "witness",
    Fields(m=Natural(2, 50), word=Items(Natural(0, 49), 2, 100), output=Natural(0, 49)),
    hypotheses={"letters": "letters lie below m, and there are m at least"},
    violates={"output": "the output is another"},
)
def sum_to_m(data: Data) -> Decided:
    """App. D: y_t is the sum of the first m letters; the network's output, computed by angles, is another."""
    m, word = natural(data["m"]), [natural(x) for x in data["word"]]
    angle = 0
    for t, x in enumerate(word, start=1):
        angle = reflected(m, 1 - 2 * x if t % 2 else 1 + 2 * x, angle)
    output = next(i for i in range(m) if angle in ((1 - 2 * i) % (2 * m), 2 * i))
    require(output == natural(data["output"]), "the network's output")
    return {"letters": max(word) < m <= len(word), "output": output != sum(word[:m]) % m}


@statement("new.automata.dihedral", "automaton")
def dihedral(data: Data) -> None:
    """D_m: products of r^a and r^a s by two layers of width 2, one reflection per letter, B = 0."""
    require(len(data["letters"]) % 2 == 0, "rotations and reflections")
    m = len(data["letters"]) // 2

    def step(g: tuple[int, int], x: tuple[str, int]) -> tuple[int, int]:
        return ((g[0] + x[1]) % m, g[1]) if x[0] == "r" else ((x[1] - g[0]) % m, 1 - g[1])

    states = computes(data, (0, 0), step, [(kind, a) for kind in "rs" for a in range(m)])
    require(len(states) == 2 * m > 0, "2m elements")
    modulus, layers = layers_of(data)
    require(len(layers) == 2, "two layers")
    require(
        all(len(a) == 2 and all_zero(b) and is_reflection(a, modulus) for layer in layers for a, b in layer), "single reflections, B = 0"
    )


@statement("new.automata.dihedral")
def orders(certificates: Certificates) -> None:
    require([len(d["letters"]) for _, d in certificates] == [2 * m for m in range(1, 7)], "D_1, ..., D_6")
