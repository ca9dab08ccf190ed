"""Exactly what stacks of bistable layers recognise, by a construction: from an automaton to layers, or to the words that forbid them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from ...constructions.automata import Automaton
from ...constructions.automata.read.machines import minimise
from ...constructions.automata.read.sources import from_regex
from ...constructions.bistable import BMRU
from ...constructions.bistable.closure import close
from ...constructions.bistable.compiler import BistableNetwork, NotBistable, compile_bistable
from ...constructions.bistable.refusals import Period, Stutter, end, said, stutter
from ...constructions.bistable.units import Layer
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .languages import NO_POSITIONS, READ_AT_EACH_STEP

Maps = Sequence[tuple[int, ...]]

#: regular expression -> its letters; languages that are star-free and invariant under stuttering
LANGUAGES = {"(1+0+)+1+": "01", "a+b+": "ab", "(a|b|c)*a+b+c+": "abc", "(a+b+c+)+": "abc"}


def machines(letters: str, rows: Iterable[Maps]) -> Iterator[Automaton]:
    """The reachable part of each automaton that says in which state it is, each once; ``rows`` has a map of the states for each letter."""
    seen = set()
    for maps in rows:
        part = Automaton(dict(zip(letters, maps, strict=True))).reachable()
        if (key := (part.n, *part.table.values())) not in seen:
            seen.add(key)
            yield Automaton(part.table, outputs=tuple(range(part.n)))


def maps_of(n: int) -> list[tuple[int, ...]]:
    return list(product(range(n), repeat=n))


def idempotents(n: int) -> list[tuple[int, ...]]:
    return [f for f in maps_of(n) if all(f[f[q]] == f[q] for q in range(n))]


def closes(network: BistableNetwork) -> str:
    """ "right", or what the closure of all layers together found."""
    try:
        found = close(network.automaton, network.layers, network.readout, network.clock)
    except ArithmeticError as why:
        return str(why)
    return "right" if found.transitions == found.states * len(network.automaton.letters) else "some transitions were not visited"


def _changed(network: BistableNetwork, change: Callable[[Layer], Layer]) -> BistableNetwork:
    return replace(network, layers=tuple(map(change, network.layers)))


def _always_following(layer: Layer) -> Layer:
    unit = layer.unit
    return replace(layer, unit=BMRU(unit.W_x, unit.b_x, unit.W_beta * 0, unit.b_beta, unit.alpha))


def _negative_candidates(layer: Layer) -> Layer:
    unit = layer.unit
    return replace(layer, unit=BMRU(-unit.W_x, -unit.b_x, unit.W_beta, unit.b_beta, unit.alpha))


@claim(
    "new.bistable.compiler",
    place="after degeeter26 Eq. 11",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS),
    known="cascades of resets for aperiodic automata: Krohn and Rhodes 1965; Zeiger; Eilenberg. In recurrent cascades, neurons that read the state before the step: Knorozova and Ronca (arXiv 2312.09048); star-free by SSMs: Sarrof, Veitsman, Hahn (arXiv 2405.17394). New: for units that see the state only after the step, with no decoders, proved for each automaton",
    title="aperiodic automata with idempotent letters become BMRU layers with skip connections, integer weights and no decoders",
    says=r"Let $\mathcal A$ be a reachable aperiodic automaton with $q\,xx=q\,x$ for all states and letters, and $s\ge1$ the number of levels of its holonomy cascade. There are at most $3s-1$ layers of Eq. 11, each reading the letter (one-hot) and the states of all layers below "
    r"through its integer $W_x,W_\beta$ alone, with $\alpha=1$, and an affine readout with one number for each state of $\mathcal A$, of which after every nonempty word exactly that of $\mathcal A$'s state is positive.",
    construction="lemmata.constructions.bistable.compiler.compile_bistable",
    sabotages={
        "nothing remembers what was before a block": {"finish": lambda network: _changed(network, _always_following)},
        "set and reset exchanged": {"finish": lambda network: _changed(network, _negative_candidates)},
        "all units start at +1": {"finish": lambda network: _changed(network, lambda layer: replace(layer, start=abs(layer.start)))},
        "the last unit of each layer reads nothing": {"finish": lambda network: _changed(network, _without_last_weights)},
    },
)
def automata_become_layers(proof: Proof, finish: Callable[[BistableNetwork], BistableNetwork] = lambda network: network) -> None:
    r"""A cascade of resets, and units that hold back what was before the last block of equal letters.

    1. The holonomy groups of an aperiodic automaton are trivial (Zeiger; Eilenberg 1976, ch. II): on each level of its cascade a letter $x$ resets the level's state, or leaves it alone; which, depends on the states of the levels before it, as they were before $x$. [prose] [checked: "a cascade of resets"; "left out: not aperiodic"]
    2. Let the network do nothing in a block of equal letters after the first of them. As $q\,xx=q\,x$, the cascade on the word without repetitions still emulates $\mathcal A$ on the word. [prose]
    3. *Before.* A unit with candidate $b_t=\pm1$, a bit of a lower layer, and threshold $2\,[x_t=x]$ follows $b$ while other letters are read and keeps its state while $x$ is: so at $x$ it holds what $b$ was before this block of $x$'s, or at the start. [uses: degeeter26.eq11] [checked: "the layers compute the automaton"]
    4. *All.* With $n$ literals $\pm1$, candidate $\sum\ell_i-n+1$ and threshold $0$, a unit says whether all hold, and keeps nothing. Whether a level is reset to $r$ is a disjunction of such: of the letter and bits before the block, or after. [prose]
    5. *Bits.* A level's states are numbered in binary. A bit has the candidate $\sum\pm(1+\text{term})$, of one sign where some term holds and $0$ where none does, and threshold $1$: it is written or kept. Later in the block all is read as at its first letter, so nothing changes. [prose] [checked: "the layers compute the automaton"]
    6. Bits of level $k$ lie in layer $3k-2$ at most, behind *Before* and *All* of the levels before; the readout takes one layer of *All* more. [checked: "at most 3s - 1 layers"]
    7. Any one network is proved at every length, whatever the construction: all states of all layers together that words reach are visited with every letter; in the arithmetic of Eq. 11 itself for four languages. [checked: "the layers compute the automaton"; "Eq. 11, step by step"]
    """
    families = [
        ("all such automata with up to 3 states over 2 letters", "ab", product(idempotents(3), repeat=2)),
        ("all such automata with up to 4 states over 2 letters", "ab", product(idempotents(4), repeat=2)),
        ("all such automata with up to 3 states over 3 letters", "abc", product(idempotents(3), repeat=3)),
    ]
    for describe, letters, rows in families[: proof.pick(1, 3, 3)]:
        for automaton in proof.every(describe, machines(letters, rows)):
            try:
                network = compile_bistable(automaton)
            except NotBistable as refused:
                proof.holds("left out: not aperiodic", isinstance(refused.why, Period) and offends(automaton, refused.why))
                continue
            _record(proof, finish(network))
    for regex, letters in proof.each("four languages", list(LANGUAGES.items())):
        network = finish(compile_bistable(from_regex(regex, letters)))
        _record(proof, network)
        automaton = network.automaton
        found = computes(
            proof, "Eq. 11, step by step", network.stack, automaton.step, automaton.start, tuple(letters), lambda q: q, certify=False
        )
        if found.closed and found.mismatch is None:
            proof.certificate("bistable", regex, **network.document())


def _record(proof: Proof, network: BistableNetwork) -> None:
    cascade = network.cascade
    groups = cascade.skeleton.groups() if cascade.skeleton else {}
    proof.holds("a cascade of resets: no holonomy group", all(g.order() == 1 for g in groups.values()))
    proof.exactly("the layers compute the automaton", closes(network), "right")
    proof.holds("at most 3s - 1 layers", len(network.layers) <= max(1, 3 * len(cascade.sizes) - 1))
    weights = [w for layer in network.layers for w in (layer.unit.W_x, layer.unit.b_x, layer.unit.W_beta, layer.unit.b_beta)]
    proof.holds(
        "integers, and alpha = 1",
        all(w.dtype.kind == "i" for w in weights) and all((layer.unit.alpha == 1).all() for layer in network.layers),
    )


def _without_last_weights(layer: Layer) -> Layer:
    W = layer.unit.W_x.copy()
    W[-1] = 0
    unit = layer.unit
    return replace(layer, unit=BMRU(W, unit.b_x, unit.W_beta, unit.b_beta, unit.alpha))


# -- exactly which languages -------------------------------------------------------------------------------------------------------


def offends(automaton: Automaton, why: Any) -> bool:
    """Whether the words do what they are said to do: the answers differ after u x v and u x x v, or after u v^i w with a period."""
    answer = lambda word: said(automaton, end(automaton, automaton.start, word))  # noqa: E731
    if isinstance(why, Stutter):
        return tuple(map(answer, why.words)) == why.said and why.said[0] != why.said[1]
    p = len(why.said)
    answers = [answer((*why.before, *why.word * i, *why.after)) for i in range(1, 3 * p + 1)]
    # on q, qv, qv^2, ... the word acts with this period for ever, as three times the same answers do not show alone
    q = end(automaton, automaton.start, why.before)
    return answers == list(why.said) * 3 and len(set(why.said)) > 1 and end(automaton, q, why.word * p) == q


@claim(
    "new.bistable.languages",
    place="after degeeter26 Sec. 4.3",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS),
    known="for logics the two halves are theorems: star-free = past temporal logic (Kamp; Gabbay, Pnueli, Shelah, Stavi), invariant under stuttering = without 'next' (Peled and Wilke 1997, which would give the construction's half); cascades of flip-flops = star-free (Krohn and Rhodes; for recurrent networks Knorozova and Ronca, arXiv 2312.09048; Sarrof, Veitsman, Hahn, arXiv 2405.17394). "
    "New is the unit's place between them, with skip connections alone, and words for every refusal",
    title="BMRU stacks recognise exactly the star-free languages that are invariant under stuttering, with any decoders or none",
    says=r"For a language of nonempty words these are the same: some BMRU stack with some decoders recognises it; it is regular, its syntactic monoid is aperiodic and every letter acts idempotently in it; some BMRU stack with skip connections, an affine readout and no decoders recognises it. "
    r"Otherwise there are words $u,v$ and a letter $x$ with one of $uxv$, $uxxv$ in the language, or words with $uv^iw$ in it for infinitely many $i$ and outside for infinitely many, or it is not regular.",
    construction="lemmata.constructions.bistable.compiler.compile_bistable",
    sabotages={
        "only stuttering is looked at": {"looks": lambda automaton: stutter(automaton) or automaton},
        "the words leave out a letter": {"words": lambda why: replace(why, before=(), after=()) if isinstance(why, Stutter) else why},
    },
)
def exactly_stutter_invariant(
    proof: Proof,
    looks: Callable[[Automaton], Any] = lambda automaton: _compiled_or_why(automaton),
    words: Callable[[Any], Any] = lambda why: why,
) -> None:
    r"""A construction on one side, two words that no stack tells apart on the other.

    1. With any decoders: a stack has finitely many states, so the language is regular; its monoid divides the stack's, which is aperiodic, and letters act idempotently in it. [uses: new.bistable.monoid, new.bistable.stutter]
    2. Given these, the minimal automaton is reachable, aperiodic and has idempotent letters: layers with skip connections compute its state. [uses: new.bistable.compiler]
    3. Skip connections are decoders. [prose]
    4. If a letter does not act idempotently in the minimal automaton, some $uxv$ and $uxxv$ are told apart. If a word $v$ permutes two states or more of it, some $uv^iw$ has a period other than $1$ in $i$; a stack's answers to them are constant from some $i$ on. [uses: new.bistable.stutter, new.bistable.monoid] [prose]
    5. All machines with up to three states over two letters that say their state are compiled and proved, or refused with words that are run. [checked: "compiled, or refused with words that offend"; "14 are compiled"]
    """
    compiled = 0
    for automaton in proof.every("all automata with up to 3 states over 2 letters", machines("ab", product(maps_of(3), repeat=2))):
        found = looks(minimise(automaton))
        good = (
            closes(found) == "right"
            if isinstance(found, BistableNetwork)
            else isinstance(found, Stutter | Period) and offends(automaton, words(found))
        )
        compiled += isinstance(found, BistableNetwork)
        proof.holds("compiled, or refused with words that offend", good)
    for _ in proof.every("all automata with up to 3 states over 2 letters", [f"{compiled} compiled"]):
        proof.exactly("14 are compiled", compiled, 14)
    network = compile_bistable(from_regex("(1+0+)+1+", "01"))
    proof.certificate("bistable", "(1+0+)+1+", **network.document())
    for regex, letters in (("(0|1)*11", "01"), ("(a+b+a+b+)*", "ab")):
        automaton = from_regex(regex, letters)
        why = _compiled_or_why(automaton)
        if isinstance(why, Stutter):
            data = {"uxv": list(why.words[0]), "uxxv": list(why.words[1])}
        else:
            data = {"u": list(why.before), "v": list(why.word), "w": list(why.after), "period": len(why.said)}
        proof.certificate("witness", regex, regex=regex, **data)


def _compiled_or_why(automaton: Automaton) -> Any:
    try:
        return compile_bistable(automaton)
    except NotBistable as refused:
        return refused.why
