"""Explicit objects, builders only: no verdicts here.

``recurrence`` the one recurrence type, stacks, closure with an automaton · ``parity`` counters · ``householder`` and ``unitary``
products of reflections · ``automata`` automata as recurrences · ``bistable`` hysteresis and BMRU, ``bistable/logic`` their stacks as formulas · ``architectures`` transitions in use · ``samples`` seeded random
exact matrices · ``strategies`` the same for Hypothesis.
"""
