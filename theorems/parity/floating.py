"""Rounding computes parity in the formats of real machines: DeltaNet [0, 1] layers whose rounding errors count modulo 2, for ever."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import fmpq

from ...constructions import rounded_delta
from ...constructions.rounded_delta import Evaluation, RoundedLayer, evaluations, keeps_parity, step
from ...numerics.exact import Array
from ...numerics.floating_point import FORMATS, Format
from ..claim import claim
from ..evidence import Proof

KNOWN = (
    "That rounding inside a stable linear recurrence leaves limit cycles is known from digital filters (Jackson 1970); that linear networks in floating point can be trained to compute nonlinear "
    "functions by underflow or rounding, from Foerster (2017) and Murphy (2023). grazzi25, Theorem 1, excludes parity for I - beta k k^T with eigenvalues in [0, 1] in a model whose products are "
    "exact; no layer is known to us that computes parity at every length by its rounding errors."
)


def nearest_multiple(x: fmpq) -> fmpq:
    """The integer nearest to ``x``. Raises ``ValueError`` at a tie, so that what it returns holds for every rule of ties."""
    below = x.floor()
    if x - below == fmpq(1, 2):
        raise ValueError(f"expected no tie, got {x}")
    return fmpq(below + int(x - below > fmpq(1, 2)))


def _rests_on_two_states(proof: Proof, layer: RoundedLayer, how: Evaluation, rounded: Callable[[fmpq], fmpq]) -> None:
    for h, g in ((layer.even, layer.odd), (layer.odd, layer.even)):
        proof.exactly("the letter 1 exchanges the two states", step(layer, 1, h, how, rounded), g)
        proof.exactly("the letter 0 keeps them", step(layer, 0, h, how, rounded), h)


def _eigenvalue_is_allowed(proof: Proof, layer: RoundedLayer) -> None:
    proof.holds("0 < 1 - beta |k|^2 < 1 for the stored numbers", 0 < layer.eigenvalue < 1)
    proof.holds("the states differ", not (layer.even == layer.odd).all())


def _certify(proof: Proof, format: Format, layer: RoundedLayer) -> None:
    data = {"precision": format.precision, "lowest": format.lowest, "largest": format.largest}
    proof.certificate(
        "witness", format.name, format=data, k=layer.k, beta=layer.beta, v=layer.v, even=layer.even, odd=layer.odd, name=format.name
    )


def _exhibit(proof: Proof, what: str, layer: RoundedLayer) -> None:
    given = {"k": list(layer.k), "beta": ["0 at the letter 0", f"{layer.beta} at the letter 1"], "v": layer.v}
    proof.exhibit(what, **given, states={"even": list(layer.even), "odd": list(layer.odd)}, eigenvalue=layer.eigenvalue)


def settles(layer: RoundedLayer, how: Evaluation | None, rounded: Callable[[fmpq], fmpq], longest: int = 1000) -> bool:
    """Is the state on 1, 1, 1, ... constant in the end? ``how`` None: h - beta k (k . h - v) exact and rounded once."""
    h = layer.even
    for _ in range(longest):
        if how is None:
            exact_step = h + layer.beta * (layer.v - layer.k @ h) * layer.k
            after: Array = rounded_delta.rationals([rounded(x) for x in exact_step])
        else:
            after = step(layer, 1, h, how, rounded)
        if (after == h).all():
            return True
        h = after
    return False


@claim(
    "new.parity.float.underflow",
    place="after grazzi25 Theorem 1",
    title="one number suffices: in every format with gradual underflow k = 7/4, β = 5/16 keep the parity in a sign",
    says=r"Let $\eta>0$ and let the numbers of modulus $\le2\eta$ of an arithmetic be $0,\pm\eta,\pm2\eta$, every operation rounded to nearest (any rule for ties), $\frac74$ and $\frac5{16}$ held exactly: "
    r"so float64, float32, float16, bfloat16, float8 E4M3 and E5M2 with gradual underflow, and fixed point. Then the scalar DeltaNet layer $s=kh$, $u=\beta(v-s)$, $h'=h+uk$ with $k=\frac74$, $v=0$, "
    r"$\beta(1)=\frac5{16}$, $\beta(0)=0$, $h_0=\eta$ has $h_t=(-1)^{x_1+\dots+x_t}\eta$ for every word, with or without fused multiply-adds, though $1-\beta k^2=\frac{11}{256}\in[0,1]$.",
    hypotheses=("gradual underflow (subnormal numbers are not flushed to zero), or fixed point",),
    known=KNOWN,
    construction="lemmata.constructions.rounded_delta.smallest_numbers",
    remarks=(
        "With subnormal numbers flushed to zero the state dies at once; the layer of new.parity.float.scalar needs none.",
        "A diagonal layer h -> a h + b is safe even if product and sum are rounded apart (new.parity.stepwise.monotone): it is the rounding of k h that this needs.",
    ),
    sabotages={
        "beta = 1/4, where beta s is half of eta and ties decide": {"beta": fmpq(1, 4)},
        "beta = 0": {"beta": fmpq(0)},
        "subnormal numbers are flushed to zero": {"flush": True},
    },
)
def smallest_numbers_keep_parity(proof: Proof, beta: fmpq = fmpq(5, 16), flush: bool = False) -> None:
    r"""Count in units of $\eta$: all states are integers, and no number that is rounded is halfway between two of them.

    1. Numbers of modulus at most $2\eta$ are rounded to the nearest multiple of $\eta$, so that rounding commutes with the unit $\eta$: put $\eta=1$. No other number is rounded.
       For the six formats this is the definition. [checked: "no number above 2 is rounded"; "in the format itself"] [prose]
    2. From $h=1$: $kh=\frac74$ gives $s=2$, $\beta s=\frac58$ gives $u=-1$, and $uk=-\frac74$. Rounded it is $-2$ and $h'=-1$; fused, $1-\frac74=-\frac34$ gives $-1$ as well. From $-1$ all signs change.
       [checked: "the letter 1 exchanges"]
    3. $\beta=0$ gives $u=0$ and keeps the state. So both letters lead from these two states to these two: every word. [checked: "the letter 0 keeps"]
    4. $1-\beta k^2=\frac{11}{256}$. [checked: "0 < 1 - beta |k|^2 < 1"; "1 - beta k^2 = 11/256"]
    """

    def with_beta(lowest: int) -> RoundedLayer:
        built = rounded_delta.smallest_numbers(lowest)
        return RoundedLayer(built.k, beta, built.v, built.even, built.odd)

    unit = with_beta(0)
    ways = list(evaluations(1)) + [Evaluation("once", (0,), update, True) for update in (False, True)]
    for how in proof.every("both states and letters, every evaluation, in units of eta", ways, limited=False):
        moduli: list[fmpq] = []

        def multiple(x: fmpq, moduli: list[fmpq] = moduli) -> fmpq:
            moduli.append(abs(x))
            return nearest_multiple(x)

        try:
            _rests_on_two_states(proof, unit, how, multiple)
            proof.holds("no number above 2 is rounded", max(moduli) <= 2)
        except ValueError:
            proof.holds("no number that is rounded lies halfway between two", False)
    for format in proof.every("six formats", FORMATS, limited=False):
        layer = with_beta(format.lowest)

        def rounded(x: fmpq, format: Format = format) -> fmpq:
            return fmpq(0) if flush and abs(x) < format.least_normal else format.round(x)

        proof.holds("in the format itself it is so in every evaluation", all(keeps_parity(layer, how, rounded) for how in ways))
        proof.holds("k, beta and the states are numbers of the format", all(x in format for x in layer.numbers()))
        _certify(proof, format, layer)
    for layer in proof.every("the layer, in units of eta", [unit], limited=False):
        _eigenvalue_is_allowed(proof, layer)
        proof.exactly("1 - beta k^2 = 11/256", layer.eigenvalue, fmpq(11, 256))
    _exhibit(proof, "the layer, in units of eta", unit)


@claim(
    "new.parity.float.scalar",
    place="after grazzi25 Theorem 1",
    title="k = 9/8, β = 3/4 keep the parity in the last bits at every precision of 8 bits or more, without underflow",
    says=r"Let $p\ge8$, $\varepsilon=2^{1-p}$, and let every operation be rounded to nearest with $p$ bits. The scalar DeltaNet layer $s=kh$, $u=\beta(v-s)$, $h'=h+uk$ with $k=\frac98$, $\beta(1)=\frac34$, $\beta(0)=0$, "
    r"$v=\frac94-18\varepsilon$ and $h_0=2-17\varepsilon$ has $h_t=2-17\varepsilon$ if $x_1+\dots+x_t$ is even and $2-15\varepsilon$ if it is odd, for every word, though $1-\beta k^2=\frac{13}{256}\in[0,1]$: in any width (zeros beside it), "
    r"any order of the sum, any rule for ties, with or without fused multiply-adds inside $k\cdot h$ and in $h+uk$. Only $kh$ and the state are rounded at all.",
    hypotheses=("k . h is rounded before v - k . h is formed", "p >= 8; an exponent range that holds the numbers from 2^(1-p) to 4"),
    known=KNOWN,
    construction="lemmata.constructions.rounded_delta.below_two",
    remarks=(
        "bfloat16 has 8 bits, float16 11, float32 24, float64 53.",
        "If v - k h is one fused multiply-add the state settles; rounding the state alone never gives parity (new.parity.stepwise.monotone). So these two roundings are just enough.",
    ),
    sabotages={
        "k = 1, so that k h is exact": {"key": fmpq(1)},
        "beta = 1/2, so that the step is too short": {"beta": fmpq(1, 2)},
        "beta = 1, so that the eigenvalue is negative": {"beta": fmpq(1)},
    },
)
def last_bits_keep_parity(proof: Proof, key: fmpq = fmpq(9, 8), beta: fmpq = fmpq(3, 4)) -> None:
    r"""The spacing doubles at 2: $h$ lies just below, $kh$ above, so that the layer sees its state through a coarser grid than the one that it lives on.

    Count in units of $\varepsilon$ with $N=2^{p-1}$: the numbers in $[N,2N)$ are the integers, those in $[2N,4N)$ the even ones. The states are $a=2N-17$ and $a+2$, and $v=\frac94N-18$.

    1. $8\mid N$ and $N\ge128$, so that $v-2,v,v+2$ are even and in $[2N,4N)$, and $a,a+2$ in $[N,2N)$. [checked: "v, v - 2 and v + 2 are even"; "v - 2, v and v + 2 lie in the upper binade"; "the states lie in the lower binade"] [prose]
    2. $ka=(v-2)+\frac78$ and $k(a+2)=(v+2)-\frac78$; as $\frac78<1$ they are rounded to $v-2$ and $v+2$, and nothing is a tie. [checked: "k a = v - 2 + 7/8"; "k (a + 2) = v + 2 - 7/8"; "7/8 is less than half the spacing 2"] [prose]
    3. $v-s=\pm2$, $u=\pm\frac32$ and $uk=\pm\frac{27}{16}$ have at most five bits and are exact. [checked: "u k = 27/16"; "2, 3/2 and 27/16 have at most five bits"] [prose]
    4. $a+\frac{27}{16}=(a+2)-\frac5{16}$ is rounded to $a+2$, and $(a+2)-\frac{27}{16}=a+\frac5{16}$ to $a$.
       [checked: "a + u k = a + 2 - 5/16"; "a + 2 - u k = a + 5/16"; "7/8 is less than half the spacing 2, 5/16"] [prose]
    5. $\beta=0$ gives $u=0$. Sums with zeros are exact, so that neither width nor order matters; the one product $kh$ is rounded to the same number by a fused multiply-add. [prose]
    6. $1-\beta k^2=\frac{13}{256}$. [checked: "1 - beta k^2 = 13/256"]
    7. In float64, float32, float16 and bfloat16 every rounding is computed, an illustration. There the state settles with $v-kh$ fused, and, as for every matrix of this kind, with the step rounded once.
       [uses: new.parity.stepwise.monotone] [checked: "the letter 0 keeps"; "the letter 1 exchanges"; "it settles if"]
    """
    j = sympy.Symbol("j", integer=True, nonnegative=True)
    N = 128 + 8 * j
    a, v = 2 * N - 17, sympy.Rational(9, 4) * N - 18
    k, b = (sympy.Rational(int(x.p), int(x.q)) for x in (key, beta))
    free = "N = 128 + 8 j"
    proof.symbolically("k a = v - 2 + 7/8", k * a, v - 2 + sympy.Rational(7, 8), free)
    proof.symbolically("k (a + 2) = v + 2 - 7/8", k * (a + 2), v + 2 - sympy.Rational(7, 8), free)
    proof.symbolically("u k = 27/16", 2 * b * k, sympy.Rational(27, 16), "beta and k as given")
    proof.symbolically("a + u k = a + 2 - 5/16", a + 2 * b * k, a + 2 - sympy.Rational(5, 16), free)
    proof.symbolically("a + 2 - u k = a + 5/16", a + 2 - 2 * b * k, a + sympy.Rational(5, 16), free)
    for spacing, excess in proof.every("7/8 above and 5/16 below 2 N", ((2, fmpq(7, 8)), (1, fmpq(5, 16))), limited=False):
        proof.holds("7/8 is less than half the spacing 2, 5/16 is less than half the spacing 1", excess < fmpq(spacing, 2))
    for exact_number in proof.every("2, u and u k", (fmpq(2), 2 * beta, 2 * beta * key), limited=False):
        proof.holds("2, 3/2 and 27/16 have at most five bits", int(exact_number.p) < 2**5)
    for eigenvalue in proof.every("the letter 1", [1 - beta * key * key], limited=False):
        proof.exactly("1 - beta k^2 = 13/256", eigenvalue, fmpq(13, 256))

    def positive(expression: sympy.Expr) -> bool:
        return bool(expression.subs(j, 0) > 0) and bool(sympy.diff(expression, j) >= 0)

    proof.holds("v, v - 2 and v + 2 are even", all(c.is_integer for c in sympy.Poly(v / 2, j).all_coeffs()), free=free)
    upper, lower = (v - 2 - 2 * N, 4 * N - v - 2), (a - N + 1, 2 * N - a - 2)
    proof.holds("v - 2, v and v + 2 lie in the upper binade", all(map(positive, map(sympy.expand, upper))), free=free)
    proof.holds("the states lie in the lower binade", all(map(positive, map(sympy.expand, lower))), free=free)
    with proof.beside():
        _in_formats(proof, key, beta)
    _exhibit(proof, "the layer in bfloat16", rounded_delta.below_two(8))


def _in_formats(proof: Proof, key: fmpq, beta: fmpq) -> None:
    """Record what the layer does in four formats, every rounding computed."""
    for format in proof.every("float64, float32, float16 and bfloat16", [f for f in FORMATS if f.precision >= 8], limited=False):
        built = rounded_delta.below_two(format.precision)
        layer = RoundedLayer(rounded_delta.rationals([key]), beta, built.v, built.even, built.odd)
        ties: list[fmpq] = []

        def rounded(x: fmpq, format: Format = format, ties: list[fmpq] = ties) -> fmpq:
            ties.extend([x] * format.is_tie(x))
            return format.round(x)

        for wide in (layer, rounded_delta.padded(layer, 3)):
            for how in evaluations(len(wide.k)):
                _rests_on_two_states(proof, wide, how, rounded)
        proof.exactly("nothing is a tie", ties, [])
        proof.holds(
            "every stored number is one of the format, and normal",
            all(x in format and abs(x) >= format.least_normal for x in layer.numbers()),
        )
        _eigenvalue_is_allowed(proof, layer)
        proof.holds("it settles if v - k h is fused", settles(layer, Evaluation("once", (0,), True, True), format.round))
        proof.holds("it settles if the step is rounded once", settles(layer, None, format.round))
        _certify(proof, format, layer)


@claim(
    "new.parity.float.unit-key",
    place="after grazzi25 Theorem 1",
    title="with normalised keys too: layers of width 2 that keep the parity in six formats, however the step is evaluated",
    says=r"In each of float64, float32, float16, bfloat16, float8 E4M3 and E5M2 there is a DeltaNet layer of width 2 with $\bigl||k|^2-1\bigr|\le2^{1-p}$ ($p$ the precision), $\frac12\le\beta(1)\le1$, $\beta(0)=0$ and "
    r"$0<1-\beta|k|^2<1$, and two states which the letter 1 exchanges and the letter 0 keeps, so that the state tells the parity of every word. One layer does so in all ten evaluations: each product and sum of $k\cdot h$ rounded, "
    r"fused multiply-adds in both orders, or one rounding; $h+uk$ fused or not. No subnormal number and no overflow occurs.",
    hypotheses=("k . h is rounded before v - k . h is formed", "rounding to nearest, ties to even; for all but E5M2 any rule for ties"),
    known=KNOWN,
    construction="lemmata.constructions.rounded_delta.unit_key",
    remarks=(
        "Found by a seeded search over random layers; how often it succeeds is new.parity.float.census.",
        "Seen, not proved: fused_recurrent_delta_rule of flash-linear-attention, run in Triton's interpreter, keeps the parity with the three float32 layers of "
        "new.parity.float (a test). On a GPU a compiler may fuse v - k . h where the key has one entry; with two or more the sum is rounded first.",
        "float8 is a storage type of torch: computed in float32 and stored after each operation the same states come out (a test).",
    ),
    sabotages={
        "beta = 0": {"change": lambda x: RoundedLayer(x.k, fmpq(0), x.v, x.even, x.odd)},
        "beta = 2, so that the eigenvalue is -1": {"change": lambda x: RoundedLayer(x.k, fmpq(2), x.v, x.even, x.odd)},
        "v - k . h is one fused operation": {"ways": lambda n: [Evaluation("once", (0, 1), True, True)]},
        "a state is moved": {"change": lambda x: RoundedLayer(x.k, x.beta, x.v, x.even, 2 * x.odd)},
    },
)
def unit_keys_keep_parity(proof: Proof, change: Callable = lambda x: x, ways: Callable = evaluations) -> None:
    r"""Six layers, two states, two letters and ten evaluations each, in exact arithmetic with every rounding computed.

    1. Everything that is stored is a number of the format, and $k$ has length 1 up to rounding. [checked: "every stored number"; "| |k|^2 - 1 |"]
    2. The exact eigenvalue $1-\beta|k|^2$ of what is stored lies in $(0,1)$; the other one is 1. [checked: "0 < 1 - beta |k|^2 < 1"; "1/2 <= beta <= 1"]
    3. In all ten evaluations the letter 1 exchanges the two states and the letter 0 keeps them: every word is covered. [checked: "the letter 1 exchanges"; "the letter 0 keeps"]
    4. No intermediate result is subnormal, and outside E5M2 none is a tie. [checked: "no result is subnormal"; "nothing is a tie"]
    5. The same layer, rounded once per step, settles. [uses: new.parity.stepwise.monotone] [checked: "rounded once per step it settles"]
    """
    for format in proof.every("six formats, ten evaluations", FORMATS, limited=False):
        layer = change(rounded_delta.unit_key(format))
        results: list[fmpq] = []
        ties: list[fmpq] = []

        def rounded(x: fmpq, format: Format = format, results: list[fmpq] = results, ties: list[fmpq] = ties) -> fmpq:
            ties.extend([x] * format.is_tie(x))
            results.append(format.round(x))
            return results[-1]

        proof.holds("every stored number is one of the format", all(x in format for x in layer.numbers()))
        proof.holds("| |k|^2 - 1 | <= 2^(1 - p)", abs(layer.k @ layer.k - 1) <= fmpq(2) ** (1 - format.precision))
        proof.holds("1/2 <= beta <= 1", fmpq(1, 2) <= layer.beta <= 1)
        _eigenvalue_is_allowed(proof, layer)
        for how in ways(2):
            _rests_on_two_states(proof, layer, how, rounded)
        proof.holds("no result is subnormal", all(x == 0 or abs(x) >= format.least_normal for x in [*results, *layer.numbers()]))
        if format.name != "float8_e5m2":
            proof.exactly("nothing is a tie", ties, [])
        proof.holds("rounded once per step it settles", settles(layer, None, format.round))
        _certify(proof, format, layer)
        _exhibit(proof, format.name, layer)
