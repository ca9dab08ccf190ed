# After Proposition 2: the head [v_1 - v_2 >= 0] on tokens, and on states with nodes 1 and 999/1000
from fractions import Fraction as F
from itertools import product

V, Omega = [[1, 1], [F(999, 1000), 1]], [[1000, -1000], [-999, 1000]]
inner = [1, -1]
on_states = [sum(Omega[i][j] * inner[i] for i in range(2)) for j in range(2)]  # Omega^T a
for v in product((-1, 0, 1), repeat=2):
    x = [sum(row[j] * v[j] for j in range(2)) for row in V]
    assert [sum(row[j] * x[j] for j in range(2)) for row in Omega] == list(v)
    assert (on_states[0] * x[0] + on_states[1] * x[1] >= 0) == (v[0] - v[1] >= 0)
print("One neuron does it on states too, with the weights", on_states, "and the same outputs.")
print("The bound 4 r^2 C^2 |Omega|^2 S^3 / eps^2 with r = C = S = eps = 1 is at least", 4 * 1000**2)
print("The argument: <a, Omega x> = <Omega^T a, x>, for every Omega and any number of neurons.")
