"""Levels of a cascade as layers.

``repaired`` those of grazzi25, Theorem 4, as printed and repaired, and ``delays`` with entries 0 and 1. The others round no number, in any format of
floating point that has their entries.

A level hands up its state before the letter, so a reset has to keep it. One file to a way:

* ``forgetful``: the last level hands up nothing: a reset forgets (A = 0, B = the new state's vector)
* ``numbered``: a coordinate of its own for the old state, a dyadic number. A permutation is P + 0, a reset to r is A = e u^T, B = e_r, where e is
  the new axis and u has distinct dyadic entries with u_r = 0 and |u| <= 1
* ``two_slots``: the old state's vector in a second slot

States of the last level and of slots are vectors of small integers (``level_vectors``). Products of these maps are P + 0, e (u P)^T or 0 with
inputs of one entry in the first coordinates; no sum in them has two terms other than 0 (new.automata.unrounded). ``stack`` takes the narrowest.
"""
