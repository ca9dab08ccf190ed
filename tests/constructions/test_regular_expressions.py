"""The syntax of regular expressions, against Python's, automata-lib's and the definition by sets of words."""

import re
from itertools import product
from random import Random

import pytest
from automata.fa.nfa import NFA
from hypothesis import given, settings
from hypothesis import strategies as st
from lemmata.constructions.automata.read import derivatives
from lemmata.constructions.automata.read.sources import from_regex

LONGEST = 6
WORDS = ["".join(w) for n in range(LONGEST + 1) for w in product("ab", repeat=n)]
#: (low, high) as they are written
COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1), "{2}": (2, 2), "{1,3}": (1, 3), "{2,}": (2, None), "{0}": (0, 0)}

# an expression is a tuple: ("letters", text, set), (operator, parts...) or ("repeat", count, part)
leaves = st.sampled_from(
    [("letters", t, s) for t, s in {"a": "a", "b": "b", ".": "ab", "[ab]": "ab", "[a-b]": "ab", "[^a]": "b", "[b]": "b"}.items()]
) | st.just(("empty",))


def expressions(operators, counts=tuple(COUNTS)):
    return st.recursive(
        leaves,
        lambda inner: st.tuples(st.sampled_from(operators), inner, inner) | st.tuples(st.just("repeat"), st.sampled_from(counts), inner),
        max_leaves=8,
    )


def written(e) -> str:
    """The expression as text, with a bracket around every part; the same in our syntax, in Python's and in automata-lib's."""
    match e:
        case ("letters", text, _):
            return text
        case ("empty",):
            return "()"
        case ("repeat", count, part):
            return f"({written(part)}){count}"
        case _:
            operator, left, right = e
            return f"({written(left)}){operator}({written(right)})"


def language(e):
    """Its words of length at most 6, by the definition."""
    match e:
        case ("letters", _, letters):
            return set(letters)
        case ("empty",):
            return {""}
        case ("|", left, right):
            return language(left) | language(right)
        case ("&", left, right):
            return language(left) & language(right)
        case ("", left, right):
            return joined(language(left), language(right))
        case ("repeat", count, part):
            low, high = COUNTS[count]
            power, found = {""}, set()
            # after as many copies as the longest word has letters, further ones add nothing but the empty word's powers
            for copies in range(LONGEST + low + 1 if high is None else high + 1):
                found |= power if copies >= low else set()
                power = joined(power, language(part))
            return found


def joined(left, right):
    return {u + v for u in left for v in right if len(u + v) <= LONGEST}


def accepted(automaton):
    return {w for w in WORDS if (automaton.run(w) or [automaton.start])[-1] in automaton.accepting}


@settings(max_examples=150)
@given(expressions(["|", "", "&"]))
def test_every_short_word_as_the_definition_says(e):
    assert accepted(from_regex(written(e), "ab")) == language(e)


@settings(max_examples=150)
@given(expressions(["|", ""]))
def test_agrees_with_the_standard_library(e):
    text = written(e)
    assert accepted(from_regex(text, "ab")) == {w for w in WORDS if re.fullmatch(text, w)}


@settings(max_examples=60)
@given(expressions(["|", "", "&"], [count for count in COUNTS if count != "{0}"]))
def test_agrees_with_automata_lib(e):
    """But for {0}, which automata-lib 9.2 reads as at most one."""
    text = written(e).replace("[ab]", "(a|b)").replace("[a-b]", "(a|b)").replace("[^a]", "b").replace("[b]", "b")
    other = NFA.from_regex(text, input_symbols={"a", "b"})
    assert accepted(from_regex(text, "ab")) == {w for w in WORDS if other.accepts_input(w)}


@pytest.mark.parametrize(
    ("loose", "tight"), [("a|b&ab", "a|(b&ab)"), ("ab|ba", "(ab)|(ba)"), ("ab*", "a(b*)"), ("ab&a*b", "(ab)&(a*b)"), ("a|ab?", "a|(a(b?))")]
)
def test_what_binds_more_tightly(loose, tight):
    assert accepted(from_regex(loose, "ab")) == accepted(from_regex(tight, "ab"))
    assert accepted(from_regex("(a|ab)&ab", "ab")) != accepted(from_regex("a|ab&ab", "ab"))


def test_whatever_text_is_read_means_the_same_to_the_standard_library():
    """But for &, which is a letter there. Unlike the tests above this one writes texts, not expressions: it finds what is read by mistake."""
    words, found = ["".join(w) for n in range(5) for w in product("ab,", repeat=n)], 0
    for seed in range(6000):
        rng = Random(seed)
        text = "".join(rng.choice("aabb||*+?(){},12.[]^-\\") for _ in range(rng.randint(1, 10)))
        try:
            automaton = from_regex(text, "ab,")
        except ValueError:
            continue
        theirs, found = re.compile(text), found + 1
        for w in words:
            assert ((automaton.run(w) or [automaton.start])[-1] in automaton.accepting) == (theirs.fullmatch(w) is not None), (text, w)
    assert found > 200


def test_a_wrong_derivative_is_noticed(monkeypatch):
    """The comparison above can fail: with one copy too many, {2} is another language."""
    honest = derivatives.Terms.repeat
    monkeypatch.setattr(derivatives.Terms, "repeat", lambda self, body, low, high: honest(self, body, low, high and high + (high == 2)))
    assert accepted(from_regex("a{2}", "ab")) != {"aa"}


@pytest.mark.parametrize(
    ("text", "letters", "words"),
    [
        (r"a\*b", "*ab", ["a*b"]),
        (r"\(\)\[\]\{\}\\\.\|\&\+\?\^\$", "".join(sorted(r"()[]{}\.|&+?^$")), [r"()[]{}\.|&+?^$"]),
        (r"[*+.|&?(){}$]", "".join(sorted("*+.|&?(){}$")), list("*+.|&?(){}$")),
        (r"[\-\]\[\^\\]", "".join(sorted("-][^\\")), list("-][^\\")),
        (r"a\ b", " ab", ["a b"]),
        ("-0+,", ",-0", ["-0,", "-00,"]),
        ("-{2},", ",-", ["--,"]),
        ("äß|日", "äß日", ["äß", "日"]),
    ],
)
def test_operators_as_letters(text, letters, words):
    automaton = from_regex(text)
    assert automaton.letters == sorted(letters)
    assert all(automaton.run(w)[-1] in automaton.accepting for w in words)


@pytest.mark.parametrize(
    ("text", "what", "place"),
    [
        ("(ab", "a '(' that is not closed", 1),
        ("a)", "an unexpected ')'", 2),
        ("*", "nothing to repeat before '*'", 1),
        ("a|*", "nothing to repeat before '*'", 3),
        ("a**", "a second repetition", 3),
        ("a+?", "a second repetition", 3),
        ("a{2}{3}", "a second repetition", 5),
        ("a|", "no expression", 3),
        ("|a", "no expression before '|'", 1),
        ("(a&)", "no expression before ')'", 4),
        ("a{", "no number", 3),
        ("a{,3}", "no number", 3),
        ("a{2", "a count that is not", 2),
        ("a{2;3}", "a count that is not", 2),
        ("a{ 2}", "no number", 3),
        ("a{3,2}", "a count of at least 3 and at most 2", 2),
        ("a{10001}", "a count above 10000", 3),
        ("a{" + "9" * 5000 + "}", "a count above 10000", 3),
        ("a}", "an unexpected '}'", 2),
        ("[]", "a class without letters", 1),
        ("[^]", "a class without letters", 1),
        ("[^ab]", "a class without letters", 1),
        ("[ab", "a '[' that is not closed", 1),
        ("[b-a]", "a range from 'b' to 'a'", 2),
        ("[a-]", "an unexpected ']'", 4),
        ("a]", "an unexpected ']'", 2),
        ("a b", "an unexpected ' '", 2),
        ("^a", "an unexpected '^'", 1),
        ("a$", "an unexpected '$'", 2),
        ("ε", "an unexpected 'ε' (the empty word is ())", 1),
        (r"\d", "a \\ before 'd'", 1),
        ("a\\", "a \\ with nothing after it", 2),
        ("\ud800", "half a surrogate pair", 1),
        ("(" * 101 + ")" * 101, "more than 100 brackets within each other", 101),
        ("abc", "the letter 'c', which is not in the alphabet 'ab',", 3),
        ("[a-c]", "the letter 'c', which is not in the alphabet 'ab',", 4),
    ],
)
def test_what_is_not_in_the_syntax(text, what, place):
    with pytest.raises(ValueError, match=re.escape(what)) as error:
        from_regex(text, "ab")
    assert str(error.value).startswith("expected a regular expression, got ")
    assert str(error.value).endswith(f" at position {place}")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_a_range_must_lie_in_the_alphabet():
    with pytest.raises(ValueError, match="a range with 'b', which is not in the alphabet"):
        from_regex("[a-c]", "ac")


@pytest.mark.parametrize("bad", ["", [], "aa", ["ab"], [1], 5, "aba", "\ud800", "a" * 1001])
def test_alphabets_that_are_none(bad):
    with pytest.raises(ValueError, match="expected an alphabet of"):
        from_regex("a", bad)


@pytest.mark.parametrize("bad", [3, None, b"a", ["a"]])
def test_no_text(bad):
    with pytest.raises(ValueError, match="expected a regular expression as text, got"):
        from_regex(bad)


def test_no_letters_and_no_alphabet():
    for text in ("", "()", ".", ".*"):
        with pytest.raises(ValueError, match="pass an alphabet"):
            from_regex(text)
    with pytest.raises(ValueError, match=r"letters that a \[\^...\] leaves, and no alphabet"):
        from_regex("[^a]b")
    assert from_regex("", "a").n == 2


def test_a_dot_is_any_letter_that_is_mentioned():
    assert from_regex("a.|b", None).table == from_regex("a[ab]|b").table
    assert from_regex("[^a]", "abc").table == from_regex("[bc]", "abc").table


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("a{10000}", 10_002),
        ("[a-a]", 3),
        ("(a{100}){100}", 10_002),
        ("a{5,}", 6),
        ("(a?){1000}", 1002),
        ("(a*){1000}", 1),
        ("a?" * 200, 202),
        ("(" * 100 + "a" + ")*" * 100, 1),
        ("x" * 5000, 5002),
    ],
)
def test_large_expressions(text, states):
    assert from_regex(text).n == states


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a|b)*a(a|b){16}", "a deterministic automaton of at most 20000 states"),
        ("(a{1000}){1000}", "a deterministic automaton of at most 20000 states"),
        ("x" * 10_001, "at most 10000 characters"),
        ("[\x21-\u0500]", "a range from"),
    ],
)
def test_expressions_that_are_too_large(text, message):
    with pytest.raises(ValueError, match=message):
        from_regex(text)


def test_work_is_bounded(monkeypatch):
    monkeypatch.setattr(derivatives, "LARGEST_WORK", 10_000)
    with pytest.raises(ValueError, match="found in 10000 steps"):
        from_regex("(a{1,100}b?){100}")


@settings(max_examples=300)
@given(st.text(r"ab|&*+?(){}[]\^-.,12 $", max_size=12), st.sampled_from([None, "ab", "ab,"]))
def test_any_text_is_an_automaton_or_one_line(text, alphabet):
    try:
        automaton, refusal = from_regex(text, alphabet), None
    except ValueError as error:
        automaton, refusal = None, str(error)
    if automaton is None:
        assert re.match("expected [^\n]*$", refusal)
    else:
        assert automaton.n >= 1
        assert alphabet is None or automaton.letters == sorted(alphabet)
