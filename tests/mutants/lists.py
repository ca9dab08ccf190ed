"""What the tool keeps beside the code: functions named by claims, functions that no claim speaks of, mutants tried by hand, survivors with reasons."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from drawing import Mutant
from public import public, source

HERE = Path(__file__).parent


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def survivors() -> dict[str, dict[str, str]]:
    """kind -> title of a mutant -> reason: "unchanged", "cost" or "passed", as survivors.toml says."""
    return _read("survivors.toml")


def reason_of(title: str) -> tuple[str, str] | None:
    """(kind, reason) of a survivor, if one is written down. What is said of size 5 holds from each larger size on, and what of 3 steps after more: less is wrong.

    What is said of ``file: function: *`` holds of each change of the function: its result is only proposed to something that decides.
    """
    names = [title, *_stronger(title), ": ".join([*title.split(": ")[:2], "*"])]
    return next(((kind, reasons[name]) for name in names for kind, reasons in survivors().items() if name in reasons), None)


def _stronger(title: str) -> list[str]:
    """The titles of the mutants that are wrong wherever this one is: from a smaller size on, or after fewer steps."""
    found = re.fullmatch(r"(.* (?:from size|after) )(\d+)( on| steps)", title)
    return [f"{found[1]}{k}{found[3]}" for k in reversed(range(int(found[2])))] if found else []


def unspoken() -> dict[str, str]:
    """public function -> why no claim speaks of it. A reason given for a file holds for all its functions."""
    reasons = _read("unspoken.toml")
    named = named_functions()
    by_file = {key: reason for key, reason in reasons.items() if ": " not in key}
    found = {key: by_file[key.split(": ")[0]] for key in public() if key.split(": ")[0] in by_file and key not in named}
    return found | {key: reason for key, reason in reasons.items() if ": " in key}


def named_functions() -> dict[str, list[str]]:
    """public function -> the claims that run it at standard effort, from ``named.json``."""
    table = json.loads((HERE / "named.json").read_text(encoding="utf-8"))
    claims = table["claims"]
    return {key: [claims[i] for i in ids] for key, ids in table["functions"].items()}


def write_named(ran: dict[str, list[str]]) -> None:
    """Write ``named.json`` from a trace: claims once, and for each public function their numbers, a line each."""
    functions = {key: ids for key, ids in ran.items() if key in public()}
    claims = sorted({id for ids in functions.values() for id in ids})
    number = {id: i for i, id in enumerate(claims)}
    rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps([number[id] for id in sorted(ids)])}" for key, ids in sorted(functions.items()))
    text = f'{{\n "claims": {json.dumps(claims)},\n "functions": {{\n{rows}\n }}\n}}\n'
    (HERE / "named.json").write_text(text, encoding="utf-8")
    named_functions.__dict__.clear()


def unlisted() -> list[str]:
    """Public functions that no claim runs and no reason excuses."""
    known = named_functions().keys() | unspoken().keys()
    return [key for key in public() if key not in known]


def listed() -> list[Mutant]:
    """Mutants that readers of the code tried by hand: ``old`` becomes ``new`` in a function."""
    out = []
    for one in _read("listed.toml").get("mutant", []):
        before = source(one["file"])
        if before.count(one["old"]) != 1:
            raise ValueError(f"expected {one['old']!r} once in {one['file']}, got {before.count(one['old'])} times")
        after = before.replace(one["old"], one["new"])
        out.append(Mutant(f"{one['file']}: {one['function']}: {one['name']}", "listed", one["file"], one["function"], text=after))
    return out
