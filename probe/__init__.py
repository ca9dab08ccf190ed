"""What a torch layer's transition is, which theorems apply to it, and what it can reach.

``steps`` what is probed · ``remembered`` what it may keep between calls · ``affine`` A(x) and b(x) from differences · ``graph`` the traced graph and its
degree in the state · ``operations``, ``values`` and ``rules`` what its operations do to intervals · ``intervals`` open and closed ends · ``structure`` kinds of matrices · ``ranges`` and ``spectrum`` where
eigenvalues lie · ``limits`` ends that are limits · ``witness`` weights and inputs that come near a number · ``rows`` the row of the table · ``own_range``
what follows without one · ``reached`` all states that letters reach in a format · ``tasks`` answers about tasks and languages · ``edits`` and ``advice`` the smallest edit that changes a cell · ``drivers`` parts
that drive the rest · ``delays`` parts that are forgotten · ``contracts``, ``flash``, ``held`` and ``cached`` layers of flash-linear-attention · ``zoo`` a
table of layers · ``asserting`` for tests. The entry is ``lemmata.probe_step``.
"""
