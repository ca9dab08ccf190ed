"""Ground floor: the arithmetic that proofs stand on; knows no network and no theorem.

``exact`` rational matrices on FLINT · ``cyclotomic`` the fields of roots of unity · ``jordan`` Jordan forms and matrix
powers · ``characters`` real representations of permutation groups · ``exponential_sums`` where their signs settle · ``finite_precision`` rounding onto a finite set · ``eventual`` what a
rounded recurrence does for ever · ``vandermonde``, ``cauchy``, ``double_double`` accurate singular values · ``enclosures`` rigorous balls ·
``haar`` wavelets · ``peak_gain`` the exact gain of a recurrence · ``scan`` prefixes of any associative operator · ``wick`` moments of Gaussian
matrices · ``low_rank`` batched low-rank states.
"""
