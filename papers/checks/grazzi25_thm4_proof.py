# Definition 1 against App. C.5: an upper automaton that adds what the lower one was, one letter.
low = {0: 1, 1: 0}  # parity: the letter exchanges its states
up = {(q, p): q ^ p for q in (0, 1) for p in (0, 1)}  # it exchanges its states where it reads a 1

q, p = 0, 0
cascade = (low[q], up[q, p])  # Definition 1: reads the lower state before the letter
layers = (low[q], up[low[q], p])  # App. C.5: reads what the layer below outputs, the state after it
print("cascade product after one letter:", cascade)
print("layers of App. C.5 after one letter:", layers)
assert cascade != layers

# The step that is an argument: behind a reset (A = 0, B = e_r) the state is e_r whatever it was,
# so no decoder finds the state before the letter in it.
