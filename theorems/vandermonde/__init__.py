"""Topic vandermonde: what a diagonal recurrence remembers of its inputs, and how well (orvieto24, Sec. 3.1, 4.1, App. C, E.1, E.2).

* ``recall``: when the inputs can be told from the state
* ``pseudoinverse``: by which map
* ``real_inputs``: real inputs need half as many units
* ``sparse``: inputs from a subspace of dimension P
* ``conditioning``: how well: roots of unity, real nodes, forgetting
* ``random_nodes``: random eigenvalues, in statistics
* ``concentration``: how many random eigenvalues are enough
* ``gaps``: what a gap costs, and how few random eigenvalues are too few
* ``diagonal``: from dense to diagonal recurrences, and from encoded tokens to tokens
* ``shapes``: shapes, indices and names that are printed wrongly
"""

from . import concentration, conditioning, diagonal, gaps, pseudoinverse, random_nodes, real_inputs, recall, shapes, sparse

__all__ = [
    "concentration",
    "conditioning",
    "diagonal",
    "gaps",
    "pseudoinverse",
    "random_nodes",
    "real_inputs",
    "recall",
    "shapes",
    "sparse",
]
