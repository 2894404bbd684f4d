"""The output of online play at the console: the list of open games, and games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from gettext import NullTranslations

from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import first_state
from tic_tac_toe.protocols.online.client import WATCHERS, Client, speaker_of
from tic_tac_toe.protocols.online.events import (
    TAKE_BACK,
    Accepted,
    Event,
    Joined,
    Moved,
    Offered,
    Said,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.replies import OpenGame, TalkLine

from ...table.looking_back import in_a_line, replayed
from ...words.clock_text import clock_setting, describe_clocks
from ...words.online_text import (
    describe_claim,
    describe_event,
    describe_first_move,
    describe_line,
    describe_offers,
    describe_open_game,
    describe_players,
    describe_presence,
    describe_standing,
    describe_talk,
    end_sentences,
)
from ...words.rules_text import side_title
from ...words.translation import join_sentences
from ..renderers import ConsoleRenderer
from .args import ServerAddress
from .terminal import OnlineTerminal


class LobbyList:
    """The numbered list of open games.

    Attributes:
        games: the open games by number.
        was_shown: whether the list was shown since `reset`.
    """

    def __init__(self, language: NullTranslations) -> None:
        self.games: dict[int, OpenGame] = {}
        self._language = language
        self._last = 0
        self.was_shown = False

    def update(self, games: Iterable[OpenGame]) -> list[str]:
        """Update the open games, and return lines about the changes."""
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
        if not self.was_shown:
            return self.lines()
        _ = self._language.gettext
        lines = [_("Gone: {number}.").format(number=number) for number in gone]
        lines += [_("New: {game}").format(game=self._line(number)) for number in added]
        return lines if self.games or not lines else [*lines, _("No open games.")]

    def lines(self) -> list[str]:
        """Return the whole list."""
        self.was_shown = True
        if not self.games:
            return [self._language.gettext("No open games.")]
        return [
            self._language.gettext("Open games:"),
            *(f"  {self._line(number)}" for number in self.games),
        ]

    def reset(self) -> None:
        """Show the whole list next time."""
        self.was_shown = False

    def _line(self, number: int) -> str:
        return f"{number}. {describe_open_game(self.games[number], self._language)}"


#: The number of old chat lines shown when a person enters a game.
CHATS_AGAIN = 5


@dataclass
class OnlineView:
    """Shows games; `server` gives the addresses for invitations."""

    terminal: OnlineTerminal
    language: NullTranslations
    server: ServerAddress
    client: Client
    _place: str = field(default="", init=False)
    _presence: str = field(default="", init=False)
    _talk: set[TalkLine] = field(default_factory=set, init=False)
    _lines: list[Said | TalkLine] = field(default_factory=list, init=False)
    _without_rematch: str = field(default="", init=False)
    _has_shown_claim: bool = field(default=False, init=False)
    _renderer: ConsoleRenderer = field(init=False)

    @property
    def place(self) -> str:
        """The shown game; empty for the lobby."""
        return self._place

    def lines_of_others(self) -> list[Said | TalkLine]:
        """Return the shown lines of other people in this game, the newest last."""
        return [line for line in self._lines if speaker_of(line) != self.client.seat]

    def shows_game(self, game: OnlineGame) -> bool:
        """Return whether this game is the shown one."""
        return self._place == game.address

    def refuse_rematch(self) -> None:
        """Offer no rematch after this game: the server refused one."""
        self._without_rematch = self._place

    def clear_game(self) -> None:
        """Note that no game is shown any more."""
        self._place = self._presence = ""
        self._talk = set()
        self._lines = []

    def show_game(self, game: OnlineGame) -> None:
        """Show a whole game."""
        _, show = self.language.gettext, self.terminal.show_wrapped
        self.clear_game()
        self._place = game.address
        self._renderer = ConsoleRenderer(self.terminal, self.language)
        show(describe_players(game, self.language))
        if game.setup.clock is not None:
            show(_("Clock: {clock}.").format(clock=clock_setting(game.setup.clock, self.language)))
        self.show_seat()
        chats = [line for line in self.client.lines if isinstance(line, Said)]
        self._lines += chats[-CHATS_AGAIN:]
        for line in chats[-CHATS_AGAIN:]:
            show(describe_line(line, game, self.language))
        if game.waiting:
            self._invite(game)
        else:
            self.show_board(game)
        self.show_turn(game)
        show(*describe_offers(game, self.client.seat, self.language))
        self._show_answers(game)
        self.show_presence()
        self.show_talk()

    def show_seat(self) -> None:
        """Show the person's side, or that they watch."""
        _, seat, game = self.language.gettext, self.client.seat, self.client.game
        if not seat:
            self.terminal.show_wrapped(_("You watch."))
            return
        side = seat if game is None else side_title(game.rules, Mark(seat), self.language)
        self.terminal.show_wrapped(_("You play {mark}.").format(mark=side))

    def show_events(self, events: Sequence[Event], game: OnlineGame) -> None:
        """Show events, the board if it changed, and what comes next."""
        muted = self.client.muted
        events = [each for each in events if not isinstance(each, Said) or each.seat not in muted]
        self._lines += (event for event in events if isinstance(event, Said))
        self._ring_bell(events, game)
        sentences = [
            describe_event(event, game, self.language, self.client.seat) for event in events
        ]
        self.terminal.show_wrapped(*sentences)
        if any(map(_shows_board, events)):
            self.show_board(game)
        changed = any(event.version == game.changed for event in events)
        if game.end is not None and changed:
            lines = end_sentences(game, self.client.seat, self.language)
            self.terminal.show_wrapped(*(line for line in lines if line not in sentences))
            self._show_next_steps(game)
        elif changed:
            self.show_turn(game)
        if any(isinstance(event, Offered) for event in events):
            self._show_answers(game)

    def show_again(self, game: OnlineGame, events: Sequence[Event]) -> None:
        """Show a game after a lost connection, except the parts that its news have shown."""
        if game.waiting or any(event.version == 1 for event in events):
            return
        if not any(map(_shows_board, events)):
            self.show_board(game)
        if not any(event.version == game.changed for event in events):
            self.show_turn(game)

    def show_board(self, game: OnlineGame) -> None:
        """Show the board and its consequences."""
        self._renderer.show_next(game.state)

    def show_turn(self, game: OnlineGame) -> None:
        """Show what the game waits for, and the clocks."""
        clocks = describe_clocks(self.client.time_left(), game.rules, self.language)
        turn = describe_standing(game, self.client.seat, self.language)
        first = describe_first_move(self.client.first_move_left(), self.language)
        self.terminal.show_wrapped(join_sentences([turn, clocks, first], self.language))
        if game.end is not None:
            self._show_next_steps(game)

    def show_moves(self, game: OnlineGame) -> None:
        """List the moves so far."""
        moves = replayed(first_state(game.rules, game.starting_mark), game.moves)
        self.terminal.show_wrapped(in_a_line(moves) or self.language.gettext("No moves yet."))

    def show_who(self, game: OnlineGame) -> None:
        """Show the players, their connections and the clocks."""
        self.terminal.show_wrapped(describe_players(game, self.language))
        self.show_seat()
        self._presence = ""
        self.show_presence()
        self.show_turn(game)

    def show_presence(self) -> None:
        """Show who is connected, if that is known and has changed."""
        client = self.client
        if client.game is None or client.presence is None:
            return
        text = describe_presence(client.game, client.presence, client.seat, self.language)
        if text and text != self._presence:
            left = client.claim_left()
            claim = describe_claim(left, self.language) if left else ""
            self.terminal.show_wrapped(join_sentences([text, claim], self.language))
        self._presence = text

    def show_talk(self) -> None:
        """Show new lines of watchers."""
        new = [line for line in self.client.talk if line not in self._talk]
        self._talk.update(new)
        if WATCHERS in self.client.muted:
            return
        self._lines += new[-CHATS_AGAIN:]
        self.terminal.show_wrapped(
            *(describe_talk(line, self.language) for line in new[-CHATS_AGAIN:])
        )

    def show_claim(self) -> None:
        """Show once that the game can be claimed, as soon as it can."""
        can_claim = self.client.claim_left() == 0
        if can_claim and not self._has_shown_claim:
            message = describe_claim(0, self.language)
            how = self.language.gettext("Type claim, or claim draw.")
            self.terminal.show_wrapped(f"{message} {how}")
        self._has_shown_claim = can_claim

    def _ring_bell(self, events: Sequence[Event], game: OnlineGame) -> None:
        """Ring if the opponent has joined or moved."""
        seat = self.client.seat
        others = [event for event in events if isinstance(event, Joined | Moved)]
        if seat and any(event.seat != seat for event in others):
            is_turn = game.turn == seat
            if is_turn or any(isinstance(event, Joined) for event in others):
                self.terminal.ring()

    def _invite(self, game: OnlineGame) -> None:
        if not self.client.seat:
            return
        _ = self.language.gettext
        self.terminal.show_wrapped(_("Whoever has this address can take the other seat:"))
        self.terminal.show(f"  {self.server.page_of(game.address)}")
        self.terminal.show(f"  tic-tac-toe online {self.server.address_of(game.address)}")
        self.terminal.show_wrapped(_("To close the game type leave; quit keeps it."))

    def _show_answers(self, game: OnlineGame) -> None:
        seat = self.client.seat
        if seat and describe_offers(game, seat, self.language):
            self.terminal.show_wrapped(self.language.gettext("Type accept or decline."))

    def _show_next_steps(self, game: OnlineGame) -> None:
        _ = self.language.gettext
        if not self.client.seat or None in game.players:
            return
        if game.follower:
            how = _("There has been a rematch: type leave, and then games.")
        elif self.client.has_blocked or game.address == self._without_rematch:
            how = _("Type leave to go to the lobby.")
        else:
            how = _("Type rematch for another game, or leave.")
        self.terminal.show_wrapped(how)
        if game.has_chat_to_keep:
            self.terminal.show_wrapped(_("Type keep to ask that the chat is kept with the record."))


def _shows_board(event: Event) -> bool:
    is_taken_back = isinstance(event, Accepted) and event.what == TAKE_BACK
    return is_taken_back or isinstance(event, Moved | Joined)
