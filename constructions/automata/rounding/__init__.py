"""How long floats keep a proved network right: ``layer`` its numbers and formats, ``terms`` sums that no float rounds, ``orbits`` rounded states that
close, ``bounds`` bounds of the error, ``precision`` the lengths guaranteed.
"""
