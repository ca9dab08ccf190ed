"""Topic universality: what a head with one hidden layer can make of the states (orvieto24, Sec. 2, 3.2, App. B, D, E.3).

* ``barron``: one hidden layer: Theorem 1, in the mean square; why not uniformly with every sigmoidal function
* ``uniform``: the same uniformly: on finitely many inputs, on an interval, on a ball
* ``filters``: filters that interpolate in time, and their constants: Theorem 8
* ``interpolation``: one function for all time steps: Theorem 4, and how its cost grows with the number of steps
* ``outputs``: several outputs, and heads on states: Remark 1, Proposition 2
* ``recurrent``: what App. B and Sec. 3.1.3 quote
* ``equations``: the controlled differential equations of App. E.3
* ``sequences``: recurrence and head together: Theorem 2
* ``memory``: what the state knows of the inputs and of the time: Eq. 7, Remark 2
* ``price``: what maps that vary in time cost
* ``biased``: no unit for the clock
* ``vectors``: several inputs and outputs on complex units, in the supremum norm
* ``variables``: Barron constants, and what a linear change of variables does to them
"""

from . import (
    barron,
    biased,
    equations,
    filters,
    interpolation,
    memory,
    outputs,
    price,
    recurrent,
    sequences,
    uniform,
    variables,
    vectors,
)

__all__ = [
    "barron",
    "biased",
    "equations",
    "filters",
    "interpolation",
    "memory",
    "outputs",
    "price",
    "recurrent",
    "sequences",
    "uniform",
    "variables",
    "vectors",
]
