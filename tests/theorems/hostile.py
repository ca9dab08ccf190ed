"""Hostile files: a genuine file of certificates with one value of each path replaced by one that asks for much, or for what is no number at all."""

import copy
import hashlib
import json

#: what stands in a value's place, named; the longest that the re-checker reads, and longer
LEAVES = {
    "10^4": 10_000,
    "10^9": 10**9,
    "10^998": 10**998,
    "-1": -1,
    "a long numerator": "7" * 20_000,
    "a long denominator": f"1/{'7' * 20_000}",
    "the longest fraction": f"-{'8' * 999}/{'9' * 998}7",
    "full-width digits": "\uff11\uff12",
    "nothing": None,
    "true": True,
    "an object": {"x": 0},
    "deep": [[[[[[[[[[0]]]]]]]]]],
    "a long list": [0] * 1_000_000,
    "no list": [],
    "text": "x" * 100_000,
}

#: how much longer lists are made
GROWTH = 200


def paths(x):
    """The distinct paths below a value, positions in lists as "*", each with the first place that has it; leaves and lists."""
    found = {}
    waiting = [(x, (), ())]
    while waiting:
        value, at, name = waiting.pop()
        if name and not isinstance(value, dict):
            found.setdefault(name, at)
        if isinstance(value, dict):
            waiting += [(child, (*at, key), (*name, key)) for key, child in value.items()]
        elif isinstance(value, list):
            waiting += [(child, (*at, i), (*name, "*")) for i, child in reversed(list(enumerate(value)))]
    return found


def get(x, at):
    for key in at:
        x = x[key]
    return x


def replaced(x, at, value):
    """``x`` with another value in one place; what is not on the way to it is shared."""
    if not at:
        return value
    out = copy.copy(x)
    out[at[0]] = replaced(x[at[0]], at[1:], value)
    return out


def everywhere(x, name, value):
    """``x`` with another value in all places of a path."""
    if not name:
        return value
    if name[0] == "*":
        return [everywhere(child, name[1:], value) for child in x] if isinstance(x, list) else x
    return {**x, name[0]: everywhere(x[name[0]], name[1:], value)} if isinstance(x, dict) and name[0] in x else x


def sealed(document, certificates):
    body = {**{k: v for k, v in document.items() if k != "sha256"}, "certificates": certificates}
    return {**body, "sha256": hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()}


def hostile_files(document):
    """(what was changed, the document with it and a new digest), for every kind of certificate in it and each path of its data.

    A value is replaced in one place by each of :data:`LEAVES`, in all its places by the longest fraction, and a list is made longer.
    """
    done = set()
    for i, certificate in enumerate(document["certificates"]):
        kind, data = certificate["kind"], certificate["data"]
        for name, at in paths(data).items():
            if (kind, name) in done:
                continue
            done.add((kind, name))
            where = ".".join([kind, *map(str, name)])
            value, changes = get(data, at), {}
            if isinstance(value, list):
                changes = {what: replaced(data, at, LEAVES[what]) for what in ("10^9", "deep", "a long list", "no list")}
                changes["grown"] = replaced(data, at, value * GROWTH)
            else:
                changes = {what: replaced(data, at, leaf) for what, leaf in LEAVES.items()}
                changes["the longest fraction everywhere"] = everywhere(data, name, LEAVES["the longest fraction"])
            for what, changed in changes.items():
                if changed != data:
                    certificates = [*document["certificates"][:i], {**certificate, "data": changed}, *document["certificates"][i + 1 :]]
                    yield f"{where}: {what}", sealed(document, certificates)
