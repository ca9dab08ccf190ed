"""The independent re-checker: verifies certificates with the standard library alone.

It shares no code with what produced them (FLINT, NumPy, the checks) and trusts nothing but integers and fractions; run it as
``lemmata recheck DIR`` or, without lemmata installed, ``python -I -S theorems/recheck DIR``. ``kinds`` holds a rule for each kind of
certificate, ``statements`` what each claim demands of them; the file format is docs/reference/certificates.md.
"""

from . import kinds, statements
from .exact import Rejected
from .files import check_file, files_of, main, missing
from .registry import words_of

__all__ = ["Rejected", "check_file", "files_of", "kinds", "main", "missing", "statements", "words_of"]
