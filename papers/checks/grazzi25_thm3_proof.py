# Z_2 x (S_4 wr S_6): turns of six octahedra, which may change places, and a central inversion z.
diagonals = [(1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)]
vertices = [tuple(s * (i == a) for i in range(3)) for a in range(3) for s in (1, -1)]

# the letter z r, with half turns r of all six: (x, y, z) goes to (-x, y, z)
k = 6 * sum((-x, y, z) != (x, y, z) for x, y, z in vertices)
moved = 6 * sum((x, y, z) not in ((-x, y, z), (x, -y, -z)) for x, y, z in diagonals) + 2
print(f"|Q| = 36, k = {k}; on the n = 26 points z r is {moved // 2} swaps, and k - 1 = {k - 1}")
assert moved // 2 > k - 1  # the n points: 24 diagonals and two points that z exchanges

# The steps that are arguments: all other letters (quarter turns, exchanges of two octahedra)
# move 12 vertices at most; a product of 11 reflections has rank(P - I) <= 11; and no n < 26
# serves, since Z_2^13 is a subgroup and an orbit of 2^a points serves a <= 2^a / 2 dimensions.
