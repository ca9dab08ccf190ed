"""A proof that is recorded three times: with its labels, with the label "x" everywhere, and with the empty one."""

from __future__ import annotations

from typing import Any

from lemmata.theorems.evidence import Proof


class Relabelled(Proof):
    """A proof whose every label and sentence is ``word``."""

    word = ""

    def label(self, text: str) -> str:
        return self.word


class Shadowed(Proof):
    """A proof beside which two relabelled ones record the same decisions."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.shadows = [Relabelled(self.effort, argument=self.argument, rests_on=self.rests_on, claim=self.claim) for _ in ("", "x")]
        self.shadows[1].word = "x"

    def _record(self, *args: Any, **options: Any) -> None:
        for shadow in self.shadows:
            # the same loops around it: their words reach the shadow as a label, which it replaces
            shadow._families, shadow._notes = self._families, self._notes
            shadow._beside, shadow._stands_apart = self._beside, self._stands_apart
            shadow._record(*args, **options)
        super()._record(*args, **options)

    def _searched(self, *args: Any, **options: Any) -> None:
        for shadow in self.shadows:
            shadow._searched(*args, **options)
        super()._searched(*args, **options)

    def relabelled(self) -> list[dict[str, Any]]:
        """What the relabelled proofs come to."""
        for shadow in self.shadows:
            shadow._domains = self._domains
            shadow.counterexamples, shadow.formal = self.counterexamples, self.formal
            shadow.citations, shadow.missing = [shadow.label(x) for x in self.citations], [shadow.label(x) for x in self.missing]
            shadow.kernel_scope = None if self.kernel_scope is None else shadow.label(self.kernel_scope)
        return [data_of(shadow) for shadow in self.shadows]


def data_of(proof: Proof) -> dict[str, Any]:
    """What of a proof is data: no word of it is an author's."""
    return {
        "verdict": proof.verdict,
        "how": proof.how,
        "limited": bool(proof.limits),
        "domain": proof.domain,
        "decided": proof.decided,
    }
