# Eq. 7 at the first step: nodes 1/2 and 1/3, N = P = L = 2, Psi = I, k = 1
from fractions import Fraction as F

V, Psi = [[F(1)], [F(1)]], [[F(1), F(0)]]  # V_1 and the first row of Psi
Gamma = [[row[0] * x for x in Psi[0]] for row in V]
gram = [[sum(int(g[i] * g[j]) for g in Gamma) for j in range(2)] for i in range(2)]
assert gram[0][0] * gram[1][1] == gram[0][1] * gram[1][0]
print("Gamma_1^T Gamma_1 =", gram, "is singular.")
pseudoinverse = [[F(1, 2), F(1, 2)], [F(0), F(0)]]  # of Gamma_1
for token in (F(3), F(-2, 7)):
    state = [row[0] * token for row in V]
    coefficients = [sum(p * x for p, x in zip(row, state, strict=True)) for row in pseudoinverse]
    assert sum(p * c for p, c in zip(Psi[0], coefficients, strict=True)) == token
print("The argument: Gamma_k has rank at most k, so for k < P the P x P matrix is always singular.")
