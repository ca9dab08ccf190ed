"""What a procedure raises when a machine is too large for it: never a guess."""


class Undecided(ArithmeticError):
    """The property is decidable, and was not decided: the text says which bound was met."""
