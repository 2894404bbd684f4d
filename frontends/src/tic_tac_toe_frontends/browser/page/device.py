"""The game on this device: a table, what is known of its moves, and what the reader does to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import Any

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.game.match import Match
from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.opponents import Opponents

from ...program.process import Refused
from ...table.driver import DELAY_SECONDS, Driver
from ...table.looking_back import STEP_SECONDS, LookingBack
from ...table.queries import ChooseMove
from ...table.table import Setup, Table, offer_after
from ...words.rules_text import FIRST_OPPONENT, HUMAN, LEVELS
from ...words.translation import N_, as_sentence, localise
from .board.board import Board
from .dialogs.past_games import PastGames
from .dialogs.sharing import OpenDialog, ShareDialog, save_game, share_game
from .dialogs.tree import TreeDialog
from .dom import ConfirmButton, Dialog, by_id, fill, is_chord, on, on_click
from .links import LinkedGame, read_link, read_seconds
from .navigation import GameAddress, Navigation
from .opponents import easier_after, opponent_in, with_opponent
from .settings import Settings
from .show import MoveList, show
from .signals import Announcer, Signals
from .view import View, view
from .worker import Query, ServedValues, Worker

#: The question of the button that resigns.
RESIGN = N_("Resign now?")
#: The computer's seconds for a move in the menu; a link may add another entry.
SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
#: The step of each key, of `looking_back.STEPS`.
STEP_KEYS = {"Home": "first", "ArrowLeft": "back", "ArrowRight": "on", "End": "last"}
#: Elements with their own arrow keys.
OWN_ARROWS = "#cells, input, select, [tabindex='0']:not(button)"
#: Milliseconds between two updates of the bar, and until the first one: quick answers show no bar.
INTERVAL, PATIENCE = 200, 600


class Device:
    """Shows the table at each of its changes, and passes on the reader's actions.

    Args:
        write_title: called with the title of the game while it is shown.

    Attributes:
        values_url: the address of a server's evaluations of moves; empty without such a server.
        is_shown: whether the page shows this game, and not online play.
    """

    def __init__(
        self,
        language: Callable[[], NullTranslations],
        settings: Settings,
        signals: Signals,
        navigation: Navigation,
        write_title: Callable[[str], object],
    ) -> None:
        self._language, self._settings, self._navigation = language, settings, navigation
        self._write_title = write_title
        self.table = Table(settings.setup)
        self.values_url = ""
        self.is_shown = True
        self._computer = FIRST_OPPONENT
        self._view: View | None = None
        served = ServedValues(Worker(self._worker_failed).ask, lambda: self.values_url)
        self._driver = Driver(self.table, self.show, served.ask, _pause)
        self._advice = self._driver.advice
        # A review has its own worker, so that an analysis does not end it.
        reviewing = Worker(lambda _query, reason: self._stop_review(reason))
        served = ServedValues(reviewing.ask, lambda: self.values_url)
        self._past = LookingBack(self.table, served.ask, self.show, _later)
        self._board = Board(self._pick, self._play, self.table.choose)
        self._moves = MoveList(self._past.show_ply)
        self._think = settings.think
        self._choose_think(self._think)
        self._address = GameAddress(navigation)
        self._past_games = PastGames(language, self._open_past)
        self._announcer = Announcer(self.table, signals, self._past_games.add)
        self._tree = TreeDialog()
        self._share = ShareDialog(language)
        OpenDialog(language, self.table, self.open_game)
        Dialog("options", "options-open", self._show_think)
        self._seen = 0
        self._bind_events()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.table.setup.rules

    def start(self) -> None:
        """Start with the game in the page's address, else with the usual game and the reason."""
        self.follow_address()
        self._driver.start()

    def show(self) -> None:
        """Update the page, if anything has changed."""
        table, language = self.table, self._language()
        before = self._view
        shown = self._view = view(
            table, self._advice, self._past, self._settings, language, is_shown=self.is_shown
        )
        show(shown, before)
        self._board.show(shown.board)
        self._moves.show(shown.moves)
        self._announcer.notice(shown.status, language)
        self._tree.show(shown.board.state, language)
        by_id("replay-part").hidden = table.match.ply == 0
        by_id("play").toggleAttribute("data-idle", table.match.ply == 0)
        if self.is_shown:
            self._write_title(shown.game.title)
            self._address.write(table.match)

    def refuse(self, text: str) -> None:
        """Show why the last action was refused, until the next one."""
        self.table.remark = text
        self.show()

    def enter(self) -> None:
        """Show this game in the page."""
        self._address.enter()
        self.show()

    def change_setup(self, setup: Setup) -> None:
        """Start another game, or continue this one if only the players differ."""
        self._settings.save("players", f"{setup.x} {setup.o}")
        if (opponent := opponent_in(setup)) in LEVELS:
            self._computer = opponent
        self._try_action(lambda: self.table.change_players(setup))

    def play_against(self, name: str) -> None:
        """Play another opponent in the same game: a person, or by default the last computer."""
        if name or opponent_in(self.table.setup) == HUMAN:
            self.change_setup(with_opponent(self.table.setup, name or self._computer))

    def choose_game(self, rules: Rules) -> None:
        """Start a game of other rules between the same players."""
        self.change_setup(self.table.setup._replace(rules=rules))

    def follow_address(self) -> None:
        """Continue the game in the page's address, or show why it holds no game."""
        if not self.is_shown:
            return
        if self._address.is_kept:
            self.show()
            return
        try:
            linked = read_link(self._navigation.fragment, self.table.setup, self._language())
        except Refused as refusal:
            self.refuse(str(refusal))
        else:
            self._address.expect_from_address()
            self.open_game(linked)

    def open_game(self, linked: LinkedGame) -> None:
        """Continue a game of a link, a file or a pasted text."""
        if linked.think is not None:
            self._choose_think(linked.think)
        self._try_action(
            lambda: self.table.new_game(linked.setup, state=linked.start, moves=linked.moves)
        )

    def review(self, match: Match, loser: Mark | None) -> None:
        """Show and review a finished online game of two people.

        Args:
            loser: the side that lost, if the board does not show it.
        """
        start, moves = match.start, [move.number for move in match.history]
        setup = Setup(start.rules, HUMAN, HUMAN, start.starting_mark.value)
        self._address.enter()
        self._try_action(
            lambda: self.table.new_game(setup, state=start, moves=moves, resigned=loser)
        )
        self._past.start_review()

    def share(self, link: str, title: str) -> None:
        """Show a link in the dialog that shares games."""
        self._share.open(link, title)

    def delete_games(self) -> None:
        """Delete the finished games."""
        self._past_games.delete_all()

    def handle_key(self, event: Any) -> None:
        """Undo and redo by Ctrl-Z and Ctrl-Y, move by digits, and step by the arrow keys."""
        key = event.key.lower()
        if (event.ctrlKey or event.metaKey) and key in ("y", "z"):
            event.preventDefault()
            is_undo = key == "z" and not event.shiftKey
            self._try_action(self.table.take_back if is_undo else self.table.play_again)
            return
        self._board.handle_key(event)
        name = STEP_KEYS.get(event.key)
        if name is None or is_chord(event) or event.target.closest(OWN_ARROWS):
            return
        is_idle = not self.table.match.over and self.table.replay.ply is None
        if (name in ("back", "on") or not is_idle) and self._past.possible[name]:
            event.preventDefault()
            self._past.step(name)

    def _bind_events(self) -> None:
        table, past = self.table, self._past
        actions: dict[str, Callable[[], object]] = {
            "new-game": partial(self._try_action, table.new_game),
            "restart": partial(self._try_action, table.new_game),
            "next-level": lambda: self._accept(offer_after(table)),
            "easier-level": lambda: self._accept(easier_after(table)),
            "undo": partial(self._try_action, table.take_back),
            "redo": partial(self._try_action, table.play_again),
            "hint": self._advice.ask_hint,
            "move-now": self._driver.move_now,
            "review-start": self._review,
            "film": past.film.toggle,
            "fault-back": partial(past.step_to_fault, -1),
            "fault-on": partial(past.step_to_fault, 1),
            "play-on": past.play_on,
            "share-open": self._share_game,
            "save": self._save,
        }
        for name, action in actions.items():
            on_click(name, action)
        analysis = by_id("analysis")
        on(analysis, "change", lambda _event: self._advice.analyse(bool(analysis.checked)))
        resign = partial(self._try_action, table.resign)
        ConfirmButton("give-up", RESIGN, self._language, resign)
        for menu in ("against", "player-x", "player-o", "starting"):
            on(by_id(menu), "change", lambda event: self._choose_players(str(event.target.id)))
        on(by_id("think"), "change", lambda event: self._save_think(event.target.value))
        on(by_id("more-actions"), "click", _close_after_choice)
        js.setInterval(create_proxy(self._show_progress), INTERVAL)

    def _pick(self, cell: int) -> None:
        """Make the person's move in a cell, or show why not."""
        self._move(partial(self.table.play_cell, cell))

    def _play(self, number: int) -> None:
        """Make a move that has a button of its own, or show why not."""
        self._move(partial(self.table.place, number))

    def _move(self, move: Callable[[], object]) -> None:
        if self.table.replay.ply is None:
            self._try_action(move)
        else:
            self.refuse(self._language().gettext("You are looking back; go to the end to play on."))

    def _accept(self, offer: Any) -> None:
        if offer is not None:
            self.change_setup(offer.setup)

    def _choose_players(self, menu: str) -> None:
        setup = self.table.setup
        if menu == "against":
            self.change_setup(with_opponent(setup, by_id("against").value))
        else:
            x, o, starting = (by_id(name).value for name in ("player-x", "player-o", "starting"))
            self.change_setup(Setup(setup.rules, x, o, starting))

    def _save_think(self, text: str) -> None:
        self._settings.save("think", text)
        self._choose_think(read_seconds(text))

    def _choose_think(self, seconds: float | None) -> None:
        """Apply a thinking time from the computer's next move on."""
        self._think = seconds
        self.table.opponents = Opponents(seconds)

    def _show_think(self) -> None:
        _, chosen = self._language().gettext, self._think
        offered = sorted({*SECONDS, *([] if chosen is None else [chosen])})
        entries = [(f"{each:g}", _("{seconds} s").format(seconds=f"{each:g}")) for each in offered]
        entries = [("", _("As usual")), *entries]
        fill(by_id("think"), entries, "" if chosen is None else f"{chosen:g}")

    def _review(self) -> None:
        """Start the review, or go to the next mistake, after the last one to the first."""
        past = self._past
        if not past.review.is_on:
            past.start_review()
        elif past.possible["fault-on"]:
            past.step_to_fault(1)
        elif past.review.signs:
            past.show_ply(min(past.review.signs))

    def _stop_review(self, reason: str) -> None:
        self._past.review.stop()
        self.refuse(reason)

    def _share_game(self) -> None:
        share_game(self._share, self.table, self._think, self._language())

    def _save(self) -> None:
        name = save_game(self.table)
        self.refuse(self._language().gettext("Saved as {file}.").format(file=name))

    def _open_past(self, linked: LinkedGame) -> None:
        self.open_game(linked)
        self._past.show_ply(0)
        by_id("replay-on").focus()

    def _show_progress(self) -> None:
        """Show the bar and the button of a long search."""
        progress = self._driver.progress
        self._seen = 0 if progress is None else self._seen + INTERVAL
        is_long = progress is not None and self._seen >= PATIENCE
        by_id("thinking").hidden = not is_long
        if progress is not None and is_long:
            by_id("thinking-share").value = round(100 * progress.share)

    def _try_action(self, action: Callable[[], object]) -> None:
        """Do something at the table, whose driver shows the result; show a refusal here."""
        try:
            action()
        except InvalidMove as refusal:
            language = self._language()
            self.refuse(as_sentence(localise(language, refusal), language))

    def _worker_failed(self, query: Query, reason: str) -> None:
        """Show why a query failed; let the computer make a move that needs no worker."""
        if isinstance(query, ChooseMove):
            move = play_by_rules(query.state, query.rng)
            cell = query.state.legal_moves[0] if move is None else move.number
            self.table.answer(query.state, cell)
            self.refuse(reason)
        else:
            self._advice.fail(query.state, reason)


def _pause(go_on: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(DELAY_SECONDS, go_on)


def _later(step: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(STEP_SECONDS, step)


def _close_after_choice(event: Any) -> None:
    """Close the menu of rare actions after one was chosen, but not after a switch."""
    if event.target.closest("button"):
        event.currentTarget.hidePopover()
