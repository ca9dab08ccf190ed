from itertools import accumulate, product


def add(x, y):
    return int((x, y) == (2, 1))


for a, b, c, d, e, f in product(range(3), repeat=6):
    p, q, r = add(a, b), add(c, d), add(e, f)
    paired = [a, p, add(p, c), add(p, q), add(add(p, q), e), add(add(p, q), r)]
    assert paired == list(accumulate((a, b, c, d, e, f), add))
assert add(add(2, 2), 1) != add(2, add(2, 1))
print("Not associative, and the scan that pairs neighbours is right on all arrays of length 6.")
print("An argument for longer ones: products are 0 or 1, and there u + (b + c) = (u + b) + c = 0.")
