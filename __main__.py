"""``python -m lemmata``."""

from .cli import main

main()
