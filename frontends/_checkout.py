"""Importing this makes a bare checkout work: nothing needs to be installed.

The library beside this folder becomes importable, and this folder becomes the package
``tic_tac_toe_frontends``, which is its name once installed. The checkout's own code is preferred to
whatever else is installed.
"""

import importlib.util
import sys
from pathlib import Path

OLDEST = (3, 10)
if sys.version_info[:2] < OLDEST:  # said here, before anything that an older Python cannot run
    sys.exit(
        "This needs Python 3.10 or later, and this one is {}.{}.".format(*sys.version_info[:2])
    )

PACKAGE = "tic_tac_toe_frontends"
HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent / "library" / "src"


def _use_library() -> None:
    if (LIBRARY / "tic_tac_toe").is_dir() and str(LIBRARY) not in sys.path:
        sys.path.insert(0, str(LIBRARY))


def _register_package() -> None:
    spec = importlib.util.spec_from_file_location(
        PACKAGE, HERE / "__init__.py", submodule_search_locations=[str(HERE)]
    )
    if PACKAGE not in sys.modules and spec and spec.loader:
        package = importlib.util.module_from_spec(spec)
        sys.modules[PACKAGE] = package
        spec.loader.exec_module(package)


_use_library()
_register_package()
