"""The game on this device: a table, and all elements of the page around it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.game.match import Match
from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.opponents import Opponents

from ...program.process import Refused
from ...table.driver import DELAY_SECONDS, Driver
from ...table.queries import ChooseMove
from ...table.setup import Setup
from ...table.table import Table
from ...table.telling import status_text
from ...words.game_text import describe_score
from ...words.rules_text import HUMAN, variant_title
from ...words.translation import N_, as_sentence, localise
from .after_game import AfterGame
from .announcer import Announcer
from .board import Board
from .choosing import Choosing
from .confirming import ConfirmButton
from .dom import (
    by_id,
    document,
    is_for_field,
    load_item,
    on,
    on_click,
    save_item,
    set_text,
    start_task,
)
from .kept import delete_everything, stored_setup
from .keys_text import describe_keys
from .languages import load_messages, write_words
from .links import LinkedGame, read_link
from .menus import Menus
from .more_menu import MoreMenu
from .move_list import MoveList
from .navigation import GameAddress, Navigation
from .past_games import PastGames
from .replay_bar import ReplayBar
from .served_values import ServedValues
from .settings import Settings
from .settings_dialog import SettingsDialog
from .sharing import Sharing
from .signals import Signals
from .status_line import show_status
from .thinking import Thinking
from .thinking_time import ThinkingTime
from .tree_panel import TreePanel
from .worker import Query, Worker

#: The question of the button that resigns.
RESIGN = N_("Resign now?")


class Page:
    """Shows the table at each of its changes, and passes on the reader's actions.

    Attributes:
        values_url: the address of a server's evaluations of moves; empty without such a server.
        signals: sound, vibration and notifications, according to the settings.
        is_shown: whether the page shows this game, and not online play.
        language_changed: called after the reader has chosen another language.
        title_of: returns the window's title for the game's title.
    """

    def __init__(self, code: str, language: NullTranslations) -> None:
        self.language = language
        self.settings = Settings(load_item, save_item)
        self.signals = Signals(self.settings)
        self.table = Table(stored_setup())
        self.values_url = ""
        served = ServedValues(Worker(self._worker_failed).ask, lambda: self.values_url)
        self.driver = Driver(self.table, self.show, served.ask, _pause)
        self.advice = self.driver.advice
        self.board = Board(self.pick)
        self.choosing = Choosing(self.table.choose, self.play)
        self.menus = Menus(self.change_setup)
        self.thinking_time = ThinkingTime(self.change_thinking_time)
        self.change_thinking_time()
        self.moves = MoveList(self.look_back)
        self.replay_bar = ReplayBar(self.table, self.show, self.refuse, lambda: self.values_url)
        self.past = self.replay_bar.past
        self.sharing = Sharing(self._speech, self.table, self.thinking_time, self.open_game)
        self.past_games = PastGames(self._speech, self._open_past)
        self.announcer = Announcer(self.table, self.signals, self.past_games.add)
        self.thinking = Thinking(self.driver)
        self.after_game = AfterGame(self.table, self.change_setup)
        self.tree = TreePanel()
        self.navigation = Navigation()
        self.navigation.follow = self.follow_address
        self.address = GameAddress(self.navigation)
        self.is_shown = True
        self.language_changed: Callable[[], object] = lambda: None
        self.title_of: Callable[[str], str] = str
        by_id("language").value = code
        self.write_words()
        self._bind_events()

    def show(self) -> None:
        """Update the whole page."""
        table, language, advice = self.table, self.language, self.advice
        match, replay = table.match, table.replay
        state, values, may_move = replay.state(match), advice.values, advice.is_useful
        look = self.settings.look_of(state.rules)
        self.board.show(
            state,
            language,
            last=replay.last_cell(match),
            best=self.past.better or advice.best,
            values=values,
            open_now=may_move,
            letter=table.letter if table.letters else "",
            look=look,
            names=self.settings.shows_names(state.rules),
        )
        self.choosing.show(state, table.letter, language, values=values, open_now=may_move)
        status = status_text(table, language, look)
        show_status(table, advice, self.past, table.remark, language, status)
        self.announcer.notice(status, language)
        for name, may in advice.possible.items():
            by_id(name).disabled = not may
        by_id("give-up").disabled = not _can_resign(table)
        self.after_game.show(language)
        self.menus.show(table.setup, language)
        self.moves.show(match, replay, language, self.past.review)
        self.replay_bar.show(language)
        self.tree.show(state, language)
        self.sharing.show(match.start)
        # A game that was over when it was opened does not count: the score would contradict it.
        score = describe_score(table.score, state.rules, language)
        set_text(by_id("score"), score if any(table.score.values()) else "")
        set_text(by_id("keys"), describe_keys(table.state.rules, language))
        if self.is_shown:
            title = variant_title(table.setup.rules, language)
            set_text(by_id("title"), title)
            document.title = self.title_of(title)
            self.address.write(match)

    def refuse(self, text: str) -> None:
        """Show why the last action was refused, until the next one."""
        self.table.remark = text
        self.show()

    def enter(self) -> None:
        """Show this game in the page."""
        self.address.enter()
        self.show()

    def write_words(self) -> None:
        """Translate the words that do not depend on the game."""
        write_words(self.language)
        self.menus.name_players(self.table.setup.rules, self.language)
        self.thinking_time.show(self.language)
        self.past_games.show()

    def _speech(self) -> NullTranslations:
        return self.language

    def _bind_events(self) -> None:
        on_click("new-game", partial(self._try_action, self.table.new_game))
        on_click("undo", partial(self._try_action, self.table.take_back))
        on_click("redo", partial(self._try_action, self.table.play_again))
        on_click("hint", self.advice.ask_hint)
        analysis = by_id("analysis")
        on(analysis, "change", lambda _event: self.advice.analyse(bool(analysis.checked)))
        ConfirmButton("give-up", RESIGN, self._speech, partial(self._try_action, self.table.resign))
        MoreMenu()
        self.settings_dialog = SettingsDialog(
            self.settings,
            self._speech,
            lambda: self.table.state.rules,
            lambda code: start_task(self.change_language(code)),
            self._delete_games,
        )
        self.settings.changed = self.show
        on(document, "keydown", self._handle_key)

    def pick(self, cell: int) -> None:
        """Make the person's move in a cell, or show why not."""
        self._move(partial(self.table.play_cell, cell))

    def play(self, number: int) -> None:
        """Make a move that has a button of its own, or show why not."""
        self._move(partial(self.table.place, number))

    def _move(self, move: Callable[[], object]) -> None:
        if self.table.replay.ply is None:
            self._try_action(move)
        else:
            self.refuse(self.language.gettext("You are looking back; go to the end to play on."))

    def change_setup(self, setup: Setup) -> None:
        """Start another game, or continue this one if only the players differ."""
        save_item("players", f"{setup.x} {setup.o}")
        self._try_action(lambda: self.table.change_players(setup))

    def change_thinking_time(self) -> None:
        """Apply the chosen thinking time from the computer's next move on."""
        self.table.opponents = Opponents(self.thinking_time.seconds)
        self.thinking_time.show(self.language)

    def look_back(self, ply: int) -> None:
        """Show the position after ``ply`` moves."""
        self.past.show_ply(ply)

    def follow_address(self) -> None:
        """Continue the game in the page's address, or show why it holds no game."""
        navigation = self.navigation
        if not self.is_shown:
            return
        if self.address.is_kept:
            self.show()
            return
        try:
            linked = read_link(navigation.fragment, self.table.setup, self.language)
        except Refused as refusal:
            self.refuse(str(refusal))
        else:
            self.address.expect_from_address()
            self.open_game(linked)

    def open_game(self, linked: LinkedGame) -> None:
        """Continue a game of a link or a file."""
        if linked.think is not None:
            self.thinking_time.set_seconds(linked.think)
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
        self.address.enter()
        self._try_action(
            lambda: self.table.new_game(setup, state=start, moves=moves, resigned=loser)
        )
        self.past.start_review()

    def _open_past(self, linked: LinkedGame) -> None:
        self.open_game(linked)
        self.look_back(0)
        by_id("replay-on").focus()
        by_id("play").scrollIntoView()

    async def change_language(self, code: str) -> None:
        """Change the language of the page."""
        save_item("language", code)
        self.language = await load_messages(code)
        self.write_words()
        self.settings_dialog.show()
        self.refuse("")
        self.language_changed()

    def _delete_games(self) -> None:
        delete_everything()
        self.past_games.delete_all()

    def _handle_key(self, event: Any) -> None:
        """Undo and redo by Ctrl-Z and Ctrl-Y, and move by digits, except in a text field."""
        if not self.is_shown or is_for_field(event):
            return
        self.board.press_digit(event)
        self.choosing.handle_key(event)
        self.replay_bar.handle_key(event)
        key = event.key.lower()
        if not (event.ctrlKey or event.metaKey) or key not in ("y", "z"):
            return
        event.preventDefault()
        is_undo = key == "z" and not event.shiftKey
        self._try_action(self.table.take_back if is_undo else self.table.play_again)

    def _try_action(self, action: Callable[[], object]) -> None:
        """Do something at the table, whose driver shows the result; show a refusal here."""
        try:
            action()
        except InvalidMove as refusal:
            self.refuse(as_sentence(localise(self.language, refusal), self.language))

    def start(self) -> None:
        """Start with the game in the page's address, else with the usual game and the reason."""
        self.follow_address()
        self.driver.start()

    def _worker_failed(self, query: Query, reason: str) -> None:
        """Show why a query failed; let the computer make a move that needs no worker."""
        if isinstance(query, ChooseMove):
            move = play_by_rules(query.state, query.rng)
            cell = query.state.legal_moves[0] if move is None else move.number
            self.table.answer(query.state, cell)
            self.refuse(reason)
        else:
            self.advice.fail(query.state, reason)


def _pause(go_on: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(DELAY_SECONDS, go_on)


def _can_resign(table: Table) -> bool:
    has_turn = table.thinker is None or table.person is not None
    return has_turn and not table.match.over and table.match.ply > 0
