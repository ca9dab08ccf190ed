"""Data for the page on which things run: examples of units, and networks as the compiler exports them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...constructions.automata import compile_automaton, compile_group, compile_regex
from ...constructions.automata.compiler import Network
from ...constructions.automata.read.sources import named_group
from ...constructions.automata.read.tasks import TASKS

#: name -> fields of the form: eigenvalue, b and h_0 of each unit, D, the model
PRESETS: dict[str, dict[str, Any]] = {
    "a decay": {"units": [["1/2", "1", "0"]], "D": "-1, 0, 1", "model": "cast"},
    "two decays": {"units": [["1/2", "1", "0"], ["9/10", "-1/4", "1"]], "D": "-2, -1, 0, 1, 2", "model": "cast"},
    "a sign": {"units": [["-1", "0", "1"]], "D": "-1, 0, 1", "model": "cast"},
    "−1/2 without 0": {"units": [["-1/2", "1", "-1"]], "D": "-1, 1", "model": "cast"},
    "−1/2 with 0": {"units": [["-1/2", "1", "-1"]], "D": "-1, 0, 1", "model": "cast"},
    "−1/2, rounded": {"units": [["-1/2", "0", "1"]], "D": "-1, 1", "model": "rounded"},
    "a decay, exact": {"units": [["1/2", "1", "0"]], "D": "-1, 0, 1", "model": "exact"},
}

#: claim -> the part of the page on which what it speaks of can be tried
TRIED = {
    "grazzi25.lemma1": "eigenvalues",
    "grazzi25.thm1": "eigenvalues",
    "grazzi25.thm1.layer": "eigenvalues",
    "new.parity.half": "eigenvalues",
    "new.parity.stepwise.monotone": "eigenvalues",
    "degeeter26.eq9": "hysteresis",
    "degeeter26.sec3.solutions": "hysteresis",
    "new.bistable.gap": "hysteresis",
    "grazzi25.thm3": "networks",
    "grazzi25.thm4": "networks",
}


def presets() -> list[dict[str, str]]:
    """The examples of units, as attributes of buttons."""
    return [{"name": name, "fields": json.dumps(fields)} for name, fields in PRESETS.items()]


def gallery() -> Iterator[tuple[str, str, str, Network]]:
    """(what it does, the command that compiles it, a word to begin with, the network); all entries are rational."""
    for regex, says, word in (
        ("(a|b)*abb(a|b)*", "abb occurs", "aabbab"),
        ("(ab)*", "ab again and again", "ababb"),
        ("a*b*", "first a, then b", "aabba"),
        ("(a|b)*a(a|b)", "the last letter but one is a", "babba"),
    ):
        yield f"{regex}: {says}", f"lemmata compile --regex '{regex}' --out FILE", word, compile_regex(regex)
    for task, says, word in (
        ("parity", "parity: is the number of ones odd", "11010"),
        ("even-pairs", "even pairs: the first and the last letter agree", "abbab"),
        ("modular-arithmetic", "arithmetic modulo 5, without brackets", "3*4+2"),
    ):
        yield says, f"lemmata compile --task {task} --out FILE", word, compile_automaton(TASKS[task]())
    for group in ("S3", "S5"):
        says = f"{group}: the product of swaps and cycles"
        yield says, f"lemmata compile --group {group} --out FILE", "cycle swap cycle cycle", compile_group(named_group(group))


def networks() -> str:
    """A script that sets NETWORKS, a list of {says, command, word, network}."""
    items = [
        {"says": says, "command": command, "word": word, "network": json.loads(network.to_json())}
        for says, command, word, network in gallery()
    ]
    return f"const NETWORKS = {json.dumps(items, ensure_ascii=False, separators=(',', ':'))};\n"
