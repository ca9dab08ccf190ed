"""lemmata: the theory of linear recurrent networks as code that runs, can be attacked, and can be re-checked.

``numerics`` exact arithmetic · ``constructions`` explicit networks and matrices · ``theorems`` the claims and their checks ·
``figures`` the papers' figures · ``gpu`` batched linear algebra on CuPy.
"""

__version__ = "0.1.0"
