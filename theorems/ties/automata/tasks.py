"""Sources of automata against definitions and other libraries: tasks, Mealy machines, regular expressions, subsets."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import numpy as np
from automata.fa.nfa import NFA

from ....constructions.automata.read import sources, tasks
from ....constructions.automata.read.machines import from_mealy
from ...claim import tie
from ...evidence import Proof
from .common import words


@tie("grazzi25.sec1.regular")
def tasks_by_hand(proof: Proof) -> None:
    """The tasks as their definitions have them."""
    rng = Random(63)
    for word in proof.tied("words of up to 40 letters", words(rng, "01")):
        automaton = tasks.parity()
        proof.exactly(
            "parity", [q in automaton.accepting for q in automaton.run(word)], [word[: t + 1].count("1") % 2 == 1 for t in range(len(word))]
        )
    for word in proof.tied("words of up to 40 letters", words(rng, "ab")):
        automaton = tasks.even_pairs()
        proof.exactly("even pairs", [q in automaton.accepting for q in automaton.run(word)], [word[0] == x for x in word])
    for m, word in proof.tied("m <= 9, words of up to 40 letters", product((1, 2, 5, 9), words(rng, "-0+"))):
        automaton = tasks.cycle_navigation(m)
        sums = np.cumsum(["-0+".index(x) - 1 for x in word])
        proof.exactly("cycle navigation", [automaton.output(q) for q in automaton.run(word)], [int(s % m) for s in sums])
        proof.exactly("cycle navigation: home", [q in automaton.accepting for q in automaton.run(word)], [bool(s % m == 0) for s in sums])
    for m in proof.tied("m <= 10, expressions of up to 9 digits", (2, 3, 5, 10)):
        automaton = tasks.modular_arithmetic(m)
        for terms in range(1, 10):
            text = "".join(f"{rng.randrange(m)}{rng.choice('+-*')}" for _ in range(terms - 1)) + str(rng.randrange(m))
            proof.exactly("modular arithmetic", automaton.output(automaton.run(text)[-1]), eval(text) % m)
            proof.exactly("modular arithmetic, incomplete", automaton.output(automaton.run(text + "+")[-1]), "incomplete")
            proof.exactly("modular arithmetic, no expression", automaton.output(automaton.run(text + "+*")[-1]), "error")
    for m in proof.tied("m <= 10, all words of up to 3 letters and some of 9, expressions or not", (2, 3, 4, 10)):
        automaton = tasks.modular_arithmetic(m)
        letters = [str(x) for x in automaton.letters]
        texts = ["".join(w) for n in (1, 2, 3) for w in product(letters, repeat=n) if m < 5 or n < 3]
        texts += ["".join(rng.choice(letters) for _ in range(9)) for _ in range(20)]
        for text in texts:
            whole = re.fullmatch(r"\d([-+*]\d)*", text) is not None
            begun = re.fullmatch(r"(\d[-+*])+", text) is not None
            wanted = eval(text) % m if whole else "incomplete" if begun else "error"
            proof.exactly("modular arithmetic on any word", automaton.output(automaton.run(text)[-1]), wanted)
    languages = [tasks.tomita(number) for number in range(1, 8)]
    for word in proof.tied(
        "Tomita's languages, all words of up to 9 letters", ["".join(w) for n in range(1, 10) for w in product("01", repeat=n)]
    ):
        blocks = [(run[0], len(run) % 2) for run in re.findall("1+|0+", word)]
        third = any(x == ("1", 1) and ("0", 1) in blocks[i:] for i, x in enumerate(blocks))
        wanted = [
            "0" not in word,
            re.fullmatch("(10)*", word) is not None,
            not third,
            "000" not in word,
            word.count("0") % 2 == word.count("1") % 2 == 0,
            (word.count("0") - word.count("1")) % 3 == 0,
            re.fullmatch("0*1*0*1*", word) is not None,
        ]
        found = [automaton.run(word)[-1] in automaton.accepting for automaton in languages]
        proof.exactly("Tomita's languages", found, wanted)
    for word in proof.tied("a Mealy machine, words of up to 40 letters", words(rng, "ab")):
        moore = from_mealy({"a": (1, 2, 0), "b": (0, 0, 1)}, {"a": ("x", "y", "x"), "b": ("z", "z", "x")})
        q, said = 0, []
        for letter in word:
            said.append({"a": ("x", "y", "x"), "b": ("z", "z", "x")}[letter][q])
            q = {"a": (1, 2, 0), "b": (0, 0, 1)}[letter][q]
        proof.exactly("from_mealy says the same", [moore.output(q) for q in moore.run(word)], said)


@tie("grazzi25.sec1.regular")
def expressions_and_subsets(proof: Proof) -> None:
    """Regular expressions against Python's, and nondeterministic automata with empty moves against automata-lib's."""
    rng = Random(71)

    def expression(depth: int) -> str:
        if depth == 0:
            return rng.choice(["a", "b", "c", ".", "[ab]", "[^b]"])
        kind = rng.randrange(4)
        if kind == 0:
            return f"({expression(depth - 1)}|{expression(depth - 1)})"
        if kind == 1:
            return f"({expression(depth - 1)}){rng.choice(['*', '+', '?', '{2}', '{1,3}', '{2,}'])}"
        return expression(depth - 1) + expression(depth - 1)

    short = ["".join(w) for n in range(5) for w in product("abc", repeat=n)]
    for text in proof.tied("40 expressions, all words of up to 4 letters", [expression(rng.randrange(4)) for _ in range(40)]):
        automaton = sources.from_regex(text, "abc")
        found = [([automaton.start, *automaton.run(word)])[-1] in automaton.accepting for word in short]
        proof.exactly("what an expression matches", found, [re.fullmatch(text, word) is not None for word in short])
    for n in proof.tied("automata of 1 to 8 states with empty moves, words of up to 9 letters", range(1, 9)):
        for _ in range(4):
            transitions = {
                q: {x: {rng.randrange(n) for _ in range(rng.randrange(1, 3))} for x in ("0", "1", "") if rng.random() < 0.5}
                for q in range(n)
            }
            # a chain of empty moves from the start, so that states are reached by several of them
            for q in range(n - 1):
                if rng.random() < 0.6:
                    transitions[q].setdefault("", set()).add(q + 1)
            final = {n - 1} | {q for q in range(n) if rng.random() < 0.2}
            nfa = NFA(states=set(range(n)), input_symbols={"0", "1"}, transitions=transitions, initial_state=0, final_states=final)
            automaton = sources.from_nfa(nfa)
            drawn = ["", *("".join(rng.choice("01") for _ in range(length)) for length in range(1, 10))]
            found = [([automaton.start, *automaton.run(word)])[-1] in automaton.accepting for word in drawn]
            proof.exactly("what it accepts", found, [nfa.accepts_input(word) for word in drawn])
