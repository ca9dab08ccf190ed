"""Identities with free symbols in SymPy: the cheap ways to see that a difference is 0 before the dear one."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef

#: what a symbol may stand for; the first number with all its assumptions is taken. No two symbols get the same one.
NUMBERS = [sympy.Rational(p, 97) for p in (131, 61, 211, 43, 173, 89, 251, 29, 151)]
NUMBERS += (
    [sympy.Integer(n) for n in (5, 7, 4, 11, 6, 13, 3, 10, 2)] + [-sympy.Rational(p, 97) for p in (131, 61, 211)] + [sympy.Integer(-3)]
)

#: below this a value may be rounding
VISIBLE = 1e-12


def difference(left: Any, right: Any) -> sympy.Expr:
    """``left - right``: 0 only if it is 0 for all values of the symbols; what is left of it otherwise.

    In turn: expansion; a common denominator; circular and hyperbolic functions as exponentials. What is then not 0 at some numbers is no identity, and
    only what is 0 there goes to ``sympy.simplify``, which may take a hundred times as long.
    """
    rest = sympy.expand(sympy.sympify(left) - sympy.sympify(right))
    if rest == 0:
        return sympy.S.Zero
    numerator = _numerator(rest)
    for form in (lambda: numerator, lambda: sympy.expand(numerator.rewrite(sympy.exp)), lambda: _numerator(numerator.rewrite(sympy.exp))):
        if form() == 0:
            return sympy.S.Zero
    return rest if is_visible(rest) else sympy.simplify(rest)


def _numerator(expression: sympy.Expr) -> sympy.Expr:
    return sympy.expand(sympy.fraction(sympy.together(expression))[0])


def is_visible(expression: sympy.Expr) -> bool:
    """Whether it is not 0 at one choice of numbers for its symbols; False where there is no such choice, or no number comes out."""
    if expression.has(sympy.Integral, sympy.Sum, sympy.Product, sympy.Derivative, sympy.Limit, AppliedUndef):
        return False
    chosen: dict[sympy.Basic | complex, sympy.Basic | complex] = {}
    for symbol in sorted(expression.free_symbols, key=str):
        fitting = (x for x in NUMBERS if x not in chosen.values() and _fits(x, symbol))
        if (found := next(fitting, None)) is None:
            return False
        chosen[symbol] = found
    value = sympy.N(expression.subs(chosen, simultaneous=True), 30)
    return bool(value.is_Number or value.is_number) and value.is_finite is True and bool(abs(value) > VISIBLE)


def _fits(number: sympy.Expr, symbol: sympy.Basic) -> bool:
    """Whether a number has all that is assumed of a symbol."""
    return all(getattr(number, f"is_{name}") is known for name, known in symbol.assumptions0.items())
