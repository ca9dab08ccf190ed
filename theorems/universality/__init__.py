"""Topic universality: what a head with one hidden layer can make of the states (orvieto24, Sec. 2, 3.2, App. B, D, E.3).

* ``barron``: one hidden layer: Theorem 1
* ``outputs``: several outputs, and heads on states: Remark 1, Proposition 2
* ``variables``: Barron constants, and what a linear change of variables does to them
* ``interpolation``: one function for all time steps: Theorem 4 and its filters
* ``sequences``: recurrence and head together: Theorem 2, built
* ``recurrent``: what App. B and Sec. 3.1.3 quote, and the controlled equations of App. E.3
"""

from . import barron, interpolation, outputs, recurrent, sequences, variables

__all__ = ["barron", "interpolation", "outputs", "recurrent", "sequences", "variables"]
