"""From the ranges of a transition's numbers to its spectrum: one lemma to a kind of matrix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .intervals import Interval, point
from .ranges import Range


@dataclass(frozen=True)
class Spectrum:
    """Where the eigenvalues of every transition lie.

    Attributes:
        real: The interval of the real ones, and of all if ``is_real``.
        is_real: Whether all eigenvalues are real.
        modulus: The interval of their moduli, where they may be complex.
        lemma: Why, in a sentence.
        claims: The claims of the ledger that show it.
    """

    real: Interval
    is_real: bool
    modulus: Interval
    lemma: str
    claims: tuple[str, ...]

    def joined(self, other: Spectrum) -> Spectrum:
        """That of a transition with blocks of both."""
        lemma = " ".join(dict.fromkeys((self.lemma, other.lemma)))
        claims = tuple(dict.fromkeys(self.claims + other.claims))
        return Spectrum(self.real.hull(other.real), self.is_real and other.is_real, self.modulus.hull(other.modulus), lemma, claims)

    def __str__(self) -> str:
        return f"real, in {self.real}" if self.is_real else f"complex, of modulus in {self.modulus}"


def spectrum(ranges: Iterable[Range] | None) -> Spectrum | None:
    """The spectrum that the ranges of all kinds give; None where there are none, or no lemma is known."""
    by_kind: dict[str, dict[str, Interval]] = {}
    for r in ranges or ():
        by_kind.setdefault(r.kind, {})[r.name] = r.interval
    parts = [_of_kind(kind, known) for kind, known in by_kind.items()]
    whole: Spectrum | None = None
    for part in parts:
        if part is None:
            return None
        whole = part if whole is None else whole.joined(part)
    return whole


def turned(found: Spectrum) -> Spectrum:
    """The spectrum of a layer whose keys and queries turn with the position, with one gate on each plane, in coordinates that turn back.

    >>> from .intervals import Interval
    >>> from fractions import Fraction
    >>> gate = _real(Interval(Fraction(0), Fraction(1), False, False), "Diagonal.", BLOCKS)
    >>> str(turned(gate))
    'complex, of modulus in (0, 1)'
    """
    size = found.modulus
    lemma = "In coordinates that turn back, a gate a on a plane turned by t is a e^(-it) and a e^(it)."
    return Spectrum((-size).hull(size), False, size, f"{found.lemma} {lemma}", (*found.claims, TURNED))


#: the claim of each lemma
BLOCKS, FACTOR, READ_FIRST = "new.householder.layers.blocks", "grazzi25.table1", "new.householder.layers.read-first"
MINUS_RANK_ONE, GATE_FIRST = "new.householder.layers.minus-rank-one", "new.householder.layers.gate-before-factor"
TURNED = "new.householder.layers.turned-keys"
TWO_FACTORS, FACTORS = "grazzi25.prop1.3.two", "grazzi25.prop1.1"


def _of_kind(kind: str, known: dict[str, Interval]) -> Spectrum | None:
    match kind:
        case "diagonal":
            return _real(known["diagonal entries"], "The eigenvalues of a diagonal matrix are its entries.", BLOCKS)
        case "rotation":
            return _complex(known["modulus"], "The eigenvalues of [[p, -q], [q, p]] are p + iq and p - iq.", BLOCKS)
        case "column one-hot":
            return _one_hot(known["nonzero entries"])
        case "a (I - beta k k^T)":
            other = known["a"] * (point(1) - known["beta"] * known["|k|^2"])
            return _real(known["a"].hull(other), "The eigenvalues of a (I - beta k k^T) are a and a (1 - beta |k|^2).", FACTOR)
        case "a (I - u v^T)":
            other = known["a"] * (point(1) - known["beta"] * known["p.k"])
            return _real(known["a"].hull(other), "The eigenvalues of a (I - beta p k^T) are a and a (1 - beta p.k).", READ_FIRST)
        case "a (I - rank r)":
            return _factors(known)
        case "a I - beta k p^T":
            other = known["a"] - known["beta"] * known["p.k"]
            return _real(known["a"].hull(other), "The eigenvalues of a I - beta k p^T are a and a - beta p.k.", READ_FIRST)
        case "diagonal plus rank one" if "b" in known and known["w"].low >= 0 and known["b"].low >= 0:
            inner = point(1).hull(point(1) - known["b"] * known["|k|^2"])
            return _real(
                inner * known["w"],
                "(I - k (b k)^T) Diag(w), b, w >= 0, has the eigenvalues of Diag(sqrt w) (I - u u^T) Diag(sqrt w), u = sqrt(b) k: Ostrowski's theorem.",
                GATE_FIRST,
            )
        case "diagonal plus rank one" if "beta" in known and known["w"].low >= 0 and known["beta"].low >= 0:
            inner = point(1).hull(point(1) - known["beta"] * known["p.k" if "p.k" in known else "|k|^2"])
            p, u = ("p k^T", "u u^T") if "p.k" in known else ("k k^T", "k k^T")
            where = ", p = m k, m >= 0, u = sqrt(m) k: Ostrowski's theorem." if "p.k" in known else ": Ostrowski's theorem."
            return _real(
                inner * known["w"],
                f"(I - beta {p}) Diag(w), w >= 0, has the eigenvalues of Diag(sqrt w) (I - beta {u}) Diag(sqrt w){where}",
                GATE_FIRST,
            )
        case "diagonal plus rank one" if "a" in known and known["a"].low >= 0:
            below = known["w"] - known["a"] * known["|k|^2"]
            return _real(
                below.hull(known["w"]),
                "Diag(w) - k (a k)^T, a >= 0, has the eigenvalues of Diag(w) - u u^T, u = sqrt(a) k: Weyl's inequality.",
                MINUS_RANK_ONE,
            )
    return None


def _factors(known: dict[str, Interval]) -> Spectrum | None:
    """A product of symmetric factors a (I - beta k k^T): a bounds the product of their gates, and each rest has norm 1 at most, if |1 - beta |k|^2| is."""
    rest, gate = point(1) - known["beta of a factor"] * known["|k|^2 of a factor"], known["a"]
    if gate.low < 0 or rest.low < -1 or rest.high > 1:
        return None
    if rest.low >= 0 and known["factors"] == point(2):
        lemma = "A product of two positive semidefinite matrices of norm at most 1 has real eigenvalues in [0, 1], times the gates."
        return _real(gate.hull(point(0)), lemma, TWO_FACTORS)
    lemma = "A product of factors of norm at most 1 has eigenvalues of modulus at most 1, times the gates."
    return _complex(gate.hull(point(0)), lemma, FACTORS)


def _modulus(x: Interval) -> Interval:
    return x if x.low >= 0 else (-x).hull(x).clamp(point(0).low, None)


def _real(x: Interval, lemma: str, claim: str) -> Spectrum:
    return Spectrum(x, True, _modulus(x), lemma, (claim,))


def _complex(modulus: Interval, lemma: str, claim: str) -> Spectrum:
    size = _modulus(modulus)
    return Spectrum((-size).hull(size), False, size, lemma, (claim,))


def _one_hot(entries: Interval) -> Spectrum:
    """A cycle of the map has the roots of the product of its entries as eigenvalues, and what is on no cycle gives 0."""
    size = _modulus(entries).hull(point(0))
    lemma = "The eigenvalues of a matrix with one entry to a column are 0 and roots of products of entries along cycles: of modulus at most the largest."
    return _complex(size, lemma, BLOCKS)
