"""What the certificates of topic bistable speak of: printed examples by their parameters, finite domains, and random layers drawn again from their seeds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from ...exact import inverse, number, times
from ...families import basis, integer_vector, integers
from ...registry import instances
from ...typed import Data
from .languages import REGEXES, memories
from .magmas import associates, folded, two_sweeps
from .unit import gates

# -- examples: the parameters that the claim or its scope names; intervals beside them are evidence, not choice ---------------------------


def examples(claim: Any, names: Any, *rows: Any) -> None:
    """The certificates of a claim are about these values of the named fields, in this order; "a b" is a list, "a b; c d" a matrix."""

    def fields() -> Iterator[dict[str, Any]]:
        for row in rows:
            yield {name: value(text) for name, text in zip(names.split(), row, strict=True)}

    instances(claim, "witness")(fields)


def value(x: Any) -> Any:
    """A number of a text without spaces, otherwise a list of numbers, or of lists between semicolons; what is no text stays."""
    if not isinstance(x, str):
        return x
    if ";" in x:
        return [value(row + " ") for row in x.split(";")]
    return [number(part) for part in x.split()] if " " in x else number(x)


examples("degeeter26.sec3.solutions", "beta x", ("3/2", "1/10"), ("1/2", "0"), ("4", "-2"))
examples("degeeter26.sec3.stability", "c beta x", ("1/100", "3/2", "1/10"), ("1", "-3/2", "1/2"))
examples("degeeter26.sec3.stability.modulus", "c beta x h", ("1", "-3", "0", "0"))
examples("degeeter26.sec3.stability.amended", "c beta x start ticks below", ("1", "-2", "1/2", "-1", 60, "-3"))
examples("degeeter26.sec3.convergence", "c beta x start ticks", ("1", "3/2", "1/10", "-1/20", 25), ("1", "3/2", "1/10", "-2/25", 25))
examples("degeeter26.sec3.convergence.unstable", "c beta x h", ("1/2", "1", "0", "0"))
examples("degeeter26.sec3.fade", "c beta x states", ("1/100", "-3/2", "0", "1 -1"))
examples("degeeter26.sec3.any-dynamics", "beta cycle", ("-3", "19/20 24/25"))
examples("degeeter26.appB.thm3.range", "alpha beta start inputs", ("1", "1", "-1", [2]))
examples("degeeter26.sec4.1.qualitative", "beta inner between outer", ("3/2", "1/10", "-667/10000", "2"))
examples("new.bistable.gap", "betas", ("1/1000 1/10 1/2 1 3/2 4 20 1000",))
examples("new.bistable.decided", "beta", ("3/2",))
examples("degeeter26.appA.fig12", "b_a x", ("1", "1/10"), ("-1", "1/10"))
examples("degeeter26.appA.modifications.exception", "h2 a wh U_h uah", ("1/2", "2/3", "3/2", "1", "-9/8"))
examples("degeeter26.abstract.persistent", "alpha beta inputs", ("1", "1", "1/2 -9/10 0 99/100"))
examples("degeeter26.abstract.ssm", "eigenvalue inputs starts", ("-2/3", "1 0 -5/2 7 1/3", "1 -4"))
examples("new.bistable.switching", "matrices", ([value("0 1; 0 0"), value("0 0; 1 0")],))
examples("degeeter26.eq9", "alpha beta x", ("1", "3/2", "-7/5"), ("5/4", "1/2", "1/3"), ("2", "1", "-1/2"))
examples("degeeter26.eq9.greater", "alpha beta x start", ("1", "1", "1", "-1"))
examples("degeeter26.eq9.alpha", "alpha beta h x", ("1/2", "1", "1/2", "-3/4"), ("-1", "1", "-1", "0"), ("-1", "1", "1", "0"))
examples("degeeter26.eq9.amended", "alpha beta x", ("3/4", "2", "-7/4"), ("-1/2", "1", "0"))
examples("degeeter26.eq10", "h x beta alpha", *(("1/3", x, "1", "-2") for x in ("-3/2", "-1", "-1/2", "0", "1")))
examples("degeeter26.appB.thm2", "a b", ("1/2 0 -3 1 2/5 7", "1 -1/3 2 0 5 1/7"))
examples(
    "new.bistable.last-write",
    "gates signs alpha start",
    ("0 1 0 0 1 1 0 1 0 0", "1 -1 1 -1 -1 1 -1 1 1 -1", "1/10", "-3/7"),
)
examples(
    "degeeter26.fig7",
    "alpha h_0 candidates thresholds",
    *(("1", "-1", x + " 1/3" * 9, beta + " 1" * 9) for x, beta in (("2", "1/2"), ("-3/4", "1/2"), ("2", "4"))),
)
examples("degeeter26.fig7.nonzero", "alpha h_0 candidates thresholds", ("1", "1", "2 0 0", "1 1 1"))
examples(
    "degeeter26.fig7.nonzero.amended",
    "alpha h_0 candidates thresholds",
    *(("-2/3", start, f"{x} 0 1/2", "3/2 1 1") for x in ("2", "-5/2") for start in ("-2/3", "2/3")),
)
examples(
    "new.bistable.stack-gradient.depth",
    "layers T w first second start",
    *((layers, 8, "3/2", "2", "1/2", [-1] * layers) for layers in (2, 3, 4)),
)
examples("new.bistable.noise", "bound", (2,))


@instances("degeeter26.eq13.zero", "witness")
def two_sharpnesses() -> Iterable[Data]:
    yield {"sharpness": 0}
    yield {"sharpness": 2, "ends": [Fraction(1, 4), Fraction(3, 4)]}


@instances("degeeter26.sec3.monostable", "witness")
def three_refutations() -> Iterable[Data]:
    """The unit at x = 1/2, the eigenvalue 1, and the first 40 gates sigma(-t)."""
    yield {"alpha": 1, "beta": 1, "x": Fraction(1, 2), "states": [1, -1]}
    yield {"eigenvalue": 1, "states": [0, 1]}
    yield {"terms": 40, "kept": Fraction(1, 2)}


@instances("degeeter26.sec4.3.jacobian.rewriting", "witness")
def one_state_of_each() -> Iterable[Data]:
    """Eqs. 8 and 9 within 1/4 of the state 1 at alpha = beta = 1, x = 1/2; the convergent RNN at beta = 3/2, x = 1/10."""
    yield {"alpha": 1, "beta": 1, "x": Fraction(1, 2), "h": 1, "radius": Fraction(1, 4)}
    yield {"beta": Fraction(3, 2), "x": Fraction(1, 10)}


@instances("degeeter26.appA.modifications", "witness")
def on_the_curve() -> Iterable[Data]:
    """The singular states for k = 3/2, 2, 3, 4, with U_h = 1 and U_a h = 1/2."""
    for k in (Fraction(3, 2), 2, 3, 4):
        a = (3 - (k + Fraction(1) / k) / 2) / 2
        wh = Fraction(-4 * k * (k - 1)) / ((k + 1) * (k * k - 4 * k - 1))
        yield {"h2": Fraction(2 * (k - 1)) / (6 * k - 1 - k * k), "a": a, "wh": wh, "U_h": 1, "uah": Fraction(1, 2)}


@instances("new.bistable.exact-scan", "witness")
def words_at_a_constant_beta() -> Iterable[Data]:
    """10 words of 12 inputs n/16 up to 2 beta, drawn with seed 331, for each beta from the list; then the word of the scan without approximation."""
    rng = Random(331)
    for _ in range(10):
        beta = rng.choice([Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)])
        yield {"beta": beta, "inputs": [Fraction(rng.randint(-int(32 * beta), int(32 * beta)), 16) for _ in range(12)]}
    yield {"beta": Fraction(3, 2), "inputs": value("2 -1/2 -4/5 -1 1/2 1")}


@instances("new.bistable.varying-scan", "witness")
def words_with_a_beta_that_changes() -> Iterable[Data]:
    """8 words of 12 inputs, drawn with seed 352: beta from the list, then n/16 (|beta| + 1/4), at every fourth step both as before; then the word with a beta that grows."""
    rng = Random(352)
    for _ in range(8):
        word = []
        for t in range(12):
            beta = rng.choice([Fraction(-1, 2), Fraction(1, 4), Fraction(1), Fraction(3, 2), Fraction(3)])
            word.append(word[-1] if t % 4 == 3 else (Fraction(rng.randint(-32, 32), 16) * (abs(beta) + Fraction(1, 4)), beta))
        inputs, betas = zip(*word, strict=True)
        yield {"inputs": inputs, "betas": betas, "start": Fraction(1, 3), "ticks": 100}
    yield {"inputs": value("1/100 -5/2 1 1/2"), "betas": value("1/10 4 4 -1/2"), "start": 1, "ticks": 25}


# -- languages, stacks of two units, operators ---------------------------------------------------------------------------------------------


def upper(action: Callable[..., Any]) -> list[list[Any]]:
    """[letter, state below, action] of the upper of two units."""
    return [[x, bit, action(x, bit)] for x in "ab" for bit in (False, True)]


@instances("new.bistable.monoid", "witness")
def stores_what_was_below() -> Iterable[Data]:
    """The upper unit stores what the lower one held before b sets it."""
    yield {"low": {"a": 0, "b": 1}, "high": upper(lambda x, bit: 0 if x == "b" else 1 if bit else -1), "word": "ab"}


@instances("new.bistable.parity", "witness")
def three_stacks() -> Iterable[Data]:
    for low in ({"a": 1, "b": -1}, {"a": 0, "b": 1}, {"a": -1, "b": 0}):
        yield {"low": low, "high": upper(lambda x, bit: 1 if (x == "a") == bit else -1), "start": [-1, -1]}


@instances("new.bistable.not-all-star-free", "witness")
def two_languages() -> Iterable[Data]:
    """Two or more ones, and a word that ends in 11."""
    yield from ({"regex": regex} for regex in REGEXES["new.bistable.not-all-star-free"])


@instances("new.bistable.languages", "witness")
def two_refusals() -> Iterable[Data]:
    yield from ({"regex": regex} for regex in ("(0|1)*11", "(a+b+a+b+)*"))


def tables_of_three() -> Iterator[Any]:
    """All operations on 0, 1, 2, in order."""
    return ((t[:3], t[3:6], t[6:]) for t in itertools.product(range(3), repeat=9))


@instances("degeeter26.appB.thm1", "witness")
def addition_and_the_first_that_fails() -> Iterable[Data]:
    """Addition modulo 3; then the first operation on 0, 1, 2 with an identity that is not associative, and the first array where two sweeps fail."""
    yield {"table": [[(a + b) % 3 for b in range(3)] for a in range(3)]}
    for t in tables_of_three():
        if any(all(t[e][x] == x == t[x][e] for x in range(3)) for e in range(3)) and not associates(t):
            wrong = (list(a) for a in itertools.product(range(3), repeat=5) if two_sweeps(t, list(a)) != folded(t, a))
            yield {"table": t, "array": next(wrong)}
            return


@instances("degeeter26.appB.thm1.only-if", "witness")
def not_associative() -> Iterable[Data]:
    """The first operation on 0, 1, 2 that has the law for products and is not associative; and 1 - b on 0, 1."""
    yield {"table": next(t for t in tables_of_three() if associates(t, only_products=True) and not associates(t))}
    yield {"table": [[1, 0], [1, 0]]}


@instances("new.bistable.scan-law", "witness")
def all_of_them() -> Iterable[Data]:
    """The operations on 0, 1, 2 that have the law for products and are not associative, in order."""
    yield {"tables": [t for t in tables_of_three() if associates(t, only_products=True) and not associates(t)]}


# -- random families: the draws of the check, in its order ------------------------------------------------------------------------------


def unit(rng: Random, n: int, m: int) -> dict[str, Any]:
    """A layer of n units that reads m numbers, all weights integers in [-3, 3]."""
    return {
        "W_x": integers(rng, n, m),
        "b_x": integer_vector(rng, n),
        "W_beta": integers(rng, n, m),
        "b_beta": integer_vector(rng, n),
        "alpha": integer_vector(rng, n),
    }


def shows(layer: dict[str, Any], word: Sequence[Sequence[Fraction]]) -> bool:
    """Some gate writes and some gate keeps."""
    numbers = tuple(layer[name] for name in ("W_x", "b_x", "W_beta", "b_beta", "alpha"))
    return {z for x in word for z, _ in gates(numbers, x)} == {0, 1}


def words_of(rng: Random, m: int, length: int) -> list[list[Fraction]]:
    """Letters with m entries in [-2, 2]."""
    return [integer_vector(rng, m, 2) for _ in range(length)]


@instances("degeeter26.eq11", "witness")
def layers_on_short_words() -> Iterable[Data]:
    """Of 40 layers drawn with seed 302 (n <= 4, m <= 3, up to 8 letters) the first five with a write and a step that keeps."""
    rng, found = Random(302), []
    for _ in range(40):
        n, m = rng.randint(1, 4), rng.randint(1, 3)
        layer = unit(rng, n, m)
        word = words_of(rng, m, rng.randint(0, 8))
        start = integer_vector(rng, n)
        if word and shows(layer, word):
            found.append({**layer, "word": word, "start": start})
    return found[:5]


@instances("degeeter26.appB.thm3", "witness")
def layers_on_eight_letters() -> Iterable[Data]:
    """Of 100 layers drawn with seed 321 (n <= 3, m <= 2, 8 letters) the first three with a write and a step that keeps."""
    rng, found = Random(321), []
    for _ in range(100):
        n, m = rng.randint(1, 3), rng.randint(1, 2)
        layer, start = unit(rng, n, m), integer_vector(rng, n)
        word = words_of(rng, m, 8)
        if shows(layer, word):
            found.append({**layer, "word": word, "start": start})
    return found[:3]


@instances("new.bistable.stutter", "witness")
def stacks() -> Iterable[Data]:
    """Of 30 stacks drawn with seed 311 (2 or 3 layers, n <= 3, m <= 2) the first four whose first layer writes and keeps; the repeated letter is not 0."""
    rng, found = Random(311), []
    for _ in range(30):
        m, stack = rng.randint(1, 2), []
        reads = m
        for _ in range(rng.randint(2, 3)):
            n = rng.randint(1, 3)
            layer = unit(rng, n, reads)
            stack.append({**layer, "start": integer_vector(rng, n)})
            reads += n
        word = words_of(rng, m, rng.randint(1, 5))
        i = rng.randrange(len(word))
        if shows(stack[0], word) and any(word[i]):
            found.append({"stack": stack, "word": word, "repeat": i})
    return found[:4]


@instances("new.bistable.hybrid", "witness")
def stacks_with_a_clock() -> Iterable[Data]:
    """20 stacks drawn with seed 2121, N = 2 and 3 in turn: the lower unit's actions, then the upper unit's for each letter and 2 N places of the clock, of which N are used."""
    rng = Random(2121)
    for i in range(20):
        period = 2 + i % 2
        lower = [rng.choice((1, 0, -1)) for _ in "ab"]
        upper = {key: rng.choice((1, 0, -1)) for key in itertools.product("ab", range(2 * period), range(4))}
        yield {"period": period, "lower": lower, "upper": [action for (_, clock, _), action in upper.items() if clock < period]}


@instances("new.bistable.settling", "witness")
def periodic_words() -> Iterable[Data]:
    """20 stacks of 1 to 3 layers (n <= 3, letters of two entries, period 1 to 4), drawn with seed 341; then the relay of three units with period 3."""
    rng = Random(341)
    for _ in range(20):
        period, reads, stack = rng.randint(1, 4), 2, []
        for _ in range(rng.randint(1, 3)):
            n = rng.randint(1, 3)
            stack.append({**unit(rng, n, reads), "start": integer_vector(rng, n)})
            reads += n
        yield {"stack": stack, "word": words_of(rng, 2, period)}
    yield {"layers": 3, "period": 3, "due": [2, 1, 0]}


@instances("new.bistable.copy-first", "witness")
def noisy_words() -> Iterable[Data]:
    """Of 20 layers drawn with seed 303 (K <= 12, r in [-4, 4], 30 noisy steps up to 10^6) the first four with K > 1."""
    rng, found = Random(303), []
    for _ in range(20):
        k = rng.randint(1, 12)
        first = fraction(rng, -4, 4, 60)
        noise = []
        for _ in range(30):
            size = fraction(rng, 1, 10 ** rng.randint(0, 6), 7)
            noise.append(size * rng.choice((1, -1)))
        if k > 1:
            found.append({"low": -4, "high": 4, "ceiling": 16, "first": first, "noise": noise, "b_x": [0] * (k - 1)})
    return found[:4]


def fraction(rng: Random, low: int, high: int, denominator: int) -> Fraction:
    """A number in [low, high] with a denominator up to the one given."""
    q = rng.randint(1, denominator)
    return Fraction(rng.randint(low * q, high * q), q)


@instances("degeeter26.sec3.monostable.amended", "witness")
def jordan_forms() -> Iterable[Data]:
    """Of 20 Jordan forms drawn with seed 301 (size <= 4, eigenvalues 0, +-1/2, 1/3, -3/4) those of the first six that are not 0, if a power 2^j <= 64 contracts."""
    rng, found = Random(301), []
    eigenvalues = [Fraction(x) for x in ("0", "1/2", "-1/2", "1/3", "-3/4")]
    for _ in range(6):
        n = rng.randint(1, 4)
        blocks, left = [], n
        while left:
            size = rng.randint(1, left)
            blocks.append((rng.choice(eigenvalues), size))
            left -= size
        p = basis(rng, n)
        matrix = times(times(p, jordan(blocks, n)), inverse(p))
        power, k = times(matrix, matrix), 2
        while k < 64 and not contracts(power):
            power, k = times(power, power), 2 * k
        if contracts(power) and any(map(any, matrix)):
            found.append({"A": matrix, "power": k})
    return found


def jordan(blocks: Sequence[tuple[Fraction, int]], n: int) -> list[list[Fraction]]:
    """The block matrix with these (eigenvalue, size), ones above the diagonal within a block."""
    out, at = [[Fraction(0)] * n for _ in range(n)], 0
    for x, size in blocks:
        for i in range(at, at + size):
            out[i][i] = x
            if i + 1 < at + size:
                out[i][i + 1] = Fraction(1)
        at += size
    return out


def contracts(m: Sequence[Sequence[Fraction]]) -> bool:
    """The row-sum norm is below 1."""
    return all(sum(map(abs, row)) < 1 for row in m)


@instances("new.bistable.convergent-scan", "witness")
def four_chains() -> Iterable[Data]:
    """Maps with one to five fixed points n / 30 and random gaps, drawn with the seeds 354 to 357; the start 1/7."""
    maps = []
    for seed in (354, 355, 356, 357):
        rng = Random(seed)
        points = sorted(rng.sample(range(1, 30), rng.randint(1, 5)))
        maps.append({"points": [Fraction(n, 30) for n in points], "rises": [rng.random() < 0.5 for _ in points[1:]]})
    yield {"maps": maps, "start": Fraction(1, 7)}


def formula(rng: Random, size: int) -> tuple[Any, ...]:
    """A formula with ``size`` connectives over a and b; "since" is as likely as two others."""
    if size == 0:
        return ("is", rng.choice("ab"))
    kind = rng.choice(("not", "and", "or", "since", "since"))
    if kind == "not":
        return ("not", formula(rng, size - 1))
    left = rng.randint(0, size - 1)
    return (kind, formula(rng, left), formula(rng, size - 1 - left))


@instances("new.bistable.since", "automaton")
def formulas_and_languages() -> Iterable[Data]:
    """Of 40 formulas drawn with seed 312 the first four different ones with one or two "since"; then the five languages."""
    rng = Random(312)
    drawn = dict.fromkeys(formula(rng, i % 6) for i in range(40))
    few = [f for f in drawn if len({repr(m) for m in memories(f)}) in (1, 2)]
    yield from ({"formula": f, "letters": ["a", "b"]} for f in few[:4])
    yield from ({"regex": regex} for regex in REGEXES["new.bistable.since"])
