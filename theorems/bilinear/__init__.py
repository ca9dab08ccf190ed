"""Topic bilinear: depth with multiplication (lizaire26, Sec. 3.2, 3.3, App. A.6 to A.10).

* ``degrees``: the polynomials of BIRNNs and second-order RNNs (Theorem 3, App. A.6)
* ``unrolling``: a state from the states one step before (Lemma 1, Corollary 2)
* ``ranks``: tensors given by a CP decomposition (Corollary 1, Theorem 4)
* ``activations``: activations between layers instead of multiplication (Theorem 5, Lemma 4)
* ``printed``: the CP form, and misprints of App. A.1.3 and A.7 to A.10
* ``products``: the product of real inputs with continuous activations, and with one that is not
* ``bounded``: what bounded states forget
* ``forgetting``, ``late``: which automata bounded states track
"""

from . import activations, bounded, degrees, forgetting, late, printed, products, ranks, unrolling

__all__ = ["activations", "bounded", "degrees", "forgetting", "late", "printed", "products", "ranks", "unrolling"]
