"""Hostile files: a genuine file of certificates with one value of each path replaced by one that asks for much, or for what is no number at all."""

import copy
import hashlib
import json
import random
import resource
import signal
import sys
import time
import tomllib
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

#: of processor time, for one file
SECONDS = 10

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
    "a long list": [0] * 200_000,
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
                changes = {what: replaced(data, at, leaf) for what, leaf in LEAVES.items() if what != "a long list"}
                changes["the longest fraction everywhere"] = everywhere(data, name, LEAVES["the longest fraction"])
            for what, changed in changes.items():
                if changed != data:
                    certificates = [*document["certificates"][:i], {**certificate, "data": changed}, *document["certificates"][i + 1 :]]
                    yield f"{where}: {what}", sealed(document, certificates)


def hostile_networks(document):
    """(what was changed, the document with it) for an exported network, as :func:`hostile_files` for certificates."""
    for what, changed in hostile_files({"certificates": [{"kind": "network", "data": document}]}):
        yield what, changed["certificates"][0]["data"]


def recheck():
    """The re-checker as it runs with nothing installed."""
    folder = Path(__file__).resolve().parents[2] / "theorems" / "recheck"
    spec = spec_from_file_location("recheck", folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    sys.modules["recheck"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GOOD, BAD = ("refused", "accepted with a reason"), ("accepted without a reason", "not settled")


class TooLong(BaseException):
    """Nobody catches it but :func:`outcome`."""


def outcome(checker, data):
    """None if the file of these bytes is accepted, else why not: what the re-checker says in a line, or that it took too long or too much."""

    def stop(*_):
        raise TooLong

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        checker.files.check_bytes(data)
    except checker.Rejected as why:
        return str(why)
    except TooLong:
        return f"TOO LONG: more than {SECONDS} s of processor time"
    except MemoryError:
        return "TOO LARGE: more than 1 GiB"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def main(arguments):
    """``python tests/theorems/hostile.py DIRECTORY [SHARE [SEED]]``: of each file a seeded one in SHARE of its hostile files, in 1 GiB.

    1 if one is not settled, or accepted although tests/forger/accepted.toml has no reason under ``hostile`` of its claim.
    """
    directory, share, seed = [*arguments, *("1", "0")[len(arguments) - 1 :]]
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
    checker, chance, counts, slowest = recheck(), random.Random(int(seed)), Counter(), (0.0, "")
    reasons = tomllib.loads((Path(__file__).resolve().parents[1] / "forger" / "accepted.toml").read_text(encoding="utf-8"))
    for path in sorted(Path(directory).glob("*.json")):
        for what, document in hostile_files(json.loads(path.read_text(encoding="utf-8"))):
            if chance.randrange(int(share)):
                continue
            data, begun = json.dumps(document).encode("ascii"), time.process_time()
            why = outcome(checker, data)
            slowest = max(slowest, (time.process_time() - begun, f"{path.stem} {what}"))
            became = fate(why, reasons.get(path.stem, {}))
            counts[became] += 1
            if became not in GOOD:
                print(f"{path.stem} {what}: {why or became}", flush=True)
    told = ", ".join(f"{counts[became]} {became}" for became in (*GOOD, *BAD))
    print(f"{told}; the slowest took {slowest[0]:.1f} s: {slowest[1]}")
    return 1 if any(counts[became] for became in BAD) else 0


def fate(why, reasons):
    """What became of a file that is refused because of ``why``, or accepted if that is None, in one of the words of GOOD and BAD."""
    if why is None:
        return "accepted with a reason" if "hostile" in reasons else "accepted without a reason"
    return "refused" if not why.startswith("TOO ") and len(why.splitlines()) == 1 else "not settled"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
