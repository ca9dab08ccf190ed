"""Check a witness by the automaton alone: run its words letter by letter, and compare answers. Nothing here comes from the procedures.

Two states count as equal if all words from there are answered alike, which is found by refining the answers until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from math import gcd

from ..automata.automaton import Automaton
from .witness import Witness

Word = tuple[Hashable, ...]


class Runner:
    """An automaton that is run on words, with the class of each state and the answers."""

    def __init__(self, automaton: Automaton, tracked: bool = False):
        self.automaton = automaton
        table = automaton.table
        reached = [automaton.start]
        for q in reached:
            reached += [row[q] for row in table.values() if row[q] not in reached]
        said: dict[int, Hashable] = {}
        for q in reached:
            outputs = automaton.outputs
            said[q] = q if tracked else (q in automaton.accepting, None if outputs is None else outputs[q])
        self.said = said
        self.states = {row[q] for row in table.values() for q in reached}
        number: dict[Hashable, int] = {}
        classes = {q: number.setdefault(said[q], len(number)) for q in reached}
        while True:
            number = {}
            finer = {q: number.setdefault((classes[q], *(classes[row[q]] for row in table.values())), len(number)) for q in reached}
            if len(set(finer.values())) == len(set(classes.values())):
                break
            classes = finer
        self.classes = classes

    def after(self, q: int, word: Iterable[Hashable]) -> int:
        for x in word:
            q = self.automaton.table[x][q]
        return q

    def state(self, *parts: Word) -> int:
        """The class of the state after a nonempty word from the start."""
        return self.classes[self.after(self.automaton.start, [x for part in parts for x in part])]

    def answer(self, *parts: Word) -> Hashable:
        word = [x for part in parts for x in part]
        if not word:
            raise ValueError("expected a nonempty word: the answer to the empty one does not matter")
        return self.said[self.after(self.automaton.start, word)]

    def repeats(self, before: Word, loop: Word) -> bool:
        """Whether the words before loop^j lead to equal states for all j > 0."""
        return len(loop) > 0 and self.state(before, loop) == self.state(before, loop, loop)

    def same(self, one: Word, two: Word) -> bool:
        """Whether two words lead every state to equal states."""
        everywhere = {*self.states, self.automaton.start}
        return all(self.classes[self.after(q, one)] == self.classes[self.after(q, two)] for q in everywhere)

    def idempotent(self, word: Word) -> bool:
        return len(word) > 0 and self.same(word, word + word)


def replay(automaton: Automaton, witness: Witness, tracked: bool = False) -> bool:
    """Whether the words show what the witness says, for the language of the automaton, or, ``tracked``, for its states."""
    return CHECKS[witness.refutes](Runner(automaton, tracked), dict(witness.words), dict(witness.numbers))


Words = dict[str, Word]
Numbers = dict[str, int]


def _letters(w: Words, names: str) -> bool:
    return all(len(w[x]) == 1 for x in names)


def _last_letter(r: Runner, w: Words, n: Numbers) -> bool:
    return _letters(w, "a") and r.answer(w["u"], w["a"], w["v"]) != r.answer(w["t"], w["a"], w["v"])


def _definite(r: Runner, w: Words, n: Numbers) -> bool:
    u, t, z, v = (w[x] for x in "utzv")
    return r.repeats(u, z) and r.repeats(t, z) and r.answer(u, z, v) != r.answer(t, z, v)


def _quasi_definite(r: Runner, w: Words, n: Numbers, before: Word | None = None) -> bool:
    u = w["u"] if before is None else before
    one, two = u + w["a"] + w["x"], u + w["b"] + w["x"]
    z, v = w["z"], w["v"]
    return _letters(w, "ab") and r.repeats(one, z) and r.repeats(two, z) and r.answer(one, z, v) != r.answer(two, z, v)


def _late(r: Runner, w: Words, n: Numbers) -> bool:
    return r.repeats(w["s"], w["l"]) and _quasi_definite(r, w, n, w["s"] + w["l"] + w["t"])


def _length_and_last_letter(r: Runner, w: Words, n: Numbers) -> bool:
    u, x, v = (w[name] for name in "uxv")
    if "a" in w:
        return _letters(w, "abx") and r.answer(u, w["a"], x, v) != r.answer(u, w["b"], x, v)
    z = w["z"]
    # u z^j x leads to one state for all j > 0, and u x, with the same last letter and congruent length for suitable j, to another
    steady = r.repeats(u + z, z) and r.state(u, z, x) == r.state(u, z, z, x)
    return len(z) > 0 and steady and _letters(w, "x") and r.answer(u, x, v) != r.answer(u, z, x, v)


def _stutter(r: Runner, w: Words, n: Numbers) -> bool:
    u, x, v = (w[name] for name in "uxv")
    return _letters(w, "x") and r.answer(u, x, v) != r.answer(u, x, x, v)


def _cubed(r: Runner, w: Words, n: Numbers) -> bool:
    u, x, v = (w[name] for name in "uxv")
    return _letters(w, "x") and r.answer(u, x, v) != r.answer(u, x, x, x, v)


def _group(r: Runner, w: Words, n: Numbers) -> bool:
    u, t, x, v = (w[name] for name in "utxv")
    return _letters(w, "x") and r.answer(u, v) != r.answer(t, v) and r.state(u, x) == r.state(t, x)


def _order(r: Runner, w: Words, n: Numbers) -> bool:
    before, a, u, v = (w[name] for name in "wauv")
    return _letters(w, "a") and r.answer(before, a, u, a, v) != r.answer(before, u, a, v)


def _constant_powers(r: Runner, w: Words, n: Numbers) -> bool:
    u, t, v, power = w["u"], w["t"], w["v"], w["c"] * n["p"]
    return _letters(w, "c") and r.repeats(u, power) and r.repeats(t, power) and r.answer(u, power, v) != r.answer(t, power, v)


def _period(r: Runner, u: Word, w: Word, v: Word) -> int:
    """The period of the answers to u w^i v for large i."""
    states = [r.state(u, w)]
    while (new := r.state(u, w * (len(states) + 1))) not in states:
        states.append(new)
    begin, length = states.index(new) + 1, len(states) - states.index(new)
    said = [r.answer(u, w * (begin + i), v) for i in range(length)]
    return next(p for p in range(1, length + 1) if length % p == 0 and all(said[i] == said[(i + p) % length] for i in range(length)))


def _aperiodic(r: Runner, w: Words, n: Numbers) -> bool:
    return n["p"] > 1 and len(w["w"]) > 0 and _period(r, w["u"], w["w"], w["v"]) == n["p"]


def _two(r: Runner, w: Words, n: Numbers) -> bool:
    return n["p"] % 2 == 1 and _aperiodic(r, w, n)


def _solvable(r: Runner, w: Words, n: Numbers) -> bool:
    x, y, s = w["x"], w["y"], w["s"]
    one_each = {c: q for q, c in r.classes.items() if q in r.states}
    everywhere = [*one_each.values(), r.automaton.start] if s else list(one_each.values())
    points = {r.classes[r.after(q, s)] for q in everywhere}
    maps = [{c: r.classes[r.after(one_each[c], word)] for c in points} for word in (x, y, x + y)]
    if len(points) != n["n"] or any(set(f.values()) != points for f in maps):
        return False
    orders = [_order_of(f) for f in maps]
    coprime = all(gcd(a, b) == 1 for a, b in (orders[:2], orders[1:], orders[::2]))
    return orders == [n["i"], n["j"], n["k"]] and min(orders) > 1 and coprime


def _order_of(f: dict[int, int]) -> int:
    power, order = dict(f), 1
    while any(power[c] != c for c in f):
        power, order = {c: f[power[c]] for c in f}, order + 1
    return order


def _clocked(r: Runner, w: Words, n: Numbers) -> bool:
    u, word, other = w["u"], w["w"], w["o"]
    states = [r.state(u, word)]
    while (new := r.state(u, word * (len(states) + 1))) not in states:
        states.append(new)
    still = all(r.state(u, word * i, other) == c for i, c in enumerate(states, 1))
    return len(word) == len(other) > 0 and new == states[0] and len(states) > 1 and still


def _one_sided(r: Runner, w: Words, n: Numbers) -> bool:
    e, f, u, v = (w[x] for x in "efuv")
    return r.idempotent(e) and r.idempotent(f) and r.answer(u, e, f, e, v) != r.answer(u, f, e, v)


def _absorbed(r: Runner, w: Words, n: Numbers) -> bool:
    e, f, u, v = (w[x] for x in "efuv")
    z = (e + f) * n["p"]
    return r.idempotent(e) and r.idempotent(f) and r.idempotent(z) and r.answer(u, f, z, v) != r.answer(u, z, v)


def _r_trivial(r: Runner, w: Words, n: Numbers) -> bool:
    u, x, y, v = (w[name] for name in "uxyv")
    return len(x) > 0 and r.repeats(u, x + y) and r.answer(u, x, y, v) != r.answer(u, x, y, x, v)


def _r_classes(r: Runner, w: Words, n: Numbers) -> bool:
    e, f, u, v = (w[x] for x in "efuv")
    right = r.same(e + f, f) and r.same(f + e, e)
    return r.idempotent(e) and r.idempotent(f) and right and r.answer(u, e, v) != r.answer(u, f, v)


def _r_infinity(r: Runner, w: Words, n: Numbers) -> bool:
    return _aperiodic(r, w, n) if "w" in w else _r_classes(r, w, n)


def _counts(r: Runner, w: Words, n: Numbers) -> bool:
    u, x, v = (w[name] for name in "uxv")
    if "y" in w:
        y, both = w["y"], w["w"]
        return _letters(w, "xy") and {*x, *y} <= {*both} and r.answer(u, x, y, both, v) != r.answer(u, y, x, both, v)
    return _letters(w, "x") and {*x} <= {*w["w"]} and r.answer(u, x * n["m"], w["w"], v) != r.answer(u, w["w"], v)


def _counts_two(r: Runner, w: Words, n: Numbers) -> bool:
    return n.get("m", 2) == 2 and _counts(r, w, n)


def _counts_some(r: Runner, w: Words, n: Numbers) -> bool:
    if "w" not in w:
        u, x, v, power = w["u"], w["x"], w["v"], w["x"] * n["p"]
        return _letters(w, "x") and r.repeats(u + x, power) and r.answer(u, x, v) != r.answer(u, x, power, v)
    # m serves if any modulus does: every letter comes back after m repetitions
    periodic = "m" not in n or all(r.same((y,) * (n["m"] + 1), (y,)) for y in r.automaton.letters)
    return periodic and _counts(r, w, n)


def _c_rasp(r: Runner, w: Words, n: Numbers) -> bool:
    u, x, y = w["u"], w["x"], w["y"]
    p, q = r.state(u, x, y), r.state(u, x, y, x)
    return p != q and r.repeats(u, x + y) and not _potentials_tell(r, p, q)


def _potentials_tell(r: Runner, p: int, q: int) -> bool:
    """Whether the published procedure separates two states of one component, with cycles and fractions: labels, balance, relabelling."""
    one = {c: s for s, c in r.classes.items()}
    step = {(c, x): r.classes[r.after(s, (x,))] for c, s in one.items() for x in r.automaton.letters}
    heads = {c: {step[c, x] for x in r.automaton.letters} for c in one}

    def reach(c: int) -> set[int]:
        found = [c]
        for d in found:
            found += [e for e in heads[d] if e not in found]
        return set(found)

    inside = {c for c in reach(p) if p in reach(c)}
    label: dict[tuple[int, Hashable], Hashable] = {(c, x): x for c in inside for x in r.automaton.letters}
    edges = {edge: head for edge, head in step.items() if edge[0] in inside and head in inside}
    while True:
        names = list(dict.fromkeys(label[edge] for edge in edges))
        # a spanning tree: the count of labels on the way to each state
        paths: dict[int, dict[Hashable, int]] = {p: {}}
        for c in (queue := [p]):
            for (tail, x), head in edges.items():
                if tail == c and head not in paths:
                    paths[head] = _with(paths[c], label[tail, x])
                    queue.append(head)
        # closing an edge must cost what the way to its head costs: these differences span the cycles
        loops = [_difference(_with(paths[tail], label[tail, x]), paths[head]) for (tail, x), head in edges.items()]
        reduced = _echelon([[Fraction(loop.get(name, 0)) for name in names] for loop in loops])
        # the potential of a state is its path modulo the cycles
        potential = {c: _modulo([Fraction(path.get(name, 0)) for name in names], reduced) for c, path in paths.items()}
        finer = {(c, x): (label[c, x], potential[c]) for c, x in label}
        if len(set(finer.values())) == len(set(label.values())):
            return any(label[p, x] != label[q, x] for x in r.automaton.letters)
        number: dict[Hashable, int] = {}
        label = {edge: number.setdefault(name, len(number)) for edge, name in finer.items()}


def _with(counts: dict[Hashable, int], name: Hashable) -> dict[Hashable, int]:
    return counts | {name: counts.get(name, 0) + 1}


def _difference(one: dict[Hashable, int], two: dict[Hashable, int]) -> dict[Hashable, int]:
    return {name: one.get(name, 0) - two.get(name, 0) for name in {*one, *two}}


def _echelon(rows: list[list[Fraction]]) -> dict[int, list[Fraction]]:
    """A basis of the rows by its leading places."""
    basis: dict[int, list[Fraction]] = {}
    for row in rows:
        left = list(_modulo(row, basis))
        lead = next((i for i, x in enumerate(left) if x), None)
        if lead is not None:
            basis[lead] = [x / left[lead] for x in left]
            for i, other in basis.items():
                if i != lead:
                    basis[i] = [a - other[lead] * b for a, b in zip(other, basis[lead], strict=True)]
    return basis


def _modulo(row: list[Fraction], basis: dict[int, list[Fraction]]) -> tuple[Fraction, ...]:
    for lead, known in basis.items():
        if row[lead]:
            row = [a - row[lead] * b for a, b in zip(row, known, strict=True)]
    return tuple(row)


CHECKS: dict[str, Callable[[Runner, Words, Numbers], bool]] = {
    "last-letter": _last_letter,
    "length-and-last-letter": _length_and_last_letter,
    "definite": _definite,
    "quasi-definite": _quasi_definite,
    "late": _late,
    "stutter-invariant": _stutter,
    "order-of-last-occurrences": _order,
    "cubed-letters": _cubed,
    "group": _group,
    "constant-powers": _constant_powers,
    "counts-mod-2": _counts_two,
    "counts-mod-m": _counts_some,
    "r-trivial": _r_trivial,
    "c-rasp": _c_rasp,
    "r-infinity": _r_infinity,
    "r-and-groups": _r_classes,
    "aperiodic": _aperiodic,
    "clocked": _clocked,
    "periods-powers-of-2": _two,
    "solvable": _solvable,
    "efe-is-fe": _one_sided,
    "absorbed-idempotents": _absorbed,
}
