"""What is given and what is written down, row by row: permutations as lists, arrays and by letters, candidates by name, automata as documents, spare codes."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
from flint import fmpq
from sympy import factorint

from .....constructions.automata.automaton import Automaton, is_integer
from .....constructions.automata.choose.given import Given
from .....constructions.automata.choose.ways import WAYS, candidates_of
from .....constructions.automata.levels.repaired import spare_code
from .....constructions.automata.prove.document import automaton_document
from .....constructions.automata.read import families, sources
from .....constructions.rounded_counts import WIDTH_TWO, counter, narrow_counter
from .....constructions.rounded_delta import padded, unit_key
from .....numerics.floating_point import BFLOAT16, BINARY16, BINARY32
from .....numerics.primes import prime_factors
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals


def by_letters(generators: object) -> dict[object, tuple[int, ...]]:
    rows = generators.items() if isinstance(generators, dict) else enumerate(list(generators))  # pyright: ignore[reportArgumentType]
    return {x: tuple(int(i) for i in g) for x, g in rows}


@tie("grazzi25.sec1.regular")
def generators_in_types(proof: Proof) -> None:
    """Permutations of 13 to 1 points as tuples, lists and arrays, by letters and by numbers; what is none of them is refused."""
    rng = Random(591)
    rows: list[object] = []
    for n in POSITIVE[::-1]:
        some = [rng.sample(range(n), n) for _ in range(1 + n // 3)]
        rows += [
            some,
            tuple(map(tuple, some)),
            [np.array(g) for g in some],
            {f"x{i}": g for i, g in enumerate(some)},
            {3: np.array(some[0])},
        ]
    hold(proof, "13 to 1 points", sources.permutations_of, by_letters, [(given,) for given in rows])
    for given in proof.tied("each image an int", rows):
        images = [i for g in sources.permutations_of(given).values() for i in g]  # pyright: ignore[reportArgumentType]
        proof.exactly("types", {type(i) for i in images}, {int})
    bad: list[object] = [
        "01",
        5,
        [],
        {},
        [[0, 0]],
        [[1, 2]],
        [[0, 1], [0]],
        [[0], [0, 1]],
        [[True, False]],
        [[0.0, 1.0]],
        [[]],
        [[-1, 0]],
        [[0, 2]],
    ]
    hold_refusals(proof, "no permutations", [(sources.permutations_of, (given,)) for given in bad])
    for x, wanted in proof.tied(
        "integers and others", [(3, True), (np.int64(-2), True), (True, False), (1.0, False), (np.bool_(1), False), ("1", False)]
    ):
        proof.exactly("is_integer", is_integer(x), wanted)
    numbers = [*range(1, 200), 6469693230, 2**31 - 1, 2**13 * 3**5 * 7, 10**12 + 39]
    hold(proof, "1 to 199 and three larger", prime_factors, lambda n: sorted(factorint(n)), [(n,) for n in numbers])
    hold_refusals(proof, "not positive", [(prime_factors, (n,)) for n in (0, -1, -12)])


@tie("grazzi25.sec1.regular")
def candidates_by_name(proof: Proof) -> None:
    """Each construction by its name gives its own candidates; all together those of each; what an automaton is said to be."""
    rng = Random(592)
    turn = {n: {"t": tuple((q + 1) % n for q in range(n))} for n in (2, 3, 7)}
    machines = [Automaton(rows) for rows in turn.values()] + [Automaton({"s": (1, 0, 2), "t": (1, 2, 0)}), Automaton({"a": (0,)})]
    machines += [families.random_automaton(rng, n, 2).reachable() for n in (5, 4, 3, 2)] + [Automaton({"r": (1, 1), "k": (0, 1)}, 0)]
    seen = 0
    for automaton in proof.tied("7 states to one", machines):
        every = [(c.construction, c.widths) for c in candidates_of(Given(automaton))]
        for name in WAYS:
            own = [(c.construction, c.widths) for c in candidates_of(Given(automaton, name))]
            seen += len(own)
            proof.exactly("candidates_of: named", {how for how, _ in own} <= {name}, True)
            left_out = [c for c in every if c[0] == name and c not in own]
            proof.exactly("candidates_of: all", left_out, [])
        known = [list(WAYS).index(how) for how, _ in every]
        proof.exactly("candidates_of: in order", known, sorted(known))
    for count in proof.tied("candidates that there are", [seen]):
        proof.holds("many", count > 40)
    words = [
        (Automaton({"a": (0,)}), "letters that generate the group trivial on 1 state"),
        (Automaton(turn[7]), "letters that generate the group Z7 on 7 states"),
        (Automaton({"k": (0, 1), "r": (1, 1), "s": (0, 0)}), "2 states, some of which the letter 'r' merges"),
        (Automaton({"s": (1, 0, 2), "t": (1, 2, 0)}), "letters that generate the group S3 on 3 states"),
    ]
    for automaton, wanted in proof.tied("four automata in words", words):
        proof.exactly("described", Given(automaton).described(), wanted)


@tie("grazzi25.sec1.regular")
def automata_as_documents(proof: Proof) -> None:
    """Letters, tables, starts, accepting states and outputs of 13 states to one, named and not; letters that are written alike."""
    rng = Random(593)
    for n in proof.tied("13 states to one", POSITIVE[::-1]):
        rows = {x: tuple(rng.randrange(n) for _ in range(n)) for x in ("a", 7, ("b", 1))[: 1 + n % 3]}
        accepting = frozenset(rng.sample(range(n), rng.randint(0, n)))
        names, outputs = tuple(f"q{q}" for q in range(n)), tuple(q * q - 3 for q in range(n))
        for kept in ({}, {"names": names}, {"outputs": outputs}, {"names": names, "outputs": outputs}):
            automaton = Automaton(rows, n - 1, accepting, **kept)
            found = automaton_document(automaton)
            proof.exactly("letters", found["letters"], [str(x) for x in rows])
            one = found["automaton"]
            proof.exactly("table", [one["table"], one["start"]], [[list(row) for row in rows.values()], n - 1])
            proof.exactly("accepting", one["accepting"], [q for q in range(n) if q in accepting])
            proof.exactly("states", one["states"], list(names) if "names" in kept else [str(q) for q in range(n)])
            proof.exactly("outputs", one["outputs"], [str(y) for y in outputs] if "outputs" in kept else None)
    hold_refusals(proof, "letters that are written alike", [(automaton_document, (Automaton({1: (0,), "1": (0,)}),))])


@tie("grazzi25.thm4")
def codes_of_what_is_overwritten(proof: Proof) -> None:
    """w for 1 to 13 positions: equal steps, as many below 0 as above, m |w|^2 < 1."""
    for m in proof.tied("1 to 13 positions", POSITIVE):
        w = list(spare_code(m))
        proof.exactly("spare_code: sum", sum(w, fmpq(0)), fmpq(0))
        proof.exactly("spare_code: steps", {b - a for a, b in pairwise(w)}, {fmpq(3, m * m)} if m > 1 else set())
        proof.exactly("spare_code: how many, and different", (len(w), len(set(w))), (m, m))
        proof.exactly("spare_code: the norm", m * sum((x * x for x in w), fmpq(0)) < 1, True)


@tie("new.parity.float.counts.width-two")
def stored_counters(proof: Proof) -> None:
    """The numbers of counters as they are stored; the layer with a zero beside it."""
    texts = {f.name: WIDTH_TWO[f].split() for f in WIDTH_TWO}
    for format in proof.tied("formats of width 2", list(WIDTH_TWO)):
        wanted = [fmpq(*map(int, (text + "/1").split("/")[:2])) for text in texts[format.name]]
        layer = narrow_counter(format)
        proof.exactly("narrow_counter", [*layer.k, layer.beta, layer.v, *layer.start], wanted)
        k = list(layer.k)
        proof.exactly("eigenvalue", layer.eigenvalue, 1 - layer.beta * sum((x * x for x in k), fmpq(0)))
        proof.exactly("numbers", layer.numbers(), wanted)
    for format in proof.tied("formats that a pair is stored in", (BFLOAT16, BINARY16, BINARY32)):
        pair = unit_key(format)
        two, wide = counter(format, 2), padded(pair, 3)
        proof.exactly("counter modulo 2", [*two.k, two.beta, two.v, *two.start], [*pair.k, 0, pair.beta, pair.v, *pair.even, 0])
        proof.exactly("padded", [list(wide.k), list(wide.even), list(wide.odd)], [[*v, 0] for v in (pair.k, pair.even, pair.odd)])
        proof.exactly("unit_key: stored", [x for x in pair.numbers() if format.round(x) != x], [])
