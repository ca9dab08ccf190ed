"""``python3 -m formal.goals``: record what Rocq shows after each sentence of each proof, for the pages of the site.

``goals/FILE.json`` holds the goals of ``FILE.v``, with a digest of that source and of all that it imports. Goals with another digest are out of
date: a test fails, and the site shows the proof without them. Reading needs neither Rocq nor a package.

Only the sources are recorded whose goals are out of date. They are compiled in ``build/goals``, where what is compiled stays for the next time.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self
from xml.etree import ElementTree

from . import script, seal

#: characters of a hypothesis and of a conclusion; what is longer ends in a mark
WIDEST = {"hypothesis": 240, "conclusion": 480, "other": 160}
CUT = " […]"

#: how many further goals are written out
FURTHER = 2

#: columns of a printed line
COLUMNS = 100

PROGRAM = "coqidetop.opt"


@dataclass(frozen=True)
class Goals:
    """What is to prove after a sentence.

    ``count`` goals are in focus. Of the first there are the ``hypotheses`` that are new or changed since the sentence before, and the
    ``conclusion``, empty if nothing is left; of the next ones ``others`` has the conclusions.
    """

    count: int
    hypotheses: tuple[str, ...]
    conclusion: str
    others: tuple[str, ...]


# -- reading ------------------------------------------------------------------------------------------------------------------------


def digest(name: str) -> str:
    """SHA-256 of a source and of all that it imports, to which its goals belong."""
    parts = [[one, seal.digest(one)] for one in seal.sources_of(name)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def is_current(name: str) -> bool:
    """True if there are goals of this source as it is, with its imports as they are."""
    return _read(name).get("digest") == digest(name)


@cache
def goals(module: str) -> dict[int, Goals]:
    """Number of a sentence -> the goals after it; nothing if they are out of date."""
    if not is_current(f"{module}.v"):
        return {}
    table = _read(f"{module}.v")["goals"]
    return {int(k): Goals(count, tuple(new), conclusion, tuple(others)) for k, (count, new, conclusion, others) in table.items()}


def forget() -> None:
    """Forget what was read, since the files have changed."""
    goals.cache_clear()


def path_of(name: str) -> Path:
    """Where the goals of a source are."""
    return seal.FOLDER / "goals" / f"{name.removesuffix('.v')}.json"


def _read(name: str) -> dict:
    path = path_of(name)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


# -- recording ----------------------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """Why goals were not recorded, in one line."""


class Session:
    """A running ``coqidetop`` that takes sentences in turn, by the XML protocol of Coq 8.16."""

    def __init__(self, folder: Path) -> None:
        command = [PROGRAM, "-main-channel", "stdfds", "-async-proofs", "off", "-w", "none", "-Q", ".", "lemmata"]
        # in the folder, where tactics leave their caches
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.rest = b""
        self.state = self._state(self._ask('<call val="Init"><option val="none"/></call>'), "Init")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def add(self, sentence: str) -> None:
        """Take one sentence. Raises ``Refused`` if Rocq cannot read it."""
        nowhere = "<pair><int>0</int><int>0</int></pair>"
        said = f"<pair><string>{html.escape(sentence, quote=False)}</string><int>-1</int></pair>"
        after = f'<pair><state_id val="{self.state}"/><bool val="false"/></pair>'
        self.state = self._state(
            self._ask(f'<call val="Add"><pair><pair><pair>{said}{after}</pair><int>0</int></pair>{nowhere}</pair></call>'), sentence
        )

    def goals(self) -> list[tuple[list[str], str]]:
        """Hypotheses and conclusion of each goal in focus. Raises ``Refused`` if a sentence so far fails."""
        answer = self._ask('<call val="Goal"><unit/></call>')
        if answer.get("val") != "good":
            raise Refused(" ".join("".join(answer.itertext()).split()))
        focused = answer.find("./option/goals/list")
        return [_goal(one) for one in focused] if focused is not None else []

    def _ask(self, call: str) -> ElementTree.Element:
        """The value that answers a call; what else is reported stands before it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(call.encode())
        self.process.stdin.flush()
        heard = self.rest
        while b"</value>" not in heard:
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                raise Refused(f"{PROGRAM} ended")
            heard += part
        value, end, self.rest = heard.partition(b"</value>")
        text = (value[value.rindex(b"<value") :] + end).decode().replace("&nbsp;", " ")
        return ElementTree.fromstring(text)

    @staticmethod
    def _state(answer: ElementTree.Element, sentence: str) -> str:
        found = answer.find(".//state_id")
        if answer.get("val") != "good" or found is None:
            raise Refused(f"{sentence!r}: {' '.join(''.join(answer.itertext()).split())}")
        return found.get("val", "")


def _goal(one: ElementTree.Element) -> tuple[list[str], str]:
    _, hypotheses, conclusion, *_ = list(one)
    return ["".join(h.itertext()).strip() for h in hypotheses], "".join(conclusion.itertext()).strip()


def recorded(name: str, folder: Path) -> dict[int, Goals]:
    """The goals after each sentence of each proof of a source whose imports are compiled in ``folder``."""
    module = name.removesuffix(".v")
    text = script.source(module)
    proving = {k for item in script.items(module).values() for k in item.proof[:-1]}
    out: dict[int, Goals] = {}
    if not proving:
        return out
    with Session(folder) as rocq:
        rocq.add(f"Set Printing Width {COLUMNS}.")
        before: set[str] = set()
        for k, sentence in enumerate(script.sentences(text)):
            rocq.add(sentence.text)
            if k not in proving:
                before = set()
            elif not script.is_bullet(sentence.text):
                found = rocq.goals()
                out[k] = _compact(found, before)
                before = set(found[0][0]) if found else before
    return out


def _compact(found: list[tuple[list[str], str]], before: set[str]) -> Goals:
    if not found:
        return Goals(0, (), "", ())
    (hypotheses, conclusion), *rest = found
    new = tuple(_cut(h, "hypothesis") for h in hypotheses if h not in before)
    return Goals(len(found), new, _cut(conclusion, "conclusion"), tuple(_cut(c, "other") for _, c in rest[:FURTHER]))


def _cut(text: str, kind: str) -> str:
    return text if len(text) <= WIDEST[kind] else text[: WIDEST[kind]].rstrip() + CUT


def write(name: str, found: dict[int, Goals]) -> None:
    """Write the goals of a source, a line for each sentence; whole or not at all."""
    path = path_of(name)
    path.parent.mkdir(exist_ok=True)
    lines = [f'  "{k}": {json.dumps([g.count, g.hypotheses, g.conclusion, g.others], ensure_ascii=False)}' for k, g in found.items()]
    unfinished = path.with_name(f".{path.name}")
    text = f'{{\n "digest": "{digest(name)}",\n "goals": {{\n' + ",\n".join(lines) + "\n }\n}\n"
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def compiled(names: list[str], folder: Path) -> None:
    """Compile, in the order of the project, each of the sources that is not compiled as it is, with its imports as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        mark = folder / f"{name}.digest"
        if mark.is_file() and mark.read_text() == digest(name):
            continue
        shutil.copy(seal.FOLDER / name, folder / name)
        command = ["coqc", "-w", "none", "-Q", ".", "lemmata", name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Refused(f"formal/{name} does not compile: {' '.join(done.stderr.split())[:300]}")
        mark.write_text(digest(name))
        print(f"compiled {name}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Record what is out of date; 0 if all is up to date then, 2 with a line on standard error otherwise."""
    argparse.ArgumentParser(
        prog="python3 -m formal.goals", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args(arguments)
    folder = seal.FOLDER.parent / "build" / "goals"
    stale = [name for name in seal.files() if not is_current(name)]
    needed = {source for name in stale for source in seal.sources_of(name) if source != name}
    try:
        if stale and shutil.which(PROGRAM) is None:
            raise Refused(f"expected {PROGRAM}, which Debian's package coq has, found none")
        compiled([name for name in seal.files() if name in needed], folder)
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
            for name, found in zip(stale, workers.map(lambda one: recorded(one, folder), stale), strict=True):
                write(name, found)
                print(f"recorded the goals after {len(found)} sentences of {name}", flush=True)
    except Refused as why:
        print(f"formal.goals: {why}", file=sys.stderr)
        return 2
    for path in sorted((seal.FOLDER / "goals").glob("*.json")):
        if f"{path.stem}.v" not in seal.files():
            path.unlink()
    forget()
    return 0


if __name__ == "__main__":
    sys.exit(main())
