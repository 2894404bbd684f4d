"""Lines at the top of the page: news of other online games, and the operator's announcement."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.replies import Notice as ServerNotice

from ...words.online_text import describe_notice
from .dom import by_id, on_click, set_text


class Notice:
    """One line of news with a button that opens its game.

    Args:
        go: called with the address of the game; empty for the lobby.
        changed: called when another line is shown.
    """

    def __init__(self, go: Callable[[str], object], changed: Callable[[], object]) -> None:
        self._changed = changed
        self._text = self._address = ""
        self._is_news = False
        on_click("notice-go", lambda: go(self._address))

    def show_line(self, text: str, address: str = "", *, is_news: bool = True) -> None:
        """Show a line; if it is about a game, the window's title shows it too."""
        self._is_news = is_news and bool(address)
        if (text, address) != (self._text, self._address):
            self._text, self._address = text, address
            set_text(by_id("notice-text"), text)
            by_id("notice-go").hidden = not text
            self._changed()

    def title(self, title: str) -> str:
        """Return the news, else the given title."""
        return f"● {self._text}" if self._is_news else title


class Announcement:
    """The operator's announcement, shown until the reader closes it."""

    def __init__(self) -> None:
        self._notice: ServerNotice | None = None
        on_click("announcement-close", self._close)

    def set_notice(self, notice: ServerNotice) -> None:
        """Set the announcement, in place of an earlier one."""
        self._notice = notice

    def show(self, language: NullTranslations) -> None:
        """Show the announcement."""
        notice = self._notice
        set_text(
            by_id("announcement-text"), "" if notice is None else describe_notice(notice, language)
        )
        by_id("announcement-close").hidden = notice is None

    def _close(self) -> None:
        self._notice = None
        set_text(by_id("announcement-text"), "")
        by_id("announcement-close").hidden = True
        by_id("mode-online").focus()  # the button is hidden now
