"""The card of a data set: its automaton, how many words there are, what shortcuts get right, which models can do it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..constructions.automata.automaton import Automaton
from ..constructions.automata.read.machines import minimise
from .counting import reached
from .hardness import features, shortcuts
from .splitting import Part, Split

#: automata of more states are described by their number only
MOST_SHOWN = 60

#: maps of the transition monoid that are gone through
MOST_MAPS = 20_000


def facts(split: Split) -> dict[str, Any]:
    """What the card says, as plain data; shares are rounded to four digits, counts are exact."""
    a = split.automaton
    lengths = sorted({*split.train.letters, *split.test.letters})
    # a length that has no word of the kind that is asked for has no shortcut either
    asked = [n for n in (sorted(split.test.letters) or lengths) if n]
    chosen = sorted({asked[0], asked[-1]}) if asked else []
    counted = {n: features(a, n) for n in chosen}
    return {
        "letters": [str(x) for x in a.letters],
        "states": a.n,
        "class": kind(a),
        "train words": _sizes(split.train),
        "test words": _sizes(split.test),
        "drawn uniformly over": split.over,
        "test words that begin with a train word": None if split.prefixed != split.prefixed else round(split.prefixed, 4),
        "lengths that could not be balanced": split.uneven,
        "words that exist": {
            n: {"all": str(len(a.letters) ** n), "accepted": str(sum(reached(a, n)[q] for q in a.accepting))} for n in chosen
        },
        "shortcuts: last state": {n: _rounded(shortcuts(a, n, split.over, counted=counted[n])) for n in chosen},
        "shortcuts: acceptance": {n: _rounded(shortcuts(a, n, split.over, lambda q: q in a.accepting, counted[n])) for n in chosen},
    }


def _sizes(part: Part) -> dict[str, Any]:
    return {"count": len(part), "lengths": [min(part.letters), max(part.letters)] if part.letters else []}


def _rounded(found: dict[str, Any]) -> dict[str, float | None]:
    return {name: None if share is None else round(float(share), 4) for name, share in found.items()}


def kind(automaton: Automaton) -> str:
    """What the words do to the states of the minimal automaton: "group", "aperiodic", "neither", or that there are too many maps to say.

    Aperiodic: every word w has w^k = w^(k+1) for some k, so the language is star-free (Schuetzenberger).
    """
    small = minimise(automaton.reachable())
    letters = [tuple(small.table[x]) for x in small.letters]
    if all(len(set(images)) == small.n for images in letters):
        return "group: every letter permutes the states"
    seen, waiting = set(letters), list(letters)
    for f in waiting:
        power, powers = f, []
        while power not in powers:
            powers.append(power)
            power = tuple(f[q] for q in power)
        if power != powers[-1]:
            return "neither aperiodic nor a group: some word permutes some states, some letter merges states"
        for g in letters:
            h = tuple(g[q] for q in f)
            if h not in seen:
                if len(seen) == MOST_MAPS:
                    return f"not decided: words have more than {MOST_MAPS} different effects"
                seen.add(h)
                waiting.append(h)
    return "aperiodic: the language is star-free"


def card(split: Split, name: str, command: str, models: list[dict[str, Any]], asked: str) -> str:
    """The card as Markdown, with the heading that Hugging Face reads. ``models`` are the answers of each model, ``asked`` says to what."""
    return "\n".join(_lines(split, name, command, models, asked)) + "\n"


def _lines(split: Split, name: str, command: str, models: list[dict[str, Any]], asked: str) -> Iterator[str]:
    found, a = facts(split), split.automaton
    files = [f"  - split: {part}\n    path: {part}.parquet" for part, words in (("train", split.train), ("test", split.test)) if len(words)]
    yield from ("---", "configs:", "- config_name: default", "  data_files:", *files, "---", "")
    yield from (
        f"# {name}",
        "",
        "Words with the automaton's state after every letter. The labels are exact: the automaton itself made them.",
        "",
    )
    yield from ("Made by", "", "```console", f"$ {command}", "```", "")
    yield from ("| | |", "| --- | --- |")
    for key in ("letters", "states", "class", "drawn uniformly over", "test words that begin with a train word"):
        value = found[key]
        yield f"| {key} | {', '.join(value) if isinstance(value, list) else 'not requested' if value is None else value} |"
    for key in ("train words", "test words"):
        lengths = found[key]["lengths"]
        yield f"| {key} | {found[key]['count']:,}{f', lengths {lengths[0]} to {lengths[1]}' if lengths else ''} |"
    if found["lengths that could not be balanced"]:
        yield f"| lengths that could not be balanced | {_listed(found['lengths that could not be balanced'])} |"
    yield from (
        "",
        "## What shortcuts get right",
        "",
        "The exact share of words whose label follows best from the feature alone, under the same drawing.",
        "",
    )
    yield from ("| label | length | by the length | by the last letter | by the letter counts |", "| --- | --- | --- | --- | --- |")
    for label in ("last state", "acceptance"):
        for n, shares in found[f"shortcuts: {label}"].items():
            yield f"| {label} | {n} | " + " | ".join("too many to go through" if x is None else f"{x:.4f}" for x in shares.values()) + " |"
    yield from ("", "| length | words | accepted words |", "| --- | --- | --- |")
    for n, there in found["words that exist"].items():
        yield f"| {n} | {_short(there['all'])} | {_short(there['accepted'])} |"
    yield from ("", "## The automaton", "")
    if a.n <= MOST_SHOWN:
        yield from (f"Start: state {a.start}. Accepting: {sorted(a.accepting)}. The state after each letter, for states 0, 1, ...:", "")
        yield from (f"- `{x}`: {json.dumps(list(a.table[x]))}" for x in a.letters)
    else:
        yield f"{a.n} states; the file in NumPy's format holds the table."
    yield from ("", "## Which models can do it", "")
    yield from (asked, "")
    yield from ("| model | answer | layers | one layer |", "| --- | --- | --- | --- |")
    yield from (f"| {m['model']} | {m['answer']} | {m['layers']} | {m['one']} |" for m in models)


def _listed(lengths: list[int], most: int = 12) -> str:
    """The first ones, and how many more."""
    shown = ", ".join(map(str, lengths[:most]))
    return shown if len(lengths) <= most else f"{shown} and {len(lengths) - most} more"


def _short(digits: str) -> str:
    """A count, in full up to 15 digits."""
    return f"{int(digits):,}" if len(digits) <= 15 else f"about {digits[0]}.{digits[1:3]}e{len(digits) - 1}"
