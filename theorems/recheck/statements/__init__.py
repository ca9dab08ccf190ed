"""What each claim says, as demands on its certificates; files by topic of the ledger, all of which are loaded."""

from importlib import import_module
from pkgutil import iter_modules

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
