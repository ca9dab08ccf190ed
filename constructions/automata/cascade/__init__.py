"""Automata as cascades of permutation-reset automata: ``subsets`` and ``skeleton`` the sets of states that words produce, tiles and holonomy groups;
``cascade`` the decomposition by holonomy or by excluded states.
"""
