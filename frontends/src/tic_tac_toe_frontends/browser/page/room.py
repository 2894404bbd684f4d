"""An online game: its board, its players and its buttons."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.notation import move_at
from tic_tac_toe.logic.rules.traits import letters
from tic_tac_toe.pictures.board import look_of
from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import Created, Moved, Offered, Said
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import objection

from ...table.looking_back import describe_past
from ...table.table import Replay
from ...words.clock_text import clock_setting
from ...words.foreign import truncated
from ...words.game_text import describe_consequences, describe_repetition
from ...words.online_text import describe_event, describe_standing, outcome_for
from ...words.rules_text import variant_title
from ...words.translation import as_sentence, join_sentences, localise
from .about import About
from .board.board import Board
from .board.plan import BoardView
from .catching_up import catch_up
from .chat import Chat
from .dom import by_id, set_text
from .offers import Offers
from .people import People
from .show import MoveList, show_result
from .view import moves_view

#: The maximum length of a chat line beside the board, for phones, which hide the chat.
CHAT_LETTERS = 80


class Room:
    """Shows the client's game, and passes on the reader's actions.

    Args:
        on_request: called after a request has been handed to the client.
        refuse: called with the sentence of a refusal.
    """

    def __init__(
        self,
        client: Client,
        on_request: Callable[[], object],
        refuse: Callable[[str], object],
        language: Callable[[], NullTranslations],
    ) -> None:
        self._client, self._on_request = client, on_request
        self._refuse, self._language = refuse, language
        self._match: Match | None = None
        self._address = ""
        self.replay = Replay()
        self.letter = "X"  # the letter to place next, in games with a choice
        self.board = Board(self.pick, self.play, self.choose, "online-")
        self.moves = MoveList(self.look_back, "online-")
        self.about = About(client, on_request, language)
        self.chat = Chat(client, on_request, self.about.open_line)
        self.people = People(client)
        self.offers = Offers(client, on_request, language)

    def show(self) -> None:
        """Update the game."""
        language, game = self._language(), self._client.game
        _ = language.gettext
        self.chat.show(language)
        self.about.show(language)
        by_id("room").classList.toggle("unknown", game is None)
        address = "" if game is None else game.address
        if address != self._address:
            self._match, self._address = None, address
        if game is None:
            set_text(by_id("room-title"), _("Online"))
            set_text(by_id("online-status"), _("Looking for the game …"))
            set_text(by_id("leave-title"), _("Leave"))
            return
        self._show_game(game, language)
        self.people.show(game, language)
        self.offers.show(game, language)
        self._show_next_steps(game, language)

    def _show_game(self, game: OnlineGame, language: NullTranslations) -> None:
        client, replay, _ = self._client, self.replay, language.gettext
        if self._match is None or self._match.ply != len(game.moves):
            replay.return_to_present()  # a move ends looking back
        match = self._match = catch_up(self._match, game)
        is_now, state = replay.ply is None, replay.state(match)
        pending = client.pending_cell if is_now else None
        may_move = is_now and game.turn == client.seat != "" and pending is None
        self.board.show(
            BoardView(
                state,
                language,
                look_of(game.rules),
                last=replay.last_cell(match),
                is_open=may_move,
                pending=pending,
                letter=self.letter if letters(game.rules) else "",
            )
        )
        self.moves.show(moves_view(match, replay, language))
        set_text(by_id("room-title"), variant_title(game.rules, language))
        if not is_now:
            status = describe_past(match, replay, language)
        elif pending is not None:
            status = _("Your move is on its way …")
        else:
            status = describe_standing(game, client.seat, language)
        set_text(by_id("online-status"), status)
        outcome = outcome_for(game, client.seat) if client.seat else None
        is_end = is_now and game.end is not None
        show_result(by_id("online-status"), (outcome or "over") if is_end else "")
        news = self._describe_last_event(game, language)
        if game.waiting:
            clock = clock_setting(game.setup.clock, language)
            news.append(f"{clock[:1].upper()}{clock[1:]}")
        news += (describe_repetition if game.end else describe_consequences)(state, language)
        set_text(by_id("online-note"), join_sentences(news, language))

    def _describe_last_event(self, game: OnlineGame, language: NullTranslations) -> list[str]:
        """Describe the last event, unless it is the reader's own move or the end of the game."""
        client = self._client
        newest = client.events[-1] if client.events else None
        is_line = isinstance(newest, Said) and newest.seat not in (client.seat, *client.muted)
        if newest is not None and is_line and self.replay.ply is None:
            return [truncated(describe_event(newest, game, language), CHAT_LETTERS)]
        events = [event for event in client.events if not isinstance(event, Created | Said)]
        if not events or self.replay.ply is not None:
            return []
        last = events[-1]
        if isinstance(last, Offered) and client.seat:
            if last.seat != client.seat:
                return []  # `Offers` shows it with its buttons
            return [language.gettext("Your offer waits for an answer.")]
        if isinstance(last, Moved):
            is_known = last.seat == client.seat
        else:
            is_known = game.end is not None and last.version <= game.changed
        return [] if is_known else [describe_event(last, game, language, client.seat)]

    def _show_next_steps(self, game: OnlineGame, language: NullTranslations) -> None:
        """Show the invitation while the game waits, and the next steps after its end."""
        _, seat, is_over = language.gettext, self._client.seat, game.end is not None
        set_text(by_id("leave-title"), _("Cancel") if seat and game.waiting else _("Leave"))
        by_id("play-meanwhile").hidden = not (seat and game.waiting)
        by_id("invite-note").hidden = not game.waiting
        by_id("take-seat").hidden = seat != "" or not game.waiting
        by_id("record-part").hidden = not is_over
        by_id("online-review").hidden = self.finished is None
        by_id("record-page").href = f"games/{game.address}"
        by_id("record-file").href = f"games/{game.address}/record.txt"
        by_id("pair-again").hidden = not (seat and is_over and is_between_people(game))
        room, invitation = by_id("room"), by_id("invite-part")
        room.classList.toggle("over", is_over)
        if game.waiting != room.classList.contains("open"):
            room.classList.toggle("open", game.waiting)
            # The link comes first while nothing else can be done.
            (by_id("beside").prepend if game.waiting else by_id("beside").append)(invitation)

    def pick(self, cell: int) -> None:
        """Make the reader's move in a cell, or show why not."""
        if self._match is None:
            return
        language = self._language()
        try:
            number = move_at(self._match.state, cell, self.letter)
        except InvalidMove as refusal:
            self._refuse(as_sentence(localise(language, refusal), language))
        else:
            self.play(number)

    def play(self, number: int) -> None:
        """Make a move, or show why not."""
        client, game, language = self._client, self._client.game, self._language()
        _ = language.gettext
        if game is None:
            return
        if self.replay.ply is not None:
            self._refuse(_("You are looking back; go to the end to play on."))
        elif client.pending_cell is not None:
            self._refuse(_("Your last move is still on its way."))
        elif (refused := objection(game, client.seat, number)) is not None:
            self._refuse(as_sentence(localise(language, refused.text), language))
        else:
            self._request(client.move, number)

    def choose(self, letter: str) -> None:
        """Set the letter to place."""
        self.letter = letter
        self._refuse("")

    def handle_key(self, event: Any) -> None:
        """Move by digits, and choose letters by their keys."""
        self.board.handle_key(event)

    def look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        if self._match is not None:
            self.replay.show(self._match, ply)
            self._refuse("")

    @property
    def finished(self) -> tuple[Match, Mark | None] | None:
        """The shown game and its loser, if it was won or ended on the board."""
        game, match = self._client.game, self._match
        if game is None or match is None or game.end is None or not game.moves:
            return None
        if match.over:
            return match, None
        return (match, Mark(game.end.winner).other) if game.end.winner else None

    def _request(self, ask: Callable[..., object], *about: object) -> None:
        ask(*about)
        self._on_request()


def is_between_people(game: OnlineGame) -> bool:
    """Return whether both players are people."""
    return not any(player is not None and player.strategy for player in game.players)
