"""Topic vandermonde: what a diagonal recurrence remembers of its inputs, and how well (orvieto24, Sec. 3.1, 4.1, App. C, E.1, E.2).

* ``recall``: when the inputs can be told from the state, and by which map
* ``sparse``: inputs from a subspace of dimension P
* ``conditioning``: how well: roots of unity, real nodes, random nodes
"""

from . import conditioning, recall, sparse

__all__ = ["conditioning", "recall", "sparse"]
