"""The properties of constructions/languages by their definitions, slowly, in plain Python: no array, no graph search, nothing of the procedures.

An automaton is a table {letter: next states} with start 0 and answers. Words act on the start and on the classes of states after nonempty words.
"""

from functools import reduce
from itertools import combinations, product
from math import lcm

from sympy.combinatorics import Permutation, PermutationGroup


class Semigroup:
    """What nonempty words do: ``letters`` and ``elements`` are tuples of classes; place 0 is the start."""

    def __init__(self, table, answers):
        rows = list(table.values())
        reached = [0]
        for q in reached:
            reached += [r for r in dict.fromkeys(row[q] for row in rows) if r not in reached]
        later = list(dict.fromkeys(row[q] for q in reached for row in rows))
        # two states are equal if all words are answered alike: words shorter than the number of states are enough
        words = [w for length in range(len(later)) for w in product(range(len(rows)), repeat=length)]
        if len(later) * len(words) > 40_000:
            classes = self.refined(rows, answers, later)
        else:
            classes = {q: tuple(answers[reduce(lambda p, a: rows[a][p], w, q)] for w in words) for q in later}
        names = list(dict.fromkeys(classes[q] for q in later))
        first = {c: next(q for q in later if classes[q] == c) for c in names}
        place = {c: i + 1 for i, c in enumerate(names)}
        self.answers = [None, *(answers[first[c]] for c in names)]
        self.letters = [(place[classes[row[0]]], *(place[classes[row[first[c]]]] for c in names)) for row in rows]
        self.n = len(names) + 1
        found = dict.fromkeys(self.letters)
        todo = list(found)
        for s in todo:
            for a in self.letters:
                t = then(s, a)
                if t not in found:
                    found[t] = None
                    todo.append(t)
                if len(found) > 700:
                    raise OverflowError
        self.elements = todo
        self.idempotents = [s for s in todo if then(s, s) == s]

    @staticmethod
    def refined(rows, answers, states):
        classes = {q: answers[q] for q in states}
        for _ in states:
            classes = {q: (classes[q], *(classes[row[q]] for row in rows)) for q in states}
            names = {c: i for i, c in enumerate(dict.fromkeys(classes.values()))}
            classes = {q: names[c] for q, c in classes.items()}
        return classes

    def lengths(self):
        """What words of length 1, 2, ... do, until these sets repeat, and where they do."""
        layers = [frozenset(self.letters)]
        while True:
            new = frozenset(then(s, a) for s in layers[-1] for a in self.letters)
            if new in layers:
                return layers, layers.index(new)
            layers.append(new)


def then(s, t):
    return tuple(t[q] for q in s)


def power(s, i):
    return reduce(then, [s] * i)


def period(s):
    seen = [s]
    while (t := then(seen[-1], s)) not in seen:
        seen.append(t)
    return len(seen) - seen.index(t)


def unit(s):
    """The idempotent power."""
    t = s
    while then(t, t) != t:
        t = then(t, s)
    return t


def constant(s):
    return len(set(s)) == 1


def last_letter(S):
    return all(map(constant, S.letters))


def definite(S):
    layers, _ = S.lengths()
    return any(all(map(constant, layer)) for layer in layers)


def exchanging(S, states):
    layers, _ = S.lengths()
    return any(all(s[a[q]] == s[b[q]] for s in layer for a in S.letters for b in S.letters for q in states) for layer in layers)


def quasi_definite(S):
    return exchanging(S, range(S.n))


def late(S):
    layers, again = S.lengths()
    return exchanging(S, {s[0] for layer in layers[again:] for s in layer})


def length_and_last_letter(S):
    """The answers to all words of a length with one last letter agree, and are periodic in the length from 1 on."""
    rows, layer = [], dict.fromkeys(((a, i) for i, a in enumerate(S.letters)), None)
    while True:
        states = [{s[0] for s, last in layer if last == i} for i in range(len(S.letters))]
        if any(len(q) != 1 for q in states):
            return False
        row = tuple(q.pop() for q in states)
        if row in rows:
            return rows.index(row) == 0
        rows.append(row)
        layer = {(then(s, b), j): None for s, _ in layer for j, b in enumerate(S.letters)}


def stutter_invariant(S):
    return all(then(a, a) == a for a in S.letters)


def cubed_letters(S):
    return all(power(a, 3) == a for a in S.letters)


def group(S):
    """One idempotent, which is the unit."""
    return len(S.idempotents) == 1 and all(then(e, s) == s == then(s, e) for e in S.idempotents for s in S.elements)


def order_of_last_occurrences(S):
    return all(then(a, a) == a and all(then(then(a, s), a) == then(s, a) for s in S.elements) for a in S.letters)


def constant_powers(S):
    return all(constant(power(a, S.n)) for a in S.letters)


def counts(S, m):
    """Whether the summary of a word decides its state: a search through all summaries."""
    k = len(S.letters)
    start = ((), (0,) * k, ())
    state, todo = {start: 0}, [start]
    for summary in todo:
        for a, act in enumerate(S.letters):
            order, total, since = summary
            kept = [(b, c) for b, c in zip(order, since, strict=True) if b != a]
            new = (
                (*(b for b, _ in kept), a),
                tuple((c + (i == a)) % m for i, c in enumerate(total)),
                (*(tuple((c + (i == a)) % m for i, c in enumerate(cs)) for _, cs in kept), (0,) * k),
            )
            after = act[state[summary]]
            if new not in state:
                state[new] = after
                todo.append(new)
            elif state[new] != after:
                return False
    return True


def counts_mod_2(S):
    return counts(S, 2)


def counts_mod_m(S):
    # the periods of the letters divide every modulus that serves; twice as many would serve too
    return counts(S, lcm(*map(period, S.letters)))


def right_ideal(S, s):
    return frozenset([s, *(then(s, t) for t in S.elements)])


def r_trivial(S):
    ideals = [right_ideal(S, s) for s in S.elements]
    return len(set(ideals)) == len(ideals)


def r_and_groups(S):
    ideals = [right_ideal(S, s) for s in S.idempotents]
    return len(set(ideals)) == len(ideals)


def aperiodic(S):
    return all(period(s) == 1 for s in S.elements)


def r_infinity(S):
    return aperiodic(S) and r_and_groups(S)


def periods_powers_of_2(S):
    return all(period(s).bit_count() == 1 for s in S.elements)


def solvable(S):
    """Every maximal subgroup, as permutations of the image of its unit."""
    for e in S.idempotents:
        points = sorted(set(e))
        group = [s for s in S.elements if then(e, s) == s == then(s, e) and sorted({s[q] for q in points}) == points]
        permutations = [Permutation([points.index(s[q]) for q in points]) for s in group]
        if not PermutationGroup(permutations).is_solvable:
            return False
    return True


def clocked(S):
    layers, again = S.lengths()
    span = len(layers) - again
    permuting = [any(period(s) > 1 for s in layer) for layer in layers]

    def permutes(length):
        return permuting[length - 1 if length <= len(layers) else again + (length - 1 - again) % span]

    bound = len(layers) + span
    return any(not any(permutes(N * i) for i in range(1, bound + 1)) for N in range(1, bound + 1))


def efe_is_fe(S):
    return all(then(then(e, f), e) == then(f, e) for e, f in product(S.idempotents, repeat=2))


def absorbed_idempotents(S):
    return all(then(f, z) == z for e, f in product(S.idempotents, repeat=2) for z in [unit(then(e, f))])


DEFINITIONS = {
    "last-letter": last_letter,
    "length-and-last-letter": length_and_last_letter,
    "definite": definite,
    "quasi-definite": quasi_definite,
    "late": late,
    "stutter-invariant": stutter_invariant,
    "order-of-last-occurrences": order_of_last_occurrences,
    "cubed-letters": cubed_letters,
    "group": group,
    "constant-powers": constant_powers,
    "counts-mod-2": counts_mod_2,
    "counts-mod-m": counts_mod_m,
    "r-trivial": r_trivial,
    "r-and-groups": r_and_groups,
    "r-infinity": r_infinity,
    "aperiodic": aperiodic,
    "clocked": clocked,
    "periods-powers-of-2": periods_powers_of_2,
    "solvable": solvable,
    "efe-is-fe": efe_is_fe,
    "absorbed-idempotents": absorbed_idempotents,
}


def tables(n, k):
    """All tables of n states and k letters."""
    for rows in product(product(range(n), repeat=n), repeat=k):
        yield dict(zip("abcdef", rows, strict=False))


def separates_all(runner):
    """C-RASP by the code of the replay: whether all pairs of states of one component are told apart."""
    from lemmata.constructions.languages.replay import _potentials_tell

    one = {c: q for q, c in runner.classes.items() if q in runner.states}
    step = {c: {runner.classes[row[q]] for row in runner.automaton.table.values()} for c, q in one.items()}

    def reach(c):
        found = [c]
        for d in found:
            found += [e for e in step[d] if e not in found]
        return found

    pairs = [(p, q) for p, q in combinations(one, 2) if q in reach(p) and p in reach(q)]
    return all(_potentials_tell(runner, p, q) for p, q in pairs)


def layers_of_norm_one(letters, exact):
    """The bound on layers of norm at most 1 for a tracked automaton, as it is defined: every idempotent z, no short cuts."""
    return 0 if all(map(constant, letters)) else _need(closed(letters), exact)


def closed(generators):
    found = list(dict.fromkeys(generators))
    for s in found:
        found += [t for t in dict.fromkeys(then(s, g) for g in generators) if t not in found]
    return found


def _need(elements, exact):
    idempotents = [e for e in elements if then(e, e) == e]
    products = closed(idempotents)
    content = {z: frozenset(f for f in idempotents if z in two_sided(f, products)) for z in products if then(z, z) == z}
    chosen = dict.fromkeys(content.items())
    if exact:
        # products of idempotents with the union of their contents, idempotent or not
        for z, factors in (queue := list(chosen)):
            for f in idempotents:
                new = (then(z, f), factors | content[f])
                if new not in chosen:
                    chosen[new] = None
                    queue.append(new)
    best = 0
    for z, factors in chosen:
        after = {z, *(then(u, z) for u in closed(factors))}
        points = sorted(set(z))
        acting = {tuple(points.index(f[q]) for q in points) for f in after}
        above = _need(list(acting), exact) if len(acting) > 1 else int(len(after) > 1)
        best = max(best, above)
    return 1 + best


def two_sided(f, products):
    left = {f, *(then(a, f) for a in products)}
    return left | {then(s, b) for s in left for b in products}
