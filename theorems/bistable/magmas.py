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


def two_sweeps(op: Any, elements: Any, axis: int = 0) -> Any:
    """Blelloch's scan (1990): sums of aligned blocks going up, the prefix before each block going down, then each prefix with its own element.

    The identity in front of the first element is left out, as products with it are.
    """
    columns = list(np.moveaxis(elements, axis, 0))

    def block(a: list[Any]) -> Any:
        return a[0] if len(a) == 1 else op(block(a[: _half(a)]), block(a[_half(a) :]))

    def prefixes(a: list[Any], before: Any) -> list[Any]:
        if len(a) == 1:
            return [before]
        left = block(a[: _half(a)])
        return prefixes(a[: _half(a)], before) + prefixes(a[_half(a) :], left if before is None else op(before, left))

    exclusive = prefixes(columns, None)
    return np.stack([a if p is None else op(p, a) for p, a in zip(exclusive, columns, strict=True)], axis=axis)


def _half(a: list[Any]) -> int:
    """The largest power of 2 below the length: the left block of the padded tree."""
    return 1 << (len(a) - 1).bit_length() - 1


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


def has_identity(tables: np.ndarray) -> np.ndarray:
    """Which magmas have a two-sided identity."""
    points = np.arange(tables.shape[1])
    return np.any([(tables[:, e, :] == points).all(axis=1) & (tables[:, :, e] == points).all(axis=1) for e in points], axis=0)


@claim(
    "degeeter26.appB.thm1",
    place="App. B, Theorem 1",
    title="the parallel scan can be used with an operator, if it has an identity, if and only if the operator is associative",
    says=r"All bracketings of all arrays agree iff $\oplus$ is associative. The scan of Hillis and Steele gives the scan of every array iff $\oplus$ is associative; so does Blelloch's, of two sweeps, if $\oplus$ has an identity.",
    reading="as [37] means it: scans are defined there for an operator with an identity; without one 'only if' fails (degeeter26.appB.thm1.only-if)",
    remarks=("Theorem 3 needs 'if' alone.",),
    sabotages={
        "any operator with an identity, which the kernel refutes": {"theorem": "scan.two_sweeps_serve_every_operator"},
        "magmas without an identity": {"admit": lambda tables: np.ones(len(tables), dtype=bool)},
        "two sweeps in place of Hillis and Steele": {"scan": two_sweeps},
    },
)
def scans_need_associativity(
    proof: Proof,
    scan: Scan = hillis_steele,
    admit: Callable[[np.ndarray], np.ndarray] = has_identity,
    theorem: str = "scan.two_sweeps_iff_associative",
) -> None:
    r"""If: re-bracket. Only if: each scan contains a product bracketed from the right.

    1. If: with $u\oplus(b\oplus c)=(u\oplus b)\oplus c$ every product may be re-bracketed from the left, by induction on its right factor; a parallel scan computes prefixes in order, in some bracketing. [prose] [checked: "all bracketings agree"]
    2. Only if, Hillis and Steele: at length $3$ their last prefix is $a_0\oplus(a_1\oplus a_2)$. [checked: "the scan of Hillis and Steele"]
    3. Only if, two sweeps: at length $5$ the last prefix is $((a_0\oplus a_1)\oplus(a_2\oplus a_3))\oplus a_4$. With the identity for $a_0$ and for $a_4$ it is $a_1\oplus(a_2\oplus a_3)$, and the loop's is $(a_1\oplus a_2)\oplus a_3$. [checked: "two sweeps"]
    """
    proof.formally(
        "the kernel: all bracketings agree iff the operator is associative",
        "scan.bracketings_agree_iff_associative",
    )
    proof.formally("the kernel: Hillis and Steele's scan is right iff it is", "scan.hillis_steele_iff_associative")
    proof.formally("the kernel: the scan that pairs neighbours, which the library uses, serves them", "scan.pairs_first_serves_associative")
    proof.formally(
        "the kernel: with an identity two sweeps are right iff it is",
        theorem,
        whole="every set, operator and length",
        differs="two sweeps are over blocks of 2^k entries, the array filled up with the identity",
    )
    for q in proof.every("all magmas with at most 3 elements, all arrays of length <= 5", (1, 2, 3)):
        tables = all_magmas(q)
        law, op = associative(tables), operation(tables)
        agree = np.ones(len(tables), dtype=bool)
        for n in (3, 4):
            arrays = np.broadcast_to(all_arrays(q, n), (len(tables), q**n, n))
            columns = list(np.moveaxis(arrays, -1, 0))
            values = [evaluate(tree, op, columns) for tree in bracketings(n)]
            agree &= np.all([(v == values[0]).all(axis=1) for v in values], axis=0)
        proof.holds("all bracketings agree iff the operation is associative", bool((agree == law).all()))
        right = bool((serves(tables, 3, scan) == law).all())
        proof.holds("the scan of Hillis and Steele is right on length 3 iff it is associative", right)
        chosen = tables[admit(tables)]
        right = np.all([serves(chosen, n, two_sweeps) for n in range(1, 6)], axis=0)
        proof.holds("two sweeps are right up to length 5 iff it is associative", bool((right == associative(chosen)).all()))
    proof.certificate("witness", "addition modulo 3", table=[[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    found = proof.smallest("magmas with an identity that are not associative", _with_identity(3), _fails_at)
    if found:
        table, array = found
        proof.certificate("witness", "not associative, with an identity", table=table, array=list(array))


def _with_identity(q: int) -> list[list[list[int]]]:
    """The tables of all magmas with an identity that are not associative."""
    tables = all_magmas(q)
    return tables[has_identity(tables) & ~associative(tables)].tolist()


def _fails_at(table: list[list[int]]) -> tuple[int, ...] | None:
    """The first array of length 5 at which two sweeps are wrong."""
    op = np.frompyfunc(lambda a, b: table[a][b], 2, 1)
    arrays = all_arrays(len(table), 5)
    wrong = np.flatnonzero((two_sweeps(op, arrays, axis=1) != sequential_scan(op, arrays, axis=1)).any(axis=1))
    return tuple(int(x) for x in arrays[wrong[0]]) if len(wrong) else None


@claim(
    "degeeter26.appB.thm1.only-if",
    place="App. B, Theorem 1",
    flaw="overstatement",
    quotes=(
        "The parallel scan can be used to perform the scan on an array with a binary operator",
        "if and only if",
        "is associative.",
    ),
    weight="hypothesis",
    letter="Theorem 1 refers to [37], which shows 'if'. 'Only if' needs an operator with an identity, which [37] assumes. Without one it can fail: on {0, 1, 2} let 2 + 1 = 1 and "
    "all other sums be 0. Then (2 + 2) + 1 is not 2 + (2 + 1), and the scan that pairs neighbours is right on every array. Theorem 3 needs only 'if'.",
    title="the parallel scan also works for some operators that are not associative, where none has an identity",
    says=r"If the parallel scan computes the scan of every array with $\oplus$, then $\oplus$ is associative.",
    reading="for any binary operator, as printed, and the work-efficient scans: Blelloch's two sweeps, or pairs first",
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

    Two sweeps combine every prefix with a_i at the end, however it was bracketed: a + b = 1 - b on {0, 1} does, as only the last element counts."""
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
            words={
                "pairs": all(bool(serves(one, n, s)[0]) for n in range(1, longest + 1) for s in (scan, two_sweeps)),
                "law": bool(associative(one, products_only=True)[0]),
                "associative": bool(not associative(one)[0]),
            },
            minimal=f"{q} elements",
        )
        proof.certificate("witness", "three elements, both scans", table=table)
    flip = np.array([[[1, 0], [1, 0]]], dtype=np.int8)
    proof.counterexample(
        given={"a + b": "1 - b on {0, 1}", "scan": "two sweeps, then + a_i; a_0 itself first"},
        words={
            "sweeps": all(bool(serves(flip, n, two_sweeps)[0]) for n in range(1, longest + 1)),
            "prefix": all(int(flip[0, p, a]) == 1 - a for p in (0, 1) for a in (0, 1)),
            "values": bool(not associative(flip)[0] and admit(flip)[0]),
        },
        minimal="2 elements, two sweeps",
    )
    proof.certificate("witness", "two elements, two sweeps", table=flip[0].tolist())


@claim(
    "new.bistable.scan-law",
    place="after degeeter26 App. B, Theorem 1",
    known="Blelloch 1990 and Ladner and Fischer 1980 assume associativity; the exact law, and the count, we have not found",
    title="the pairing scan is right on all arrays iff (u b) c = u (b c) for all products u; so are 54 three-element magmas more",
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
    r"""Read off which products the scan forms.

    1. Every prefix of two or more elements begins with the product $a_0\oplus a_1$, and holds its elements in order. [checked: "the prefixes hold"; "a_0 and a_1 come first"]
    2. So every other product has the form $u\oplus t$ with $u$ a product, and $t$ a tree; by the law, $u\oplus(t_1\oplus t_2)=(u\oplus t_1)\oplus t_2$, until $t$ is a single element: the prefix is the loop's. The same argument serves two sweeps, whose blocks
       begin with $a_0\oplus a_1$ too. [prose] [checked: "two sweeps are right where the law holds"]
    3. Only if: at length $4$ the last prefix is $(a_0\oplus a_1)\oplus(a_2\oplus a_3)$. [checked: "scan = loop iff the law holds"]
    4. Counted over all magmas with at most three elements. [checked: "how many satisfy it"]
    """
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
        kept = tables[law(tables)]
        proof.holds("two sweeps are right where the law holds", all(bool(serves(kept, n, two_sweeps).all()) for n in range(1, 6)))
        proof.exactly(
            "how many satisfy it without being associative", int((law(tables) & ~associative(tables)).sum()), {1: 0, 2: 0, 3: 54}[q]
        )
    tables = all_magmas(3)
    more = tables[associative(tables, products_only=True) & ~associative(tables)]
    proof.certificate("witness", "the magmas with three elements", tables=more.tolist())
    proof.exhibit("a magma with three elements that serves the scan and is not associative", table=more[0].tolist())


def _leaves(tree: Any):
    return [x for part in tree for x in _leaves(part)] if isinstance(tree, tuple) else [tree]


def _first_pair(tree: Any) -> Any:
    while isinstance(tree[0], tuple):
        tree = tree[0]
    return tree
