"""Formulas for a terminal: the LaTeX between dollar signs, parsed by pylatexenc, becomes Unicode in one line.

Scripts become raised and lowered characters where Unicode has them (``h_{t-1}`` is hₜ₋₁), else ^(...) and _(...); fractions and roots
become a/b and √a, matrices (a, b; c, d). A macro that nobody knows is printed as its name.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple
from unicodedata import combining, normalize

CODE = re.compile(r"`+([^`]+)`+")
MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)

RAISED = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ⊤*'",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡᵀ*′",
        strict=True,
    )
)
LOWERED = dict(zip("0123456789+-=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))
VULGAR = {("1", "2"): "½", ("1", "3"): "⅓", ("2", "3"): "⅔", ("1", "4"): "¼", ("3", "4"): "¾", ("1", "8"): "⅛"}

RELATIONS = set("=≠<>≤≥≪≫≲≳∈∉∋⊂⊆⊊⊃⊇⊄∼≈≅≃≡∝→↦⇒⇔←↔⟹⟺⟶⊢⊨∧∨") | {"mod"}
BIG = set("∑∏∫⋃⋂⨁")

#: what pylatexenc's own table lacks, or spells otherwise than we do
SYMBOLS = {
    "|": "‖", "Vert": "‖", "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "ne": "≠", "neq": "≠", "iff": "⇔", "implies": "⇒",
    "to": "→", "dots": "…", "ldots": "…", "cdots": "⋯", "top": "⊤", "epsilon": "ε", "varepsilon": "ε", "varphi": "φ", "phi": "φ", "circ": "∘", "bmod": "mod",
    "langle": "⟨", "rangle": "⟩", "emptyset": "∅", "varnothing": "∅", "prime": "'", "colon": ":", "coloneqq": "≔", "star": "⋆", "ast": "*", "setminus": "∖",
    "lesssim": "≲", "gtrsim": "≳", "subsetneq": "⊊", "circledast": "⊛", "backslash": "∖", "sim": "∼", "lnot": "¬", "neg": "¬", "land": "∧", "lor": "∨", "bigcup": "⋃",
    "bigcap": "⋂", "bigoplus": "⨁", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "leqslant": "≤", "geqslant": "≥", "cdot": "·", "times": "×", "{": "{", "}": "}",
    "#": "#", "%": "%", "_": "_", "&": "&", "$": "USD",
}  # fmt: skip
SPACES = {",", ";", ":", " ", ">", "quad", "qquad", "thinspace", "enspace"}
NOTHING = {
    "!",
    "left",
    "right",
    "big",
    "Big",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "bigg",
    "Bigg",
    "biggl",
    "biggr",
    "middle",
    "limits",
    "nolimits",
    "displaystyle",
}
NOTHING |= {"textstyle", "scriptstyle", "bigm", "mathstrut", "strut"}
NAMES = {
    "max",
    "min",
    "sup",
    "inf",
    "ln",
    "log",
    "exp",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "coth",
    "arctan",
    "arccos",
    "arcsin",
    "det",
    "dim",
    "deg",
}
NAMES |= {"arg", "ker", "Pr", "gcd", "lim", "limsup", "liminf", "rank", "Re", "Im", "hom"}
ACCENTS = {"bar": "\u0304", "overline": "\u0305", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303"}
ACCENTS |= {"dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7", "check": "\u030c", "underline": "\u0332"}
UPRIGHT = {"operatorname", "mathrm", "text", "textrm", "mathsf", "mathtt", "texttt", "textsf", "mathit", "textit", "mathop", "emph"}
BOLD = {"mathbf", "boldsymbol", "bm", "textbf"}
ALPHABETS = {"mathcal", "mathscr", "mathbb", "mathfrak", "mathds"}
BRACKETS = {"cases": "{}", "bmatrix": "[]", "vmatrix": "||", "pmatrix": "()", "smallmatrix": "()"}
FRACTIONS = {"frac", "tfrac", "dfrac", "nicefrac"}


def readable(text: str) -> str:
    """``text`` with every formula between dollar signs in Unicode, and code without its backticks; the words around them stay as they are."""
    return MATH.sub(lambda found: formula(found.group(1) or found.group(2)), CODE.sub(r"\1", text))


@cache
def formula(latex: str) -> str:
    """One formula, without its dollar signs, in Unicode."""
    from pylatexenc.latexwalker import LatexWalker

    nodes, _, _ = LatexWalker(f"${latex}$", latex_context=_grammar(), tolerant_parsing=True).get_latex_nodes()
    return normalize("NFC", _text(nodes[0].nodelist))


@cache
def _grammar() -> Any:
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import MacroSpec

    grammar = get_default_latex_context_db()
    # pylatexenc takes a text too, which its default value does not show
    one_argument: Any = "{"
    two_arguments: Any = "{{"
    two = [MacroSpec(name, two_arguments) for name in (*FRACTIONS, "binom", "tbinom", "dbinom", "overset", "underset", "stackrel")]
    one = [
        MacroSpec(name, one_argument)
        for name in ("operatorname", "mathop", "boldsymbol", "bm", "widehat", "widetilde", "overline", "underline", "pmod", *ACCENTS)
    ]
    grammar.add_context_category("formulas", macros=two + one, prepend=True)
    return grammar


class Piece(NamedTuple):
    """Something set in one line. ``kind``: "relation", "name" (of a function), "fraction", "big" (a sum), "script", or "" for the rest."""

    text: str
    kind: str = ""


def _text(nodes: list[Any]) -> str:
    return " ".join(_joined(_pieces(nodes)).split())


def _pieces(nodes: list[Any]) -> list[Piece]:
    """The pieces of a formula in order; "^" and "_" have become scripts."""
    pieces: list[Piece] = []
    script = ""
    for node in (piece for x in nodes for piece in (x.chars if _is(x, "Chars") else [x])):
        if isinstance(node, str) and (node in "^_" or node.isspace()):
            script = node if node in "^_" else script
            continue
        new = _one(node)
        if script and new:
            new, script = [Piece(_script(script, "".join(x.text for x in new)), "script")], ""
        pieces += new
    return pieces


def _is(node: Any, kind: str) -> bool:
    return type(node).__name__ == f"Latex{kind}Node"


def _one(node: Any) -> list[Piece]:
    if isinstance(node, str):
        return [Piece(node, _kind(node))]
    if _is(node, "Macro"):
        return _macro(node)
    if _is(node, "Environment"):
        return [Piece(_matrix(node))]
    if _is(node, "Specials"):
        return [Piece(" " if node.specials_chars in ("~", "&") else node.specials_chars)]
    return [Piece(_text(node.nodelist))] if getattr(node, "nodelist", None) else []


def _kind(symbol: str) -> str:
    return "relation" if symbol in RELATIONS else "big" if symbol in BIG else ""


def _macro(node: Any) -> list[Piece]:
    name = node.macroname
    given = [x for x in ((node.nodeargd and node.nodeargd.argnlist) or []) if x is not None]
    arguments = [_text([x]) for x in given]
    last = arguments[-1] if arguments else ""
    if name in NOTHING:
        return []
    if name in SYMBOLS:
        return [Piece(SYMBOLS[name], _kind(SYMBOLS[name]))]
    if name in SPACES or name == "\\":
        return [Piece(" ")]
    if name in NAMES:
        return [Piece(name, "name")]
    if name in FRACTIONS:
        above, below = arguments
        vulgar = VULGAR.get((above, below))
        return [Piece(vulgar) if vulgar else Piece(f"{_closed(above)}/{_closed(below, strict=True)}", "fraction")]
    if name in ("binom", "tbinom", "dbinom"):
        return [Piece(f"binom({', '.join(arguments)})")]
    if name == "sqrt":
        degree = arguments[0] if len(arguments) > 1 else ""
        return [Piece(f"{_script('^', degree) if degree else ''}√{_closed(last)}")]
    if name == "pmod":
        return [Piece(f" (mod {last})")]
    if name == "not":
        return [Piece({"⊂": "⊄", "=": "≠", "∈": "∉", "≡": "≢"}.get(last, f"not {last}"), "relation")]
    if name in ("text", "textrm", "textit", "mbox"):
        return [Piece(given[-1].latex_verbatim().strip("{}"))]
    if name in UPRIGHT:
        return [Piece(last, "name" if len(last) > 1 else "")]
    if name in ACCENTS:
        single = len([x for x in last if not combining(x) and x not in _SCRIPTS]) == 1
        return [Piece(last[0] + ACCENTS[name] + last[1:] if single else f"{name.removeprefix('wide').replace('overline', 'bar')}({last})")]
    if name in BOLD:
        return [Piece(last)]
    if name in ALPHABETS:
        return [Piece(_latex2text().node_to_text(node).strip())]
    symbol = getattr(_latex2text().latex_context.get_macro_spec(name), "simplify_repl", None)
    if isinstance(symbol, str) and symbol and "%" not in symbol:
        return [Piece(symbol, _kind(symbol))]
    return [Piece(name, "name"), *map(Piece, arguments)]


def _matrix(node: Any) -> str:
    """Rows with commas and semicolons; the branches of ``cases`` likewise, in braces."""
    rows: list[list[list[Any]]] = [[[]]]
    for x in node.nodelist:
        if _is(x, "Macro") and x.macroname == "\\":
            rows.append([[]])
        elif _is(x, "Specials") and x.specials_chars == "&":
            rows[-1].append([])
        else:
            rows[-1][-1].append(x)
    lines = [", ".join(map(_text, row)) for row in rows]
    text = "; ".join(line for line in lines if line.strip(" ,"))
    opening, closing = BRACKETS.get(node.environmentname, ("", ""))
    return f"{opening}{text}{closing}"


def _script(kind: str, text: str) -> str:
    """``text`` raised ("^") or lowered ("_")."""
    tight = re.sub(r" ?([^\w\s]) ?", r"\1", text)
    if kind == "^" and tight == "∘":
        return "°"
    table = RAISED if kind == "^" else LOWERED
    if all(x in table for x in tight):
        return "".join(table[x] for x in tight)
    return f"{kind}{tight}" if len([x for x in tight if not combining(x)]) == 1 else f"{kind}({tight})"


def _closed(text: str, strict: bool = False) -> str:
    """``text``, in parentheses unless it is one factor, or a product of letters; ``strict`` closes products too: they stand below a fraction's line."""
    if re.fullmatch(r"[\d.]+|\([^()]*\)|\|[^|]*\||‖[^‖]*‖", text):
        return text
    letters = [x for x in text if not combining(x) and x not in _SCRIPTS]
    plain = all(x.isalnum() or x in "!…√" for x in letters)
    return text if plain and (len(letters) == 1 or not strict) else f"({text})"


def _joined(pieces: list[Piece]) -> str:
    """The pieces in a line: spaces around relations, after commas, and where a name, a fraction or a sum meets a letter or a digit."""
    line, last = "", ""
    for text, kind in pieces:
        if kind == "relation":
            colon = ":" if text == "=" and line.endswith(":") else ""  # := is one sign
            line = f"{line.removesuffix(colon).rstrip()} {colon}{text} "
        elif kind == "script":
            line += text
            continue  # a name with a script is still a name
        else:
            letter = text[:1].isalnum() or text[:1] == "√"
            bar = text[:1] in "|‖⟨"
            apart = (last == "name" and (letter or bar)) or (last == "fraction" and (letter or bar)) or (last == "big" and letter)
            closes = line[-1:] in tuple(")⟩") or (
                line[-1:] in tuple("|‖") and line[-2:-1] not in tuple(" (|‖")
            )  # an opening bar follows a space
            apart |= kind in ("name", "fraction") and (line[-1:].isalnum() or closes)
            line += f"{' ' if apart and not line.endswith(' ') else ''}{text}{' ' if text == ',' else ''}"
        last = kind
    return line


@cache
def _latex2text() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text(math_mode="text")


_SCRIPTS = (set(RAISED.values()) | set(LOWERED.values())) - {"*"}
