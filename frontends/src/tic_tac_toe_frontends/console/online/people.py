"""What a person at the console does about others: not to read, not to meet, to report them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import SEATS, SIDES, Said
from tic_tac_toe.protocols.online.replies import TalkLine
from tic_tac_toe.protocols.online.surroundings import WATCHERS

from ...program.process import Refused
from ...program.terminal import Terminal
from ...words.online_text import describe_line, describe_muted, describe_reason
from .args import OnlineArgs


@dataclass(frozen=True)
class PeopleActions:
    """What can be typed about other people at a game.

    Attributes:
        keep: called when what is kept of the game has changed.
        shown: returns the lines of others that were shown, the newest last.
    """

    args: OnlineArgs
    terminal: Terminal
    client: Client
    keep: Callable[[], None]
    shown: Callable[[], Sequence[Said | TalkLine]]

    def commands(self) -> Mapping[str, Callable[[str], object]]:
        """Return what the commands do with the text typed after them."""
        return {
            "mute": self._mute,
            "unmute": lambda _argument: self._unmute(),
            "report": self._report,
            "block": lambda _argument: self.client.block(),
            "unblock": lambda _argument: self.client.block(on=False),
        }

    def _mute(self, argument: str) -> None:
        client, game = self.client, self.client.game
        client.mute(self._named(argument) if argument else self._other)
        self.keep()
        if game is not None:
            how = self.args.language.gettext("Type unmute to see it again.")
            told = describe_muted(game, client.muted, self.args.language)
            self.terminal.show_wrapped(f"{told} {how}")

    def _unmute(self) -> None:
        client = self.client
        for who in client.muted:
            client.mute(who, on=False)
        self.keep()
        self.terminal.show_wrapped(self.args.language.gettext("You see what everybody says."))

    def _report(self, argument: str) -> None:
        """Report a line, counted back from the newest of others, or a name."""
        client, game, language = self.client, self.client.game, self.args.language
        word, _, rest = argument.partition(" ")
        if word in ("name", language.pgettext("command", "name")):
            client.report_name(self._named(rest) if rest else self._other)
            return
        if argument and not argument.isdecimal():
            message = language.gettext("Type report, report 2 for the line before, or report name.")
            raise Refused(message)
        lines = self.shown()
        number = int(argument[:9]) if argument else 1
        if game is None or not lines:
            raise Refused(language.gettext("Nobody else has said anything here."))
        if not 0 < number <= len(lines):
            raise Refused(describe_reason("nothing_to_report", language))
        self.terminal.show_wrapped(describe_line(lines[-number], game, language))
        client.report_line(lines[-number])

    @property
    def _other(self) -> str:
        """The opponent's seat; a watcher has to name one."""
        if not self.client.seat:
            raise Refused(self.args.language.gettext("Say whom: X, O or watchers."))
        return SEATS[1 - SIDES[self.client.seat]]

    def _named(self, word: str) -> str:
        language, seat = self.args.language, word.upper()
        if seat in SIDES and seat != self.client.seat:
            return seat
        if word.casefold() in ("watchers", language.pgettext("command", "watchers").casefold()):
            return WATCHERS
        raise Refused(language.gettext("Say whom: X, O or watchers."))
