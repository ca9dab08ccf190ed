"""The checker of ``formal/checker.v`` as a native program."""
