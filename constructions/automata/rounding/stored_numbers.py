"""The numbers that torch stores of a network, as plain data: what the verified checker proves right at every length in floating point.

A number is ``[m, e]``, m 2^e. ``A``, ``B``, the start and the micro-steps are in the data type, the codes in float64, as ``torch_module`` and ``delta_rule`` have them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .layer import FORMATS, Format, LayerNumbers

#: data types that the verified checker knows
STORED = ("float32", "float16", "bfloat16")

Dyadic = list[int]


def stored_numbers(document: dict[str, Any], dtype: str) -> dict[str, Any]:
    """The stored numbers of an exported network in a data type, as ``lemmata recheck --verified --format`` reads them.

    Each layer has ``start`` (n,), for each map ``A`` (n, n), ``B`` (n,), its ``codes`` (K, n) as multiples of 2^``unit`` and its micro-steps ``steps`` (None if it has none), the ``letters`` of the
    document, and ``following`` (letters, K): what is handed on in each code, -1 where that cannot happen. Raises ``ValueError`` for another data type.

    Example:
        >>> from lemmata.constructions.automata import compile_regex
        >>> layer = stored_numbers(compile_regex("(b|ab*a)*").document(), "bfloat16")["layers"][0]
        >>> layer["start"], len(layer["maps"])
        ([[1, 0], [0, 0]], 2)
    """
    require_stored(dtype)
    form = FORMATS[dtype]
    return {
        "format": "lemmata-stored",
        "version": 1,
        "dtype": dtype,
        "letters": document["letters"],
        "automaton": document["automaton"],
        "layers": [_layer(layer, document["field"], form) for layer in document["layers"]],
    }


def require_stored(dtype: str) -> None:
    """Raise ``ValueError`` unless stored numbers are known of the data type."""
    if dtype not in STORED:
        raise ValueError(f"expected a data type among {', '.join(STORED)}, got {dtype!r}")


def _layer(layer: dict[str, Any], field: int, form: Format) -> dict[str, Any]:
    numbers = LayerNumbers(layer, field)
    longest = max(map(len, numbers.reached))
    following = [[-1] * longest for _ in layer["letters"]]
    for i, y, z in layer["decoder"]:
        following[y][numbers.reached[layer["letters"][y][3]].index(i)] = z
    return {
        "start": _dyadics(form.stored(numbers.states[0])),
        "maps": [
            {
                "A": [_dyadics(row) for row in form.stored(numbers.A[f])],
                "B": _dyadics(form.stored(numbers.B[f])),
                **_codes(numbers.states[found]),
                "steps": None if micro is None else [_micro(k, beta, v, form) for k, beta, v in micro],
            }
            for f, (found, micro) in enumerate(zip(numbers.reached, numbers.micro, strict=True))
        ],
        "letters": layer["letters"],
        "following": following,
    }


def _micro(k: np.ndarray, beta: float, v: float, form: Format) -> dict[str, Any]:
    strength, value = _dyadics(form.stored(np.array([beta, v])))
    return {"key": _dyadics(form.stored(k)), "strength": strength, "value": value}


def _codes(states: np.ndarray) -> dict[str, Any]:
    codes = [_dyadics(state) for state in states]
    unit = min(e for code in codes for _, e in code)
    return {"unit": unit, "codes": [[m << (e - unit) for m, e in code] for code in codes]}


def _dyadics(values: np.ndarray) -> list[Dyadic]:
    return [_dyadic(float(x)) for x in values]


def _dyadic(x: float) -> Dyadic:
    m, q = x.as_integer_ratio()
    shift = (m & -m).bit_length() - 1 if m else 0
    return [m >> shift, shift - q.bit_length() + 1] if m else [0, 0]
