"""Which operators a parallel scan serves: all magmas with at most three elements, and the law that the work-efficient scan needs (degeeter26, App. B)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from ...numerics.scan import associative_scan, bracketings, evaluate, sequential_scan
from ..claim import claim
from ..evidence import Proof

Scan = Callable[..., Any]


def hillis_steele(op: Any, elements: Any, axis: int = 0) -> Any:
    """The scan of log2(n) full passes, each with an offset twice the last (Hillis and Steele 1986), along the last axis: n log n work."""
    x, reach = elements, 1
    while reach < x.shape[-1]:
        x = np.concatenate([x[..., :reach], op(x[..., :-reach], x[..., reach:])], axis=-1)
        reach *= 2
    return x


# -- magmas ------------------------------------------------------------------------------------------------------------------------


def all_magmas(q: int) -> np.ndarray:
    """All q^(q^2) operations on {0, ..., q-1} as tables (magmas, q, q), in lexicographic order."""
    return np.array(list(product(range(q), repeat=q * q)), dtype=np.int8).reshape(-1, q, q)


def all_arrays(q: int, n: int) -> np.ndarray:
    """All q^n arrays of length n, shape (arrays, n)."""
    return np.indices((q,) * n).reshape(n, -1).T


def operation(tables: np.ndarray) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """The operations of all magmas at once, on arrays whose first axis runs over the magmas."""

    def op(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        index = np.arange(len(tables)).reshape(-1, *[1] * (a.ndim - 1))
        return tables[index, a, b]

    return op


def associative(tables: np.ndarray, products_only: bool = False) -> np.ndarray:
    """Which magmas satisfy (u b) c = u (b c) for all u, or for all u = x y that are products."""
    q, op = tables.shape[1], operation(tables)
    triples = np.broadcast_to(all_arrays(q, 3), (len(tables), q**3, 3))
    if not products_only:
        u, b, c = np.moveaxis(triples, -1, 0)
        return (op(op(u, b), c) == op(u, op(b, c))).all(axis=1)
    x, y, b, c = np.moveaxis(np.broadcast_to(all_arrays(q, 4), (len(tables), q**4, 4)), -1, 0)
    u = op(x, y)
    return (op(op(u, b), c) == op(u, op(b, c))).all(axis=1)


def serves(tables: np.ndarray, n: int, scan: Scan) -> np.ndarray:
    """For which magmas the scan of every array of length n is the loop's."""
    q, op = tables.shape[1], operation(tables)
    arrays = np.ascontiguousarray(np.broadcast_to(all_arrays(q, n), (len(tables), q**n, n))).astype(np.int8)
    return (scan(op, arrays, axis=2) == sequential_scan(op, arrays, axis=2)).all(axis=(1, 2))


@claim(
    "degeeter26.appB.thm1",
    topic="bistable",
    place="App. B, Theorem 1",
    title="the parallel scan can be used with an operator if and only if the operator is associative",
    says=r"The parallel scan computes the scan of every array with $\oplus$ if and only if $\oplus$ is associative.",
    reading="the work-efficient scan, of pairs; for one that uses every bracketing see the amended claim",
    uses=("new.bistable.scan-law",),
    sabotages={
        "the scan of Hillis and Steele, which brackets (1, (2, 3))": {"scan": hillis_steele},
        "associative operators only": {"admit": lambda tables: associative(tables)},
    },
)
def without_associativity(
    proof: Proof, scan: Scan = associative_scan, admit: Callable[[np.ndarray], np.ndarray] = lambda tables: ~associative(tables)
) -> None:
    """Sizes 1, 2, 3 in order, all tables of each. The scan combines a_0 with a_1 before anything else, so it needs the law for first factors that are products.

    And if prefixes are combined with a_i at the end, however they were bracketed, a + b = 1 - b on {0, 1} does: only the last element counts."""
    longest = 6
    right: dict[int, np.ndarray] = {}
    for q in (1, 2, 3):
        tables = all_magmas(q)
        admitted = np.flatnonzero(admit(tables) & associative(tables, products_only=True))
        works = np.all([serves(tables[admitted], n, scan) for n in range(1, longest + 1)], axis=0)
        right[q] = np.isin(np.arange(len(tables)), admitted[works])
    candidates = ((q, i) for q in right for i in range(len(right[q])))
    found = proof.smallest("size of the magma, then its table", candidates, lambda c: bool(right[c[0]][c[1]]))
    if found:
        (q, i), _ = found
        one = all_magmas(q)[i : i + 1]
        table = one[0].tolist()
        proof.counterexample(
            given={"elements": list(range(q)), "table of a + b": table},
            hypotheses={
                f"scan and loop agree on all arrays of length <= {longest}": all(
                    bool(serves(one, n, scan)[0]) for n in range(1, longest + 1)
                ),
                "(u + b) + c = u + (b + c) for all products u, so they agree at every length (new.bistable.scan-law)": bool(
                    associative(one, products_only=True)[0]
                ),
            },
            violates={"not associative": not associative(one)[0]},
            minimal=f"{q} elements",
        )
    flip = np.array([[[1, 0], [1, 0]]], dtype=np.int8)
    trees = [tree for n in range(1, 6) for tree in bracketings(n)]
    agree = all(
        int(flip[0, evaluate(tree, lambda a, b: flip[0, a, b], word), last]) == 1 - last
        for tree in trees
        for word in product((0, 1), repeat=5)
        for last in (0, 1)
    )
    proof.counterexample(
        given={"a + b": "1 - b on {0, 1}", "scan": "prefixes in any bracketing, then + a_i; a_0 itself first"},
        hypotheses={"(prefix) + a_i = 1 - a_i for every bracketing of the prefix": agree},
        violates={"(0 + 0) + 0 = 1 and 0 + (0 + 0) = 0": not associative(flip)[0] and admit(flip)[0]},
        minimal="2 elements, inclusive from exclusive prefixes",
    )


@claim(
    "degeeter26.appB.thm1.amended",
    topic="bistable",
    place="App. B, Theorem 1",
    kind="amended",
    amends="degeeter26.appB.thm1",
    title="all bracketings of all arrays agree if and only if the operator is associative; the scan of Hillis and Steele needs no less",
    says=r"If: every product may be re-bracketed from the left, by induction on the right factor. Only if: $a\oplus(b\oplus c)$ is a bracketing of three elements, and the one that Hillis and Steele use.",
    sabotages={"the work-efficient scan in place of Hillis and Steele": {"scan": lambda op, x, axis: associative_scan(op, x, axis)}},
)
def every_bracketing(proof: Proof, scan: Scan = hillis_steele) -> None:
    """All magmas with 1, 2 and 3 elements (19 700 of them), all arrays of length 3 and 4, all bracketings."""
    for q in proof.every("all magmas with at most 3 elements, all arrays of length <= 4", (1, 2, 3)):
        tables = all_magmas(q)
        law, op = associative(tables), operation(tables)
        agree = np.ones(len(tables), dtype=bool)
        for n in (3, 4):
            arrays = np.broadcast_to(all_arrays(q, n), (len(tables), q**n, n))
            columns = list(np.moveaxis(arrays, -1, 0))
            values = [evaluate(tree, op, columns) for tree in bracketings(n)]
            agree &= np.all([(v == values[0]).all(axis=1) for v in values], axis=0)
        proof.holds("all bracketings agree iff the operation is associative", bool((agree == law).all()))
        proof.holds(
            "the scan of Hillis and Steele is right on length 3 iff it is associative", bool((serves(tables, 3, scan) == law).all())
        )


@claim(
    "new.bistable.scan-law",
    topic="bistable",
    place="after degeeter26 App. B, Theorem 1",
    kind="new",
    title="the work-efficient scan is right on all arrays if and only if (u b) c = u (b c) for all products u; 54 magmas with 3 elements are so and not associative",
    says=r"In each prefix with two or more elements the scan first forms $a_0\oplus a_1$, so by induction every right factor may be taken apart: $u\oplus(b\oplus c)=(u\oplus b)\oplus c$ is only used with $u$ a product. "
    r"Length 4 needs it: $(a_0\oplus a_1)\oplus(a_2\oplus a_3)$.",
    construction="lemmata.numerics.scan.associative_scan",
    sabotages={"the law for all u": {"law": lambda tables: associative(tables)}, "the scan of Hillis and Steele": {"scan": hillis_steele}},
)
def the_law_of_the_scan(
    proof: Proof,
    law: Callable[[np.ndarray], np.ndarray] = lambda tables: associative(tables, products_only=True),
    scan: Scan = associative_scan,
) -> None:
    """The trees that the scan builds, read off by scanning symbols; then all small magmas and all arrays."""
    longest = proof.pick(40, 100, 300)
    pair = np.frompyfunc(lambda a, b: (a, b), 2, 1)
    for n in proof.every(f"n <= {longest}", range(2, longest + 1)):
        leaves = np.empty(n, dtype=object)
        leaves[:] = range(n)
        trees = scan(pair, leaves, axis=0)
        proof.holds("the prefixes hold a_0 ... a_i in order", all(list(_leaves(t)) == list(range(i + 1)) for i, t in enumerate(trees)))
        proof.holds("a_0 and a_1 come first", all(_first_pair(t) == (0, 1) for t in trees[1:]))
    for q in proof.every("all magmas with at most 3 elements, all arrays of length <= 5", (1, 2, 3)):
        tables = all_magmas(q)
        right = np.all([serves(tables, n, scan) for n in range(1, 6)], axis=0)
        proof.holds("scan = loop iff the law holds", bool((right == law(tables)).all()))
        proof.exactly(
            "how many satisfy it without being associative", int((law(tables) & ~associative(tables)).sum()), {1: 0, 2: 0, 3: 54}[q]
        )


def _leaves(tree: Any):
    return [x for part in tree for x in _leaves(part)] if isinstance(tree, tuple) else [tree]


def _first_pair(tree: Any) -> Any:
    while isinstance(tree[0], tuple):
        tree = tree[0]
    return tree
