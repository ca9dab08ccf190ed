"""Formulas of past temporal logic, along words, against stacks and automata."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from ....constructions.bistable import logic
from ...claim import tie
from ...evidence import Proof

Formula = tuple[Any, ...]
LETTERS = ("a", "b", -1)


def drawn(rng: Random, depth: int) -> Formula:
    """A formula with at most so many operators above each other."""
    kind = rng.choice(("not", "and", "or", "since", "since")) if depth else "is"
    if kind == "is":
        return ("is", rng.choice(LETTERS))
    return (kind, *(drawn(rng, depth - 1) for _ in range(1 if kind == "not" else 2)))


def along(f: Formula, word: Any) -> list[bool]:
    """The truth at every position: s_t = g_t or (f_t and s_(t-1)) for f since g."""
    if f[0] == "is":
        return [x == f[1] for x in word]
    parts = [along(g, word) for g in f[1:]]
    if f[0] == "since":
        now, out = False, []
        for keeps, sets in zip(*parts, strict=True):
            now = sets or (keeps and now)
            out.append(now)
        return out
    table = {"not": lambda x: not x[0], "and": all, "or": any}
    return [table[f[0]](x) for x in zip(*parts, strict=True)]


def since_inside(f: Formula) -> list[Formula]:
    found = [m for g in f[1:] if isinstance(g, tuple) for m in since_inside(g)] if f[0] != "is" else []
    return [*found, f] if f[0] == "since" else found


def nested(f: Formula) -> int:
    return 0 if f[0] == "is" else max(map(nested, f[1:])) + (f[0] == "since")


@tie("new.bistable.since")
def formulas_along_words(proof: Proof) -> None:
    """Truth by the definition, by letters and memories, by stacks of layers and by automata."""
    rng = Random(31)
    cases = [drawn(rng, depth) for depth in (0, 1, 2, 3) for _ in range(6)]
    cases += [("since", ("not", ("is", "a")), ("since", ("is", "b"), ("since", ("is", "a"), ("is", -1))))]
    for f in proof.tied("25 formulas of up to three levels, words of up to 30 letters", cases):
        memories = since_inside(f)
        found = logic.memories(f)
        proof.exactly(
            "memories, inner ones first",
            (set(found), [nested(m) for m in found]),
            (set(memories), sorted(nested(m) for m in set(memories))),
        )
        proof.exactly("height", logic.height(f), nested(f))
        if len(set(memories)) > 4:
            continue
        stack = logic.compile_formula(f, LETTERS)
        proof.exactly("a layer for each level", len(stack.layers), max(1, nested(f)))
        delta, state = logic.formula_step(f)
        proof.exactly("all false at the start", state, (False,) * (len(found) + 1))
        word = [rng.choice(LETTERS) for _ in range(30)]
        truth = along(f, word)
        proof.exactly("compile_formula", stack.run(word), truth)
        proof.exactly("holds, by the definition", [logic.holds(f, word[: t + 1]) for t in range(4)], truth[:4])
        if nested(f) < 3:
            proof.exactly("holds: longer words", [logic.holds(f, word[:t]) for t in (13, 12, 9, 7)], [truth[t - 1] for t in (13, 12, 9, 7)])
        by_memory = {m: along(m, word) for m in found}
        for t, x in enumerate(word):
            state = delta(state, x)
            held = {m: by_memory[m][t] for m in found}
            proof.exactly("formula_step", state, (*held.values(), truth[t]))
            proof.exactly("value", logic.value(f, x, held), truth[t])
    for f, g in proof.tied("once, always, and disjunctions of up to 12", [(drawn(rng, 1), drawn(rng, 1)) for _ in range(5)]):
        word = [rng.choice(LETTERS) for _ in range(12)]
        seen = along(f, word)
        proof.exactly("once", along(logic.once(f), word), [any(seen[: t + 1]) for t in range(12)])
        proof.exactly("always", along(logic.always(f), word), [all(seen[: t + 1]) for t in range(12)])
        for count in (0, 1, 2, 3, 12):
            # the last one counts: it alone holds at b
            some = [*[("and", h, ("not", ("is", "b"))) for h in (f, g) * 6], ("is", "b")][13 - count :]
            wanted = [any(row) for row in zip(*(along(h, word) for h in some), strict=True)] if some else [False] * 12
            proof.exactly("any_of", along(logic.any_of(some), word), wanted)


@tie("new.bistable.since")
def stacks_of_units(proof: Proof) -> None:
    """One unit a layer: states by their tables, and the formulas that say them."""
    rng = Random(32)
    for count, start in proof.tied("1 to 5 units, starts of either sign, words of up to 25 letters", product(range(1, 6), (1, -1, 0))):
        initial = [start or (-1) ** k for k in range(count)]
        tables = [
            {(x if k == 0 else (x, bits)): rng.choice((1, -1, 0)) for x in LETTERS for bits in product((False, True), repeat=k)}
            for k in range(count)
        ]
        word = [rng.choice(LETTERS) for _ in range(25)]
        states, wanted = list(initial), []
        for x in word:
            bits: tuple[bool, ...] = ()
            for k, table in enumerate(tables):
                states[k] = table[(x, bits) if k else x] or states[k]
                bits = (*bits, states[k] > 0)
            wanted.append(bits)
        proof.exactly("unit_stack", logic.unit_stack(tables, initial).run(word), wanted)
        if count <= 3:
            found = [along(f, word) for f in logic.unit_formulas(tables, initial)]
            proof.exactly("unit_formulas", list(zip(*found, strict=True)), wanted)
