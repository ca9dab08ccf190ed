from fractions import Fraction
from itertools import product


def phi(u):  # at integers; linear between them, with slopes 3/4 and 5/4
    return u + Fraction((1, 0, -1, 0)[u % 4], 4)


for word in product((0, 1), repeat=10):
    h = (0, 1)
    for x in word:
        h = (h[0] + 2 * x, h[1] + 2 * x)
    assert 4 * phi(h[0]) - 4 * phi(h[1]) + 4 == (-1) ** sum(word)
print("A linear layer of two units and one activation on its output: parity of all words of 10.")
print("An argument for every length: phi(u + 4) = phi(u) + 4, so the counts 0 and 1 decide all.")
