"""Layers in which no sum ever has two terms other than 0: whatever their numbers, a format that has these numbers rounds nothing.

An argument instead of a list: the maps of ``levels.numbered`` have up to m! products, and yet each entry of each product is one product of two
numbers, one of which is 0, 1 or -1 (new.automata.unrounded).
"""

from __future__ import annotations

import numpy as np

from .layer import Format, LayerNumbers


def adds_nothing(layer: LayerNumbers) -> bool:
    """Whether no entry of A h + B, and of any composition of the maps in any bracketing, is a sum of two terms other than 0.

    Sufficient, not necessary: every map is a signed partial permutation whose B is 0 in the rows that A fills; or the coordinates fall into
    inner ones and ones that no map reads, and each map either moves the inner ones by such a matrix, with B = 0, or forgets them and sets one
    of them to 1 or -1; what it writes into the others is then one entry of its matrix.
    """
    return _moves(layer.A, layer.B) or _keeps_numbers(layer)


def _moves(A: np.ndarray, B: np.ndarray) -> bool:
    """Signed partial permutations, with B in empty rows alone.

    Closed under composition: A_2 maps the rows that A_1 fills and those that B_1 fills one to one, so they stay apart, and B_2 lies in rows
    that A_2 leaves empty. Entries of products are entries or their negatives.
    """
    return _signed(A) and not ((A != 0).any(2) & (B != 0)).any()


def _signed(A: np.ndarray) -> bool:
    return bool(np.isin(A, (-1, 0, 1)).all() and ((A != 0).sum(1) <= 1).all() and ((A != 0).sum(2) <= 1).all())


def _keeps_numbers(layer: LayerNumbers) -> bool:
    """Inner coordinates hold one entry, 1 or -1; the others are written from them and read by no map.

    Closed under composition: the inner parts are signed partial permutations without input, or 0 with an input of one entry; a later map
    moves that entry, or writes one number of its own matrix for it; and where a composition writes from the inner coordinates, it has not
    set them.
    """
    A, B, start = layer.A, layer.B, layer.states[0]
    inner = A.any((0, 1))
    moved = A[:, inner][:, :, inner]
    still, silent = ~moved.any((1, 2)), ~B.any(1)
    return bool(
        ((A != 0).sum(1) <= 1).all()
        and _signed(moved)
        and not B[:, ~inner].any()
        and np.isin(B, (-1, 0, 1)).all()
        and ((B != 0).sum(1) <= 1).all()
        and (still | silent).all()
        and np.isin(start[inner], (-1, 0, 1)).all()
        and np.count_nonzero(start[inner]) <= 1
    )


def has_numbers(layer: LayerNumbers, form: Format) -> bool:
    """Whether the format has all entries of the maps and of the start."""
    return all(np.array_equal(form.stored(x), x) for x in (layer.A, layer.B, layer.states[0]))
