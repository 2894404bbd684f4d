"""Sharing, saving and opening games."""

from __future__ import annotations

import re
from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules.catalogue import variant_name

from ...program.process import Refused
from ...table.table import Table
from ...words.rules_text import variant_title
from .dialogs import Dialog
from .dom import by_id, copy_text, download, on, on_click, options, set_text, start_task, window
from .links import LinkedGame, write_link
from .thinking_time import ThinkingTime


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
        from .qr import draw_code  # rarely used

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


#: Characters that names of saved files must not contain.
_SIGNS = re.compile("[^a-z0-9]+")


class Sharing:
    """Shares and saves the game, and opens another one."""

    def __init__(
        self,
        language: Callable[[], NullTranslations],
        table: Table,
        thinking_time: ThinkingTime,
        play: Callable[[LinkedGame], object],
    ) -> None:
        self._language, self._table, self._play = language, table, play
        self._thinking_time = thinking_time
        self.dialog = ShareDialog(language)
        self._file = by_id("file")
        self._start: GameState | None = None
        on_click("share-open", self._share)
        on_click("save", self._save)
        on_click("open", lambda: self._file.click())
        on(self._file, "change", lambda _event: start_task(self._open()))

    def show(self, start: GameState) -> None:
        """Clear the message if the game is another one."""
        if start is not self._start:
            self._start = start
            self.show_message("")

    def show_message(self, text: str, *, refused: bool = False) -> None:
        """Show a line about the last action."""
        place = by_id("said")
        place.className = "refused" if refused else ""
        set_text(place, text)

    def _share(self) -> None:
        match, setup = self._table.match, self._table.setup
        link = write_link(
            match.start, match.history, (setup.x, setup.o), self._thinking_time.seconds
        )
        address = f"{str(window.location.href).partition('#')[0]}#{link}"
        self.dialog.open(address, variant_title(setup.rules, self._language()))

    def _save(self) -> None:
        from tic_tac_toe.logic.records import format_records

        name = _SIGNS.sub("-", variant_name(self._table.setup.rules)) + ".txt"
        download(format_records([self._table.record]), name)
        self.show_message(self._language().gettext("Saved as {file}.").format(file=name))

    async def _open(self) -> None:
        from .game_files import check_size, read_file

        file: Any = self._file.files.item(0)
        if file is None:
            return
        language = self._language()
        try:
            check_size(file.size, language)
            linked = read_file(str(await file.text()), language)
        except Refused as refusal:
            self.show_message(str(refusal), refused=True)
        else:
            self.show_message("")
            self._play(linked)
        finally:
            self._file.value = ""  # the same file can be chosen again
