"""``make coqchk``: Rocq's second checker reads the compiled proofs again, with the libraries they load.

``coqchk.json`` holds the versions, and for each file that it accepted a digest of the file with all that it imports.
A claim keeps the grade "formal" only while this digest is that of the sources. With ``--changed`` only the files are read that are not
accepted as they are, and nothing of the libraries.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import seal
from .check import options, refused, write
from .compiled import compile_all
from .toolchain import Refused, run, versions


def main() -> int:
    """Compile what has changed, check it again and write that; 0 if ``coqchk`` accepts it, 2 with a line on standard error otherwise."""
    parser = options("read the compiled proofs again with Rocq's second checker")
    parser.add_argument("--changed", action="store_true", help="only the files that were not accepted as they are, without the libraries")
    given = parser.parse_args()
    try:
        found = versions()
        build = compile_all(found, given.jobs)
        # another version may have other libraries
        whole = not given.changed or any(found[system] != seal.coqchk()[system] for system in seal.SYSTEMS)
        again = seal.files() if whole else seal.not_checked_again()
        modules = [f"lemmata.{Path(name).stem}" for name in again]
        print(f"coqchk reads {len(again)} compiled files again{', with the libraries they load: minutes' if whole else ''}", flush=True)
        asked = with_libraries(modules) if whole else without_libraries(modules)
        if asked:
            run(["coqchk", "-silent", "-Q", ".", "lemmata", *asked], build, "coqchk does not accept the compiled files")
    except (Refused, OSError, KeyboardInterrupt) as why:
        return refused("make coqchk", why, "formal/coqchk.json stays as it was")
    write("coqchk.json", found | {"accepted": {name: seal.closure(name) for name in sorted(seal.files())}})
    print(f"{len(again)} files accepted; written to formal/coqchk.json")
    return 0


def with_libraries(modules: list[str]) -> list[str]:
    """Arguments of coqchk: every module, and the libraries of all but the checker's and of what rests on the reals.

    The algebraic numbers of the checker would take it ten minutes, and the analysis below the reals as long.
    """
    alone = [m for m in modules if m.startswith("lemmata.checker") or m in ("lemmata.reals", "lemmata.bounded_states")]
    return [*(m for m in modules if m not in alone), *without_libraries(alone)]


def without_libraries(modules: list[str]) -> list[str]:
    """Arguments of coqchk: these modules, and nothing that they load."""
    return [x for m in modules for x in ("-norec", m)]


if __name__ == "__main__":
    sys.exit(main())
