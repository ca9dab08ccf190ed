"""What the checker knows: a rule for each kind of certificate, and what each claim demands of its certificates."""

import json

from .exact import require

#: kind -> rule(data); raises Rejected unless the data prove what the kind says
RULES = {}

#: (claim, kind) -> demand(data); raises Rejected unless what was proved is what the claim says
DEMANDS = {}

#: claim -> demand([(kind, data), ...]) on all of its certificates together
COVERS = {}


def rule(kind):
    """Register the rule of a kind of certificate."""

    def register(check):
        require(kind not in RULES, f"two rules for the kind {kind!r}")
        RULES[kind] = check
        return check

    return register


def statement(claim, kind=None):
    """Register what ``claim`` says, as a demand on each of its certificates of one kind, or on all of them together if no kind is given.

    For a refuted claim the demand is: the witness satisfies the hypotheses and violates the conclusion.
    """

    def register(demand):
        table, key = (COVERS, claim) if kind is None else (DEMANDS, (claim, kind))
        require(key not in table, f"two demands for {key!r}")
        table[key] = demand
        return demand

    return register


def check_certificates(claim, certificates):
    """Raise Rejected unless every certificate holds by the rule of its kind and shows what the claim says."""
    seen = {json.dumps([c["kind"], c["data"]], sort_keys=True) for c in certificates}
    require(len(seen) == len(certificates), "holds a certificate twice")
    for i, certificate in enumerate(certificates, start=1):
        kind, data = certificate["kind"], certificate["data"]
        require(kind in RULES, f"certificate {i} is of an unknown kind, {kind!r}")
        require((claim, kind) in DEMANDS, f"certificate {i} ({kind}) says nothing about {claim}")
        RULES[kind](data)
        DEMANDS[claim, kind](data)
    if claim in COVERS:
        COVERS[claim]([(c["kind"], c["data"]) for c in certificates])
