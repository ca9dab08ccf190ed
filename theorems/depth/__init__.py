"""Topic depth: the memory of deep linear recurrent networks (lizaire26, Sec. 3.1, App. A.2 to A.5). Begun: copying and Theorem 1.

* ``copying``: the copy construction, and why no network copies farther (Lemmas 2 and 3, Theorems 1 and 2)
"""

from . import copying

__all__ = ["copying"]
