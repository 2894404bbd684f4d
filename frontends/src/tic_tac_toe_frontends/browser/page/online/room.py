"""Shows an online game, and passes on the reader's actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.notation import move_at
from tic_tac_toe.protocols.online.events import OFFERS, SEATS, SIDES
from tic_tac_toe.protocols.online.judge import objection
from tic_tac_toe.protocols.online.requests import CLAIMS

from ....table.table import Replay
from ....words.online_text import seat_name, sentence
from ....words.translation import as_sentence, localise
from ..board.board import Board
from ..dom import Confirmation, by_id, on_click, set_text
from ..settings import Settings
from ..show import MoveList, show_result
from .chat import Chat
from .session import Session
from .view import RoomView, Situation, catch_up, changed, clocks, finished, room_view


class Room:
    """Shows the client's game: whatever differs from what is shown already."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self._session, self._client = session, session.client
        self._settings = settings
        self._match: Match | None = None
        self._now: Situation | None = None
        self._view: RoomView | None = None
        self._clocks: object = None
        self._here: tuple[object, frozenset[str]] = None, frozenset()
        self._replay = Replay()
        self._letter = "X"  # the letter to place next, in games with a choice
        self._confirmation = Confirmation()
        self._board = Board(self._pick, self._play, self._choose, "online-")
        self._moves = MoveList(self._look_back, "online-")
        self.chat = Chat(session)
        for what in OFFERS:
            on_click(f"offer-{what}", partial(self._offer_or_withdraw, what))
        for what in CLAIMS:
            on_click(f"claim-{what}", partial(self._request, self._client.claim, what))
        on_click("accept", lambda: self._request(self._client.accept, self._offered))
        on_click("decline", lambda: self._request(self._client.decline, self._offered))
        on_click("abort", partial(self._request, self._client.abort))
        on_click("resign", self._resign)

    def show(self, *, is_elsewhere: bool) -> None:
        """Update the game, if anything about it has changed.

        Args:
            is_elsewhere: whether another tab has the reader's seat.
        """
        client, settings, game = self._client, self._settings, self._client.game
        if self._match is not None and (game is None or self._now_at != game.address):
            self._match = None
        if game is not None and (self._match is None or self._match.ply != len(game.moves)):
            self._replay.return_to_present()  # a move ends looking back
        now = Situation.of(
            client,
            self._session.language(),
            ply=self._replay.ply,
            letter=self._letter,
            board=None if game is None else settings.of_board(game.rules),
            is_elsewhere=is_elsewhere,
        )
        if now == self._now:
            return
        self._now = now
        if game is not None:
            self._match = catch_up(self._match, game)
        self._show(room_view(now, self._match, self._replay))
        self.chat.show()
        self._announce_presence(now)
        self.show_clocks()

    @property
    def _now_at(self) -> str:
        return "" if self._now is None or self._now.game is None else self._now.game.address

    def _show(self, view: RoomView) -> None:
        old, self._view = self._view, view
        for name, text in view.texts.items():
            set_text(by_id(name), text)
        for name, label in view.labels.items():
            by_id(name).setAttribute("aria-label", label)
        for name, is_shown in view.shown.items():
            by_id(name).hidden, by_id(name).disabled = not is_shown, name in view.disabled
        for (name, style), is_on in view.styles.items():
            by_id(name).classList.toggle(style, is_on)
        if changed(old, view, "result"):
            show_result(by_id("online-status"), view.result)
        if changed(old, view, "address", "is_waiting", "is_over", "below"):
            _lay_out(view)
        if not view.is_played:
            self._confirmation.cancel()  # the question is obsolete
        if view.board is not None and view.moves is not None:
            self._board.show(view.board)
            self._moves.show(view.moves)

    def show_clocks(self) -> None:
        """Update the clocks."""
        away = {} if self._view is None else self._view.away
        shown = clocks(self._client, away, self._session.language())
        if shown == self._clocks:
            return
        self._clocks = shown
        texts, urgent = shown
        for name, text in texts.items():
            set_text(by_id(name), text)
            by_id(name).classList.toggle("short", name in urgent)

    def _announce_presence(self, now: Situation) -> None:
        """Announce once when a player disconnects or returns, but not who is there at first."""
        game, place = now.game, by_id("presence-said")
        at, before = self._here
        if game is None or (game.address, game.waiting) != at:
            set_text(place, "")
            at, before = game and (game.address, game.waiting), frozenset()
        elif now.presence is not None and before:
            _, here = now.language.gettext, frozenset(now.presence.seats)
            for seats, message in (
                (before - here, _("{player} is not connected.")),
                (here - before, _("{player} is connected.")),
            ):
                for seat in seats - {now.seat}:
                    text = message.format(
                        player=seat_name(game, seat, now.language, self._session.look())
                    )
                    set_text(place, sentence(text, now.language))
        known = before if now.presence is None else frozenset(now.presence.seats)
        self._here = at, known

    # -- what the reader does ----------------------------------------------------------------------

    def _pick(self, cell: int) -> None:
        """Make the reader's move in a cell, or show why not."""
        if self._match is None:
            return
        language = self._session.language()
        try:
            number = move_at(self._match.state, cell, self._letter)
        except InvalidMove as refusal:
            self._session.say(as_sentence(localise(language, refusal), language))
        else:
            self._play(number)

    def _play(self, number: int) -> None:
        """Make a move, or show why not."""
        client, game, language = self._client, self._client.game, self._session.language()
        _ = language.gettext
        if game is None:
            return
        if self._replay.ply is not None:
            self._session.say(_("You are looking back; go to the end to play on."))
        elif client.pending_cell is not None:
            self._session.say(_("Your last move is still on its way."))
        elif (refused := objection(game, client.seat, number)) is not None:
            self._session.say(as_sentence(localise(language, refused.text), language))
        else:
            self._request(client.move, number)

    def _choose(self, letter: str) -> None:
        self._letter = letter
        self._session.say("")

    def handle_key(self, event: Any) -> None:
        """Move by digits, and choose letters by their keys."""
        self._board.handle_key(event)

    def _look_back(self, ply: int) -> None:
        if self._match is not None:
            self._replay.show(self._match, ply)
            self._session.say("")

    @property
    def finished(self) -> tuple[Match, Mark | None] | None:
        """The shown game if it can be reviewed; see `view.finished`."""
        return finished(self._client.game, self._match)

    @property
    def _offered(self) -> str:
        return "" if self._view is None else self._view.offered

    def _offer_or_withdraw(self, what: str) -> None:
        client, game = self._client, self._client.game
        is_offered = game is not None and (client.seat, what) in game.offers
        self._request(client.decline if is_offered else client.offer, what)

    def _resign(self) -> None:
        _ = self._session.language().gettext
        self._confirmation.ask(
            _("Do you want to give up this game?"),
            _("Resign"),
            partial(self._request, self._client.resign),
        )

    def confirm_leaving(self, leave: Callable[[], object]) -> None:
        """Leave the game; ask first if the player's clock would run on."""
        client, game, _ = self._client, self._client.game, self._session.language().gettext
        if not client.seat or game is None or not game.turn or game.setup.clock is None:
            leave()
            return
        question = _("Your clock runs on while you are away. Leave the game?")
        self._confirmation.ask(question, _("Leave"), leave)

    def _request(self, ask: Callable[..., object], *about: object) -> None:
        ask(*about)
        self._session.send()


def _lay_out(view: RoomView) -> None:
    """Put the reader's seat, and an invitation that is all there is to do, below the board."""
    board, below, invitation = (
        by_id("online-board"),
        by_id(f"seat-{view.below}"),
        by_id("invite-part"),
    )
    tools = by_id("online-tools")
    if not tools.nextElementSibling.isSameNode(below):
        tools.after(below)
        board.before(by_id(f"seat-{SEATS[1 - SIDES[view.below]]}"))
    if view.is_waiting:
        by_id("take-seat").after(invitation)
    else:
        by_id("beside").append(invitation)
    by_id("moves-part").open = not view.is_over
    by_id("record-page").href = f"games/{view.address}"
    by_id("record-file").href = f"games/{view.address}/record.txt"
