"""Why exact test vectors are exact: the triangular inverse of a chunk is integer and bounded, and what then bounds all other numbers of the chunked form."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

#: (key, beta): clear, negate and exchange coordinates, and a key of length 2
MOVES = (((1, 0), 1), ((1, 0), 2), ((1, -1), 1), ((1, 1), 1), ((1, 0), 0))


def chunk(rng: Random, count: int, d: int) -> tuple[Array, Array]:
    """So many keys of dimension d, with strengths, that meet the criterion."""
    keys, strengths = exact.zeros(count, d), exact.zeros(count)
    for i in range(count):
        (a, b), beta = MOVES[rng.randrange(len(MOVES))]
        places = rng.sample(range(d), 2) if d > 1 else [0, 0]
        sign = rng.choice([1, -1])
        keys[i, places[0]] = exact.rational(sign * a)
        if b and d > 1:
            keys[i, places[1]] = exact.rational(sign * b)
        strengths[i] = exact.rational(beta)
    return keys, strengths


def doubled(keys: Array, strengths: Array) -> tuple[Array, Array]:
    """Two copies of the state: keys (k, k) / 2 and twice the strength, so that swaps have unit keys and strength 2."""
    return np.hstack([keys, keys]) / 2, strengths * 2


def moved(keys: Array, strengths: Array, i: int, j: int) -> Array:
    """x = (I - beta_(i-1) k_(i-1) k_(i-1)^T) ... (I - beta_(j+1) k_(j+1) k_(j+1)^T) k_j."""
    x = keys[j].copy()
    for step in range(j + 1, i):
        x = x - strengths[step] * keys[step] * (keys[step] @ x)
    return x


def instances(seed: int, sizes: tuple[tuple[int, int], ...]) -> list[tuple[Array, Array]]:
    """Chunks of (count, d), each as it is and doubled; a chunk of one step and one dimension among them."""
    rng = Random(seed)
    single = [chunk(rng, count, d) for count, d in sizes]
    return single + [doubled(*x) for x in single]


@claim(
    "new.householder.chunk",
    place="beside grazzi25 Eq. 3; Yang et al. 2024, the WY form of DeltaNet",
    title="the triangular inverse of a chunk is integer and bounded if all β⟨kᵢ,kⱼ⟩ are integers and 0 ≤ β|k|² ≤ 2",
    says=r"Let $k_1,\dots,k_C\in\mathbb R^d$ be nonzero, $\beta_i\ge0$, $A_{ij}=\beta_i\langle k_i,k_j\rangle$ for $j<i$ and $0$ otherwise, $T=(I+A)^{-1}$. If every $\beta_i\langle k_i,k_j\rangle$ is an integer and $\beta_i|k_i|^2\le2$, then $T$ is integer and "
    r"$|T_{ij}|\le\beta_i|k_i||k_j|\le2|k_j|/|k_i|$ for $i>j$. The sums $\sum_{j\le l<s}A_{il}T_{lj}$, $j<s\le i$, of an inversion by blocks obey the same bound. With gates $a_l\in[0,1]$ and $D_{ij}=a_{j+1}\cdots a_i$ the inverse of $I+D\circ A$ is $D\circ T$.",
    remarks=(
        r"Keys may be scaled first: $c_ik_i$ with $\beta_i/c_i^2$ has the inverse $T_{ij}c_j/c_i$, so powers of two cost no bits.",
        r"With gates 0 and 1 the inverse stays integer; with at most $h$ gates $\frac12$ in a chunk its entries are multiples of $2^{-h}$, no larger.",
        "Keys with strength 0 may be left out: nothing reads their columns of T but zeros. The criterion is sufficient, not necessary. It bounds T, not the state.",
    ),
    known="That integer matrices test products of matrices exactly is an old trick. We know of no criterion for the inverse in chunked recurrences in print.",
    construction="lemmata.constructions.householder.chunk_inverse",
    sabotages={
        "strengths up to 3, which the kernel refutes": {"theorem": "chunks.chunk_inverse_is_bounded_up_to_three"},
        "products that are no integers, which the kernel refutes": {"theorem": "chunks.chunk_inverse_is_integer_for_all_strengths"},
        "the inverse has the wrong sign": {"inverse": lambda k, b: 2 * exact.identity(len(k)) - householder.chunk_inverse(k, b)},
        "the update forgets beta": {"forgotten": True},
        "strengths up to 3": {"most": 3},
        "a key of length 1/2 among integers": {"spoiled": True},
    },
)
def integer_and_bounded(
    proof: Proof,
    inverse: Callable[[Array, Array], Array] = householder.chunk_inverse,
    forgotten: bool = False,
    most: int = 2,
    spoiled: bool = False,
    theorem: str = "chunks.chunk_inverse_is_integer_and_bounded",
) -> None:
    r"""Column j of T is what the chunk writes if step j alone has an input; that is a product of factors of norm at most 1 applied to k_j.

    1. Forward substitution: $T_{jj}=1$ and $T_{ij}=-\sum_{j\le l<i}A_{il}T_{lj}$. Integers stay integers under sums and products, so by induction over $i$ all entries are integers. [prose] [checked: "the inverse is integer"; "it is the inverse"]
    2. Let $x_{j+1}=k_j$ and $x_{l+1}=(I-\beta_lk_lk_l^\top)x_l$. With $T_{lj}=-\beta_lk_l^\top x_l$ this is $x_{l+1}=x_l+k_lT_{lj}$. [checked: "(I - beta k k^T) x = x + k T with T = -beta k^T x"]
    3. So $-\beta_ik_i^\top x_s=-\sum_{j\le l<s}A_{il}T_{lj}$ for $j<s\le i$, by induction over $s$; with $s=i$ this is step 1's recurrence, and $T_{ij}=-\beta_ik_i^\top x_i$. [checked: "-beta_i k_i^T (x + k T) = -beta_i k_i^T x - A T"; "T_ij = -beta_i k_i^T x_i"]
    4. Each factor has the eigenvalues 1 and $1-\beta_l|k_l|^2\in[-1,1]$, so $|x_s|\le|k_j|$. [uses: grazzi25.prop1.1] [checked: "1 - c lies in [-1, 1] for 0 <= c <= most"]
    5. $|k_i^\top x_s|\le|k_i||x_s|$, since $|q\,a-r\,b|^2=q(pq-r^2)$ for $p=|a|^2$, $q=|b|^2$, $r=a^\top b$. So $|\beta_ik_i^\top x_s|\le\beta_i|k_i||k_j|$ for every $s$, and $\beta_i|k_i|^2\le2$ makes this at most $2|k_j|/|k_i|$.
       [checked: "|q a - r b|^2 = q (p q - r^2)"; "the entries are bounded"; "the sums of blocks are bounded"]
    6. $D_{il}D_{lj}=D_{ij}$ for $j\le l\le i$, so $(D\circ(I+A))(D\circ T)=D\circ((I+A)T)=I$. [prose] [checked: "gates: the inverse is D o T"]
    """
    proof.formally(
        "the kernel: the inverse is integer and bounded",
        theorem,
        whole="every chunk, width, keys, strengths and gates",
        differs="an ordered field for the reals; norms and moduli are squared; the gates may be any numbers",
    )
    k, kt, x, l_, it = sympy.symbols("k kt x l it", commutative=False)
    beta, p, q, r = sympy.symbols("beta p q r")
    written = -(1 if forgotten else beta) * kt * x
    proof.symbolically(
        "(I - beta k k^T) x = x + k T with T = -beta k^T x",
        sympy.expand((1 - beta * k * kt) * x),
        sympy.expand(x + k * written),
        "k, k^T, x (noncommuting), beta",
    )
    T = sympy.Symbol("T")
    proof.symbolically(
        "-beta_i k_i^T (x + k T) = -beta_i k_i^T x - A T",
        sympy.expand(-beta * it * (x + l_ * T)),
        sympy.expand(-beta * it * x - (beta * it * l_) * T),
        "k_i^T, k, x (noncommuting), beta, T",
    )
    proof.symbolically("|q a - r b|^2 = q (p q - r^2)", q**2 * p - 2 * q * r * r + r**2 * q, q * (p * q - r**2), "p, q, r")
    u = sympy.Symbol("u", nonnegative=True)
    rest = sympy.Symbol("rest", nonnegative=True)
    # c = u <= most means c = most - rest: 1 - c <= 1, and 1 + (1 - c) = 2 - most + rest >= 0
    proof.holds("1 - c lies in [-1, 1] for 0 <= c <= most", bool(u.is_nonnegative) and bool((2 - most + rest).is_nonnegative), free="c")
    sizes = proof.pick(((1, 1), (4, 2), (9, 3)), ((1, 1), (2, 1), (6, 2), (16, 3), (24, 4)), ((1, 1), (2, 1), (16, 2), (33, 4), (64, 6)))
    with proof.beside():
        for keys, strengths in proof.each(
            f"chunks of {', '.join(f'{n} keys in dimension {d}' for n, d in sizes)}, and doubled; seed 71", instances(71, sizes)
        ):
            if spoiled:
                keys, strengths = np.vstack([keys, keys[:1] / 2]), np.array([*strengths, exact.rational(1)], dtype=object)
            live = [i for i in range(len(keys)) if strengths[i] != 0]
            keys, strengths = keys[live], strengths[live]
            if not len(keys):
                continue
            T, A = inverse(keys, strengths), householder.chunk_matrix(keys, strengths)
            proof.holds("the criterion holds", householder.chunk_criterion(keys, strengths))
            proof.exactly("it is the inverse", (exact.identity(len(A)) + A) @ T, exact.identity(len(A)))
            proof.holds("the inverse is integer", all(fmpq(e).q == 1 for e in T.flat))
            pairs = [(i, j) for i in range(len(T)) for j in range(i)]
            squares = (keys * keys).sum(axis=1)
            proof.holds(
                "the entries are bounded",
                all(T[i, j] ** 2 <= strengths[i] ** 2 * squares[i] * squares[j] <= 4 * squares[j] / squares[i] for i, j in pairs),
            )
            for i, j in pairs[-3:]:
                proof.exactly("T_ij = -beta_i k_i^T x_i", T[i, j], -strengths[i] * (keys[i] @ moved(keys, strengths, i, j)))
                sums = [A[i, j:s] @ T[j:s, j] for s in range(j + 1, i + 1)]
                proof.holds("the sums of blocks are bounded", all(e**2 <= strengths[i] ** 2 * squares[i] * squares[j] for e in sums))
            gates = [exact.rational(g) for g in ("1", "1/2", "0", "1", "1/2")]
            D = decays([gates[i % 5] for i in range(len(T))])
            proof.exactly("gates: the inverse is D o T", (exact.identity(len(A)) + D * A) @ (D * T), exact.identity(len(A)))
            # where no two keys meet the inverse is the identity and says nothing
            if len(keys) <= 16 and any(x != 0 for x in A.flat):
                proof.certificate(
                    "witness",
                    f"{len(keys)} keys in dimension {keys.shape[1]}",
                    keys=keys,
                    strengths=strengths,
                    inverse=exact.map_entries(fmpq, T),
                )


def decays(gates: list[fmpq]) -> Array:
    """D_ij = a_(j+1) ... a_i for j <= i, else 0."""
    D = exact.zeros(len(gates), len(gates))
    for j in range(len(gates)):
        D[j, j] = fmpq(1)
        for i in range(j + 1, len(gates)):
            D[i, j] = D[i - 1, j] * gates[i]
    return D


class Chunk:
    """One chunk of the gated delta rule in exact arithmetic, by the WY form, with the states that the recurrence goes through."""

    def __init__(self, keys: Array, strengths: Array, values: Array, gates: list[fmpq], start: Array):
        D, G = decays(gates), exact.rationals([0] * len(gates))
        for i in range(len(gates)):
            G[i] = gates[0] if i == 0 else G[i - 1] * gates[i]
        column = strengths[:, None]
        self.T = exact.inverse(exact.identity(len(keys)) + D * householder.chunk_matrix(keys, strengths))
        self.w, self.u = self.T @ (column * G[:, None] * keys), self.T @ (column * values)
        self.read = self.w @ start
        self.new = self.u - self.read
        self.last = start * G[-1] + keys.T @ (D[-1][:, None] * self.new)
        self.gated, self.states = [], []
        S = start
        for k, beta, v, a in zip(keys, strengths, values, gates, strict=True):
            self.gated.append(S * a)
            S = S * a + k[:, None] * (beta * (v - k @ (S * a)))[None]
            self.states.append(S)


def drawn_chunks(seed: int, sizes: tuple[tuple[int, int], ...]) -> list[tuple[Array, Array, Array, list[fmpq], Array]]:
    """(keys, strengths, values, gates, start): integer keys, gates 1 and 0 with at most one 1/2, small integers for the rest."""
    rng, family = Random(seed), []
    for count, d in sizes:
        keys, strengths = chunk(rng, count, d)
        gates = [fmpq(0) if rng.random() < 0.1 else fmpq(1) for _ in range(count)]
        if count > 1:
            gates[rng.randrange(count)] = fmpq(1, 2)
        values, start = (exact.rationals([[rng.randint(-3, 3) for _ in range(2)] for _ in range(n)]) for n in (count, d))
        family.append((keys, strengths, values, gates, start))
    return family


def largest(*arrays: Array) -> fmpq:
    """The largest modulus of all entries."""
    return max((abs(fmpq(x)) for array in arrays for x in array.flat), default=fmpq(0))


@claim(
    "new.householder.chunk.bits",
    place="beside grazzi25 Eq. 3; Yang et al. 2024, the WY form of Gated DeltaNet",
    title="bounds on states, values and queries bound every number of the chunked delta rule, so few bits make it exact",
    says=r"In new.householder.chunk let every $k_i$ be an integer vector with $|k_i|\le\kappa$ and every $2^f\beta_i$ an integer, with gates $a_i\in\{0,\frac12,1\}$, at most $h$ of them $\frac12$ in a chunk. Let $S_t$, $a_tS_{t-1}$, $v_t$ have entries in $2^{-g}\mathbb Z$, $|S_t|\le s$ and $|v_t|\le r$ entrywise, and $q_t$ be integer with $|q_t|_1\le p$, $p\ge1$. "
    r"Then $T$, $W=T\beta GK$, $U=T\beta V$, $WS$, $U-WS$, $D\circ QK^\top$, the outputs and the state are multiples of $2^{-(f+g+h)}$ and at most $B=\max(2r+2s+2^{f+2}s,\,2\kappa,\,p\kappa,\,ps)$, and in every matrix product of a chunk of $C$ steps the magnitudes of the terms add up to at most "
    r"$M=C\kappa\max(4\kappa,4r,2p(r+s))+ps+2^{f+2}s$ on a grid of $2^{-(f+g+2h)}$. So storage of $P$ bits and sums of 24 bits are exact in every order if $2^{f+g+h}B\le2^P$ and $2^{f+g+2h}M\le2^{24}$.",
    remarks=(
        r"A scale that is a power of two costs nothing. A gate $\frac12$ costs a bit of the budget; gates 0 and 1 are free.",
        r"For $r=9$, $s=7$, $p=4$, $\kappa=2$, $C=128$ without halvings: $B\le88$ fits 8 bits with $f\le1$, and $M<2^{16}$. The bounds are not tight: with halvings an audit of each file decides.",
        r"Bounds on the state are needed: width 1, $k=1$, $\beta=2$ and values $\pm7$ in turn meet the criterion, and the state leaves every format.",
    ),
    known="We know of nothing in print.",
    construction="lemmata.constructions.householder.chunk_inverse",
    sabotages={
        "the halvings are not counted": {"halvings": 0},
        "the row of W forgets its key": {"forgotten": True},
        "half the bound on what is written": {"room": fmpq(1, 8)},
    },
)
def few_bits(proof: Proof, halvings: int = 1, forgotten: bool = False, room: fmpq = fmpq(1)) -> None:
    r"""Rows of W are keys moved by factors of norm at most 1; what is written is the recurrence's own error; everything else is a sum of these.

    1. For an integer $m$, $m^2-|m|=|m|(|m|-1)\ge0$. So $|k|_1\le|k|^2$, $|k|\ge1$, and $\beta\le2$, $\beta|k|_1\le2$. [checked: "m^2 - m = m (m - 1)"]
    2. $(I+A)W_0=\beta K$ means $w_i=\beta_ik_i-\sum_{l<i}A_{il}w_l$. With $N_i=I-\sum_{l<i}k_lw_l^\top$ this is $w_i^\top=\beta_ik_i^\top N_i$, and $N_{i+1}=(I-\beta_ik_ik_i^\top)N_i$: a product of factors of norm at most 1. So $|w_i|\le\beta_i|k_i|\le2$.
       [uses: grazzi25.prop1.1] [checked: "(I - beta k k^T) N = N - k w with w = beta k^T N"]
    3. $T$ is integer, so $w_i\in2^{-f}\mathbb Z^d$; there $|x|\le2^fx^2$, and $|w_i|_1\le2^{f+2}$. Gates: $W=GW_0$, no larger and on a grid of $2^{-(f+h)}$. [uses: new.householder.chunk] [prose]
    4. $U-WS_0$ has the rows $\beta_i(v_i-a_iS_{i-1}^\top k_i)$, which the recurrence writes: at most $2r+2s$ by step 1, in $2^{-(f+g)}\mathbb Z$. $|WS_0|\le2^{f+2}s$ by step 3, and $U$ is their sum. [prose] [checked: "the chunk writes what the recurrence writes"; "the chunk's last state is the recurrence's"; "the written rows are bounded"]
    5. $|T_{ij}|\le2\kappa$ and $|A_{ij}|\le2\kappa$ as $|k_i|\ge1$; $|\langle q,k\rangle|\le p\kappa$; $|S^\top q|\le ps$. All are on the grid: $T$ and $D$ have at most $h$ halvings, values and states $g$, strengths $f$. [uses: new.householder.chunk] [checked: "every number is on the grid"; "every number is bounded"]
    6. The sums: $\sum_l|A_{il}||T_{lj}|\le4C\kappa^2$; $\sum_j|T_{ij}||\beta_jk_j|\le4C\kappa$; $\sum_j|T_{ij}||\beta_jv_j|\le4C\kappa r$; $\sum|w||S|\le2^{f+2}s$; $\sum_j|\langle q_i,k_j\rangle||n_j|+|q|_1s\le2Cp\kappa(r+s)+ps$ and $\sum_j|k_j||n_j|\le2C\kappa(r+s)$ with $n=U-WS_0$.
       Terms of a product lie on the product of two grids, of $2^{-(f+g+2h)}$ at the finest. [prose]
    7. Multiples of a grid $\epsilon$ whose magnitudes add up to at most $2^{24}\epsilon$ have partial sums that are multiples of $\epsilon$ of at most 24 bits, so float32 rounds none, in any order and with fused multiply-adds. [prose]
    """
    m = sympy.Symbol("m", nonnegative=True)
    proof.symbolically("m^2 - m = m (m - 1)", m**2 - m, m * (m - 1), "m")
    k, kt, N = sympy.symbols("k kt N", commutative=False)
    beta = sympy.Symbol("beta")
    row = N if forgotten else kt * N
    proof.symbolically(
        "(I - beta k k^T) N = N - k w with w = beta k^T N",
        sympy.expand((1 - beta * k * kt) * N),
        sympy.expand(N - k * (beta * row)),
        "k, k^T, N (noncommuting), beta",
    )
    sizes = proof.pick(((1, 1), (6, 2), (12, 3)), ((1, 1), (2, 1), (8, 2), (20, 3)), ((1, 1), (2, 1), (16, 2), (40, 4)))
    # the bounds of steps 3 to 7 are prose, so the instances limit what is known of them
    for keys, strengths, values, gates, start in proof.each(
        f"{len(sizes)} chunks of up to {sizes[-1][0]} steps with a gate 1/2, seed 72", drawn_chunks(72, sizes)
    ):
        x = Chunk(keys, strengths, values, gates, start)
        proof.exactly("the chunk's last state is the recurrence's", x.last, x.states[-1])
        wanted = [strengths[i] * (values[i] - keys[i] @ x.gated[i]) for i in range(len(keys))]
        proof.exactly("the chunk writes what the recurrence writes", x.new, np.array(wanted))
        r, s = largest(values), largest(start, *x.states)
        g, h = grid(start, values, *x.gated, *x.states), halvings if fmpq(1, 2) in gates else 0
        proof.holds("the written rows are bounded", largest(x.new) <= (2 * r + 2 * s) * room)
        proof.holds(
            "every number is bounded",
            largest(x.u) <= 2 * r + 6 * s and largest(x.read) <= 4 * s and all(sum(map(abs, row)) <= 4 for row in x.w),
        )
        proof.holds("every number is on the grid", max(grid(x.T) - h, grid(x.w) - h, grid(x.new) - g, grid(x.u, x.read) - g - h) <= 0)


def grid(*arrays: Array) -> int:
    """The fewest fractional bits that hold every entry."""
    return max(int(fmpq(e).q).bit_length() - 1 for array in arrays for e in array.flat)
