R = (0, 1)
A = [[[1 + i + 2 * j + 3 * k for k in R] for j in R] for i in R]


def second_state(depth, xs):
    for _ in range(depth):
        h = [1, 1]
        xs = [h := [sum(A[i][j][k] * h[i] * x[j] for i in R for j in R) for k in R] for x in xs]
    return xs[1]


for L in (1, 2, 3):
    once, twice = second_state(L, [[1, 2], [3, 5]]), second_state(L, [[2, 4], [3, 5]])
    assert twice == [2**L * v for v in once] != [0, 0]
print("Doubling x_1 multiplies h_2 by 2^L. An argument: so it does for all parameters of L layers.")
