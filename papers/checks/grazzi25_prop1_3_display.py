# Two GH factors with beta = 3/2, times 10: along e_1 and along z = (2, -1) / sqrt(5).
C1, C2 = [[-5, 0], [0, 10]], [[-2, 6], [6, 7]]
v = [-1, 1 + 1j]

first = [row[0] * v[0] + row[1] * v[1] for row in C2]  # 10 C v
second = [row[0] * first[0] + row[1] * first[1] for row in C1]  # 100 N v
assert second == [(40 + 30j) * x for x in v]  # v has the eigenvalue 2/5 + 3i/10

long, length = (sum(abs(x) ** 2 for x in w) for w in (first, v))
zv = (2 * v[0] - v[1]) ** 2 / 5 / length  # (v.z)^2, for |v| = 1
printed = 1 - 3 / 4 * zv  # 1 - beta (2 - beta) (v.z)^2
print(f"|C v|^2 = {long / 100 / length:.2f}, the display gives {printed:.2f}")
assert abs(printed.imag) > 0.29  # so the display is not even real
# The step that is an argument: 2/5 + 3i/10 is not real, so no real vector is its eigenvector.
