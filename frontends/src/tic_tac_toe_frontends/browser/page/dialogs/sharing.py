"""The dialogs that share, save and open games, and QR codes."""

from __future__ import annotations

import re
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

import js
from pyodide.code import run_js

from tic_tac_toe.logic.rules.catalogue import variant_name

from ....program.process import Refused
from ....table.table import Table
from ....words.rules_text import variant_title
from ..dom import (
    Dialog,
    by_id,
    copy_text,
    download,
    on,
    on_click,
    on_submit,
    options,
    set_text,
    start_task,
    window,
)
from ..links import LONGEST_TEXT, LinkedGame, read_text, write_link

#: The path of the JavaScript library for QR codes, which the page loads for the first code.
LIBRARY = "uqr.mjs"
#: The empty modules around a code: ISO 18004 requires four.
QUIET_ZONE = 4
#: Characters that names of saved files must not contain.
_SIGNS = re.compile("[^a-z0-9]+")


async def draw_code(text: str) -> str:
    """Return the QR code of a text as SVG; empty if the text is too long for one."""
    library: Any = await run_js("address => import(address)")(
        js.URL.new(LIBRARY, window.location.href).href
    )
    try:
        return str(library.renderSVG(text, options(border=QUIET_ZONE, ecc="M")))
    except Exception:  # the library's error for a text that is too long
        return ""


class ShareDialog:
    """Shows a link and its QR code, to copy or share."""

    def __init__(self, language: Callable[[], NullTranslations]) -> None:
        self._language = language
        self._dialog = Dialog("share")
        self._link, self._title = by_id("share-link"), ""
        by_id("share-system").hidden = not hasattr(window.navigator, "share")
        on_click("copy", lambda: start_task(self._copy()))
        on_click("share-system", lambda: start_task(self._send()))

    def open(self, link: str, title: str) -> None:
        """Show a link."""
        self._link.value, self._title = link, title
        self._show_message("")
        by_id("qr").replaceChildren()
        self._dialog.open()
        start_task(self._draw(link))

    async def _draw(self, link: str) -> None:
        code = await draw_code(link)
        if self._link.value != link:
            return
        by_id("qr").innerHTML = code  # safe: the library draws only squares
        if not code:
            self._show_message(self._language().gettext("This link is too long for a QR code."))

    async def _copy(self) -> None:
        _ = self._language().gettext
        is_copied = await copy_text(self._link.value)
        if not is_copied:
            self._link.select()
        self._show_message(_("The link is copied.") if is_copied else _("Copy the link by hand."))

    async def _send(self) -> None:
        about = options(url=self._link.value, title=self._title)
        try:
            await window.navigator.share(about)
        except Exception:  # the reader cancelled, or no app takes links
            return

    def _show_message(self, text: str) -> None:
        set_text(by_id("share-said"), text)


class OpenDialog:
    """Opens a game from a file or from a pasted text.

    Args:
        play: called with the game.
    """

    def __init__(
        self,
        language: Callable[[], NullTranslations],
        table: Table,
        play: Callable[[LinkedGame], object],
    ) -> None:
        self._language, self._table, self._play = language, table, play
        self._dialog = Dialog("open", "open-game", lambda: self._show_message(""))
        self._file, self._text = by_id("file"), by_id("pasted")
        on_click("open-file", lambda: self._file.click())
        on(self._file, "change", lambda _event: start_task(self._open_file()))
        on_submit("open-form", lambda: self._open(str(self._text.value)))

    async def _open_file(self) -> None:
        file: Any = self._file.files.item(0)
        if file is None:
            return
        # A larger file is read only so far that it is refused.
        text = str(await file.slice(0, LONGEST_TEXT + 4).text())
        self._open(text)
        self._file.value = ""  # the same file can be chosen again

    def _open(self, text: str) -> None:
        try:
            linked = read_text(text, self._table.setup, self._language())
        except Refused as refusal:
            self._show_message(str(refusal))
        else:
            self._text.value = ""
            self._dialog.close()
            self._play(linked)

    def _show_message(self, text: str) -> None:
        set_text(by_id("open-said"), text)


def share_game(
    dialog: ShareDialog, table: Table, think: float | None, language: NullTranslations
) -> None:
    """Show the link to the game at a table.

    Args:
        think: the computer's seconds for a move, if chosen.
    """
    match, setup = table.match, table.setup
    link = write_link(match.start, match.history, (setup.x, setup.o), think)
    address = f"{str(window.location.href).partition('#')[0]}#{link}"
    dialog.open(address, variant_title(setup.rules, language))


def save_game(table: Table) -> str:
    """Download the record of the game at a table, and return the name of the file."""
    from tic_tac_toe.logic.records import format_records

    name = _SIGNS.sub("-", variant_name(table.setup.rules)) + ".txt"
    download(format_records([table.record]), name)
    return name
