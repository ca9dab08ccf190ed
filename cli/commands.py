"""The command line: a file for each command, and what happens to their errors."""

from __future__ import annotations

import signal
import sys
from typing import Annotated, NoReturn

import typer

from .. import __version__
from .atlas import atlas_command
from .can import can_command
from .certify import certify_command
from .check import check_command
from .cite import cite_command
from .compile import compile_command
from .console import print_json, printable, speak_ascii
from .data import data_command
from .errata import errata_command
from .figures import figures_command
from .interrupts import came, remember
from .list import list_command
from .map import map_command
from .new import app as new_app
from .papers import papers_command
from .pin import pin_command
from .probe import probe_command
from .recheck import recheck_command
from .show import show_command
from .sweep import sweep_command
from .train import train_command
from .vectors import vectors_command
from .verify import Terminated, terminated, verify_command
from .witness import witness_command

# the modules named list, map and compile hide the builtins in this file
app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Ask which recurrent networks can solve which tasks, build them, and check the theorems behind the answers.",
)
for name, command in {
    "list": list_command,
    "show": show_command,
    "witness": witness_command,
    "cite": cite_command,
    "errata": errata_command,
    "papers": papers_command,
    "map": map_command,
    "verify": verify_command,
    "can": can_command,
    "atlas": atlas_command,
    "recheck": recheck_command,
    "compile": compile_command,
    "certify": certify_command,
    "sweep": sweep_command,
    "figures": figures_command,
    "train": train_command,
    "data": data_command,
    "vectors": vectors_command,
    "check": check_command,
    "probe": probe_command,
    "pin": pin_command,
}.items():
    app.command(name)(command)
app.add_typer(new_app, name="new")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"lemmata {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")] = False,
) -> None:
    pass


def main() -> None:
    """Entry point: errors of the user's are one line and exit code 2, and with ``--json`` an object on standard output."""
    speak_ascii()
    before, interrupted = signal.signal(signal.SIGTERM, terminated), remember()
    try:
        app()
    except SystemExit as stop:
        if stop.code == 130:
            # typer's answer to an interrupt is the exit code alone
            _fail("interrupted", 130)
        # what click says of a wrong command line, it has printed itself
        if isinstance(stop.__context__, Exception) and hasattr(stop.__context__, "format_message"):
            _answer(stop.__context__.format_message())  # type: ignore[attr-defined]
        raise
    except (ValueError, ArithmeticError) as error:
        _fail(str(error), 2)
    except ImportError as error:
        if came():
            # an import that an interrupt broke off
            _fail("interrupted", 130)
        if not isinstance(error, ModuleNotFoundError):
            raise
        _fail(f"expected the package {error.name}, which is not installed: see the extras atlas, figures, torch and gpu", 2)
    except OSError as error:
        _fail(f"{error.strerror}: {error.filename}", 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except Terminated:
        _fail("terminated", 143)
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, interrupted)


def _fail(why: str, code: int) -> NoReturn:
    print(f"lemmata: {printable(why)}", file=sys.stderr)
    _answer(why)
    sys.exit(code)


def _answer(why: str) -> None:
    """Whoever asked for JSON gets JSON, also of a failure."""
    if "--json" in sys.argv[1:]:
        print_json({"error": why})
