"""Collect the messages of the front ends and of the library, and compile their translations.

Usage: ``python -m tools.message_catalogues``
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.extract import DEFAULT_KEYWORDS, extract_python

from tic_tac_toe_frontends.words.translation import DOMAIN, LANGUAGES

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "frontends/src/tic_tac_toe_frontends/words/locale"
TEMPLATE = LOCALE / f"{DOMAIN}.pot"
SOURCES = (ROOT / "frontends/src", ROOT / "library/src")


def library_keywords(folder: Path) -> list[str]:
    """Return what the library calls with a message's template first: `message`, and its errors."""
    found = ["message", "InvalidCertificate", "GameError"]
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))]
    classes = [
        each for text in texts for each in re.findall(r"^class (\w+)\(([^)]*)\)", text, re.M)
    ]
    for kind in found:  # which grows
        found += [name for name, bases in classes if kind in re.findall(r"\w+", bases)]
    return found


LIBRARY_KEYWORDS = library_keywords(ROOT / "library/src")
#: Which extractor of Babel reads which files.
METHODS = (("**.py", "tools.message_catalogues.python_messages"), ("**/templates/*.html", "jinja2"))
KEYWORDS = DEFAULT_KEYWORDS | dict.fromkeys(LIBRARY_KEYWORDS, (1,))

EXTRACT = (
    "--add-location=file",
    "--no-wrap",
    "--project=tictactoe-frontends",
    "--copyright-holder=the tictactoe-engine authors",
)
UPDATE = ("--ignore-pot-creation-date", "--no-fuzzy-matching", "--ignore-obsolete", "--no-wrap")


#: Where calls have templates that are not their first argument: the sentence and the theme of a
#: declared fact, and how a list of names ends.
INNER = {"Kind": slice(1, 4, 2), "listed": slice(1, 2)}


def python_messages(
    file: BinaryIO, keywords: Collection[str], tags: Collection[str], options: dict[str, Any]
) -> Iterator[tuple[int, str | None, Any, list[str]]]:
    """Yield the messages of a Python file, as Babel's own method does, and those of `INNER`."""
    calls: Any = extract_python(file, [*keywords, *INNER], tags, options)  # type: ignore[arg-type]
    for line, name, texts, notes in calls:
        if name in INNER:
            several = texts[INNER[name]] if isinstance(texts, tuple) else ()
            yield from ((line, None, text, notes) for text in several if text)
        else:
            yield line, name, texts, notes


def main() -> None:
    """Bring the template and the catalogues up to date."""
    keywords = [f"--keywords={name}:1" for name in LIBRARY_KEYWORDS]
    sources = [str(path.relative_to(Path.cwd())) for path in SOURCES]
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as mapping:
        mapping.writelines(f"[{method}: {pattern}]\n" for pattern, method in METHODS)
        mapping.flush()
        given = f"--mapping-file={mapping.name}", f"--output-file={TEMPLATE}"
        _babel("extract", *EXTRACT, *keywords, *given, *sources)
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
