"""Products of generalized Householder (GH) matrices  I - beta v v^T / (v^T v)  and what they can reach.

* ``factors``: one factor, products, reflections for orthogonal matrices and permutations
* ``contractions``: at most 2n - 1 factors by the polar form, backward stable
* ``fewest``: rank(I - M) factors where these suffice, one more for each pair of nonreal eigenvalues of a pencil where not; bounds for the least number
* ``search``: the same in floats, with a search for extra factors that serve several pairs at once
* ``pairs``: two scaled rotations, five factors or six
* ``rotations``: two reflections, the counter modulo m
* ``chunks``: the triangular inverse by which kernels multiply many factors at once

Written without a square root, so that the same code runs on float64 and, as object arrays, on rationals and cyclotomic
numbers. Factor lists are in the order in which the matrices are multiplied: the last factor acts first.
Source: grazzi25, Sec. 4.3 and App. C; the counts are sharper than printed (see ``theorems/householder``).
"""

from . import pairs
from .chunks import chunk_criterion, chunk_inverse, chunk_matrix
from .contractions import contraction_factors
from .factors import (
    GeneralizedHouseholder,
    boolean_transition,
    compose,
    cycles,
    permutation_matrix,
    product,
    reflections,
    swaps,
    zero_factors,
)
from .fewest import PencilForm, contraction_factor_bounds, fewest_contraction_factors, pencil_form
from .rotations import decoder_tolerance, exact_rotation, rotation, rotation_as_two_reflections, rotation_counter

__all__ = [
    "GeneralizedHouseholder",
    "PencilForm",
    "boolean_transition",
    "chunk_criterion",
    "chunk_inverse",
    "chunk_matrix",
    "compose",
    "contraction_factor_bounds",
    "contraction_factors",
    "cycles",
    "decoder_tolerance",
    "exact_rotation",
    "fewest_contraction_factors",
    "pairs",
    "pencil_form",
    "permutation_matrix",
    "product",
    "reflections",
    "rotation",
    "rotation_as_two_reflections",
    "rotation_counter",
    "swaps",
    "zero_factors",
]
