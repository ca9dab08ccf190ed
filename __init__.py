"""lemmata: which linear recurrent networks solve which tasks, built, and proved right at every length.

``import lemmata as lm`` gives the public functions below; nothing else is loaded before one is used. The rooms behind them: ``numerics`` exact
arithmetic · ``constructions`` explicit networks and matrices · ``theorems`` the claims and their checks · ``words`` exact data ·
``kernels`` test vectors · ``probe`` a layer's transition · ``experiments`` training · ``figures`` the papers' figures · ``atlas`` the table of models and tasks, and the site ·
``gpu`` sweeps on any array library, NumPy, torch or CuPy, with any number of workers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api.can import can
    from .api.certify import certify
    from .api.check import check
    from .api.cite import cite
    from .api.claims import claims
    from .api.compile import compile
    from .api.draw import draw
    from .api.errata import errata
    from .api.probe import probe_layer, probe_scan, probe_step
    from .api.probe_model import probe_model
    from .api.recheck import recheck
    from .api.show import show
    from .api.sweep import sweep
    from .api.verify import verify
    from .api.witness import witness
    from .numerics.vandermonde import condition_number

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "can",
    "certify",
    "check",
    "cite",
    "claims",
    "compile",
    "condition_number",
    "draw",
    "errata",
    "probe_layer",
    "probe_model",
    "probe_scan",
    "probe_step",
    "recheck",
    "show",
    "sweep",
    "verify",
    "witness",
]


#: public names that do not stand in a module of their own name
HOMES = {"condition_number": ".numerics.vandermonde", "probe_layer": ".api.probe", "probe_scan": ".api.probe", "probe_step": ".api.probe"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = HOMES.get(name, f".api.{name}")
    return getattr(import_module(home, __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
