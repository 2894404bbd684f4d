"""The code of a user's own game, for the page that this program serves."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

from tic_tac_toe.loading import object_named
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, variant_name


def code_of(rules: Rules) -> str:
    """Return the files of a user's own game as JSON; empty for other games.

    These are the file of its module, or all files of the module's package::

        {"name": "dots:Dots", "place": "dots:Dots", "files": {"dots.py": "..."}}

    The page runs them: `browser.page.own_rules`.
    """
    name = variant_name(rules).partition(",")[0]
    place = object_named(name) if name not in VARIANTS else None
    module = inspect.getmodule(type(rules))
    if place is None or module is None or module.__file__ is None:
        return ""
    file, (package, _, rest) = Path(module.__file__), module.__name__.partition(".")
    if not rest or place.partition(":")[0].endswith(".py"):
        files, place = {file.name: file}, f"{file.stem}:{place.rpartition(':')[2]}"
    else:
        folder = Path(str(sys.modules[package].__file__)).parent
        files = {str(path.relative_to(folder.parent)): path for path in folder.rglob("*.py")}
    texts = {each: path.read_text(encoding="utf-8") for each, path in files.items()}
    return json.dumps({"name": name, "place": place, "files": texts})
