"""Groups of permutations: ``permuting`` recognises automata whose letters permute the states, ``embedding`` finds a group in another one, ``group_names``
says what a group is called.
"""
