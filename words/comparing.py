"""Labels of others compared with ours: ``python -m lemmata.words.comparing FOLDER`` reads word problems of groups as CSV files.

Each file is called GROUP=LENGTH.csv, as in ``jopetty/word-problem``, and has the columns input and target: elements by their numbers, and their products
from the left after each one, with 0 as the identity. The numbers are the file's own. So its products are read first, and an isomorphism with our group
of that name is looked for; then every label is compared with the state of our automaton.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ..constructions.automata.read.sources import all_elements, named_group

Permutation = tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """What a file holds: ``labels`` of ``words``; ``wrong`` of them differ from ours, the first in row ``row``; ``undecided`` says why nothing is said."""

    name: str
    words: int
    labels: int
    wrong: int = 0
    row: int | None = None
    undecided: str = ""

    @property
    def line(self) -> str:
        """The comparison in a line."""
        if self.undecided:
            return f"{self.name}: {self.words:,} words, not decided: {self.undecided}"
        where = f", first in row {self.row}" if self.wrong else ""
        return f"{self.name}: {self.words:,} words, {self.labels:,} labels, {self.wrong:,} differ from ours{where}"


def compared(path: Path) -> Comparison:
    """One file against our group of its name.

    Raises:
        ValueError: for a file that has not the two columns, a name of no group, and labels that are fewer than the letters but more than one.
    """
    group = {tuple(p) for p in all_elements(named_group(_ours(path.stem.partition("=")[0]))).values()}
    rows = list(_rows(path))
    labels = sum(len(targets) for _, targets in rows)
    if any(len(targets) < len(word) for word, targets in rows):
        return Comparison(path.name, len(rows), labels, undecided="it labels the last letter of a word alone")
    table: dict[tuple[int, int], int] = {}
    for word, targets in rows:
        for before, letter, after in zip([0, *targets[:-1]], word, targets, strict=True):
            table.setdefault((before, letter), after)
    found = isomorphism(table, group)
    if isinstance(found, str):
        return Comparison(path.name, len(rows), labels, undecided=found)
    wrong, first = 0, None
    for number, (word, targets) in enumerate(rows, 1):
        state = found[0]
        for letter, target in zip(word, targets, strict=True):
            state = then(state, found[letter])
            if found[target] != state:
                wrong, first = wrong + 1, first or number
    return Comparison(path.name, len(rows), labels, wrong, first)


def then(state: Permutation, letter: Permutation) -> Permutation:
    """The product of two permutations, the first one acting first: what our automaton's state becomes."""
    return tuple(letter[i] for i in state)


def isomorphism(table: dict[tuple[int, int], int], group: set[Permutation]) -> dict[int, Permutation] | str:
    """Numbers -> elements of the group so that products agree, or why there is none.

    ``table`` holds the first product that a file shows for each pair. If one of these is wrong, none is found, and the file is not decided. Left and right
    may be exchanged, since a product can be read from either end.
    """
    numbers = sorted({n for (a, b), c in table.items() for n in (a, b, c)})
    if len(numbers) != len(group):
        return f"it has {len(numbers)} elements, our group {len(group)}"
    identity = tuple(range(len(next(iter(group)))))
    generators = _generators(numbers, table)
    if generators is None:
        return "too few products to tell the group from others"
    orders = [_order(g, table) for g in generators]
    candidates = [[p for p in group if _order_of(p) == order] for order in orders]
    for swapped, images in product((False, True), product(*candidates)):
        mapped = _extended(dict(zip(generators, images, strict=True)), table, identity, swapped)
        if mapped is not None and len(set(mapped.values())) == len(group):
            return {n: _inverse(p) for n, p in mapped.items()} if swapped else mapped
    return "its products are not those of our group"


def _extended(
    images: dict[int, Permutation], table: dict[tuple[int, int], int], identity: Permutation, swapped: bool
) -> dict[int, Permutation] | None:
    """The map that generators' images fix, from the identity outwards; None where two ways disagree."""
    mapped, waiting = {0: identity}, [0]
    for n in waiting:
        for g, image in images.items():
            if (reached := table.get((n, g))) is None:
                continue
            element = then(image, mapped[n]) if swapped else then(mapped[n], image)
            if reached not in mapped:
                mapped[reached] = element
                waiting.append(reached)
            elif mapped[reached] != element:
                return None
    return mapped


def _generators(numbers: list[int], table: dict[tuple[int, int], int]) -> list[int] | None:
    """The first one or two numbers from which all others are reached; three if need be."""
    for count in (1, 2, 3):
        for some in product(numbers[1:] or numbers, repeat=count):
            reached, waiting = {0}, [0]
            for n in waiting:
                for g in some:
                    if (m := table.get((n, g))) is not None and m not in reached:
                        reached.add(m)
                        waiting.append(m)
            if len(reached) == len(numbers) and all(_order(g, table) for g in some):
                return list(some)
    return None


def _order(n: int, table: dict[tuple[int, int], int]) -> int:
    """The order of a number, 0 if the table does not tell."""
    power, order = n, 1
    while power != 0 and order <= len(table):
        power = table.get((power, n), -1)
        if power == -1:
            return 0
        order += 1
    return order


def _order_of(p: Permutation) -> int:
    power, order, identity = p, 1, tuple(range(len(p)))
    while power != identity:
        power, order = then(power, p), order + 1
    return order


def _inverse(p: Permutation) -> Permutation:
    return tuple(sorted(range(len(p)), key=p.__getitem__))


def _ours(name: str) -> str:
    """S3_x_Z10 as we call it: S3xZ10; A_5 as A5."""
    return name.replace("_x_", "x").replace("_", "")


def _rows(path: Path) -> Iterator[tuple[list[int], list[int]]]:
    """(word, labels) of each row."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if not {"input", "target"} <= set(reader.fieldnames or ()):
            raise ValueError(f"expected the columns input and target in {path.name}, got {', '.join(reader.fieldnames or ()) or 'none'}")
        for row in reader:
            word, targets = ([int(x) for x in row[name].split()] for name in ("input", "target"))
            if len(targets) not in (1, len(word)):
                raise ValueError(f"expected a label for each letter, or one, in {path.name}, got {len(targets)} for {len(word)}")
            yield word, targets


def main(folder: Path) -> None:
    """Print a line for each CSV file of a folder whose name holds =."""
    files = sorted(folder.glob("*=*.csv"))
    if not files:
        raise SystemExit(f"expected files GROUP=LENGTH.csv in {folder}, got none")
    for path in files:
        print(compared(path).line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("expected one folder: python -m lemmata.words.comparing FOLDER")
    main(Path(sys.argv[1]))
