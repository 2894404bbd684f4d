"""Links and files of games: out of the page and into it."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.records import Record

from ...program.process import Refused
from .dom import by_id, copy_text, download, on, on_click, start, window, write
from .links import Linked

#: What a saved game is called.
FILE_NAME = "tic-tac-toe.txt"


class Sharing:
    """Copies the link, saves the game, opens another.

    Args:
        language: returns the messages to speak with.
        record: returns the game as it is written to files.
        play: called with a game that has been opened.
    """

    def __init__(
        self,
        language: Callable[[], NullTranslations],
        record: Callable[[], Record],
        play: Callable[[Linked], object],
    ) -> None:
        self._language, self._record, self._play = language, record, play
        self._file = by_id("file")
        self._start: GameState | None = None
        on_click("copy", lambda: start(self._copy()))
        on_click("save", self._save)
        on_click("open", lambda: self._file.click())
        on(self._file, "change", lambda _event: start(self._open()))

    def show(self, start: GameState) -> None:
        """Show a game by where it began; what was said about another one goes."""
        if start is not self._start:
            self._start = start
            self.say("")

    def say(self, text: str, *, refused: bool = False) -> None:
        """Show a line about what has just been done, or has not."""
        place = by_id("said")
        place.className = "refused" if refused else ""
        write(place, text)

    async def _copy(self) -> None:
        address = str(window.location.href)
        is_copied = await copy_text(address)  # else the reader can copy it by hand
        message = self._language().gettext("The link to this game is copied.")
        self.say(message if is_copied else address)

    def _save(self) -> None:
        from tic_tac_toe.logic.record_text import format_records

        download(format_records([self._record()]), FILE_NAME)
        self.say(self._language().gettext("Saved as {file}.").format(file=FILE_NAME))

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
            self.say(str(refusal), refused=True)
        else:
            self.say("")
            self._play(linked)
        finally:
            self._file.value = ""  # so that the same file can be chosen again
