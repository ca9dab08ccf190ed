"""The tables of the manuscripts that come from constructions, the table of models by languages, and the page of small automata, as rows of LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from ..atlas.languages import table as table_of_languages
from ..constructions.automata import Automaton, compile_automaton
from ..constructions.automata.read.sources import from_permutations, from_regex, named_group
from ..constructions.automata.rounding.precision import guaranteed_lengths
from ..constructions.automata.rounding.random_words import error_sizes, first_errors, turned_letters, walk_of
from ..constructions.languages import Language, language_of
from ..constructions.languages.layers_of_norm_one import bound
from ..constructions.rounded_census import SMALL
from ..constructions.rounded_counts import COUNTERS, LETTERS, WIDTH_TWO, counter, cycle
from ..constructions.rounded_delta import UNIT_KEYS, Evaluation, dot
from ..numerics.exact import rationals
from ..numerics.floating_point import BFLOAT16
from ..theorems.ledger import ledger
from .latex import inline
from .rounding import LINES
from .where import ROOT


def rows(cells: Sequence[Sequence[str]]) -> str:
    """Rows of a table, each cell LaTeX already."""
    return "\n".join(" & ".join(line) + r" \\" for line in cells) + "\n"


def grouped(number: str) -> str:
    """A number with thin groups: 7{,}960."""
    return number.replace(",", "{,}")


#: what a class of languages is, in mathematics
CLASSES = {
    "last-letter": "the last letter decides",
    "length-and-last-letter": r"length modulo some $N$ and last letter",
    "definite": r"definite: the last $i$ letters decide, some $i$",
    "quasi-definite": r"length modulo some $N$ and last $i$ letters",
    "late": r"first $i$ letters, last $i$ letters, length modulo $N$",
    "stutter-invariant": r"letters idempotent",
    "order-of-last-occurrences": r"order of last occurrences: $aua$ and $ua$ act alike",
    "counts-mod-2": r"order and parities since last occurrences",
    "counts-mod-m": r"order and counts modulo some $m$ since last occurrences",
    "aperiodic": r"star-free",
    "clocked": r"star-free but for the length modulo some $N$",
    "periods-powers-of-2": r"all periods powers of $2$",
    "solvable": r"all groups solvable",
    "efe-is-fe": r"idempotents satisfy $efe=fe$",
    "constant-powers": r"every letter has a constant power",
}

ARITHMETICS = {"exact": "E", "margin": "M"}


def classes() -> str:
    """The rows of the table of models by languages that are exact, in the arithmetics E and M."""
    known = table_of_languages()
    out = []
    for row in known.rows:
        if row.exactly is None or row.arithmetic not in ARITHMETICS:
            continue
        models = "; ".join(known.subjects[m].name for m in row.models)
        what = " or ".join(" and ".join(CLASSES[p] for p in all_of) for all_of in row.exactly)
        depth = "one" if row.layers == "1" else "any" if row.most is None else f"any ({row.most} suffice)"
        out.append([inline(models), ARITHMETICS[row.arithmetic], depth, what, row.grade])
    return rows(sorted(out, key=lambda line: line[1]))


def moved(images: Sequence[Sequence[int]]) -> Language:
    """The states of a machine whose letters act by these maps, started in 0."""
    return language_of(Automaton({"abcdefghij"[i]: tuple(f) for i, f in enumerate(images)}), tracked=True)


def climbers(n: int) -> Language:
    """The maps that move one of ``n`` points to a neighbour and fix the rest, and the identity."""
    still = list(range(n))
    up = [[i + 1 if j == i else j for j in still] for i in range(n - 1)]
    down = [[i if j == i + 1 else j for j in still] for i in range(n - 1)]
    return moved([still, *up, *down])


def all_maps(n: int) -> Language:
    """Generators of all maps of ``n`` points: a swap, a cycle, and a map that joins two points; the identity is a power of the swap."""
    still = list(range(n))
    return moved([[1, 0, *still[2:]], [*still[1:], 0], [0, 0, *still[2:]]])


def machines() -> dict[str, Callable[[], Language]]:
    """The rows of the table of depths."""
    named: dict[str, Callable[[], Language]] = {}
    for n in (2, 3, 4, 5):
        named[rf"order-preserving maps of ${n}$ points"] = lambda n=n: climbers(n)
    for n in (2, 3, 4):
        named[rf"all maps of ${n}$ points"] = lambda n=n: all_maps(n)
    for pattern, letters, name in (
        ("a*b*", "ab", r"$a^*b^*$"),
        ("a*b*c*", "abc", r"$a^*b^*c^*$"),
        ("a(a|b)*", "ab", r"first letter $a$"),
        ("(a|b)*aba(a|b)*", "ab", r"contains $aba$"),
        ("(a|b)*a(a|b)*a(a|b)*", "ab", r"two or more $a$"),
        ("(b|ab*a)*", "ab", r"even number of $a$"),
        ("(a(ab)*b)*", "ab", r"Dyck words of depth at most $2$"),
    ):
        named[name] = lambda pattern=pattern, letters=letters: language_of(from_regex(pattern, letters))
    named[r"letters $0122$, $3213$, $0312$"] = lambda: moved([[0, 1, 2, 2], [3, 2, 1, 3], [0, 3, 1, 2]])
    return named


def depths() -> str:
    """The two lower bounds, for the automata of the table."""
    out = []
    for name, make in machines().items():
        language = make()
        exact, margin = (bound(language.machine, language.monoid, e).layers for e in (True, False))
        out.append([name, str(language.machine.n), str(len(language.monoid)), str(exact), str(margin)])
    return rows(out)


#: the page of small automata, which :mod:`lemmata.atlas.census` writes, by its sections
CENSUS = ROOT / "docs" / "reference" / "layers.md"
SECTIONS = {"E": "Finitely many exact states", "M": "Bounded states with a margin"}


def section(title: str) -> str:
    """A section of the page of small automata."""
    return CENSUS.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


def census() -> str:
    """How many small automata are decided: the bound is a number of layers that is known to be enough."""
    out = []
    for arithmetic, title in SECTIONS.items():
        header, _, *lines = (
            [x.strip() for x in line.strip("|").split("|")] for line in section(title).splitlines() if line.startswith("|")
        )
        for line in lines:
            cells = dict(zip(header, line, strict=True))
            numbers = (grouped(cells[name]) for name in ("number", "decided", "open"))
            out.append([arithmetic, inline(cells["machines"]), *numbers])
    return rows(out)


def first_open() -> str:
    """The first machine with exact states that is open, as its letters."""
    return letters_of(re.findall(r"^.+?: (a: .*)$", section(SECTIONS["E"]), re.MULTILINE)[0])


def letters_of(line: str) -> str:
    """Letters as maps, from a line of the page of small automata."""
    letters = [letter.split(": ") for letter in line.split("; ")]
    maps = [f"{name}:{''.join(map(str, range(len(to.split()))))}\\mapsto{to.replace(' ', '')}" for name, to in letters]
    return " and ".join(f"${text}$" for text in maps) + "%\n"


#: the section of the page that says what decides automata of four states
FOUR = "What decides automata of four states"


def four_states() -> str:
    """What decides the layers of automata of three and four states, and how many are open."""
    lines = [[x.strip() for x in line.strip("|").split("|")] for line in section(FOUR).splitlines() if line.startswith("|")]
    return rows([[inline(name), *map(grouped, numbers)] for name, *numbers in lines[2:]])


def open_of_four(letters: int) -> str:
    """The open automaton of four states and so many letters that the page names, as its letters."""
    return letters_of(re.findall(rf"^4 states, {letters} letters: (.*)$", section(FOUR), re.MULTILINE)[0])


def horizons() -> str:
    """Narrow networks: guaranteed lengths, the median first error under stochastic rounding, and errors of weights that are off."""
    out = []
    for name, group in ((r"$A_5$", "A5"), (r"$S_5$", "S5"), (r"$\mathbb Z_{60}$", "Z60")):
        network = compile_automaton(from_permutations(named_group(group)), prefer="narrow")
        walk = walk_of(network.proof[-1])
        lengths = guaranteed_lengths(network.document())
        first = np.median(first_errors(walk, walk.margin / 8, 4_000, 40, 1)) / 64
        sizes = error_sizes(walk, turned_letters(walk, 72), 1e-7, (64, 1024), 60, 73)
        promised = [promise(lengths["loop"][kind]) for kind in ("float32", "bfloat16")]
        out.append([name, *promised, f"{first:.1f}", *(f"{size:.0f}" for size in sizes)])
    return rows(out)


def promise(length: float | None) -> str:
    """A guaranteed length; the loop always has one."""
    return "all" if length is None or np.isinf(length) else grouped(f"{int(length):,}")


def periods() -> str:
    """Which periods occur: evaluation, width and formats, with the claim that says it."""
    out = []
    for line in LINES:
        verdict = "open" if line.claim is None else ledger()[line.claim].verdict
        out.append([inline(x) for x in (line.evaluation, line.where, line.certified, line.excluded, line.seen)] + [verdict])
    return rows(out)


def unit_keys() -> str:
    """The layers of width 2 with unit keys that keep the parity."""
    out = []
    for format, (weights, even, odd) in UNIT_KEYS.items():
        parts = (weights.split()[:2], weights.split()[2:], even.split(), odd.split())
        out.append([inline(SHORT.get(format.name, format.name)), *(" ".join(map(hexadecimal, part)) for part in parts)])
    return rows(out)


def small_formats() -> str:
    """All layers of small formats."""
    return rows([[f"E{e}M{m}", str(n), grouped(f"{number:,}"), str(a), str(b)] for (e, m, n), (number, a, b) in SMALL.items()])


#: formats that the manuscripts call by their bits of exponent and fraction
SHORT = {"float8_e4m3fn": "E4M3", "float8_e5m2": "E5M2"}


def hexadecimal(number: str) -> str:
    """A number of a format as C and Python read it."""
    return rf"\texttt{{{number}}}"


def counters() -> str:
    """The layers of width 3 that count."""
    out = []
    for format, layers in COUNTERS.items():
        for modulus, text in layers.items():
            x = [hexadecimal(n) for n in text.split()]
            out.append([inline(format.name), str(modulus), " ".join(x[:3]), x[3], x[4], " ".join(x[5:])])
    return rows(out)


def cycle_of_three() -> str:
    """The states of the layer modulo 3 in bfloat16 on 1, 1, 1, ..., with what leads from each to the next."""
    layer, how = counter(BFLOAT16, 3), Evaluation("separate", (0, 1, 2), update=False)
    states, length = cycle(layer, how, BFLOAT16.round)
    out = []
    for t, h in enumerate(states[:length]):
        s = dot(layer.k, rationals(h), how, BFLOAT16.round)
        u = BFLOAT16.round(layer.beta * BFLOAT16.round(layer.v - s))
        out.append([rf"$h_{t}$", *(rf"${x}$" for x in (*h, s, u))])
    return rows(out)


def narrow() -> str:
    """The layers of width 2 that count modulo 3."""
    return rows([[inline(SHORT.get(format.name, format.name)), *_split(text, (2, 1, 1, 2))] for format, text in WIDTH_TWO.items()])


def pairs() -> str:
    """The pairs of letters of width 2 in bfloat16."""
    return rows([[str(n), *_split(a, (2, 1, 1)), *_split(b, (2, 1, 1)), _split(h, (2,))[0]] for n, a, b, h in LETTERS])


def _split(text: str, lengths: Sequence[int]) -> list[str]:
    """Fractions in groups: a vector in brackets, a number alone."""
    numbers, out = [rf"{x}" for x in text.split()], []
    for n in lengths:
        part, numbers = numbers[:n], numbers[n:]
        out.append(rf"$({','.join(part)})$" if n > 1 else rf"${part[0]}$")
    return out
