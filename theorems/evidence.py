"""Evidence, and the verdict that follows from it. No author types a verdict in."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import numpy as np

from ..formal.seal import require_proof
from ..numerics.exact import as_text
from .ledger import HOLDS

if TYPE_CHECKING:
    from .recheck.registry import Words

#: kinds of evidence, strongest first
HOW = ("formal", "symbolic", "exhaustive", "exact", "certified", "float", "statistical")

#: kinds that can decide a whole claim
DECISIVE = HOW[: HOW.index("certified") + 1]

#: characters of a scope
ROOM = 200

EFFORTS = ("quick", "standard", "thorough")


#: marks of a step that words carry: ours, or a theorem of a book
WORDS = {"prose", "cited"}


@dataclass
class Step:
    """One thing that was checked, possibly on many instances.

    ``limited`` says that it was decided on a part of the claim's domain only. ``beside`` says that it carries nothing: an instance that
    illustrates, or a search for one.
    """

    what: str
    how: str
    scope: str
    limited: bool = True
    beside: bool = False
    count: int = 0
    failure: str | None = None
    margin: float | None = None

    @property
    def held(self) -> bool:
        return self.failure is None and self.count > 0

    @property
    def decides(self) -> bool:
        """True if it settles what it says for the whole domain of the claim."""
        return not self.limited and self.how in DECISIVE


@dataclass(frozen=True)
class Counterexample:
    """Numbers that satisfy the hypotheses of a claim and violate its conclusion, both checked exactly."""

    given: dict[str, Any]
    hypotheses: dict[str, bool]
    violates: dict[str, bool]
    how: str
    minimal: str

    @property
    def stands(self) -> bool:
        return bool(self.violates) and all(self.hypotheses.values()) and all(self.violates.values())


@dataclass(frozen=True)
class Certificate:
    """Data that ``lemmata recheck`` can verify on its own; ``kind`` names the rule in docs/reference/certificates.md."""

    kind: str
    title: str
    data: dict[str, Any]


@dataclass
class Family:
    """Instances to check, with words that say which: "rational orthogonal Q, n <= 6"."""

    describe: str
    items: Iterable[Any]
    exhaustive: bool = False
    limited: bool = True


@dataclass
class Domain:
    """What one loop of a check went through, as data: no word of it is an author's.

    ``kind`` is "instances" or "all cases", ``limited`` as in :class:`Step`, ``count`` the number of cases.
    """

    kind: str
    limited: bool
    count: int = 0


class Lost(Exception):
    """The first failed step of a :class:`Proof` that stops there."""


@dataclass
class Proof:
    """What a check writes into. Reading a check top to bottom is reading the proof.

    ``effort`` scales the instances; ``pick`` chooses a size by effort. With ``stops`` the first failed step raises :class:`Lost`: nothing that
    follows can bring the verdict back. ``argument`` holds the marks of each numbered step of the proof in words, and ``rests_on`` the
    verdicts of the claims that those steps use (see :mod:`lemmata.theorems.argument`). ``claim`` is the id under which the words of its
    counterexamples stand, beside the demand of the re-checker.
    """

    effort: str = "standard"
    stops: bool = False
    argument: Sequence[Sequence[str]] = ()
    rests_on: Sequence[str] = ()
    claim: str = ""
    steps: list[Step] = field(default_factory=list)
    counterexamples: list[Counterexample] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)
    exhibits: list[dict[str, Any]] = field(default_factory=list)
    citations: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    formal: list[dict[str, Any]] = field(default_factory=list)
    kernel_scope: str | None = None
    compared: list[Step] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)
    _domains: dict[tuple[str, int], Domain] = field(default_factory=dict)
    _stands_apart: bool = False
    _families: list[Family] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _beside: bool = False

    def label(self, text: str) -> str:
        """What a person reads of a step or a scope. No verdict may depend on it: a test replaces it by nothing."""
        return text

    # -- instances ------------------------------------------------------------------------------------------------

    def pick(self, quick: Any, standard: Any, thorough: Any) -> Any:
        """The size to use at this effort."""
        return {"quick": quick, "standard": standard, "thorough": thorough}[self.effort]

    def each(self, describe: str, items: Iterable[Any]) -> Iterator[Any]:
        """Go through chosen instances; the steps recorded inside carry ``describe`` as their scope."""
        return self._go_through(Family(self.label(describe), items), _site())

    def every(self, describe: str, items: Iterable[Any], limited: bool = True) -> Iterator[Any]:
        """Go through *all* cases of a finite set; exact steps recorded inside count as exhaustive.

        ``limited=False`` says that these cases are the domain of the claim and not a part of it: all letters, the two vectors that it
        names, all words by a closure.
        """
        return self._go_through(Family(self.label(describe), items, exhaustive=True, limited=limited), _site())

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Steps that carry nothing: instances that illustrate what is decided elsewhere. They must hold; they limit nothing."""
        before, self._beside = self._beside, True
        try:
            yield
        finally:
            self._beside = before

    def _go_through(self, family: Family, site: tuple[str, int]) -> Iterator[Any]:
        domain = Domain("all cases" if family.exhaustive else "instances", family.limited)
        if not self._stands_apart:
            domain = self._domains.setdefault(site, domain)
        self._families.append(family)
        try:
            for item in family.items:
                domain.count += 1
                self._notes.append(_short(item))
                try:
                    yield item
                finally:
                    self._notes.pop()
        finally:
            # by identity: a generator left early may be closed after others were opened
            self._families = [f for f in self._families if f is not family]

    def extra(self, package: str) -> Iterator[Any]:
        """The module of an optional package, once, or nothing where it is not installed: ``for torch in proof.extra("torch"): ...``.

        Steps recorded inside compare an implementation that needs the package. They stand in ``compared``, apart from the verdict, its kind
        and its scope, which are those of the core installation. One that fails takes the verdict away. Where the package is missing,
        ``not_compared`` says "needs torch".
        """
        if find_spec(package) is None:
            self.not_compared.append(f"needs {package}")
            return
        with self._apart():
            yield import_module(package)

    def tied(self, describe: str, items: Iterable[Any]) -> Iterator[Any]:
        """Go through instances on which an implementation is held to an exact reference; ``describe`` is the range to which it was held.

        As with :meth:`extra`, the steps recorded inside stand apart from the verdict and its scope. One that fails takes the verdict away.
        """
        with self._apart():
            yield from self.each(describe, items)

    @contextmanager
    def _apart(self) -> Iterator[None]:
        outer, self._stands_apart = self._stands_apart, True
        try:
            yield
        finally:
            self._stands_apart = outer

    # -- steps ----------------------------------------------------------------------------------------------------

    def symbolically(self, what: str, left: Any, right: Any, free: str, up_to: str | None = None) -> None:
        """An identity with free parameters, in SymPy: ``left - right`` is 0 once it is brought to a normal form.

        ``free`` names what is arbitrary ("v, phi"), ``up_to`` a size to which the identity was written out ("n <= 3"), which limits it.
        """
        from ..numerics.identities import difference

        rest = difference(left, right)
        scope = f"all {free}" if up_to is None else f"{up_to}, all {free}"
        self._record(what, "symbolic", rest == 0, f"left - right = {rest}, not 0", scope, up_to is not None)

    def formally(self, what: str, name: str, whole: str | None = None, differs: str = "") -> None:
        """A theorem that the kernel of Rocq has checked: ``name`` is "file.theorem" in ``formal/``.

        ``whole`` says what is arbitrary in it ("all n and L, any field") if it is *all* of the claim: then the claim is PROVED, and instances
        beside it only illustrate. ``differs`` says what its wording has and the claim's has not, such as a field for the reals.
        """
        try:
            found, failure = require_proof(name), ""
        except LookupError as why:
            found, failure = None, str(why)
        self._record(what, "formal", found is not None, failure, whole or "", limited=False)
        if found is not None:
            self.formal.append({"theorem": name, "differs": differs} | {k: found[k] for k in ("file", "line", "statement")})
            self.kernel_scope = self.label(whole) if whole is not None else self.kernel_scope

    def exactly(self, what: str, left: Any, right: Any, free: str | None = None) -> None:
        """Two exact values are equal: arrays of rationals or algebraic numbers, integers, tuples, Booleans.

        Outside a loop this is one instance, and limits the claim to it. ``free`` names parameters that are symbols in ``left`` and
        ``right`` ("n, beta"): then it is an identity for all of them.
        """
        same = bool(np.array_equal(np.asarray(left, dtype=object), np.asarray(right, dtype=object)))
        failure = "" if same else f"got {_short(left)}, expected {_short(right)}"
        self._decide(what, "exact", same, failure, free)

    def holds(self, what: str, condition: Any, free: str | None = None) -> None:
        """A condition that was decided in exact arithmetic; ``free`` as in :meth:`exactly`."""
        self._decide(what, "exact", condition is True or condition is np.True_, f"got {condition!r}, expected True", free)

    def certified(self, what: str, condition: bool, detail: str = "", free: str | None = None) -> None:
        """A condition decided by rigorous balls: True only if it holds for every point of the enclosures.

        ``free`` names parameters whose whole range the enclosures cover ("theta in [0, pi]").
        """
        self._decide(what, "certified", condition is True, f"not certified {detail}", free)

    def _decide(self, what: str, how: str, held: bool, failure: str, free: str | None) -> None:
        """Record a decision: of an instance, of the cases of a loop, or of all values of free parameters."""
        if free is None:
            self._record(what, how, held, failure)
        else:
            self._record(what, "symbolic" if how == "exact" else how, held, failure, f"all {free}", limited=False)

    def closely(self, what: str, error: float, tolerance: float) -> None:
        """A floating-point check: ``error <= tolerance``, tolerance > 0; the worst ratio error / tolerance is kept as the margin."""
        if not tolerance > 0:
            raise ValueError(f"expected a tolerance above 0, got {tolerance}: use exactly() for what has no error")
        self._record(what, "float", bool(error <= tolerance), f"error {error:.3g} > {tolerance:.3g}", margin=error / tolerance)

    def statistically(self, what: str, successes: int, trials: int, at_least: float, confidence: float = 0.999) -> None:
        """A probability is at least ``at_least``, with the given confidence: the one-sided Clopper-Pearson bound of independent trials."""
        from scipy.stats import beta

        bound = float(beta.ppf(1 - confidence, successes, trials - successes + 1)) if successes else 0.0
        held = bound >= at_least
        detail = f"{successes} of {trials}: at least {bound:.3f} with confidence {confidence}, expected {at_least}"
        self._record(f"{what}: probability >= {at_least} (confidence {confidence})", "statistical", held, detail)

    def _record(
        self,
        what: str,
        how: str,
        held: bool,
        failure: str,
        scope: str | None = None,
        limited: bool = True,
        margin: float | None = None,
    ) -> None:
        """One decision; without ``scope`` it belongs to the loops around it, and to nothing but itself where there are none."""
        if scope is None:
            if how == "exact" and self._families and all(f.exhaustive for f in self._families):
                how = "exhaustive"
            limited = not self._families or any(f.limited for f in self._families)
            # a family that is the whole claim ("all words") adds nothing beside one that limits it ("m <= 8")
            scope = "; ".join(dict.fromkeys(f.describe for f in self._families if f.limited == limited))
        elif how != "formal" and any(f.limited for f in self._families):
            # free parameters in a loop over some sizes: for those sizes only
            limited, scope = True, "; ".join([*dict.fromkeys(f.describe for f in self._families if f.limited), scope])
        what, scope = self.label(what), self.label(scope)
        steps = self.compared if self._stands_apart else self.steps
        key = (what, how, scope, limited, self._beside)
        step = next((s for s in steps if (s.what, s.how, s.scope, s.limited, s.beside) == key), None)
        if step is None:
            step = Step(*key)
            steps.append(step)
        step.count += 1
        if margin is not None:
            step.margin = max(margin, step.margin or 0.0)
        if not held and step.failure is None:
            step.failure = failure + (f" at {', '.join(self._notes)}" if self._notes else "")
        if not held and self.stops:
            raise Lost(f"{what}: {step.failure}")

    # -- refutations and what else there is to say ----------------------------------------------------------------

    def smallest(self, what: str, candidates: Iterable[Any], breaks: Any) -> Any:
        """The first candidate, in the order given, for which ``breaks`` returns something true; None if there is none.

        Returns the pair (candidate, what ``breaks`` returned); how many were passed over is recorded.
        """
        tried = 0
        for candidate in candidates:
            found = breaks(candidate)
            if found:
                self._searched(what, f"{tried} smaller candidates do not break it", tried + 1)
                return candidate, found
            tried += 1
        self._searched(what, f"{tried} candidates", tried, failure="none of them breaks the claim")
        return None

    def _searched(self, what: str, scope: str, count: int, failure: str | None = None) -> None:
        self.steps.append(Step(self.label(f"search: {what}"), "exact", self.label(scope), beside=True, count=count, failure=failure))

    def counterexample(
        self, given: dict[str, Any], words: dict[str, bool], how: str = "exact", minimal: str = "", witness: str = ""
    ) -> None:
        """Record numbers that break the claim. ``words`` says for the key of each word whether it holds; each was decided exactly.

        The words, hypotheses and what is violated, stand beside the demand of the re-checker, which decides them on its own. ``witness``
        names what of the given is also a certificate, with the title ``minimal``: "n L". Raises ``ValueError`` for a key without a word.
        """
        known = self._words()
        if unknown := [key for key in words if key not in known.all]:
            raise ValueError(f"expected keys among {list(known.all)}, the words of {self.claim or 'no claim'}, got {unknown}")
        hypotheses = {known.hypotheses[key]: held for key, held in words.items() if key in known.hypotheses}
        violates = {known.violates[key]: held for key, held in words.items() if key in known.violates}
        self.counterexamples.append(Counterexample(given, hypotheses, violates, how, self.label(minimal)))
        if witness:
            self.certificate("witness", minimal, **{name: given[name] for name in witness.split()})

    def _words(self) -> Words:
        """The words of the claim's counterexamples: data, and the only thing that a check takes from the re-checker."""
        from .recheck import words_of

        return words_of(self.claim)

    @property
    def _undecided(self) -> list[str]:
        """The words that no counterexample decides."""
        decided = {sentence for c in self.counterexamples for sentence in c.hypotheses | c.violates}
        return [sentence for sentence in self._words().all.values() if sentence not in decided] if self.counterexamples else []

    def certificate(self, kind: str, title: str, **data: Any) -> None:
        """Keep data for ``lemmata recheck``, once; arrays and exact numbers are stored as text."""
        data = as_text(data)
        if all((c.kind, c.data) != (kind, data) for c in self.certificates):
            self.certificates.append(Certificate(kind, title, data))

    def exhibit(self, what: str, **given: Any) -> None:
        """Keep a telling instance of what was verified, for ``lemmata witness``: weights, a factorisation, small enough to read."""
        self.exhibits.append({"what": what, "given": given})

    def cites(self, theorem: str) -> None:
        """The claim rests on an outside theorem that is not checked here."""
        self.citations.append(self.label(theorem))

    def lacks(self, what: str) -> None:
        """Something that a proof still needs."""
        self.missing.append(self.label(what))

    # -- the verdict ----------------------------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """REFUTED, OPEN, CITED, PROVED, DERIVED or CHECKED, derived from what was recorded."""
        failed = [s for s in (*self.steps, *self.compared) if not s.held]
        if self.counterexamples:
            broken = failed or self.missing or self._undecided or not all(c.stands for c in self.counterexamples)
            return "OPEN" if broken else "REFUTED"
        if failed or self.missing or not (self.steps or self.citations):
            return "OPEN"
        if self.citations:
            return "CITED"
        if self.kernel_scope is not None:
            return "PROVED"
        return max(self._grade, *self.rests_on, key=HOLDS.index) if self.rests_on else self._grade

    @property
    def _grade(self) -> str:
        """What the evidence itself gives: PROVED if the machine carries every step of the argument, DERIVED if words carry some."""
        if self.limits or not self.argument or not any(not s.beside for s in self.steps):
            return "CHECKED"
        return "PROVED" if all(marks and not WORDS & set(marks) for marks in self.argument) else "DERIVED"

    @property
    def limits(self) -> list[str]:
        """What keeps the steps from deciding the whole claim: scopes that limit it, and kinds of evidence that cannot decide."""
        return [f"{s.what}: {(s.scope or 'one instance') if s.limited else s.how}" for s in self.steps if not (s.beside or s.decides)]

    @property
    def how(self) -> str:
        """The weakest kind of evidence that the verdict rests on; formal if the kernel has all of it."""
        if self.verdict == "PROVED" and self.kernel_scope is not None:
            return "formal"
        kinds = [s.how for s in self.steps if not s.beside] + [c.how for c in self.counterexamples]
        return max(kinds, key=HOW.index, default="")

    @property
    def scope(self) -> str:
        """What was covered: every scope that limits the claim or, where none does, what is arbitrary in it; in at most ``ROOM`` characters."""
        return shortened(self._covered)

    @property
    def _covered(self) -> str:
        if self.counterexamples:
            return "; ".join(dict.fromkeys(c.minimal or "one explicit counterexample" for c in self.counterexamples))
        if self.verdict == "PROVED" and self.kernel_scope is not None:
            return self.kernel_scope
        bearing = [s for s in self.steps if not s.beside]
        if not bearing:
            return "nothing is checked here"
        limits = dict.fromkeys(s.scope for s in bearing if s.limited and s.scope)
        return "; ".join(limits or dict.fromkeys(s.scope for s in bearing if s.scope)) or "the instances shown"

    @property
    def domain(self) -> list[Domain]:
        """What the loops of the check went through, in their order."""
        return list(self._domains.values())

    @property
    def decided(self) -> dict[str, int]:
        """How many decisions carry the claim, by kind of evidence and by whether they are limited: "exact, limited" -> 12."""
        counts = Counter[str]()
        for s in self.steps:
            if not s.beside:
                counts[f"{s.how}, limited" if s.limited else s.how] += s.count
        return dict(counts)

    @property
    def reasons(self) -> list[str]:
        """Why a verdict is OPEN: failed steps, failed counterexamples, what is missing."""
        reasons = [f"{s.what}: {s.failure or 'no instance was checked'}" for s in (*self.steps, *self.compared) if not s.held]
        for c in self.counterexamples:
            broken = [text for text, true in (c.hypotheses | c.violates).items() if not true]
            reasons += [f"the counterexample fails: {text}" for text in broken]
        reasons += [f"no counterexample decides: {text}" for text in self._undecided]
        return reasons + self.missing


def shortened(scope: str) -> str:
    """A scope in at most ``ROOM`` characters: its first ranges, each once; how many more there are is said, and the steps of the evidence have them.

    >>> shortened("; ".join(f"all groups of order {n}" for n in range(99)))[-50:]
    'all groups of order 5; and 92 more in the evidence'
    """
    if len(scope) <= ROOM:
        return scope
    ranges = list(dict.fromkeys(scope.split("; ")))
    for kept in range(len(ranges), 0, -1):
        more = [f"and {len(ranges) - kept} more in the evidence"] if kept < len(ranges) else []
        if len(text := "; ".join([*ranges[:kept], *more])) <= ROOM:
            return text
    return shorten(scope, ROOM, placeholder=" …")


def _short(value: Any, limit: int = 160) -> str:
    text = str(as_text(value))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _site() -> tuple[str, int]:
    """File and line of the check that calls a method of :class:`Proof`."""
    frame = sys._getframe(2)
    return frame.f_code.co_filename, frame.f_lineno
