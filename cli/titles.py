"""Mathematics in a title: what is typed in ASCII (``S_5``, ``1^k``, ``beta <= 1``) as a reader sees it (S₅, 1ᵏ, β ≤ 1).

Titles of claims are written so in the source; a test holds them to :data:`RAW`. Names of the table's models and tasks pass through :func:`set_text`.
"""

from __future__ import annotations

import re

from .formulas import LOWERED, RAISED

#: mathematics that nobody should have to read: scripts and relations typed in ASCII
RAW = re.compile(r"[_^]|<=|>=|!=|->|\+-|\.\.\.|\b(?:alpha|beta|gamma|kappa|lambda|Lambda|omega|Omega|theta|sigma|rho|eps|phi|Phi|sqrt)\b")

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "theta": "θ", "kappa": "κ", "lambda": "λ", "nu": "ν", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Lambda": "Λ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "+-": "±", "...": "…", "||": "‖", " o ": " ∘ ", "h-hat": "ĥ"}

#: a sum of what has an index or stands in brackets; elsewhere it is a word
SUM = re.compile(r"\bsum(?=_| \w+_| \(| Lambda)")

#: what stands behind ^ or _: in braces or parentheses, or one sign or word
SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|\(([^()]*)\)|([-+]?\w+|[+*]))")


def set_text(text: str) -> str:
    """``text`` with its mathematics in Unicode. A script that Unicode lacks stays as it is typed.

    >>> set_text("A_5 in M_n^2([-1, 1]) for every beta <= 1")
    'A₅ in Mₙ²([−1, 1]) for every β ≤ 1'
    """
    for typed, sign in RELATIONS.items():
        text = text.replace(typed, sign)
    text = SUM.sub("∑", text).replace("prod (", "∏ (")
    # "delta rule" is a name, and so is the end of an id
    text = re.sub(r"(?<![A-Za-z.])(" + "|".join(GREEK) + r")(?![A-Za-z]|-rule| rule)", lambda found: GREEK[found.group(1)], text)
    text = re.sub(r"\binf\b(?=[)\],]|$)", "∞", text)
    text = re.sub(r"\bsqrt[ ]?(?=[\w(])", "√", text)
    text = re.sub(r"(?<=\b[nmk\d]) x (?=[nmk\d]\b)", " × ", text)
    text = SCRIPT.sub(_script, text)
    # a minus that stands apart on both sides, or before a number, or begins what is in brackets
    text = re.sub(r"(?<=[\w)\]|‖′*]) - (?=[\w(\[|‖√#])", " − ", text)
    return re.sub(r"(?<=[\[({])-(?=[\w∞|(√])|(?<= )-(?=[\d∞])", "−", text)


def _script(found: re.Match[str]) -> str:
    kind, *forms = found.groups()
    table = RAISED if kind == "^" else LOWERED
    inside = next(form for form in forms if form is not None).replace(" ", "")
    return "".join(table[x] for x in inside) if inside and all(x in table for x in inside) else found.group()
