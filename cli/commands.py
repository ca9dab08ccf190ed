"""The command line: a file for each command, and what happens to their errors."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from .. import __version__
from .console import print_json, printable, speak_ascii
from .interrupts import Terminated, came, remember, terminated

#: the commands; the module of each has a function of its name and "_command", and that of ``new`` an application
COMMANDS = (
    *(
        "list",
        "show",
        "witness",
        "cite",
        "errata",
        "papers",
        "map",
        "verify",
        "can",
        "atlas",
        "recheck",
        "compile",
        "certify",
        "sweep",
        "figures",
    ),
    *("train", "reproduce", "data", "vectors", "check", "probe", "pin", "new"),
)


def application(chosen: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with the chosen commands, whose modules alone are imported."""
    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="Ask which recurrent networks can solve which tasks, build them, and check the theorems behind the answers.",
    )
    for name in chosen:
        module = import_module(f".{name}", __package__)
        if name == "new":
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, f"{name}_command"))
    app.callback()(_top)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"lemmata {__version__}")
        raise typer.Exit


def _top(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")] = False,
) -> None:
    pass


def main() -> None:
    """Entry point: errors of the user's are one line and exit code 2, and with ``--json`` an object on standard output."""
    speak_ascii()
    before, interrupted = signal.signal(signal.SIGTERM, terminated), remember()
    try:
        first = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
        application([first] if first in COMMANDS else COMMANDS)()
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
