"""Topic automata: regular languages by stacks of layers (grazzi25, Sec. 2, 3.2, 4.3, App. A.3, C.3 to C.5, D).

* ``definitions``: word problems, one-hot layers, weighted automata (Sec. 3.2, App. A.3; lizaire26, Sec. 3.3)
* ``background``: what Sec. 3.2 and App. A say beside the theorems, and slips there and in App. C.4 and Sec. 6
* ``counting_layers``: one layer that turns, is time-invariant, or has a margin
* ``counting``: rotations and reflections of the plane: Theorem 3 for cyclic groups, Theorem 6, dihedral groups
* ``groups``: group automata in one layer (Theorem 3, App. C.3)
* ``octahedra``: Theorem 3 as printed, and where its proof fails
* ``fewest``: the fewest reflections per letter in one layer: covers of the group, and the numbers for S_n
* ``every_symmetric``: the numbers for every S_n and A_n
* ``four_layers``: S_n in four layers with one factor per letter, beside the others
* ``metacyclic_groups``: the numbers, or bounds, for dicyclic and other metacyclic groups
* ``own_representations``: the same by a group's own representations, from characters; abelian groups
* ``small_groups``: A_5 and S_5 in three dimensions, several letters for one transition
* ``solvable``: solvable groups with one reflection per letter and layer
* ``krohn_rhodes``: cascades of permutation-reset automata (Theorem 5, App. C.4)
* ``cascades``: cascades as stacks of layers (Theorem 4, App. C.5)
* ``decoders``: linear decoders for Theorem 4 (App. A.4.1)
* ``reported``: tables of grazzi25, sentences about them, and the listings of App. E.4.1
* ``exact_stacks``: which languages stacks of any depth recognise, with finitely many exact states
* ``one_head``: how many heads the order of last occurrences needs
* ``one_layer``: which languages one layer recognises; ``finite_layers`` has the instances beside the arguments
* ``heads``: what one layer of Householder factors has, head by head
* ``layers_needed``: a lower bound on layers of norm at most 1 for every automaton
* ``layers_of_folded_words``: a larger bound by folding, and two layers over a machine of one layer
* ``layers_of_four_states``: what decides all automata of four states; ``layers_of_four_states_search`` finds it, by ``loops_of_maps`` and ``small_semigroups``
* ``derived_length``: how many complex diagonal layers a group needs
* ``one_factor``: S_4 with all involutions as letters, one reflection each
* ``reflection_lifts``: which groups one reflection per letter tracks, for all small groups; two heads
* ``horizon``: stochastic rounding: when tracking ends, and when it does not
* ``horizon_of_weights``: how far weights that are off lead a state away
* ``training_icosahedron``: the same for A_5 in float64, and gradient descent
* ``training_laws``: how the loss's second derivative at compiled weights grows with the length of words
* ``real_links``: real numbers between layers: what is star-free, and what each hypothesis is for
* ``rounded_diagonals``: gates in [0, 1], every operation rounded
* ``rounded_stacks``: solvable groups by counters that are rounding errors
* ``unrounded``: cascades as stacks whose numbers no float rounds
* ``settled``: nonnegative eigenvalues and finitely many exact states
* ``late_layers``: two time-invariant layers with a margin
* ``pauses``: what a pause after every letter adds
* ``stored``: stored numbers, every operation rounded, by the kernel
* ``limits``: what diagonal and bistable layers cannot do, and how long floats last
"""

from . import (
    background,
    cascades,
    counting,
    counting_layers,
    decoders,
    definitions,
    derived_length,
    divisions,
    every_symmetric,
    exact_stacks,
    fewest,
    four_layers,
    groups,
    heads,
    horizon,
    horizon_of_weights,
    krohn_rhodes,
    late_layers,
    layers_needed,
    layers_of_folded_words,
    layers_of_four_states,
    limits,
    margin_stacks,
    metacyclic_groups,
    octahedra,
    one_factor,
    one_head,
    one_layer,
    own_representations,
    pauses,
    real_links,
    reflection_lifts,
    reported,
    rounded_diagonals,
    rounded_stacks,
    settled,
    small_groups,
    solvable,
    stored,
    training_icosahedron,
    training_laws,
    unrounded,
)

__all__ = [
    "background",
    "cascades",
    "counting",
    "counting_layers",
    "decoders",
    "definitions",
    "derived_length",
    "divisions",
    "every_symmetric",
    "exact_stacks",
    "fewest",
    "four_layers",
    "groups",
    "heads",
    "horizon",
    "horizon_of_weights",
    "krohn_rhodes",
    "late_layers",
    "layers_needed",
    "layers_of_folded_words",
    "layers_of_four_states",
    "limits",
    "margin_stacks",
    "metacyclic_groups",
    "octahedra",
    "one_factor",
    "one_head",
    "one_layer",
    "own_representations",
    "pauses",
    "real_links",
    "reflection_lifts",
    "reported",
    "rounded_diagonals",
    "rounded_stacks",
    "settled",
    "small_groups",
    "solvable",
    "stored",
    "training_icosahedron",
    "training_laws",
    "unrounded",
]
