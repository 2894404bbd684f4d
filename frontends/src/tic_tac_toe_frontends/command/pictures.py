"""Writing pictures to standard output, which must not be a terminal."""

from __future__ import annotations

import sys
from gettext import NullTranslations

from ..program.process import Refused
from ..program.terminal import Terminal, unbroken


def check_output(command: str, language: NullTranslations) -> None:
    """Raise `Refused` if the output is a terminal.

    Args:
        command: the proper command, which writes to a file.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        message = language.gettext("this is a picture: write it to a file, as in {command}")
        raise Refused(message.format(command=unbroken(command)))


def show_picture(picture: str) -> None:
    """Write a picture in SVG or DOT."""
    # Both formats have these escapes, so the encoding of the output does not matter.
    text = picture.encode("ascii", "xmlcharrefreplace").decode("ascii")
    Terminal.standard().show(text, end="")
