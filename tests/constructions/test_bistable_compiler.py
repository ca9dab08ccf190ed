"""From automata to bistable layers: right on all short words, refused with words that offend, and every broken part is noticed."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton
from lemmata.constructions.automata.read.machines import minimise
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.bistable import BMRU
from lemmata.constructions.bistable.closure import close
from lemmata.constructions.bistable.compiler import NotBistable, compile_bistable, compile_hybrid
from lemmata.constructions.bistable.hybrids import delay_stack
from lemmata.constructions.bistable.refusals import Period, SameLength, Stutter, by_length, end, least_clock, same_length
from lemmata.constructions.recurrence import reachable_with

#: expression -> (letters, clock)
LANGUAGES = {
    "(a|b|c)*ac*": ("abc", 1),
    "a+b+": ("ab", 1),
    "(a|b|c)*ab*c(a|b|c)*": ("abc", 1),
    "(a|b)*": ("ab", 1),
    "(a+b+c+)+": ("abc", 1),
    "(0|1)*11": ("01", 2),
    "(111)*": ("1", 3),
    "(ab)*": ("ab", 2),
}


@pytest.mark.parametrize("regex", LANGUAGES)
def test_it_runs_as_the_automaton(regex):
    letters, clock = LANGUAGES[regex]
    network = compile_hybrid(from_regex(regex, letters))
    assert network.clock == clock
    for n in range(1, 5):
        for word in product(letters, repeat=n):
            expected = [(network.automaton.name(q), q in network.automaton.accepting) for q in network.automaton.run(word)]
            assert network.run(word) == expected


def test_it_closes_in_the_arithmetic_of_the_unit_itself():
    network = compile_bistable(from_regex("(a|b|c)*a+b+c+", "abc"))
    found = reachable_with(network.stack, network.automaton.step, network.automaton.start, tuple("abc"), lambda q: q)
    assert (found.closed, found.mismatch, len(found.pairs)) == (True, None, network.proof.states)


def test_a_moore_machine_keeps_its_outputs():
    machine = Automaton({"up": (1, 2, 2), "down": (0, 0, 1), "stay": (0, 1, 2)}, outputs=("low", "middle", "high"))
    with pytest.raises(NotBistable, match="'up' answered middle and 'up up' answered high"):
        compile_bistable(machine)
    network = compile_hybrid(machine)
    assert [network.automaton.output(q) for q in network.stack.run(["up", "up", "down", "stay"])] == ["middle", "high", "middle", "middle"]


def test_refusals_have_the_words():
    cases = {
        ("(0|1)*11", "01"): Stutter((), "1", (), ("rejected", "accepted")),
        ("a(a|b)*", "ab"): None,
        ("b*ab*ab*", "ab"): Stutter((), "a", (), ("rejected", "accepted")),
        ("(a+b+a+b+)*", "ab"): Period(("a",), ("b", "a"), ("b",), ("accepted", "rejected")),
    }
    for (regex, letters), why in cases.items():
        if why is None:
            assert compile_bistable(from_regex(regex, letters)).proof.states > 1
        else:
            with pytest.raises(NotBistable) as caught:
                compile_bistable(from_regex(regex, letters))
            assert caught.value.why == why


def test_parity_of_ones_has_no_clock_and_parity_of_the_length_has():
    with pytest.raises(NotBistable) as caught:
        compile_hybrid(from_regex("(0*10*1)*0*", "01"))
    why = caught.value.why
    assert isinstance(why, SameLength)
    assert (why.word, why.other, why.said) == (("1",), ("0",), ("rejected", "accepted"))
    assert compile_hybrid(from_regex("((0|1)(0|1))*", "01")).clock == 2


def test_a_cycle_that_some_word_of_its_length_leaves_alone_is_found_behind_another():
    """a turns 0, 1 and 2, 3, 4; b turns 0, 1 only, so the words tell about the second cycle."""
    automaton = Automaton({"a": (1, 0, 3, 4, 2), "b": (1, 0, 2, 3, 4), "c": (2, 2, 2, 2, 2)}, outputs=tuple(range(5)))
    why = same_length(automaton, by_length(automaton))
    assert why is not None
    assert (why.word, why.other, len(why.said)) == (("a",), ("b",), 3)


def test_the_least_clock_is_the_least():
    automaton = minimise(from_regex("(1{6})*", "1"))
    assert least_clock(by_length(automaton)) == 6
    for clock in (2, 3, 4, 5):
        with pytest.raises(ArithmeticError, match="resets"):
            compile_bistable(automaton, clock)
    assert compile_bistable(automaton, 12).proof.states == 13


@pytest.mark.parametrize("regex", ["a+b+", "(1+0+)+1+", "(0|1)*11"])
def test_a_layer_that_writes_the_opposite_is_noticed(regex):
    network = compile_hybrid(from_regex(regex))
    for k, layer in enumerate(network.layers):
        unit = layer.unit
        broken = list(network.layers)
        broken[k] = replace(layer, unit=BMRU(unit.W_x, unit.b_x, unit.W_beta, unit.b_beta, -unit.alpha))
        with pytest.raises(ArithmeticError, match="got another"):
            close(network.automaton, broken, network.readout, network.clock)


def random_maps(rng, n, idempotent):
    """A map of n states; an idempotent one sends them to some of them, which stay."""
    image = rng.sample(range(n), rng.randint(1, n))
    return tuple(q if idempotent and q in image else rng.choice(image) for q in range(n))


def test_random_automata_are_proved_or_refused_with_words_that_offend():
    rng = Random(17)
    outcomes = Counter()
    for i in range(60):
        n, hybrid = rng.randint(4, 5), i % 2
        maps = {x: random_maps(rng, n, not hybrid) for x in "abc"}
        automaton = minimise(Automaton(maps, accepting=frozenset(q for q in range(n) if rng.random() < 0.5)))
        try:
            network = (compile_hybrid if hybrid else compile_bistable)(automaton)
        except NotBistable as refused:
            why, m = refused.why, automaton.accepting
            said = lambda *words: ("rejected", "accepted")[end(automaton, automaton.start, sum(words, ())) in m]  # noqa: B023, E731
            if isinstance(why, Period):
                p = len(why.said)
                assert [said(why.before, why.word * i, why.after) for i in range(1, 2 * p + 1)] == [*why.said] * 2
            else:
                assert isinstance(why, SameLength)
                for chosen in product((why.word, why.other), repeat=3):
                    ones = chosen.count(why.word)
                    assert said(why.before, *chosen, why.after) == why.said[(ones - 1) % len(why.said)]
            assert len(set(why.said)) == 2
            outcomes[type(why).__name__] += 1
        else:
            outcomes["with a clock" if network.clock > 1 else "without"] += 1
    assert min(outcomes[name] for name in ("Period", "SameLength", "with a clock", "without")) > 0, outcomes


def test_too_much_is_refused(monkeypatch):
    monkeypatch.setattr("lemmata.constructions.bistable.compiler.MOST_SITUATIONS", 3)
    with pytest.raises(ArithmeticError, match="at most 3 pairs"):
        compile_bistable(from_regex("a+b+", "ab"))


def test_delays_need_an_aperiodic_automaton():
    with pytest.raises(ArithmeticError, match="aperiodic"):
        delay_stack(from_regex("(11)*", "1"))
    with pytest.raises(ValueError, match="at least two states"):
        delay_stack(from_regex("(a|b)*", "ab"))


@pytest.mark.parametrize("regex", ["(a|b|c)*ab*c(a|b|c)*", "(111)*"])
def test_the_module_is_right_in_every_data_type_and_has_gradients(regex):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    letters, _ = LANGUAGES[regex]
    network = compile_hybrid(from_regex(regex, letters))
    words = torch.from_numpy(np.random.default_rng(5).integers(-1, len(letters), (4, 200)))
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        module = network.to_torch(dtype)
        for scan in (True, False):
            for word, states in zip(words.tolist(), module(words, scan).tolist(), strict=True):
                read = [letters[i] for i in word if i >= 0]
                assert [q for q, i in zip(states, word, strict=True) if i >= 0] == network.automaton.run(read)
    module = network.to_torch()
    torch.nn.functional.cross_entropy(module.logits(words)[:, -1], torch.zeros(4, dtype=torch.long)).backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in module.parameters())
    assert module.encode(letters).tolist() == list(range(len(letters)))
