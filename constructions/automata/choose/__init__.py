"""Which construction an automaton is compiled by, chosen by what each costs before any of them is proved.

``candidate`` what is known of a construction before it is built, and which is best · ``cascades`` stacks by decomposition · ``windows`` registers
of the last letters · ``groups`` letters that permute the states · ``one_hot`` the layer with norms above 1 · ``ways`` the table of all, and the choice.
"""
