"""What each claim says, as demands on its certificates; a file or a folder for each topic of the ledger, all of which are loaded."""

from importlib import import_module
from pkgutil import walk_packages

for module in walk_packages(__path__, f"{__name__}."):
    import_module(module.name)
