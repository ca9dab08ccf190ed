"""Stored numbers run in floating point: what the verified checker accepts is right at every length, and where nothing rounds it is exact."""

from __future__ import annotations

from math import inf
from typing import Any

from flint import fmpq

from ...constructions.automata import compile_group, compile_regex
from ...constructions.automata.read.sources import named_group
from ...constructions.automata.rounding.precision import guaranteed_lengths
from ...constructions.automata.rounding.stored_numbers import STORED, stored_numbers
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def documents() -> dict[str, dict[str, Any]]:
    """The networks with integer entries of ``formal/stored_examples.v``."""
    return {
        "parity": compile_regex("(b|ab*a)*").document(),
        "S_3": compile_group(named_group("S3")).document(),
        "(a|b)*abb": compile_regex("(a|b)*abb", construction="holonomy").document(),
    }


def same_numbers(document: dict[str, Any], stored: dict[str, Any]) -> bool:
    """Whether start, A and B of all layers, as m 2^e, are those of an exact document whose numbers the format has."""

    def value(number: list[int]) -> fmpq:
        return fmpq(number[0]) * fmpq(2) ** number[1]

    def layers(of: dict[str, Any]) -> list[Any]:
        return [[layer["maps"], layer.get("start", layer.get("states", [None])[0])] for layer in of["layers"]]

    for (maps, start), (stored_maps, stored_start) in zip(layers(document), layers(stored), strict=True):
        pairs = [([row[0] for row in start], stored_start)]
        for m, s in zip(maps, stored_maps, strict=True):
            pairs += [*zip(m["A"], s["A"], strict=True), ([row[0] for row in m["B"]], s["B"])]
        if any([exact.rational(x) for x in text] != [value(x) for x in numbers] for text, numbers in pairs):
            return False
    return True


@claim(
    "new.automata.stored",
    place="after grazzi25 Theorem 4",
    title="stored numbers that a boolean accepts are right at every length in floating point",
    says="Let a file hold what torch stores of a stack of layers: for each letter a matrix and a vector, or micro-steps of the delta rule, and for each state that a map leads to a code. "
    "Let every product, sum and difference be rounded as IEEE 754 rounds in a binary format, to nearest even, in the order in which the loop or the delta rule computes. "
    "If the checker accepts the file, then after every letter of every word the decoders, which take the nearest code, output the state of the automaton.",
    hypotheses=(
        "the checker is a computable function of the file, the path and the format; it goes through all states that are reached in floating point",
        "the loop sums from the left and adds the vector last, as affine_step does; the delta rule goes through micro-steps as delta_rule does",
    ),
    known="TorchLean (George et al., arXiv 2602.22631) verifies networks in binary32 in Lean by bounds, and has semantics of state-space models. A recurrent network verified in floating point at every length was not found in what we could search.",
    remarks=(
        "Nothing is said about how near the stored numbers are to the exact network's: the statement is that these numbers compute this automaton.",
        "A decoder that computes distances in binary64 finds the same code: all others are farther by more than a factor 1 + 2^-50.",
        "The axioms of the theorem are none; that the operations are those of IEEE 754 is new.automata.stored.exact.",
    ),
    uses=("new.automata.stored.exact",),
    sabotages={
        "numbers that are right in binary32": {"theorem": "stored_examples.right_whatever_is_stored"},
        "the numbers of a tampered file": {"tamper": lambda stored: stored["layers"][0]["maps"][0]["A"][0][0].__setitem__(0, 3)},
    },
)
def stored_networks(proof: Proof, theorem: str = "stored_sound.stored_networks_are_right", tamper: Any = lambda stored: None) -> None:
    r"""Rounding is deterministic, so a layer in floating point is a finite automaton if its reached states close.

    1. The checker lists states with their successors and codes, each recomputed with every operation rounded. It demands that what is handed on leads from place to place, and at the top from state to state of the automaton. [checked: "the kernel: accepted"]
    2. By induction on the word each layer is in a listed state, at a place that tells the place above, and the output is the automaton's state. [checked: "the kernel: accepted"]
    3. Three networks in three formats on two paths, and a rotation that rounds in bfloat16, are accepted by the kernel itself. [checked: "the kernel: four networks"]
    4. Beside it: the stored numbers are those of the exact networks, and Python's exhaustion says the same. [checked: "the numbers are those of the network"; "Python says every length"]
    """
    proof.formally(
        "the kernel: accepted files are right at every length",
        theorem,
        whole="every file, two paths and every binary format",
        differs="SpecFloat of Coq's library for IEEE 754; m 2^e for numbers; what the checker searches is an argument",
    )
    proof.formally("the kernel: the format has each stored number", "stored_sound.stored_numbers_are_exact")
    proof.formally("the kernel: four networks", "stored_examples.named_networks_are_right")
    for document in proof.each("three networks with integer entries", list(documents().values())):
        lengths = guaranteed_lengths(document)
        for dtype in STORED:
            stored = stored_numbers(document, dtype)
            tamper(stored)
            proof.holds("the numbers are those of the network", same_numbers(document, stored))
            proof.holds("Python says every length", all(lengths[path][dtype] == inf for path in ("loop", "delta")))


@claim(
    "new.automata.stored.exact",
    place="after grazzi25 Theorem 4",
    title="where no operation rounds, a network in floating point is the same network in exact arithmetic, at every length",
    says="Let a network of stored numbers be accepted by the same checker with no operation that rounds. Then after every letter of every word its states in floating point are, as real numbers, those of the same matrices and vectors in exact arithmetic, "
    "each decoded code is strictly the nearest one, and the outputs are the states of the automaton.",
    hypotheses=(
        "a result is compared with the exact sum, difference or product as m 2^e; an infinity, or what is not a number, is refused",
    ),
    known="Executable binary32 beside models of rounding: TorchLean (arXiv 2602.22631). Flocq (Boldo, Melquiond) has the operations.",
    remarks=(
        "It rests on the axioms of the classical reals, as Flocq does: formal/axioms.json names them.",
        "The operations are those of IEEE 754: each is the exact result rounded to nearest even where that is below 2^emax.",
    ),
    sabotages={"whatever is accepted never rounds": {"theorem": "stored_examples.right_networks_never_round"}},
)
def unrounded_networks(proof: Proof, theorem: str = "float.unrounded_networks_are_exact") -> None:
    r"""What does not round is exact, letter by letter.

    1. Each operation rounds the exact result to nearest even (Flocq). [checked: "the kernel: sums"; "the kernel: differences"; "the kernel: products"]
    2. A letter at which each result equals the exact one acts as in exact arithmetic. [checked: "the kernel: a letter"]
    3. A code that is nearer by a factor than all others is strictly the nearest. [checked: "the kernel: a decoder"]
    4. By induction on the word, with the checker's argument. [checked: "the kernel: unrounded"]
    """
    proof.formally(
        "the kernel: unrounded networks are exact at every length",
        theorem,
        whole="every file, two paths and every binary format",
        differs="the classical reals of Coq's library; SpecFloat for IEEE 754",
    )
    proof.formally("the kernel: sums are rounded to nearest even", "float.sums_are_rounded")
    proof.formally("the kernel: differences are rounded to nearest even", "float.differences_are_rounded")
    proof.formally("the kernel: products are rounded to nearest even", "float.products_are_rounded")
    proof.formally("the kernel: a letter at which nothing rounds", "float.unrounded_letters_are_exact")
    proof.formally("the kernel: a decoder takes the nearest code", "float.decoders_are_nearest")


@claim(
    "new.automata.stored.any-order",
    place="after grazzi25 Theorem 4",
    title="stored numbers that a second boolean accepts are right at every length in whatever order float32 sums are taken",
    says="Let a network of stored numbers run by the delta rule with a state in binary32, or by a scan that composes its maps in binary32 in any bracketing. "
    "Let each sum be taken in any order and bracketing, with each product and each partial sum rounded in any way that keeps the numbers of the format, or not at all. "
    "If the checker accepts the file, then every such run outputs the state of the automaton after every letter of every word, and there are such runs.",
    hypotheses=(
        "the checker demands of each sum that its terms are multiples of one power of two q, and that their magnitudes add up to at most 2^p q, p the precision",
        "for the scan it also lists all compositions of a layer's maps, at most some hundreds",
    ),
    known="The criterion is that of docs/explanation/rounding.md; that sums of few bits are exact in any order is used for reproducible summation (Demmel, Nguyen 2013).",
    remarks=(
        "Fused multiply-adds, wider accumulation and any direction of rounding are such runs. Units that flush subnormal numbers are not.",
        "It is sufficient, not necessary: a refusal names the first sum that it does not cover.",
    ),
    uses=("new.automata.stored",),
    sabotages={"sums that are exact from the left": {"criterion": "float_sums.sums_exact_from_the_left_are_exact"}},
)
def networks_in_any_order(proof: Proof, criterion: str = "float_sums.sums_in_any_order_are_exact") -> None:
    r"""What is exact in one order by the criterion is exact in all.

    1. Every partial sum is a multiple of q, at most 2^p times it, hence a number of the format, which no rounding changes. [checked: "the kernel: the criterion"]
    2. So each letter does what it does in exact arithmetic; for the scan so does every composition, whose map is listed. [checked: "the kernel: every run"]
    3. The exact layer closes, as in new.automata.stored. [checked: "the kernel: every run"]
    """
    proof.formally(
        "the kernel: every run is right",
        "float_orders.networks_are_right_in_any_order",
        whole="every file, the paths fused and scan, and every binary format",
        differs="the classical reals of Coq's library; a rounding is any function that keeps the numbers of the format",
    )
    proof.formally("the kernel: the criterion", criterion)


@claim(
    "new.automata.stored.chunk",
    place="after grazzi25 Theorem 4",
    title="stored numbers that a third boolean accepts are right at every length in chunks of the WY form, in any order of sums",
    says="Let the micro-steps of a word be cut anywhere into chunks of at most $C$, with idle ones between. Let each chunk compute $A=\\mathrm{tril}(\\beta KK^\\top,-1)$, $T=(I+A)^{-1}$, $W=T\\beta K$, $U=T\\beta V$, "
    "the new values $U-WS$, the outputs $QS+\\mathrm{tril}(QK^\\top)(U-WS)$ and the state $S+K^\\top(U-WS)$, every sum in binary32 in any order, each tensor rounded to a format in any way. "
    "Let blocks of $T$ be merged in any sizes, as $T_{22}(A_{21}T_{11})$ or $(T_{22}A_{21})T_{11}$. "
    "If the checker accepts the file, then what is read after each letter is the state in exact arithmetic, and the outputs are the states of the automaton.",
    hypotheses=(
        "the checker lists what the micro-steps without values make of each key and each unit vector, and with values of 0 and of the start, at every place of a letter; these sets must close",
        "each entry of each tensor is a number of the format, the terms of each sum are multiples of one power of two q, and C of them add up to at most 2^24 q",
    ),
    known="The chunked form: Yang et al. 2024 (arXiv 2406.06484). That T has few bits for some keys: new.householder.chunk.",
    remarks=(
        "Forward substitution merges blocks of one row, so it is such a run. Inversion by repeated squaring is not.",
        "The axioms are those of the classical reals. Gates are not covered, nor products in TF32.",
    ),
    uses=("new.automata.stored.any-order",),
    sabotages={
        "what is exact step by step": {"examples": "chunk_examples.what_is_exact_step_by_step_is_exact_in_chunks"},
        "sums that are exact from the left": {"criterion": "float_sums.sums_exact_from_the_left_are_exact"},
    },
)
def networks_in_chunks(
    proof: Proof,
    criterion: str = "float_sums.sums_in_any_order_are_exact",
    examples: str = "chunk_examples.named_networks_are_right_in_chunks",
) -> None:
    r"""Every tensor of a chunk is read off finitely many vectors.

    1. $T_{ij}=-\beta_i\langle k_i,P k_j\rangle$ with $P$ the product of the micro-steps between. Row $i$ of $W$ is $\beta_i k_i^\top P$, with $P$ from the chunk's start; $U$ and the new values are $\beta_i(v_i-\langle k_i,x\rangle)$, $x$ the state from 0 and from the chunk's start. [checked: "the kernel: what is read"]
    2. So each tensor has finitely many entries, and each sum is exact by the criterion. [checked: "the kernel: the criterion"; "the kernel: what is read"]
    3. The exact layer closes, as in new.automata.stored. Two networks are accepted by the kernel itself. [checked: "the kernel: every run"; "the kernel: two networks"]
    """
    proof.formally(
        "the kernel: every run is right",
        "float_orders.networks_are_right_in_chunks",
        whole="every file, every bound on the length of chunks, and every binary format",
        differs="the classical reals of Coq's library; a rounding is any function that keeps the numbers of the format",
    )
    proof.formally("the kernel: what is read is the state in exact arithmetic", "float_orders.chunked_words_are_exact")
    proof.formally("the kernel: the criterion", criterion)
    proof.formally("the kernel: two networks", examples)
