"""Layers and stacks that need no cascade: groups as signed or plain permutations, rotations and reflections, and registers of the last letters.

``groups`` a representation as a layer · ``reflections`` one reflection a letter, in several layers · ``transitive`` what fits letters that permute the
states · ``level_vectors`` vectors of states for a group · ``covers``, ``metacyclic`` groups that lift to reflections · ``swap_per_token`` one swap a
token · ``registers`` · ``places`` makes stacks that can be undone ready for the proof.
"""
