"""The game on this device: a table, what is known of its moves, and what the reader does to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

import js
from pyodide.ffi import create_proxy

from tic_tac_toe.game.match import Match
from tic_tac_toe.game.strategies import play_by_rules
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import variant_name
from tic_tac_toe.opponents import Opponents
from tic_tac_toe.pictures.svg import svg

from ...program.process import Refused
from ...table.commands import COMMANDS, Desk
from ...table.driver import DELAY_SECONDS, POLL_SECONDS, Driver, LongThought
from ...table.looking_back import STEP_SECONDS, LookingBack
from ...table.queries import ChooseMove, ExplainMove, JudgeMove
from ...table.study import Study
from ...table.table import Setup, Table, opponent_in, with_opponent
from ...table.task import Choice, Task
from ...words.game_text import player_title
from ...words.result_text import result_text
from ...words.rules_text import FIRST_OPPONENT, HUMAN, LEVELS, Drawn
from ...words.translation import N_, as_sentence, localise
from .board.board import Board
from .dialogs.past_games import PastGames
from .dialogs.sharing import OpenDialog, ResultDialog, ShareDialog, save_game, share_game
from .dialogs.tree import TreeDialog
from .dom import (
    ConfirmButton,
    Dialog,
    by_id,
    fetch_bytes,
    fill,
    load_item,
    on,
    on_click,
    save_item,
    start_task,
)
from .later import LATER, load_archive
from .links import LinkedGame, read_link, read_seconds
from .navigation import GameAddress, Navigation
from .puzzle_sets import Collections
from .settings import Settings
from .show import MoveList, show
from .signals import Announcer, Signals
from .view import BUTTONS, Frame, View, frames_of, view
from .worker import Query, ServedValues, Worker

if TYPE_CHECKING:
    from .dialogs.puzzles import PuzzlesDialog

#: The question of the button that resigns.
RESIGN = N_("Resign now?")
#: The computer's seconds for a move in the menu; a link may add another entry.
SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
#: The commands of the keys.
KEYS = {key: name for name, command in COMMANDS.items() for key in command.keys("page")}
#: The seconds between two moves of a demonstration, and after the last one of a sentence.
MOVE_SECONDS, END_SECONDS = 0.9, 3.5
#: Elements with their own arrow keys.
OWN_ARROWS = "#cells, input, select, [tabindex='0']:not(button)"


class Device:
    """Shows the table at each of its changes, and passes on the reader's actions.

    Args:
        write_title: called with the title of the game while it is shown.

    Attributes:
        values_url: the address of a server's evaluations of moves; empty without such a server.
        is_shown: whether the page shows this game, and not online play.
        show_self: shows this game, and not online play.
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
        self.table.coach.is_on = settings.coach
        self.values_url = ""
        self.is_shown = True
        self.show_self: Callable[[], object] = lambda: None
        self._computer = FIRST_OPPONENT
        self._view: View | None = None
        self._facts: object = None
        #: The task that a reload of the page begins again.
        self._kept_task: Task | None = None
        #: The game that was saved last, and a sentence about it.
        self._saved: tuple[Match | None, str] = (None, "")
        self._shown_by: object = None
        self._look = settings.of_board(self.table.state.rules)
        # A review has its own worker, so that an analysis does not end it.
        reviewing = Worker(lambda _query, reason: self._stop_review(reason))
        reviewed = ServedValues(reviewing.ask, lambda: self.values_url)
        self._past = LookingBack(self.table, reviewed.ask, self.show, _later)
        served = ServedValues(Worker(self._worker_failed).ask, lambda: self.values_url)

        def ask(query: Any, done: Callable[[Any], object]) -> None:
            # Nor does a reason end the computer's search for a move.
            is_beside = isinstance(query, ExplainMove) and self._driver.progress is not None
            (reviewed if is_beside else served).ask(query, done)

        self._driver = Driver(self.table, self.show, ask, _pause)
        self._thought = LongThought(self._driver)
        collections = Collections()

        def load(game: str, done: Callable[[Any], object]) -> None:
            collections.load(game, lambda found: self._desk.attempt(lambda: done(found)))

        self._load = load
        self._study = Study(self.table, served.ask, self.show, settings.results, load=self._load)
        self._puzzles: PuzzlesDialog | None = None
        self._desk = Desk(
            self.table,
            self._driver,
            self._past,
            self._thought,
            self._show_refusal,
            self._study,
            {
                "save": self._save,
                "puzzle": lambda: start_task(self._study_later(self._open_puzzles)),
            },
        )
        self._demonstration = Demonstrator(self.table, self.show)
        self._board = Board(self._pick, self._desk.place, self.table.choose)
        self._moves = MoveList(self._past.show_ply)
        self._think = settings.think
        self._choose_think(self._think)
        self._address = GameAddress(navigation)
        self._past_games = PastGames(language, self._open_past)
        self._announcer = Announcer(self.table, signals, self._keep)
        TreeDialog(lambda: self.table.replay.state(self.table.match), language)
        self._share, self._result = ShareDialog(language), ResultDialog(language)
        OpenDialog(language, self.table, self.open_game)
        players = Dialog("options", "options-open", self._show_think)
        on_click("players-open", players.open)
        self._bind_events()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.table.setup.rules

    def start(self) -> None:
        """Start with the game in the page's address, else with the usual game and the reason.

        After a reload the puzzle or lesson goes on. Games that were finished before Python had
        loaded count; see `first-board.js`.
        """
        place, _, kept = (load_item("task", by_tab=True) or "").partition("\n")
        is_kept = bool(kept) and place == self._navigation.fragment
        links = [str(link) for link in getattr(js.window, "playedEarly", ())]
        for link in links:
            linked = read_link(link, self.table.setup, self._language())
            self.table.new_game(linked.setup, state=linked.start, moves=linked.moves, counts=True)
            self._past_games.add(self.table)
        if not links or links[-1] != self._navigation.fragment:
            self.follow_address()
        self._driver.start()
        if is_kept and self.is_shown and not links:
            start_task(self._study_later(lambda: self._study.reopen(kept)))

    def show(self) -> None:
        """Update the page, if anything has changed."""
        table, desk, language = self.table, self._desk, self._language()
        facts = (
            *(table.changes, table.remark, table.replay.ply, table.problem, language),
            *(desk.advice.changes, desk.past.changes, self._settings.changes, self.is_shown),
            self._saved,
            self._demonstration.frame,
            table.task,
        )
        if facts == self._facts:
            return
        before, self._facts = self._view, facts
        shown_by = self._settings.changes, table.state.rules
        if shown_by != self._shown_by:
            self._shown_by, self._look = shown_by, self._settings.of_board(table.state.rules)
        shown = self._view = view(
            desk,
            self._look,
            language,
            is_shown=self.is_shown,
            wins=self._past_games.wins_in_a_row(table) if table.match.over else 0,
            said=self._saved[1] if self._saved[0] is table.match else "",
            frame=self._demonstration.frame,
        )
        show(shown, before)
        self._board.show(shown.board)
        self._moves.show(shown.moves)
        self._announcer.notice(shown.status, self._look, language)
        if self.is_shown:
            if before is None or (before.game, before.way) != (shown.game, shown.way):
                self._write_title(shown.game.title)
            if table.task is None:
                self._address.write(table.match)
        if table.task is not self._kept_task:
            self._kept_task = table.task
            kept = f"{self._navigation.fragment}\n{self._study.kept}"
            save_item("task", kept if table.task else "", by_tab=True)

    def follow_settings(self) -> None:
        """Show the game by the changed settings."""
        if self._settings.coach is not self.table.coach.is_on:
            self._driver.switch_coach()
        self.show()

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
        self._save_players(setup)
        self._desk.attempt(lambda: self.table.change_players(setup))

    def play_against(self, name: str) -> None:
        """Play another opponent in the same game: a person, or by default the last computer."""
        if self.table.task is not None:
            self._desk.do("new-game")
        if name or opponent_in(self.table.setup) == HUMAN:
            self.change_setup(with_opponent(self.table.setup, name or self._computer))

    def choose_game(self, rules: Rules) -> None:
        """Start a game of other rules between the same players."""
        self.change_setup(self._study.setup._replace(rules=rules))
        name, seen = variant_name(rules), self._settings.load("seen").split()
        if name not in seen:
            self._settings.save("seen", " ".join([*seen, name]))
            self._demonstration.start(rules, self._language())

    async def _study_later(self, action: Callable[[], object]) -> None:
        """Do something with puzzles and lessons when what they need is loaded."""
        try:
            await load_archive(LATER, fetch_bytes)
        except Exception as error:  # JavaScript's error without a network
            self.refuse(str(error))
        else:
            self._desk.attempt(action)

    def _open_puzzles(self) -> None:
        from .dialogs.puzzles import PuzzlesDialog  # it is in what was loaded

        if self._puzzles is None:
            self._puzzles = PuzzlesDialog(self._study, self._load, self._language, self._solve)
        self._puzzles.open()

    def choose_puzzle(self) -> None:
        """Let people choose a puzzle or a lesson."""
        self._desk.do("puzzle")

    def _solve(self, choice: Choice) -> None:
        self.show_self()
        self._desk.attempt(lambda: self._study.open(choice))

    def _keep(self, table: Table) -> None:
        """Keep a finished game; a puzzle is none."""
        if table.task is None:
            self._past_games.add(table)

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
        self._desk.attempt(
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
        self._desk.attempt(
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
        """Do the command of a key, else move by digits and choose letters."""
        name = KEYS.get(_key_of(event))
        if name is None:
            self._board.handle_key(event)
            return
        is_step = name.startswith("replay-")
        if is_step and event.target.closest(OWN_ARROWS):
            return
        is_idle = not self.table.match.over and self.table.replay.ply is None
        is_scrolling = is_idle and event.key in ("Home", "End")
        if not is_scrolling and (not is_step or self._desk.may(name)):
            event.preventDefault()
            self._do(name)

    def _bind_events(self) -> None:
        for name, command in BUTTONS.items():
            if name not in ("give-up", "review-start"):
                on_click(name, partial(self._do, command))
        ConfirmButton("give-up", RESIGN, self._language, partial(self._desk.do, "resign"))
        actions: dict[str, Callable[[], object]] = {
            "review-start": self._review,
            "move-now": partial(self._desk.do, "move-now"),
            "save": partial(self._desk.do, "save"),
            "share-open": self._share_game,
            "share-result": self._share_result,
            "demonstrate": self._demonstrate,
        }
        for name, action in actions.items():
            on_click(name, action)
        on(by_id("analysis"), "change", lambda _event: self._desk.do("analysis"))
        on(by_id("graph-at"), "input", lambda event: self._past.show_ply(int(event.target.value)))
        for menu in ("against", "player-x", "player-o", "starting"):
            on(by_id(menu), "change", lambda event: self._choose_players(str(event.target.id)))
        on(by_id("think"), "change", lambda event: self._save_think(event.target.value))
        on(by_id("more-actions"), "click", _close_after_choice)
        js.setInterval(create_proxy(self._show_progress), 1000 * POLL_SECONDS)

    def _pick(self, cell: int) -> None:
        """Make or explain a move; a demonstration ends, and is no move in a game that is hidden."""
        is_seen = self._demonstration.frame is None
        if not is_seen:
            self._demonstration.stop()
        if is_seen or self.table.match.ply == 0:
            self._desk.play_cell(cell)

    def _demonstrate(self) -> None:
        if self._demonstration.frame is None:
            self._demonstration.start(self.rules, self._language())
        else:
            self._demonstration.stop()

    def _share_result(self) -> None:
        table, language = self.table, self._language()
        state, look = table.state, self._look.look
        person = table.person
        opponent = "" if person is None else table.setup.players[person.other]
        text = result_text(
            table.match,
            language,
            Drawn(look),
            person=person,
            opponent=player_title(opponent, language, self.rules) if opponent else "",
        )
        self._result.open(text, svg(state, look=look, last=table.last_cell, names=False))

    def _do(self, command: str) -> None:
        self._desk.do(command)
        if command in ("next-level", "easier-level"):
            self._save_players(self.table.setup)

    def _save_players(self, setup: Setup) -> None:
        self._settings.save("players", f"{setup.x} {setup.o}")
        if (opponent := opponent_in(setup)) in LEVELS:
            self._computer = opponent

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
        elif past.fault(1) is not None:
            past.step_to_fault(1)
        elif past.review.signs:
            past.show_ply(min(past.review.signs))

    def _stop_review(self, reason: str) -> None:
        self._past.review.stop()
        self.refuse(reason)

    def _share_game(self) -> None:
        share_game(self._share, self.table, self._think, self._language())

    def _save(self) -> None:
        text = self._language().gettext("Saved as {file}.")
        self._saved = self.table.match, text.format(file=save_game(self.table))
        self.show()

    def _open_past(self, linked: LinkedGame) -> None:
        self.open_game(linked)
        self._past.show_ply(0)
        by_id("replay-on").focus()

    def _show_progress(self) -> None:
        """Show the bar and the button of a long search."""
        if self._thought.poll():
            by_id("thinking").hidden = self._thought.progress is None
        if self._thought.share is not None:
            by_id("thinking-share").value = round(100 * self._thought.share)

    def _show_refusal(self, refusal: InvalidMove | Refused) -> None:
        language = self._language()
        self.refuse(as_sentence(localise(language, refusal), language))

    def _worker_failed(self, query: Query, reason: str) -> None:
        """Show why a query failed; let the computer make a move that needs no worker."""
        advice = self._desk.advice
        if isinstance(query, ChooseMove):
            move = play_by_rules(query.state, query.rng)
            cell = query.state.legal_moves[0] if move is None else move.number
            self.table.answer(query.state, cell)
            self.refuse(reason)
        elif isinstance(query, JudgeMove):
            self._desk.do("undo")
            self.refuse(reason)
        elif isinstance(query, ExplainMove) and self.table.thinker and not advice.objection:
            self._driver.go_on_without_coach()
            self.refuse(reason)
        else:
            advice.fail(query.state, reason)


class Demonstrator:
    """Shows the demonstration of an unusual game on its board, until its end or a move."""

    def __init__(self, table: Table, show: Callable[[], object]) -> None:
        self._frame: Frame | None = None
        self._table, self._show = table, show
        self._changes = self._run = 0

    @property
    def frame(self) -> Frame | None:
        """What is shown now; ``None`` for the game itself."""
        return self._frame if self._table.changes == self._changes else None

    def start(self, rules: Rules, language: NullTranslations) -> None:
        """Start with the first picture."""
        self._changes, self._run = self._table.changes, self._run + 1
        self._next(frames_of(rules, language), self._run)

    def stop(self) -> None:
        """Show the game."""
        self._frame, self._run = None, self._run + 1
        self._show()

    def _next(self, frames: list[Frame], run: int) -> None:
        if run != self._run:
            return
        if not frames or self._table.changes != self._changes:
            self.stop()
            return
        self._frame, *rest = frames
        self._show()
        wait = END_SECONDS if self._frame.is_end else MOVE_SECONDS
        asyncio.get_running_loop().call_later(wait, self._next, rest, run)


def _pause(go_on: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(DELAY_SECONDS, go_on)


def _later(step: Callable[[], object]) -> None:
    asyncio.get_running_loop().call_later(STEP_SECONDS, step)


def _close_after_choice(event: Any) -> None:
    """Close the menu of rare actions after one was chosen, but not after a switch."""
    if event.target.closest("button"):
        event.currentTarget.hidePopover()


def _key_of(event: Any) -> str:
    """Return the name of a pressed key, as in `Command.page`."""
    if not (event.ctrlKey or event.metaKey):
        return "" if event.altKey else str(event.key)
    return f"ctrl+{'shift+' if event.shiftKey else ''}{event.key.lower()}"
