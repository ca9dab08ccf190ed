"""Ties: implementations held to exact references, over declared ranges of sizes, on each path and type of numbers that the code distinguishes.

One file, or one folder, to a topic. A tie belongs to a claim (:func:`lemmata.theorems.claim.tie`), runs after its check, and takes the verdict away if it fails. It adds nothing to the scope:
beyond the range that it names a result of the code carries no verdict.
"""
