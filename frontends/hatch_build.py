"""Stands for the library's `hatch_build.py`, which takes this place in a source distribution."""

from pathlib import Path
from runpy import run_path

_FOUND = run_path(str(Path(__file__).resolve().parents[1] / "library" / "hatch_build.py"))
Metadata, Files = _FOUND["Metadata"], _FOUND["Files"]
