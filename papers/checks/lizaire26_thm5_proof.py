from math import exp, isclose, log

states = []
for word in ((2, 3), (3, 2)):
    h = 0.0
    for x in word:
        h += log(x)
    states.append(h)
    assert isclose(exp(h), word[0] * word[1])
assert states[0] == states[1]
print(f"Layers of one unit output x_1 x_2; both words end in the state log 6 = {states[0]}.")
print("An argument: log and exp are homeomorphisms, yet log f_t encodes neither x_1 nor x_2.")
