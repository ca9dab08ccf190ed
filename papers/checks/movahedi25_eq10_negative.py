# Eq. 10 with one factor in one dimension: Q = 1 - 2 alpha, 0 < alpha < 1
from fractions import Fraction as F

for alpha in (F(k, 20) for k in range(1, 20)):
    Q = 1 - 2 * alpha
    contractive, negative, invertible = abs(1 - Q) < 1, Q < 0, Q != 0
    assert all((not (contractive and negative), contractive == (alpha < F(1, 2))))
    print(f"alpha = {alpha}: Q = {Q}, |1 - Q| = {abs(1 - Q)}", "" if invertible else "(singular)")
print("The argument, for every Q: if Q v = mu v and mu < 0 then |(I - Q) v| = (1 - mu) |v| > |v|.")
