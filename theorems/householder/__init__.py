"""Topic householder: products of generalized Householder matrices (grazzi25 Sec. 4.3, App. C; movahedi25 App. D).

* ``norms``: what a product cannot exceed (Prop. 1.1)
* ``spectra``: eigenvalues of products (Prop. 1.3)
* ``orthogonal``: reflections for orthogonal matrices and permutations, and the fewest (Prop. 1.2)
* ``contractions``: GH factors for contractions, 3n as printed, 2n - 1 by the polar form, exactly n (Prop. 1.2)
* ``fewest``: floor(3n/2) factors suffice for every contraction, and no fewer for some
* ``gap``: n = 4, five factors or six
* ``number``: how many factors a given contraction needs
* ``rotations``: two reflections, counting modulo m, boolean transitions (App. A.3, C.1, C.5)
* ``chunks``: the triangular inverse of a chunk, and the bits of the chunked form
* ``layer_spectra``: eigenvalues of the transitions of layers in use, one lemma for each kind
* ``slips``: two slips of App. C.2, and what a product of factors costs (Sec. 4.3)
* ``mixer``: the mixer of fixed-point RNNs (movahedi25 Theorem D.2, Eq. 10)
* ``collapse``: rank collapse of the low-rank mixer
"""

from . import chunks, collapse, contractions, fewest, gap, layer_spectra, mixer, norms, number, orthogonal, rotations, slips, spectra

__all__ = [
    "chunks",
    "collapse",
    "contractions",
    "fewest",
    "gap",
    "layer_spectra",
    "mixer",
    "norms",
    "number",
    "orthogonal",
    "rotations",
    "slips",
    "spectra",
]
