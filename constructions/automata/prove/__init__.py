"""The proof: ``closure`` every place that a network can be in, layer by layer, with its letters; ``tables`` the network as what the proof found,
``delta_steps`` its transitions as the delta rule applies them, ``document`` all of that as plain data.
"""
