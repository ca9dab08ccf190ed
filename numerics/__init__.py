"""Ground floor: the arithmetic that proofs stand on; knows no network and no theorem.

``exact`` rational matrices on FLINT · ``cyclotomic`` the fields of roots of unity · ``jordan`` Jordan forms and matrix
powers · ``exponential_sums`` where their signs settle · ``finite_precision`` rounding onto a finite set · ``eventual`` what a
rounded recurrence does for ever · ``scan`` prefixes of any associative operator.
"""
