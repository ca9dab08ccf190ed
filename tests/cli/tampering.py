"""Changes of an exported network, most of which make it wrong, each drawn from a seeded generator."""

import copy

WRONG_NUMBERS = ("0", "1", "-1", "2", "1/2", "-3/4", "7/3", [], ["0", "1"], ["1", "0"], ["1/2", "0", "-1/2"])

WRONG_VALUES = (
    None,
    True,
    False,
    -1,
    0,
    1,
    3,
    10**30,
    "",
    "x",
    "1.5",
    "01",
    "-0",
    "1/0",
    "+1",
    " 1",
    "١",
    [],
    {},
    [[]],
    ["1"],
    [0, 0, 0, 0],
)


def tampered(document, random):
    """A changed copy, and the name of the change."""
    document = copy.deepcopy(document)
    change = random.choice(CHANGES)
    change(document, random)
    return document, change.__name__


def layer_of(document, random):
    return random.choice(document["layers"])


def some_entry(document, random):
    """(row, column) that hold an entry of a state, a map, or a step."""
    layer = layer_of(document, random)
    f = random.choice(layer["maps"])
    steps = [s for m in layer["maps"] for s in m["steps"] or ()]
    rows = [*f["A"], *f["B"], *random.choice(layer["states"]), *(s["v"] for s in steps), *steps]
    row = random.choice(rows)
    return row, random.choice(["scale", "write"]) if isinstance(row, dict) else random.randrange(len(row))


def wrong_entry(document, random):
    row, k = some_entry(document, random)
    row[k] = random.choice(WRONG_NUMBERS)


def negated_entry(document, random):
    row, k = some_entry(document, random)
    row[k] = [negated(c) for c in row[k]] if isinstance(row[k], list) else negated(row[k])


def negated(x):
    return x if x == "0" else x[1:] if x[0] == "-" else "-" + x


def other_denominator(document, random):
    row, k = some_entry(document, random)
    if isinstance(row[k], str):
        row[k] = f"{row[k].partition('/')[0]}/{random.randrange(1, 9)}" if row[k] != "0" else "0"
    elif row[k]:
        row[k][random.randrange(len(row[k]))] = f"1/{random.randrange(1, 9)}"


def same_number_written_otherwise(document, random):
    for _ in range(5):
        row, k = some_entry(document, random)
        x = row[k]
        if isinstance(x, list):
            row[k] = x[0] if len(x) == 1 else [*x, "0"] if len(x) > 1 else "0"
        elif x != "0":
            above, _, below = x.partition("/")
            row[k] = f"{int(above) * 6}/{int(below or 1) * 6}"


def wrong_coefficient(document, random):
    for _ in range(20):
        row, k = some_entry(document, random)
        if isinstance(row[k], list) and row[k]:
            row[k][random.randrange(len(row[k]))] = random.choice(["0", "1", "-1/2", "5"])
            return


def swapped_entries(document, random):
    (row, k), (other, j) = some_entry(document, random), some_entry(document, random)
    row[k], other[j] = other[j], row[k]


def wrong_transition(document, random):
    table = document["automaton"]["table"]
    row = random.choice(table)
    row[random.randrange(len(row))] = random.randrange(len(row) + 1)


def wrong_start(document, random):
    document["automaton"]["start"] = random.randrange(len(document["automaton"]["states"]) + 1)


def other_accepting(document, random):
    n = len(document["automaton"]["states"])
    chosen = random.sample(range(n + 1), random.randrange(n + 1))
    document["automaton"]["accepting"] = sorted(chosen) if random.random() < 0.7 else chosen


def other_outputs(document, random):
    n = len(document["automaton"]["states"])
    document["automaton"]["outputs"] = random.choice([None, ["a"] * n, ["a"] * (n + 1), [str(q) for q in range(n)], [0] * n, "a" * n])


def missing_state(document, random):
    states = layer_of(document, random)["states"]
    del states[random.randrange(len(states))]


def state_twice(document, random):
    states = layer_of(document, random)["states"]
    states.append(random.choice(states))


def idle_state(document, random):
    states = layer_of(document, random)["states"]
    states.append([["98765"] for _ in states[0]])


def swapped_states(document, random):
    """With the decoder renumbered: still right, unless the first is moved."""
    layer = layer_of(document, random)
    i, j = (random.randrange(len(layer["states"])) for _ in range(2))
    layer["states"][i], layer["states"][j] = layer["states"][j], layer["states"][i]
    for entry in layer["decoder"]:
        entry[0] = j if entry[0] == i else i if entry[0] == j else entry[0]


def shuffled_decoder(document, random):
    random.shuffle(layer_of(document, random)["decoder"])


def missing_entry(document, random):
    decoder = layer_of(document, random)["decoder"]
    del decoder[random.randrange(len(decoder))]


def entry_twice(document, random):
    decoder = layer_of(document, random)["decoder"]
    decoder.append(list(random.choice(decoder)))


def wrong_output(document, random):
    entry = random.choice(layer_of(document, random)["decoder"])
    entry[random.choice([0, 1, 2, 2, 2])] = random.randrange(12)


def swapped_letters(document, random):
    letters = layer_of(document, random)["letters"]
    i, j = (random.randrange(len(letters)) for _ in range(2))
    letters[i], letters[j] = letters[j], letters[i]


def wrong_letter(document, random):
    random.choice(layer_of(document, random)["letters"])[random.randrange(4)] = random.randrange(6)


def swapped_maps(document, random):
    maps = layer_of(document, random)["maps"]
    i, j = (random.randrange(len(maps)) for _ in range(2))
    maps[i], maps[j] = maps[j], maps[i]


def changed_steps(document, random):
    m = random.choice(layer_of(document, random)["maps"])
    m["steps"] = random.choice([None, [], (m["steps"] or [])[::-1], (m["steps"] or [])[1:], (m["steps"] or []) * 2])


def wrong_step(document, random):
    steps = [s for layer in document["layers"] for m in layer["maps"] for s in m["steps"] or ()]
    if steps:
        step = random.choice(steps)
        key = random.choice(["beta", "scale", "write"])
        step[key] = random.choice(["0", "1", "2", "3", "-1", "1/2", "3/2"])


def idle_step(document, random):
    """A step of beta = 0 does nothing; it may not write, and its vector may not be 0."""
    m = random.choice([m for layer in document["layers"] for m in layer["maps"]])
    n = len(m["A"])
    v = [random.choice(["0", "1", "-1/2"]) for _ in range(n)]
    m["steps"] = [*(m["steps"] or []), {"v": v, "beta": "0", "scale": "0", "write": random.choice(["0", "0", "1"])}]


def other_field(document, random):
    document["field"] = random.choice([0, 1, 2, 3, 4, 5, 8, 12, 20, 24, 28, 40, 60, 10_001])


def other_layers(document, random):
    layers = document["layers"]
    random.choice([layers.reverse, layers.pop, lambda: layers.append(layers[0]), lambda: layers.insert(0, layers[-1])])()


def other_names(document, random):
    names = random.choice([document["letters"], document["automaton"]["states"]])
    names[random.randrange(len(names))] = random.choice(["z", "zz", names[0], "\U0001d538", "", 0, "\ud800"])


def anything(document, random):
    """Some value anywhere in the file is replaced, removed or doubled."""
    places = []

    def collect(x):
        for key in list(x) if isinstance(x, dict) else range(len(x)):
            places.append((x, key))
            if isinstance(x[key], dict | list):
                collect(x[key])

    collect(document)
    x, key = random.choice(places)
    action = random.randrange(4)
    if action < 2:
        x[key] = copy.deepcopy(random.choice(WRONG_VALUES))
    elif action == 2:
        del x[key]
    elif isinstance(x, list):
        x.insert(key, copy.deepcopy(x[key]))
    else:
        x["unknown"] = x[key]


CHANGES = (
    wrong_entry,
    wrong_entry,
    negated_entry,
    other_denominator,
    same_number_written_otherwise,
    wrong_coefficient,
    swapped_entries,
    wrong_transition,
    wrong_start,
    other_accepting,
    other_outputs,
    missing_state,
    state_twice,
    idle_state,
    swapped_states,
    swapped_states,
    shuffled_decoder,
    missing_entry,
    entry_twice,
    wrong_output,
    swapped_letters,
    wrong_letter,
    swapped_maps,
    changed_steps,
    wrong_step,
    idle_step,
    other_field,
    other_layers,
    other_names,
    anything,
    anything,
    anything,
)
