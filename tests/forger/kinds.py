"""Forged certificates: changes that a forger would try, one function a kind.

Each takes the genuine list of certificates and a seeded ``Random`` and yields forged lists of the same kinds in the same order, so that they agree with
the ledger. Kinds in ``COHERENT`` come from the claim's own check, with its draws degenerate, so that the data fit together.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Certificates = list[dict[str, Any]]
Path = tuple[str | int, ...]

#: paths that one kind of change is tried on, for each claim
PLACES = 4


def leaves(x: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The numbers and words of JSON data, with their places."""
    if isinstance(x, dict):
        for key, value in x.items():
            yield from leaves(value, (*path, key))
    elif isinstance(x, list):
        for i, value in enumerate(x):
            yield from leaves(value, (*path, i))
    else:
        yield path, x


def shape(path: Path) -> tuple[str, ...]:
    """A place without the indices: all entries of a matrix are alike."""
    return tuple("*" if isinstance(step, int) else step for step in path)


def put(certificates: Certificates, path: Path, value: Any) -> Certificates:
    """A copy with another value at a place."""
    out = copy.deepcopy(certificates)
    place: Any = out
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return out


def places(certificates: Certificates, rng: Random, wanted: Callable[[Any], bool]) -> list[tuple[Path, Any]]:
    """One random place for each shape of place that holds what is wanted, at most ``PLACES`` of them."""
    by_shape: dict[tuple[str, ...], list[tuple[Path, Any]]] = {}
    for i, certificate in enumerate(certificates):
        for path, value in leaves(certificate["data"], (i, "data")):
            if wanted(value):
                by_shape.setdefault(shape(path), []).append((path, value))
    chosen = [rng.choice(found) for found in by_shape.values()]
    return rng.sample(chosen, min(PLACES, len(chosen)))


def is_number(x: Any) -> bool:
    """An integer, or text that begins like one."""
    return (isinstance(x, int) and not isinstance(x, bool)) or (isinstance(x, str) and x.lstrip("-").replace("/", "", 1).isdecimal())


def mapped(x: Any, change: Callable[[Any], Any]) -> Any:
    """The data with every list and leaf changed, inside out."""
    if isinstance(x, dict):
        return {key: mapped(value, change) for key, value in x.items()}
    if isinstance(x, list):
        return change([mapped(value, change) for value in x])
    return change(x)


def everywhere(certificates: Certificates, change: Callable[[Any], Any]) -> Certificates:
    """All certificates with their data changed."""
    return [c | {"data": mapped(c["data"], change)} for c in certificates]


def zeros(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """Every rational number 0; then one list of them after the other."""
    yield everywhere(certificates, lambda x: "0" if isinstance(x, str) and is_number(x) else x)
    for name in sorted({key for c in certificates for key in c["data"]}):
        yield [
            c
            | {
                "data": {
                    k: mapped(v, lambda x: "0" if isinstance(x, str) and is_number(x) else x) if k == name else v
                    for k, v in c["data"].items()
                }
            }
            for c in certificates
        ]


def identity(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """Every square matrix the identity; then those of one name."""

    def change(x: Any) -> Any:
        square = isinstance(x, list) and x and all(isinstance(row, list) and len(row) == len(x) and all(map(is_number, row)) for row in x)
        return [["1" if i == j else "0" for j in range(len(x))] for i in range(len(x))] if square else x

    yield everywhere(certificates, change)
    for name in sorted({key for c in certificates for key in c["data"]}):
        yield [c | {"data": {k: mapped(v, change) if k == name else v for k, v in c["data"].items()}} for c in certificates]


def one(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """n = 1, T = 1: every list cut to its first member; every integer above 1 made 1."""
    yield everywhere(
        certificates, lambda x: x[:1] if isinstance(x, list) else 1 if isinstance(x, int) and not isinstance(x, bool) and x > 1 else x
    )
    yield everywhere(certificates, lambda x: x[:1] if isinstance(x, list) else x)


def repeats(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """One certificate of each kind in place of all; also told apart by another title, by an unknown key, by the order of keys."""
    first = {}
    for c in certificates:
        first.setdefault(c["kind"], c)
    if len(first) == len(certificates):
        return
    yield [copy.deepcopy(first[c["kind"]]) for c in certificates]
    yield [first[c["kind"]] | {"title": f"{i}"} for i, c in enumerate(certificates)]
    yield [first[c["kind"]] | {"data": first[c["kind"]]["data"] | {"junk": i}} for i, c in enumerate(certificates)]
    halves = len(certificates) // 2
    yield [
        copy.deepcopy(certificates[i % halves]) if c["kind"] == certificates[i % halves]["kind"] else c for i, c in enumerate(certificates)
    ]


def changed(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """One number is another: one more, the opposite, or twice."""
    for path, value in places(certificates, rng, is_number):
        if isinstance(value, int):
            yield put(certificates, path, value + 1)
            continue
        above, slash, below = value.partition("/")
        yield put(certificates, path, f"{int(above) + int(below or 1)}{slash}{below}")
        if value != "0":
            yield put(certificates, path, value[1:] if value[0] == "-" else f"-{value}")


def spelling(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """One number in another spelling: 2/1, 02, +2, text for an integer."""
    for path, value in places(certificates, rng, is_number):
        text = str(value)
        yield put(certificates, path, f"{text}/1" if "/" not in text else "/".join(str(2 * int(part)) for part in text.split("/")))
        yield put(certificates, path, f"0{text}" if text[0] != "-" else f"-0{text[1:]}")
        yield put(certificates, path, int(value) if isinstance(value, str) and "/" not in value else text)


def junk(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """An unknown key beside the others, or one key less."""
    yield [c | {"data": c["data"] | {"junk": 1}} for c in certificates]
    for name in certificates[0]["data"]:
        yield [c | {"data": {k: v for k, v in c["data"].items() if k != name}} for c in certificates]


def huge(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """An integer of 10^9, or 10^40, in place of one."""
    for path, value in places(certificates, rng, is_number):
        for size in (10**9, 10**40):
            yield put(certificates, path, size if isinstance(value, int) else str(size))


def digits(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """A denominator of 20,000 digits."""
    long = "1" + "0" * 19_990 + "1"
    for path, value in places(certificates, rng, is_number):
        yield put(certificates, path, f"1/{long}" if isinstance(value, str) else long)


def nested(certificates: Certificates, rng: Random) -> Iterator[Certificates]:
    """A list nested 500 deep in place of a number."""
    deep: Any = "0"
    for _ in range(500):
        deep = [deep]
    for path, _ in places(certificates, rng, is_number)[:2]:
        yield put(certificates, path, deep)


PLAIN: dict[str, Callable[[Certificates, Random], Iterator[Certificates]]] = {
    "zeros": zeros,
    "identity": identity,
    "one": one,
    "repeats": repeats,
    "changed": changed,
    "spelling": spelling,
    "junk": junk,
    "huge": huge,
    "digits": digits,
    "nested": nested,
}


def neighbours(id: str, certificates: Certificates, others: dict[str, Certificates], rng: Random) -> Iterator[Certificates]:
    """Data of other claims whose certificates are of the same kinds, as often as needed."""
    kinds = {c["kind"] for c in certificates}
    fitting = [other for other in others if other != id and kinds <= {c["kind"] for c in others[other]}]
    # the same keys first: they are the likeliest to pass
    keys = set(certificates[0]["data"])
    fitting.sort(key=lambda other: (-len(keys & set(others[other][0]["data"])), other))
    for other in fitting[:3]:
        pool = {kind: [c for c in others[other] if c["kind"] == kind] for kind in kinds}
        taken = dict.fromkeys(kinds, 0)
        forged = []
        for c in certificates:
            choice = pool[c["kind"]]
            forged.append(copy.deepcopy(choice[taken[c["kind"]] % len(choice)]))
            taken[c["kind"]] += 1
        yield forged


def mixed(certificates: Certificates, own: Certificates) -> Iterator[Certificates]:
    """The claim's own data under other draws: all of them where the kinds agree, else one in place of a genuine one of its kind."""
    if [c["kind"] for c in own] == [c["kind"] for c in certificates]:
        yield own
    used = 0
    for c in own:
        for i, genuine in enumerate(certificates):
            if genuine["kind"] == c["kind"] and genuine["data"] != c["data"] and all(g["data"] != c["data"] for g in certificates):
                yield [*certificates[:i], c, *certificates[i + 1 :]]
                used += 1
                break
        if used == PLACES:
            return
