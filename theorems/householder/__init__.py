"""Topic householder: products of generalized Householder matrices (grazzi25 Sec. 4.3, App. C; movahedi25 App. D).

* ``norms``: what a product cannot exceed, and the spectra of products (Prop. 1.1, 1.3)
* ``orthogonal``: reflections for orthogonal matrices and permutations, and the fewest (Prop. 1.2)
* ``contractions``: GH factors for contractions, 3n as printed, floor(3n/2) as the truth (Prop. 1.2)
* ``rotations``: two reflections, counting modulo m, boolean transitions (App. A.3, C.1, C.5)
* ``mixer``: the mixer of fixed-point RNNs (movahedi25 Theorem D.2, Eq. 10)
"""

from . import contractions, mixer, norms, orthogonal, rotations

__all__ = ["contractions", "mixer", "norms", "orthogonal", "rotations"]
