"""``make verified``: the checker of formal/checker.v as a native program, ``_build/lemmata-verified``, which says what it was built from.

It is built only from sources that ``make formal`` recorded, with the theorems that say what its answer means.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from .. import seal
from ..toolchain import Refused, require_coq, run

HERE = Path(__file__).resolve().parent
PACKAGES = "ocaml-nox ocaml-findlib libzarith-ocaml-dev"


def main() -> int:
    """0 if the program is there afterwards; 2 with one line on standard error otherwise, and what was built before stays."""
    try:
        seal.require_sound()
        version = require_coq()
        if version != seal.record()["coq"]:
            raise Refused(f"expected Coq {seal.record()['coq']}, with which the proofs were recorded, got {version}; run: make formal")
        require_ocaml()
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder)
            for name in seal.program_sources():
                shutil.copy(seal.FOLDER / name, build)
            # what a file imports is compiled before it
            for name in [*(one for one in seal.files() if one in seal.program_sources()), "extract.v"]:
                run(["coqc", "-w", "none", "-Q", ".", "lemmata", name], build, f"{name} does not compile")
            (build / "built_from.ml").write_text(built_from(), encoding="utf-8")
            # big_int_Z.ml stands before zarith's own; built_from.ml answers --sources before the program proper looks at its arguments
            ours = ["json.ml", "network_file.ml", "stored_file.ml", "stored_answer.ml", "main.ml"]
            modules = ["big_int_Z.ml", "built_from.ml", "checker.mli", "checker.ml", *ours]
            options = ["-O3", "-w", "-a", "-package", "zarith", "-linkpkg"]
            run(["ocamlfind", "ocamlopt", *options, *modules, "-o", "lemmata-verified"], build, "the extracted program does not compile")
            target = HERE / "_build"
            target.mkdir(exist_ok=True)
            shutil.copy(build / "lemmata-verified", target / "unfinished")
            (target / "unfinished").replace(target / "lemmata-verified")
    except (Refused, LookupError) as why:
        print(f"make verified: {why}", file=sys.stderr)
        return 2
    except OSError as why:
        print(f"make verified: {why.strerror}: {why.filename}", file=sys.stderr)
        return 2
    print("built formal/verified/_build/lemmata-verified: lemmata recheck --verified FILE runs it")
    return 0


def built_from() -> str:
    """A module of OCaml that prints the digests of the sources, as ``sha256sum`` does, if the program is asked for ``--sources``."""
    lines = "\\n".join(f"{seal.digest(name)}  {name}" for name in seal.program_sources())
    return f'let () = if Sys.argv = [| Sys.argv.(0); "--sources" |] then (print_endline "{lines}"; exit 0)\n'


def require_ocaml() -> None:
    """Refused, with what to do, without OCaml's compiler or zarith."""
    if shutil.which("ocamlfind") is None:
        raise Refused(f"expected ocamlfind and OCaml's compiler, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")
    run(["ocamlfind", "query", "zarith"], HERE, f"expected OCaml's zarith, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")


if __name__ == "__main__":
    sys.exit(main())
