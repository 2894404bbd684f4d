"""Whether the full screen can be used here: asked before Textual is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from gettext import NullTranslations
from importlib import import_module

from ..program.extras import TUI, missing_text
from ..words.foreign import harmless
from ..words.translation import N_

#: Signs of the board that the terminal's encoding must have.
SIGNS = "─┃╋█▀◆∞•●○"
FULL_SCREEN = N_("the full screen")


def find_hindrance(
    language: NullTranslations, environ: Mapping[str, str] | None = None
) -> str | None:
    """Return in a sentence why the full screen cannot be used, ``None`` where it can.

    Textual does not ask: without a keyboard it waits for ever, and it draws on anything, on
    standard error where the system is not Windows.
    """
    environ = os.environ if environ is None else environ
    _ = language.gettext
    for stream, message in (
        (
            sys.stdin,
            _("the full screen needs a terminal to type at, and the input is not a terminal"),
        ),
        (
            sys.stdout,
            _("the full screen needs a terminal to draw on, and the output is not a terminal"),
        ),
        (sys.stderr, _("the full screen needs standard error to be the terminal too")),
    ):
        if stream is None or not stream.isatty():
            return message
    kind = environ.get("TERM") or environ.get("WT_SESSION")
    if not kind and sys.platform != "win32":
        return _("the full screen needs to know the terminal, and TERM is not set")
    if kind == "dumb":
        return _("the full screen needs a terminal that can be drawn on, and TERM is dumb")
    try:
        for stream in (sys.stdout, sys.stderr):
            SIGNS.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        message = _("the full screen needs letters that {encoding} does not have")
        return message.format(encoding=harmless(stream.encoding))
    try:
        import_module("textual")
    except ImportError:
        return missing_text(language, FULL_SCREEN, TUI)
    return None
