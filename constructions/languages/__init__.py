"""Properties of regular languages that decide which recurrent model recognises them: one procedure to a file.

``machine`` fixes the conventions (nonempty words; the answer at the start does not matter) · ``pairs``, ``monoid``, ``images`` what procedures search ·
``language`` holds them together · a file for each property, with its definition, source and cost · ``witness`` the words that show that a
property fails · ``replay`` checks them by the automaton alone, with code of its own · ``undecided`` what is raised beyond a bound.
"""

from .language import Language, language_of
from .properties import PROPERTIES
from .property import Property
from .undecided import Undecided
from .witness import Witness

__all__ = ["PROPERTIES", "Language", "Property", "Undecided", "Witness", "language_of"]
