"""``python -I -S theorems/recheck DIR``: the folder runs as it is, with nothing installed."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

if __package__:
    from . import main
else:
    here = Path(__file__).resolve().parent
    spec = spec_from_file_location("recheck", here / "__init__.py", submodule_search_locations=[str(here)])
    assert spec
    assert spec.loader
    sys.modules["recheck"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    main = module.main

sys.exit(main(sys.argv[1:]))
