"""Exactly which automata one gated layer tracks (after movahedi25, Theorem 2.1): those each of whose letters, repeated, leads all states to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions.fixed_point import Token
from ...constructions.fixed_point.one_gate import (
    GatedLayer,
    Move,
    alternation,
    cascade,
    constant_power,
    counter,
    fading_rates,
    gated_layer,
    interpolation,
    reading_of,
)
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.aliases import Exact, Key
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

#: generators of S_5
GENERATORS = {"swap": (1, 0, 2, 3, 4), "cycle": (1, 2, 3, 4, 0)}


def eventually_constant(states: int) -> list[Move]:
    """All maps of 0, ..., states - 1 with a constant power: the rooted trees."""
    return [move for move in product(range(states), repeat=states) if constant_power(move) is not None]


def permutes_two(move: Move) -> bool:
    """Some set of two or more states is mapped onto itself: the states that are images of every power."""
    image = set(range(len(move)))
    for _ in move:
        image = {move[q] for q in image}
    return len(image) > 1


def errors(layer: GatedLayer, moves: Mapping[Key, Move], length: int) -> Iterator[tuple[bool, fmpq]]:
    """(decoded rightly, sum of |belief - one-hot|) after each word of at most ``length`` letters."""
    maps = {c: token.dense() for c, token in layer.tokens.items()}
    level = [(layer.initial, 0)]
    for _ in range(length):
        level = [(A @ h + b, moves[c][q]) for h, q in level for c, (A, b) in maps.items()]
        for h, q in level:
            yield layer.decode(h) == q, sum((abs(x - (p == q)) for p, x in enumerate(layer.belief(h))), fmpq(0))


def is_gated(token: Token) -> bool:
    """0 <= Lambda < 1, the gate I - Lambda, and ||I - Q|| < 1."""
    F = exact.identity(len(token.decay)) - token.mixer
    own = all(0 <= x < 1 and g == 1 - x for x, g in zip(token.decay, token.gate, strict=True))
    return own and exact.is_positive_definite(exact.identity(len(F)) - exact.multiply(F.T, F))


def hasty(moves: Mapping[Key, Move]) -> GatedLayer:
    """The same transitions from mixers with q = 1, which do not contract."""
    layer = gated_layer(moves)

    def unscaled(token: Token) -> Token:
        rows = np.array([fmpq(1) / token.mixer[i, i] for i in range(len(token.decay))], dtype=object)
        return replace(token, mixer=token.mixer * rows[:, None])

    return replace(layer, tokens={c: unscaled(token) for c, token in layer.tokens.items()})


def forgets_runs(moves: Mapping[Key, Move]) -> GatedLayer:
    """A layer for the letters with each nonconstant one replaced by its constant power."""
    return gated_layer({c: (_settled(move),) * len(move) for c, move in moves.items()})


def _settled(move: Move) -> int:
    q = 0
    for _ in move:
        q = move[q]
    return q


@claim(
    "new.fixed-point.gated.automata",
    place="after Theorem 2.1",
    title="one gated layer tracks an automaton if and only if every letter, repeated often enough, leads all its states to one",
    says=r"Let every state of an automaton be reachable. There are gated tokens, one for each letter, with $0\le\Lambda<1$, $\|I-Q\|<1$, and a decoder with a margin that reads the automaton's state after every word, iff for every "
    r"letter $c$ some power $c^n$ is constant. Then width $|Q|\bigl(1+\sum_c(n_c-1)\bigr)$ and a linear readout do, $n_c$ the least such $n$.",
    reading="gates and mixers depend on the letter, as in the selective model; the state is the fixed point; a decoder with a margin as in new.fixed-point.gated.letters",
    known="Diagonal layers with eigenvalues in [0, 1] recognise star-free languages only, at finite precision and any depth (Sarrof, Veitsman, Hahn 2024); dense transitions without a gate emulate every automaton "
    "(Terzic et al. 2025). In between, the gated form was not described. Its condition is on single letters: their products may be any group (new.fixed-point.gated.groups)",
    remarks=(
        "Identity is not eventually constant: a letter at which the state is held is not tracked, on two or more states. A reset is.",
        "The contraction is weak: ||I - Q||^2 = 1 - q with 1/q = 1 + |R|_F^2, |R|_F^2 the sum of squares of what the mixer reads. One pass for a token therefore gains little.",
    ),
    construction="lemmata.constructions.fixed_point.one_gate.gated_layer",
    sabotages={
        "rates that add up to 3/4 and more": {"rates": lambda count: [fmpq(3, i + 4) for i in range(count)]},
        "mixers that do not contract": {"build": hasty},
        "runs are not counted": {"build": forgets_runs},
        "letters that permute are let through": {"condition": lambda move: True},
    },
)
def gated_automata(
    proof: Proof,
    rates=fading_rates,
    build: Callable[[Mapping[Key, Move]], GatedLayer] = gated_layer,
    condition=lambda move: constant_power(move) is not None,
) -> None:
    r"""Keep the state at the start of the present run of equal letters, and let it fade at $n_c-1$ different rates: they tell how long the run is, as long as that matters.

    1. *Only if.* Two runs that read $c$ again and again approach each other. [uses: new.fixed-point.gated.letters] So, by the margin, $c^kq=c^kq'$ for all large $k$ and all of the finitely many states: $c^k$ is constant. That is so iff $c$
       permutes no set of two or more states: the images of all powers are such a set. [prose]
    2. *If.* A block of channels $y$, the *belief*, holds the state one-hot. A letter $c$ has $K=n_c-1$ blocks $z_1,\dots,z_K$ of its own, with the decays $e_i=2^{-i-2}$; every other block has no decay under $c$. The mixer is $I$ on the own blocks $z$,
       and $q\,(h-Rz)$ on the others, with the input $f$ there. The fixed point is $z'=\operatorname{diag}(e_i)z$, $h'=f+Rz'$: the others are overwritten by the new belief.
       [checked: "own channels fade"; "the others are read off"] [uses: movahedi25.thm2.1.dense.amended]
    3. $\|I-Q\|^2\le q^2B+(1-q)^2$ with $B\ge\|R\|^2$ counted over all other blocks; for $q=1/(1+B)$ that is $1-q<1$. [checked: "q^2 B + (1 - q)^2 = 1 - q"] So the iteration finds the fixed point at every length.
       [uses: new.fixed-point.finite] [prose]
    4. When $c$ has been read $m$ times in a row, $z_i=e_i^my$ with the belief $y$ before the run. Let $\ell(m)=V^{-1}(e_1^m,\dots,e_K^m)$, $V_{ik}=e_i^k$, and $f$ the state to which $c$ leads. $R$ is chosen so that the new belief is
       $f+\sum_k\ell_k(m)(M_c^ky-f)$, $M_c$ the 0-1 matrix of $c$. For $m\le K$ $\ell(m)$ is the $m$-th unit vector, and the belief is $M_c^my$ exactly. [prose]
    5. $\ell(m)$ are the coefficients of $z^{m-1}$ modulo $\prod(z-e_i)$. For $m=K+1$ the sum of their moduli is $\rho=\prod(1+e_i)-1\le\frac1{1-\sum e_i}-1<\frac13$, as $\sum e_i<\frac14$.
       [checked: "one factor more: 1/(1 - s) - (1 + e)/(1 - s + e), s the sum with e"; "it is not negative"; "the sum of the rates"; "1/(1 - 1/4) - 1 = 1/3"] Multiplying by $z$ moves the coefficients up and replaces the last one, $t$, by $t$ times those of
       $z^K$, of modulus sum $\rho|t|\le|t|$: so for every $m>K$ it is at most $\rho$. [prose]
    6. Let $e$ be the sum of moduli of the belief's error; beliefs have sum 1. A short run does not enlarge it, as $M_c$ does not. After a long run the state is $f$ and the error $\sum_k\ell_k(M_c^ky-f)$ at most $\rho(2+e)$. So $e\le\frac{2\rho}{1-\rho}$ at every length,
       which is below 1 for $\rho<\frac13$. [checked: "the largest error is kept"; "2 rho/(1 - rho) < 1 for rho < 1/3"] [prose]
    7. Errors of sum 0 have parts of at most $\frac e2$: the state's entry is at least $1-\frac e2>\frac12$, all others at most $\frac e2<\frac12$. [prose]

    Beside the argument the machine goes through all maps of up to four states, runs of several rates, and the layers of small automata.
    """
    L, R, z, f = sympy.symbols("L R z f", commutative=False)
    q, B, rho = sympy.symbols("q B rho", positive=True)
    proof.symbolically("own channels fade", sympy.expand((L + (1 - L)) * (L * z)), L * z, "Lambda, z of any size")
    proof.symbolically(
        "the others are read off", sympy.expand(-q * R * (L * z) + q * (f + R * (L * z))), q * f, "Lambda, R, z, f of any size, q"
    )
    small = 1 / (1 + B)
    proof.symbolically("q^2 B + (1 - q)^2 = 1 - q", small**2 * B + (1 - small) ** 2, 1 - small, "B")
    kept = 2 * rho / (1 - rho)
    proof.symbolically("the largest error is kept", rho * (2 + kept), kept, "rho")
    s, e, i = sympy.symbols("s e i", positive=True)
    third = 1 / (3 + s)  # every rho in (0, 1/3)
    proof.holds("2 rho/(1 - rho) < 1 for rho < 1/3", sympy.factor(1 - kept.subs(rho, third)).is_positive is True, free="rho in (0, 1/3)")
    room = sympy.Symbol("1 - s", positive=True)
    more = 1 / room - (1 + e) / (room + e)
    what = "one factor more: 1/(1 - s) - (1 + e)/(1 - s + e), s the sum with e"
    proof.symbolically(what, more, e * (1 - room) / (room * (room + e)), "e, s")
    before = sympy.Symbol("s - e", nonnegative=True)
    proof.holds("it is not negative", (e * (before + e) / (room * (room + e))).is_nonnegative is True, free="e, s")
    partial = (1 - 2**-i) / 4
    proof.exactly(
        "the sum of the rates: its last term, and the sum of none",
        [sympy.expand(partial - partial.subs(i, i - 1) - 2 ** (-i - 2)), partial.subs(i, 0)],
        [0, 0],
        free="K",
    )
    for quarter in proof.every("rates that add up to 1/4", [fmpq(1, 4)], limited=False):
        proof.exactly("1/(1 - 1/4) - 1 = 1/3", 1 / (1 - quarter) - 1, fmpq(1, 3))
    with proof.beside():
        _maps_runs_and_layers(proof, rates, build, condition)
    larger = _larger_automata()
    for title, moves in (("up and down, three states", counter(3)), ("three maps of four states", larger[2])):
        proof.certificate("witness", title, **_data(gated_layer(moves), moves))
    proof.exhibit(
        "up and down on three states", width=len(gated_layer(counter(3)).initial), decays=gated_layer(counter(3)).tokens["up"].decay
    )


def _larger_automata() -> list[dict[Key, Move]]:
    return [counter(5), alternation({"swap": (1, 0), "stay": (0, 1)}, 2), {"a": (1, 2, 3, 3), "b": (2, 0, 2, 1), "c": (3, 3, 1, 3)}]


def _maps_runs_and_layers(proof: Proof, rates, build, condition) -> None:
    """Instances: which maps have a constant power, how runs are told, and the layers of small automata."""
    for states in proof.every("all maps of up to four states", range(1, 5)):
        found = all(condition(move) != permutes_two(move) for move in product(range(states), repeat=states))
        proof.holds("a power is constant iff no two states are permuted", found)
        proof.exactly("such maps are the rooted trees, n^(n-1)", len(eventually_constant(states)), states ** (states - 1))
    most = proof.pick(4, 6, 10)
    for K in proof.every(f"K <= {most} rates, runs of up to 2K + 4", range(1, most + 1)):
        e = rates(K)
        V = interpolation(e)
        told = [V @ np.array([x**m for x in e], dtype=object) for m in range(1, 2 * K + 5)]
        proof.holds("short runs are told exactly", all(np.array_equal(told[m], exact.unit_vector(K, m)) for m in range(K)))
        bound = np.prod([1 + x for x in e]) - 1
        sums = [sum(abs(x) for x in t) for t in told[K:]]
        proof.holds("long runs: the sum of moduli is at most rho < 1/3", sums[0] == bound < fmpq(1, 3) and all(s <= bound for s in sums))
    small_automata = [{"a": a, "b": b} for n in (2, 3) for a, b in product(eventually_constant(n), repeat=2) if a <= b]
    families = [(small_automata, proof.pick(3, 4, 5)), (_larger_automata(), proof.pick(3, 4, 6))]
    what = f"all automata of two letters and two or three states, and three larger ones, words of up to {families[0][1]} letters"
    for moves, length in proof.every(what, [(moves, length) for family, length in families for moves in family]):
        layer = build(moves)
        proof.holds("0 <= Lambda < 1 and ||I - Q|| < 1", all(is_gated(token) for token in layer.tokens.values()))
        worst = max(e for move in moves.values() for e in [_largest_error(move, rates)])
        seen = list(errors(layer, moves, length))
        proof.holds("the error is within the bound", all(e <= worst for _, e in seen))
        proof.holds("the state is read", all(right for right, _ in seen) and worst < 1)


def _largest_error(move: Move, rates) -> fmpq:
    """2 rho/(1 - rho) for the letter's rates."""
    factors: Exact = [fmpq(1), *(1 + x for x in rates((constant_power(move) or 1) - 1))]
    rho: Exact = np.prod(factors) - 1
    return 2 * rho / (1 - rho)


def _data(layer: GatedLayer, moves: Mapping[Key, Move]) -> dict:
    tokens = [{"decay": t.decay, "Q": t.mixer, "b": t.drive} for t in layer.tokens.values()]
    return {"moves": [list(m) for m in moves.values()], "tokens": tokens, "initial": layer.initial}


@claim(
    "new.fixed-point.gated.depth",
    place="after Theorem 2.1",
    title="if layers exchange finitely many symbols with a margin, stacks of gated layers track what one layer tracks",
    says=r"Let each layer of a stack read the letter and what the layers below output, out of a finite set and by decoders with a margin, and choose its token by that. Then, every state being reachable, the stack tracks an automaton iff some power of every letter is constant: iff one layer does.",
    reading="tokens with 0 <= Lambda < 1 and ||I - Q|| < 1; a decoder with a margin: words with different outputs have layer states at a distance bounded below",
    hypotheses=("between layers pass finitely many symbols, read with a margin",),
    remarks=(
        "If a real number passes between the layers, two of them keep a bit for ever. To write, layer 1 sets z = 1/2 and layer 2 sets h = 1 or -1. To hold, layer 1 halves z, and layer 2 multiplies h by 1 - z (Q = 1, no input). "
        "All decays are below 1, and |h| stays above 577/1000.",
    ),
    known="for diagonal layers with eigenvalues in [0, 1] depth does help: by resets and letters that hold, stacks recognise the star-free languages (Sarrof, Veitsman, Hahn 2024). Contraction excludes the letter that holds, and with it "
    "what depth is for",
    construction="lemmata.constructions.fixed_point.one_gate.cascade",
    sabotages={
        "the second automaton may hold its state": {"second_moves": [(0, 1), (0, 0), (1, 1)]},
        "the first automaton holds its state": {"series": lambda first, second: _held(first, second)},
        "the bit that is kept fades": {"halved": fmpq(1)},
    },
)
def depth_adds_nothing(proof: Proof, second_moves=((0, 0), (1, 1)), series=cascade, halved: fmpq = fmpq(1, 2)) -> None:
    r"""Under a repeated letter the layers come to rest one after the other.

    1. Let two runs read the words $u$ and $u'$, and then the letter $c$ for ever. *Claim*: from some time on, which may depend on $u$ and $u'$, the outputs of all layers are constant and the same in both. For no layers there is nothing to show. [prose]
    2. Let it hold for the layers below. From then on the next layer reads one letter again and again in both runs: its states converge, and to the same limit. [uses: new.fixed-point.gated.letters] By the margin its outputs are constant from some time on, and the same. [prose]
    3. So $c^kq=c^kq'$ for large $k$, for any two of the finitely many states: $c^k$ is constant, and one layer tracks the automaton. [uses: new.fixed-point.gated.automata]
    4. For automata in series that says: if every letter of both has a constant power, so has every letter of the cascade. [checked: "letters of a cascade have constant powers"]
    5. The hypothesis is needed: if layer 2 reads $z=2^{-k}$ itself, its decays $1-2^{-k}$, $k\ge2$, have a product above $\frac{577}{1000}$, because $\prod_{k>n}(1-2^{-k})\ge1-\sum_{k>n}2^{-k}=1-2^{-n}$.
       [checked: "a real number between two layers keeps a bit"] [prose]
    """
    resets = list(second_moves)
    readings = list(product("ab", range(2)))
    cascades = [
        ({"a": a, "b": b}, dict(zip(readings, chosen, strict=True)))
        for a, b in product(eventually_constant(2), repeat=2)
        for chosen in product(resets, repeat=4)
    ]
    rng, trees, count = Random(67), eventually_constant(3), proof.pick(40, 150, 1000)
    for _ in range(count):
        first = {"a": rng.choice(trees), "b": rng.choice(trees)}
        cascades.append((first, {x: rng.choice(trees) for x in product("ab", range(3))}))
    what = f"all cascades of two automata of two states on two letters, and {count} random ones of three states, seed 67"
    for first, second in proof.each(what, cascades):
        powers = [constant_power(move) for move in series(first, second).values()]
        proof.holds("letters of a cascade have constant powers", all(n is not None for n in powers))
    # 20 steps of holding, then the bound for all that follow
    z, h = fmpq(1, 2), fmpq(1)
    for _ in range(20):
        z *= halved
        h *= 1 - z
    proof.holds("a real number between two layers keeps a bit: the margin is above 577/1000", h * (1 - z) > fmpq(577, 1000))
    first, second = cascades[-1]
    proof.certificate(
        "witness", "two automata of three states in series", first=list(first.values()), second=[second[x] for x in product("ab", range(3))]
    )


def _held(first, second):
    """The first automaton never moves."""
    n = len(next(iter(first.values())))
    return cascade({c: tuple(range(n)) for c in first}, second)


@claim(
    "new.fixed-point.gated.one-gate",
    place="after Theorem 2.1",
    title="with one gate for all tokens a layer tracks exactly the definite automata: the last letters decide the state",
    says=r"Let every state of an automaton be reachable, and $\Lambda$ the same for all tokens. There are mixers with $\|I-Q_t\|\le\gamma<1$ and a decoder with a margin iff for some $k$ every word of $k$ letters leads all states to one. "
    r"Then $Q=I$, $\Lambda=\lambda I$, $\lambda<\frac12$, $b_c=e_c$ do, in one channel a letter, with the margin $\lambda^{k-1}(1-2\lambda)$ in the largest entry.",
    reading="a decoder with a margin as in new.fixed-point.gated.letters",
    known="contracting recurrent networks and definite memory machines simulate each other (Hammer and Tino, Neural Computation 15 (2003)); definite events are of Perles, Rabin and Shamir (1963). Here the contraction is in "
    "the metric of the gate, which a mixer does not enter: with gates that depend on the token more automata are tracked (new.fixed-point.gated.automata)",
    sabotages={"decays above 1/2": {"decay": lambda s: (1 + s) / (2 + s)}, "letters counted twice": {"weight": 2}},
)
def one_gate(proof: Proof, decay=lambda s: 1 / (2 + s), weight: int = 1) -> None:
    r"""In one metric all tokens contract, so words that end alike come together; and decaying sums of letters tell apart words that do not.

    1. *Only if.* Choose a word $u_q$ to each state $q$. After $k$ more letters $w$ the states of the layer are within $\rho^k\max\|h_{u_q}-h_{u_p}\|_D$ of each other, [uses: new.fixed-point.gated.fades] and in the channels without decay too, one letter later.
       For large $k$ that is below the margin, for all $w$ of $k$ letters at once: so $wq=wp$. [prose]
    2. *If.* With $Q=I$ the fixed point is $h_t=\lambda h_{t-1}+(1-\lambda)e_c$. [checked: "the gated mean"] [uses: movahedi25.thm2.1.dense.amended] So from $h_0=0$ the letter $j$ places before the last one adds $(1-\lambda)\lambda^j$ to its channel, and all letters before that
       one add $\lambda^{j+1}$ at most together: $(1-\lambda)\sum_{j<i\le n}\lambda^i=\lambda^{j+1}-\lambda^{n+1}$, by its last step and its value at $n=j$. [checked: "all earlier letters"] [prose]
    3. If two words differ first, from the end, at place $j<k$ (or one of them ends there), the channel of a letter of that place differs by $\lambda^j(1-\lambda)-\lambda^{j+1}=\lambda^j(1-2\lambda)\ge\lambda^{k-1}(1-2\lambda)$ at least. [checked: "the margin"; "it is positive"]
       Words that agree in the last $k$ letters lead to the same state, and so do equal words. [prose]
    """
    lam, j, n = sympy.symbols("lambda j n", positive=True)
    h, e = sympy.symbols("h e", commutative=False)
    mean = lam * h + (1 - lam) * e
    proof.symbolically("the gated mean", sympy.expand((lam + (1 - lam) * 1) * mean), sympy.expand(mean), free="lambda, h, e of any size")
    # (1 - lambda) sum of lambda^i for j < i <= n is lambda^(j+1) - lambda^(n+1): by its last step, and 0 at n = j
    partial = lam ** (j + 1) - lam ** (n + 1)
    step = sympy.expand(partial - partial.subs(n, n - 1) - weight * (1 - lam) * lam**n)
    proof.exactly("all earlier letters", [sympy.simplify(step), partial.subs(n, j)], [sympy.Integer(0)] * 2, free="lambda, j, n")
    proof.symbolically(
        "the margin", sympy.expand(lam**j * (1 - lam) - lam ** (j + 1)), sympy.expand(lam**j * (1 - 2 * lam)), free="lambda, j"
    )
    s = sympy.Symbol("s", positive=True)  # every lambda in (0, 1/2) is 1 / (2 + s)
    proof.holds("it is positive", sympy.factor(1 - 2 * decay(s)).is_positive is True, free="lambda in (0, 1/2)")
    for moves in ({"a": (1, 1, 1), "b": (0, 2, 0)}, {"a": (1, 2, 2), "b": (0, 0, 0)}):
        proof.certificate("witness", "the last letters decide", moves=list(moves.values()), order=2, decay=fmpq(1, 3))


def pairs(layer: GatedLayer) -> dict[Key, tuple[Array, Array]]:
    """(A, b) of the two tokens g and "back" as one step."""
    maps = {c: token.dense() for c, token in layer.tokens.items()}
    A_back, b_back = maps["back"]
    return {c: (exact.multiply(A_back, A), (A_back @ b + b_back)[:, None]) for c, (A, b) in maps.items() if c != "back"}


def from_point(layer: GatedLayer, table: dict[Key, tuple[Array, Array]], start: int, points: int) -> Recurrence:
    """The layer on the words (g back)*, from the given point; it outputs the point of which its belief is the unit vector, or None."""
    one_hot = np.tile(exact.unit_vector(layer.states, start), len(layer.initial) // layer.states)

    def decode(H, _):
        belief = layer.belief(H[:, 0])
        sure = [p for p in range(points) if np.array_equal(belief, exact.unit_vector(layer.states, p))]
        return sure[0] if sure else None

    return Recurrence.from_table(table, one_hot[:, None], decode)


@claim(
    "new.fixed-point.gated.groups",
    place="after Theorem 2.1",
    title="one gated layer multiplies in S₅ at every length, without error, if each factor is written as two letters",
    says=r"Let the letters be $g$, for a transposition and a 5-cycle, and $\mathtt{back}$; on points before and points within a factor $g$ takes $p$ to $g(p)$ within, $\mathtt{back}$ returns, and both lead to a sink out of turn. "
    r"There is a gated layer of width 44, $0\le\Lambda<1$, $\|I-Q\|<1$, whose belief after $(g_1\,\mathtt{back})\cdots(g_k\,\mathtt{back})$ from the point $p$ is the unit vector of $g_k\cdots g_1(p)$, for every $k$ and all $g_i$.",
    remarks=("The layer is that of new.fixed-point.gated.automata, which tracks all other words too, the sink included.",),
    reading="five copies, one for each point, give the product. The word problem of S_5 is complete for NC^1 (Barrington 1989), and the two letters a factor are a substitution",
    known="products of stable matrices need not be stable; new.fixed-point.gated.alternating flips one state. That no letter permutes two states (new.fixed-point.gated.letters) is thus no bound on what their products do",
    construction="lemmata.constructions.fixed_point.one_gate.alternation",
    sabotages={
        "runs are not counted": {"build": forgets_runs},
        "mixers that do not contract": {"build": hasty},
        "a generator is the identity": {"wanted": {**GENERATORS, "swap": (0, 1, 2, 3, 4)}},
    },
)
def groups_of_pairs(proof: Proof, build: Callable[[Mapping[Key, Move]], GatedLayer] = gated_layer, wanted=GENERATORS) -> None:
    r"""Every letter's square leads to the sink, so its powers are constant; letters in turn never repeat, and short runs are exact.

    1. Each of the three letters has a constant square and is not constant, so it has one block of its own, of 11 channels: width $11(1+3)=44$. [checked: "its square is constant, and itself not"; "the width"]
    2. Every token is gated: $0\le\Lambda<1$ and $\|I-Q\|<1$. [checked: "0 <= Lambda < 1 and ||I - Q|| < 1"] Its fixed point is the dense recurrence. [uses: movahedi25.thm2.1.dense.amended]
    3. From each of the five points the states of the layer after pairs of letters are finitely many and closed under both pairs; the belief is a unit vector on all of them, that of the right point. [checked: "the image of the point"]
    """
    moves = alternation(GENERATORS, 5)
    layer = build(moves)
    for letter, token in proof.every("the three letters", layer.tokens.items(), limited=False):
        proof.exactly("its square is constant, and itself not", constant_power(moves[letter]), 2)
        proof.exactly("the width", len(token.decay), 44)
        proof.holds("0 <= Lambda < 1 and ||I - Q|| < 1", is_gated(token))
    table = pairs(layer)
    for point in range(5):
        network = from_point(layer, table, point, 5)
        computes(
            proof, f"the image of the point {point}", network, lambda p, g: wanted[g][p], point, list(wanted), lambda p: p, certify=False
        )
    proof.certificate(
        "witness", "S_5 in two letters a factor", permutations=list(GENERATORS.values()), letters=[_letter(m) for m in moves.values()]
    )


def _letter(move: Move) -> dict:
    """A letter with a constant square: decay, reading, target and the scale of its mixer, as in ``gated_layer`` with three other blocks."""
    (decay,) = fading_rates(1)
    reading, target = reading_of(move, [decay])
    scale = 1 / (1 + 3 * sum((x * x for x in reading.flat), fmpq(0)))
    return {"decay": decay, "reading": reading, "target": target, "scale": scale}
