"""The open games, as a list with numbers that stay the same while people come and go."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from tic_tac_toe.protocols.online.replies import OpenGame

from ...words.online_text import describe_open_game


class LobbyList:
    """What of the lobby has been shown, and under which numbers.

    Attributes:
        games: what is open, by number.
        told: whether the list has been shown since it was forgotten.
    """

    def __init__(self, language: NullTranslations) -> None:
        self.games: dict[int, OpenGame] = {}
        self._language = language
        self._last = 0
        self.told = False

    def update(self, games: Iterable[OpenGame]) -> list[str]:
        """Take the games that are open now, and return lines that say what is new about it."""
        now = {game.game: game for game in games}
        gone = [number for number, game in self.games.items() if game.game not in now]
        for number in gone:
            del self.games[number]
        known = {game.game for game in self.games.values()}
        added = []
        for address, game in reversed(now.items()):  # the newest come first and get the last number
            if address not in known:
                self._last += 1
                self.games[self._last] = game
                added.append(self._last)
        if not self.told:
            return self.lines()
        _ = self._language.gettext
        lines = [_("Gone: {number}.").format(number=number) for number in gone]
        lines += [_("New: {game}").format(game=self._line(number)) for number in added]
        return lines if self.games or not lines else [*lines, _("No open games.")]

    def lines(self) -> list[str]:
        """Return the whole list."""
        self.told = True
        if not self.games:
            return [self._language.gettext("No open games.")]
        return [
            self._language.gettext("Open games:"),
            *(f"  {self._line(number)}" for number in self.games),
        ]

    def forget(self) -> None:
        """Show the whole list next time."""
        self.told = False

    def _line(self, number: int) -> str:
        return f"{number}. {describe_open_game(self.games[number], self._language)}"
