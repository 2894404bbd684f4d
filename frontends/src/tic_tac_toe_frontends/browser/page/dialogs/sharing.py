"""The dialogs that share, save and open games, and QR codes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from functools import partial
from gettext import NullTranslations
from typing import Any
from urllib.parse import quote

import js
from pyodide.code import run_js
from pyodide.ffi import create_once_callable, to_js

from tic_tac_toe.logic.rules.catalogue import variant_name

from ....program.process import Refused
from ....table.table import Table
from ....words.rules_text import variant_title
from ..dom import (
    Dialog,
    by_id,
    copy_text,
    document,
    download,
    on,
    on_click,
    on_submit,
    options,
    set_text,
    start_task,
    window,
)
from ..links import LONGEST_TEXT, LinkedGame, find_address, read_text, write_link

#: The path of the JavaScript library for QR codes, which the page loads for the first code.
LIBRARY = "uqr.mjs"
#: The empty modules around a code: ISO 18004 requires four.
QUIET_ZONE = 4
#: The width of a saved picture, in pixels.
PNG_WIDTH = 720
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


class ResultDialog:
    """Shows the end of a game as a picture and as a text of signs, to send, copy or save."""

    def __init__(self, language: Callable[[], NullTranslations]) -> None:
        self._language = language
        self._dialog = Dialog("result")
        self._text = self._picture = ""
        by_id("result-send").hidden = not hasattr(window.navigator, "share")
        for name, action in (("send", self._send), ("copy", self._copy), ("save", self._save)):
            on_click(f"result-{name}", partial(_start, action))

    def open(self, text: str, picture: str) -> None:
        """Show a result.

        Args:
            picture: a whole SVG file.
        """
        self._text, self._picture = text, picture
        set_text(by_id("result-text"), text)
        by_id("result-picture").innerHTML = picture  # the library's own SVG: safe
        set_text(by_id("result-said"), "")
        self._dialog.open()

    async def _send(self) -> None:
        about = options(text=self._text)
        picture = js.File.new(to_js([await self._png()]), "game.png", options(type="image/png"))
        whole = options(text=self._text, files=to_js([picture]))
        can_share = getattr(window.navigator, "canShare", None)
        try:
            await window.navigator.share(whole if can_share and can_share(whole) else about)
        except Exception:  # the reader cancelled, or no app takes it
            return

    async def _copy(self) -> None:
        _ = self._language().gettext
        is_copied = await copy_text(self._text)
        set_text(by_id("result-said"), _("Copied.") if is_copied else _("Copy it by hand."))

    async def _save(self) -> None:
        download(await self._png(), "game.png")

    async def _png(self) -> Any:
        """Return the picture as a blob of a PNG file."""
        image, canvas = js.Image.new(), document.createElement("canvas")
        image.src = f"data:image/svg+xml;charset=utf-8,{quote(self._picture)}"
        await image.decode()
        canvas.width, canvas.height = PNG_WIDTH, PNG_WIDTH * image.height / image.width
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
        found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        canvas.toBlob(create_once_callable(found.set_result), "image/png")
        return await found


def _start(work: Callable[[], Coroutine[Any, Any, object]]) -> None:
    start_task(work())


class OpenDialog:
    """Opens a game from a file or from a pasted text, and goes to the game of an online link.

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
        if address := find_address(text):
            self._text.value = ""
            self._dialog.close()
            window.location.hash = f"game={address}"  # as if the link had been followed
            return
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
    blob = js.Blob.new(to_js([format_records([table.record])]), options(type="text/plain"))
    download(blob, name)
    return name
