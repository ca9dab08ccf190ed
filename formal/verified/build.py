"""``make verified``: the checker of formal/checker.v as a native program, ``_build/lemmata-verified``, with the hashes of what it was built from beside it."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from formal.check import Refused, digest, require_coq, run

HERE = Path(__file__).resolve().parent
CHECKER = ("checker_network.v", "checker_numbers.v", "checker.v")
SOURCES = (*(f"../{name}" for name in CHECKER), "extract.v", "big_int_Z.ml", "json.ml", "network_file.ml", "main.ml")
PACKAGES = "ocaml-nox ocaml-findlib libzarith-ocaml-dev"


def main() -> int:
    """0 if the program is there afterwards; 2 with one line on standard error otherwise, and what was built before stays."""
    try:
        require_coq()
        require_ocaml()
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder)
            for name in SOURCES:
                shutil.copy(HERE / name, build)
            for name in (*CHECKER, "extract.v"):
                run(["coqc", "-w", "none", "-Q", ".", "lemmata", name], build, f"{name} does not compile")
            # its big_int_Z.ml stands before zarith's
            modules = ["big_int_Z.ml", "checker.mli", "checker.ml", "json.ml", "network_file.ml", "main.ml"]
            options = ["-O3", "-w", "-a", "-package", "zarith", "-linkpkg"]
            run(["ocamlfind", "ocamlopt", *options, *modules, "-o", "lemmata-verified"], build, "the extracted program does not compile")
            target = HERE / "_build"
            target.mkdir(exist_ok=True)
            # first the program, then what says that it is this one
            shutil.copy(build / "lemmata-verified", target / "unfinished")
            (target / "unfinished").replace(target / "lemmata-verified")
            (target / "sources.json").write_text(
                json.dumps({name: digest(HERE / name) for name in SOURCES}, indent=1) + "\n", encoding="utf-8"
            )
    except Refused as why:
        print(f"make verified: {why}", file=sys.stderr)
        return 2
    except OSError as why:
        print(f"make verified: {why.strerror}: {why.filename}", file=sys.stderr)
        return 2
    print("built formal/verified/_build/lemmata-verified: lemmata recheck --verified FILE runs it")
    return 0


def require_ocaml() -> None:
    """Refused, with what to do, without OCaml's compiler or zarith."""
    if shutil.which("ocamlfind") is None:
        raise Refused(f"expected ocamlfind and OCaml's compiler, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")
    run(["ocamlfind", "query", "zarith"], HERE, f"expected OCaml's zarith, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")


if __name__ == "__main__":
    sys.exit(main())
