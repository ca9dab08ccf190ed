"""Evidence, and the verdict that follows from it. No author types a verdict in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..formal.seal import require_proof
from ..numerics.exact import as_text

#: kinds of evidence, strongest first
HOW = ("formal", "symbolic", "exhaustive", "exact", "certified", "float", "statistical")

#: kinds that can decide a whole claim
DECISIVE = HOW[: HOW.index("certified") + 1]

EFFORTS = ("quick", "standard", "thorough")


@dataclass
class Step:
    """One thing that was checked, possibly on many instances."""

    what: str
    how: str
    scope: str
    limited: bool = True
    count: int = 0
    failure: str | None = None
    margin: float | None = None

    @property
    def held(self) -> bool:
        return self.failure is None and self.count > 0


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
    """Data that ``lemmata recheck`` can verify on its own; ``kind`` names the rule in docs/certificates.md."""

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


class Lost(Exception):
    """The first failed step of a :class:`Proof` that stops there."""


@dataclass
class Proof:
    """What a check writes into. Reading a check top to bottom is reading the proof.

    ``effort`` scales the instances; ``pick`` chooses a size by effort. With ``stops`` the first failed step raises :class:`Lost`: nothing that
    follows can bring the verdict back.
    """

    effort: str = "standard"
    stops: bool = False
    steps: list[Step] = field(default_factory=list)
    counterexamples: list[Counterexample] = field(default_factory=list)
    certificates: list[Certificate] = field(default_factory=list)
    exhibits: list[dict[str, Any]] = field(default_factory=list)
    citations: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    because: str | None = None
    formal: list[dict[str, Any]] = field(default_factory=list)
    kernel_scope: str | None = None
    compared: list[Step] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)
    _beside: bool = False
    _families: list[Family] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)

    # -- instances ------------------------------------------------------------------------------------------------

    def pick(self, quick: Any, standard: Any, thorough: Any) -> Any:
        """The size to use at this effort."""
        return {"quick": quick, "standard": standard, "thorough": thorough}[self.effort]

    def each(self, describe: str, items: Iterable[Any]) -> Iterator[Any]:
        """Go through chosen instances; the steps recorded inside carry ``describe`` as their scope."""
        return self._go_through(Family(describe, items))

    def every(self, describe: str, items: Iterable[Any], limited: bool = True) -> Iterator[Any]:
        """Go through *all* cases of a finite set; exact steps recorded inside count as exhaustive.

        ``limited=False`` says that these cases are the whole claim ("all words", by closure) and not a part of it.
        """
        return self._go_through(Family(describe, items, exhaustive=True, limited=limited))

    def _go_through(self, family: Family) -> Iterator[Any]:
        self._families.append(family)
        try:
            for item in family.items:
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
        outer, self._beside = self._beside, True
        try:
            yield
        finally:
            self._beside = outer

    # -- steps ----------------------------------------------------------------------------------------------------

    def symbolically(self, what: str, left: Any, right: Any, free: str, up_to: str = "") -> None:
        """An identity with free parameters, in SymPy: ``left - right`` is 0 once it is brought to a normal form.

        ``free`` names what is arbitrary ("v, phi"), ``up_to`` a size to which the identity was written out ("n <= 3").
        """
        from ..numerics.identities import difference

        rest = difference(left, right)
        scope = f"{up_to}, all {free}" if up_to else f"all {free}"
        self._record(what, "symbolic", rest == 0, f"left - right = {rest}, not 0", scope, bool(up_to))

    def formally(self, what: str, name: str, whole: str | None = None, differs: str = "") -> None:
        """A theorem that the kernel of Rocq has checked: ``name`` is "file.theorem" in ``formal/``.

        ``whole`` says what is arbitrary in it ("all n and L, any field") if it is *all* of the claim: then the claim is PROVED, and instances
        beside it only illustrate. ``differs`` says what its wording has and the claim's has not, such as a field for the reals.
        """
        try:
            found, failure = require_proof(name), ""
        except LookupError as why:
            found, failure = None, str(why)
        self._record(what, "formal", found is not None, failure, whole or "")
        if found is not None:
            self.formal.append({"theorem": name, "differs": differs} | {k: found[k] for k in ("file", "line", "statement")})
            self.kernel_scope = whole or self.kernel_scope

    def exactly(self, what: str, left: Any, right: Any) -> None:
        """Two exact values are equal: arrays of rationals or algebraic numbers, integers, tuples, Booleans."""
        same = bool(np.array_equal(np.asarray(left, dtype=object), np.asarray(right, dtype=object)))
        self._record(what, "exact", same, f"got {_short(left)}, expected {_short(right)}")

    def holds(self, what: str, condition: Any) -> None:
        """A condition that was decided in exact arithmetic."""
        self._record(what, "exact", condition is True or condition is np.True_, f"got {condition!r}, expected True")

    def certified(self, what: str, condition: bool, detail: str = "") -> None:
        """A condition decided by rigorous balls: True only if it holds for every point of the enclosures."""
        self._record(what, "certified", condition is True, f"not certified {detail}")

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
        self, what: str, how: str, held: bool, failure: str, scope: str = "", limited: bool = False, margin: float | None = None
    ) -> None:
        if not scope:
            if how == "exact" and self._families and all(f.exhaustive for f in self._families):
                how = "exhaustive"
            limited = any(f.limited for f in self._families)
            # a family that is the whole claim ("all words") adds nothing beside one that limits it ("m <= 8")
            scope = "; ".join(dict.fromkeys(f.describe for f in self._families if f.limited == limited))
        steps = self.compared if self._beside else self.steps
        step = next((s for s in steps if (s.what, s.how, s.scope) == (what, how, scope)), None)
        if step is None:
            step = Step(what, how, scope, limited)
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
                self.steps.append(Step(f"search: {what}", "exact", f"{tried} smaller candidates do not break it", count=tried + 1))
                return candidate, found
            tried += 1
        self.steps.append(Step(f"search: {what}", "exact", f"{tried} candidates", count=tried, failure="none of them breaks the claim"))
        return None

    def counterexample(
        self,
        given: dict[str, Any],
        hypotheses: dict[str, bool],
        violates: dict[str, bool],
        how: str = "exact",
        minimal: str = "",
    ) -> None:
        """Record numbers that break the claim. Each value of ``hypotheses`` and ``violates`` was decided exactly."""
        self.counterexamples.append(Counterexample(given, hypotheses, violates, how, minimal))

    def certificate(self, kind: str, title: str, **data: Any) -> None:
        """Keep data for ``lemmata recheck``, once; arrays and exact numbers are stored as text."""
        data = as_text(data)
        if all((c.kind, c.data) != (kind, data) for c in self.certificates):
            self.certificates.append(Certificate(kind, title, data))

    def exhibit(self, what: str, **given: Any) -> None:
        """Keep a telling instance of what was verified, for ``lemmata witness``: weights, a factorisation, small enough to read."""
        self.exhibits.append({"what": what, "given": given})

    def whole(self, because: str) -> None:
        """The steps recorded decide *all* of the claim; ``because`` says in a sentence why nothing is left to prose.

        It makes a claim PROVED only if every step is formal, symbolic, exhaustive, exact or certified, and none has a scope that limits it.
        """
        self.because = because

    def cites(self, theorem: str) -> None:
        """The claim rests on an outside theorem that is not checked here."""
        self.citations.append(theorem)

    def lacks(self, what: str) -> None:
        """Something that a proof still needs."""
        self.missing.append(what)

    # -- the verdict ----------------------------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """REFUTED, OPEN, CITED, PROVED or CHECKED, derived from what was recorded."""
        failed = [s for s in (*self.steps, *self.compared) if not s.held]
        if self.counterexamples:
            return "REFUTED" if not failed and all(c.stands for c in self.counterexamples) else "OPEN"
        if failed or self.missing or not (self.steps or self.citations):
            return "OPEN"
        if self.citations:
            return "CITED"
        return "PROVED" if self.kernel_scope or (self.because and not self.limits) else "CHECKED"

    @property
    def limits(self) -> list[str]:
        """What keeps the steps from deciding the whole claim: scopes that limit it, and kinds of evidence that cannot decide."""
        steps = [s for s in self.steps if not s.what.startswith("search: ")]
        return [f"{s.what}: {s.scope if s.limited else s.how}" for s in steps if s.limited or s.how not in DECISIVE]

    @property
    def how(self) -> str:
        """The weakest kind of evidence that the verdict rests on; formal if the kernel has all of it."""
        if self.verdict == "PROVED" and self.kernel_scope:
            return "formal"
        kinds = [s.how for s in self.steps if not s.what.startswith("search: ")] + [c.how for c in self.counterexamples]
        return max(kinds, key=HOW.index, default="")

    @property
    def scope(self) -> str:
        """What was covered: every scope that limits the claim or, where none does, what is arbitrary in it."""
        if self.counterexamples:
            return "; ".join(dict.fromkeys(c.minimal or "one explicit counterexample" for c in self.counterexamples))
        if self.verdict == "PROVED" and self.kernel_scope:
            return self.kernel_scope
        limits = dict.fromkeys(s.scope for s in self.steps if s.limited and not s.what.startswith("search: "))
        return "; ".join(limits or dict.fromkeys(s.scope for s in self.steps if s.scope)) or "the object itself"

    @property
    def reasons(self) -> list[str]:
        """Why a verdict is OPEN: failed steps, failed counterexamples, what is missing."""
        reasons = [f"{s.what}: {s.failure or 'no instance was checked'}" for s in (*self.steps, *self.compared) if not s.held]
        for c in self.counterexamples:
            broken = [text for text, true in (c.hypotheses | c.violates).items() if not true]
            reasons += [f"the counterexample fails: {text}" for text in broken]
        return reasons + self.missing


def _short(value: Any, limit: int = 160) -> str:
    text = str(as_text(value))
    return text if len(text) <= limit else text[: limit - 1] + "…"
