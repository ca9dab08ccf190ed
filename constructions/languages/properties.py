"""All properties by their names, simplest first."""

from __future__ import annotations

from collections.abc import Iterable

from . import (
    absorbed_idempotents,
    aperiodic,
    c_rasp,
    clocked,
    constant_powers,
    counts_since_last_occurrences,
    cubed_letters,
    definite,
    group,
    last_letter,
    late,
    length_and_last_letter,
    one_sided_idempotents,
    order_of_last_occurrences,
    periods_powers_of_two,
    quasi_definite,
    r_infinity,
    r_trivial,
    solvable,
    stutter_invariant,
)
from .language import Language
from .property import Property
from .undecided import Undecided
from .witness import Witness

PROPERTIES: dict[str, Property] = {
    p.id: p
    for p in (
        last_letter.PROPERTY,
        length_and_last_letter.PROPERTY,
        definite.PROPERTY,
        quasi_definite.PROPERTY,
        late.PROPERTY,
        stutter_invariant.PROPERTY,
        order_of_last_occurrences.PROPERTY,
        cubed_letters.PROPERTY,
        group.PROPERTY,
        constant_powers.PROPERTY,
        counts_since_last_occurrences.TWO,
        counts_since_last_occurrences.SOME,
        r_trivial.PROPERTY,
        c_rasp.PROPERTY,
        r_infinity.PROPERTY,
        r_infinity.WITH_GROUPS,
        aperiodic.PROPERTY,
        clocked.PROPERTY,
        periods_powers_of_two.PROPERTY,
        solvable.PROPERTY,
        one_sided_idempotents.PROPERTY,
        absorbed_idempotents.PROPERTY,
    )
}

#: what each property implies; what follows in several steps is left out
IMPLIES: dict[str, tuple[str, ...]] = {
    "last-letter": ("length-and-last-letter", "definite", "order-of-last-occurrences"),
    "length-and-last-letter": ("quasi-definite", "counts-mod-m"),
    "definite": ("quasi-definite", "aperiodic", "constant-powers", "efe-is-fe"),
    "quasi-definite": ("late",),
    "late": ("clocked",),
    "order-of-last-occurrences": ("stutter-invariant", "aperiodic", "counts-mod-2"),
    "stutter-invariant": ("cubed-letters",),
    "group": ("efe-is-fe",),
    "counts-mod-2": ("counts-mod-m", "cubed-letters", "periods-powers-of-2"),
    "counts-mod-m": ("solvable", "efe-is-fe"),
    "r-trivial": ("c-rasp",),
    "c-rasp": ("r-infinity",),
    "r-infinity": ("aperiodic", "r-and-groups"),
    "aperiodic": ("clocked", "periods-powers-of-2"),
    "clocked": ("solvable",),
    "periods-powers-of-2": ("solvable",),
    "efe-is-fe": ("absorbed-idempotents",),
}


def implied(properties: Iterable[str]) -> set[str]:
    """These properties and all that follow from each of them."""
    found = list(dict.fromkeys(properties))
    for id in found:
        found += [other for other in IMPLIES.get(id, ()) if other not in found]
    return set(found)


def decided(language: Language, property: str) -> Witness | Undecided | None:
    """None for yes, a witness for no, and what was met beyond the bounds for neither; computed once for each language."""
    if property not in language.answers:
        try:
            language.answers[property] = PROPERTIES[property].decide(language)
        except Undecided as bound:
            language.answers[property] = bound
    return language.answers[property]
