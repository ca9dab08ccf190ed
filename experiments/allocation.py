"""What the C library does with memory that was given back: a stack asks for the same tens of megabytes in every step."""

from __future__ import annotations

import ctypes
import platform
from functools import cache

#: glibc's names of what can be set: from how many free bytes on it gives memory back, and from how many on a block is mapped apart
TRIM, MAP = -1, -3

#: the largest numbers that it takes
MOST = {TRIM: 2**31 - 1, MAP: 2**25}


@cache
def keep_memory() -> bool:
    """Have this process keep memory that it gave back, whether that can be set; only glibc can.

    Otherwise every step gets fresh pages, which the kernel has to clear: a fifth of a step of DeltaNet, and two fifths of one of Bedouin.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    library = ctypes.CDLL(None)
    taken = [library.mallopt(name, most) for name, most in MOST.items()]
    return all(taken)
