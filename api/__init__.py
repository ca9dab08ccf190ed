"""The public functions: one file for each verb, and what it returns.

``import lemmata as lm`` gives all of them by name. The command line calls the same functions. Every result prints itself in a terminal and in a
notebook, and ``.data`` holds it as plain data, as ``--json`` prints it.
"""
