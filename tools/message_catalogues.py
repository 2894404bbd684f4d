"""Collect the messages of the front ends and of the library, and compile their translations.

Usage: ``python -m tools.message_catalogues``
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from babel.messages.extract import DEFAULT_KEYWORDS

from tic_tac_toe_frontends.words.translation import DOMAIN, LANGUAGES

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "frontends/src/tic_tac_toe_frontends/words/locale"
TEMPLATE = LOCALE / f"{DOMAIN}.pot"
SOURCES = (ROOT / "frontends/src", ROOT / "library/src")

#: What is called with the template of a message as its first argument, besides gettext's functions.
LIBRARY_KEYWORDS = (
    "message",
    "GameError",
    "InvalidGameState",
    "InvalidMove",
    "InvalidNotation",
    "InvalidVariant",
    "SearchLimitReached",
    "UnknownGameScore",
)
KEYWORDS = DEFAULT_KEYWORDS | dict.fromkeys(LIBRARY_KEYWORDS, (1,))

EXTRACT = (
    "--add-location=file",
    "--no-wrap",
    "--project=tictactoe-frontends",
    "--copyright-holder=the tictactoe-engine authors",
)
UPDATE = ("--ignore-pot-creation-date", "--no-fuzzy-matching", "--ignore-obsolete", "--no-wrap")


def main() -> None:
    """Bring the template and the catalogues up to date."""
    keywords = [f"--keywords={name}:1" for name in LIBRARY_KEYWORDS]
    sources = [str(path.relative_to(Path.cwd())) for path in SOURCES]
    _babel("extract", *EXTRACT, *keywords, f"--output-file={TEMPLATE}", *sources)
    files = [f"--domain={DOMAIN}", f"--input-file={TEMPLATE}", f"--output-dir={LOCALE}"]
    for code in LANGUAGES:
        if code != "en" and not (LOCALE / code).exists():
            _babel("init", f"--locale={code}", *files)
    _babel("update", *UPDATE, *files)
    _babel("compile", f"--domain={DOMAIN}", f"--directory={LOCALE}")


def _babel(command: str, *arguments: str) -> None:
    program = [sys.executable, "-m", "babel.messages.frontend", "--quiet"]
    subprocess.run([*program, command, *arguments], check=True)


if __name__ == "__main__":
    main()
