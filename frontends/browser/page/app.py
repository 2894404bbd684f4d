"""The page: a table, and everything around it that people see and touch."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.search.verdict import MoveVerdict

from ...game_text import (
    describe_boards,
    describe_hint,
    describe_move,
    describe_score,
    describe_status,
    variant_title,
)
from ...library_messages import localise
from ...process import Refused
from ...table import PLAYERS, Setup, Table
from ...table_async import play_on
from .board import Board
from .dom import all_of, by_id, document, on, remember, remembered, start, window, write
from .languages import load_messages, wanted_language
from .links import Linked, read_link, write_link
from .menus import Menus
from .move_list import MoveList
from .offline import keep_page
from .replay import Replay
from .sharing import Sharing
from .thoughts import Thoughts, WorkerFailed
from .words import NAMES, WORDS

#: The pause before a computer's move, so that people can follow, in seconds.
PAUSE_SECONDS = 0.25


class Page:
    """Shows the table whenever it changes, and passes on what people do."""

    def __init__(self, code: str, language: NullTranslations) -> None:
        self.language = language
        self.table = Table(_remembered_setup())
        self.replay = Replay()
        self.thoughts = Thoughts()
        self.board = Board(self.pick)
        self.menus = Menus(self.change_setup)
        self.moves = MoveList(self.look_back)
        self.sharing = Sharing(lambda: self.language, lambda: self.table.record, self.open_game)
        self._hint: tuple[GameState, list[str], tuple[int, ...]] | None = None
        self._verdicts: tuple[GameState, tuple[MoveVerdict, ...] | None] | None = None
        self._analysed: GameState | None = None
        self._note = ""
        self._refused = False
        self._link = ""
        by_id("language").value = code
        by_id("theme").value = document.documentElement.dataset.theme
        self._write_words()
        self._listen()

    # -- showing ---------------------------------------------------------------------------------

    def render(self, game_state: GameState) -> None:
        """Show the table; the game loop calls this after every change."""
        self.show()

    def show(self) -> None:
        """Show everything as it is now."""
        table, match, language = self.table, self.table.match, self.language
        state = self.replay.state(match)
        present = self.replay.ply is None
        people_move = present and match.turn is not None and table.thinker is None
        hint = self._hint if self._hint and self._hint[0] is state else None
        verdicts = self._verdicts if self._verdicts and self._verdicts[0] is state else None
        self.board.show(
            state,
            language,
            last=self.replay.last_cell(match),
            best=hint[2] if hint else (),
            values=(verdicts[1] if verdicts else None) or (),
            open_now=people_move,
        )
        write(by_id("status"), " ".join(self._status()))
        write(by_id("note"), self._note or " ".join(self._remarks(state, hint)))
        by_id("note").className = "refused" if self._refused else ""
        by_id("undo").disabled = not table.can_take_back
        by_id("redo").disabled = not table.can_play_again
        by_id("hint").disabled = not people_move
        self.menus.show(table.setup, language)
        self.moves.show(match, self.replay, language)
        write(by_id("score"), describe_score(table, language))
        title = variant_title(table.setup.rules, language)
        write(by_id("title"), title)
        document.title = title
        self._keep_link()
        self._analyse(state, people_move)

    def say(self, text: str, *, refused: bool = False) -> None:
        """Show a line below the status until something else happens."""
        self._note, self._refused = text, refused
        self.show()

    def _status(self) -> list[str]:
        """Return whose turn it is, after what a computer has just done, or how the game ended."""
        table, history = self.table, self.table.match.history
        if self.replay.ply is not None:
            message = self.language.gettext("Looking back: after move {count} of {total}.")
            return [message.format(count=self.replay.ply, total=len(history))]
        sentences = [describe_status(table, self.language)]
        if history and history[-1].mark not in table.people:
            last = history[-1]
            said = describe_move(last.before_state, last.cell_index, self.language)
            sentences.insert(0, said)
        return sentences

    def _remarks(self, state: GameState, hint: Any) -> list[str]:
        """Return what else is to be known of the position that is shown."""
        _ = self.language.gettext
        if state.winner is not None:
            names = ", ".join(cell_name(state.rules.shape, cell) for cell in state.winning_cells)
            return [_("The line: {cells}.").format(cells=names)]
        remarks = describe_boards(state, self.language)
        if hint is not None:
            remarks += hint[1]
        if self._verdicts and self._verdicts[0] is state:
            remarks.append(
                _("In the cells: + wins, = draws, − loses, and the moves until then.")
                if self._verdicts[1] is not None
                else _("The game is too large from here to be solved in a moment.")
            )
        return remarks

    def _keep_link(self) -> None:
        """Let the address of the page carry the game, so that a reload goes on with it."""
        link = write_link(self.table.match.start, self.table.match.history)
        if link != self._link:
            self._link = link
            place = window.location
            window.history.replaceState(None, "", f"#{link}" if link else place.pathname + place.search)

    def _write_words(self) -> None:
        _ = self.language.gettext
        for element in all_of("[data-word]"):
            write(element, _(WORDS[element.dataset.word]))
        for element in all_of("[data-name]"):
            element.setAttribute("aria-label", _(NAMES[element.dataset.name]))

    # -- what people do --------------------------------------------------------------------------

    def _listen(self) -> None:
        for name, action in {
            "new-game": self.new_game,
            "undo": self.undo,
            "redo": self.redo,
            "hint": lambda: start(self.give_hint()),
            "analysis": self.switch_analysis,
        }.items():
            on(by_id(name), "click", _ignoring_event(action))
        on(by_id("language"), "change", lambda _event: start(self.change_language()))
        on(by_id("theme"), "change", lambda _event: self.change_theme())
        on(document, "keydown", self._press)
        on(window, "hashchange", lambda _event: self.open_link())

    def pick(self, cell: int) -> None:
        """Make a person's move, or say why not."""
        if self.replay.ply is not None:
            self.say(self.language.gettext("You are looking back; go to the end to play on."))
        else:
            self._try(lambda: self.table.place(cell))

    def new_game(self) -> None:
        """Begin again."""
        self._try(self.table.begin)

    def undo(self) -> None:
        """Take back to a person's turn."""
        self._try(self.table.take_back)

    def redo(self) -> None:
        """Play again what was taken back."""
        self._try(self.table.play_again)

    def change_setup(self, setup: Setup) -> None:
        """Play another game, or go on with this one where only the players are others."""
        match, before = self.table.match, self.table.setup
        remember("players", f"{setup.x} {setup.o}")
        if match.over or setup.rules != before.rules or setup.starting != before.starting:
            self._try(lambda: self.table.begin(setup))
        else:
            cells = [move.cell_index for move in match.history]
            self._try(lambda: self.table.begin(setup, state=match.start, cells=cells))

    async def give_hint(self) -> None:
        """Show the best moves once they are found."""
        state = self.table.state
        if state.game_over:
            return
        self.say(self.language.gettext("Thinking about a hint …"))
        try:
            hint = await self.thoughts.hint(state)
        except WorkerFailed as failure:
            self.say(str(failure), refused=True)
            return
        except asyncio.CancelledError:  # the game has moved on
            return
        if state is self.table.state:
            self._hint = state, describe_hint(hint, state, self.language), hint.best
            self.say("")

    def switch_analysis(self) -> None:
        """Show, or no longer show, what each move leads to."""
        self._verdicts = self._analysed = None
        self.say("")

    def look_back(self, ply: int) -> None:
        """Show the position after so many moves."""
        self.replay.show(self.table.match, ply)
        self.say("")

    def open_link(self) -> None:
        """Go on with the game in the page's address, or say why that is none."""
        fragment = window.location.hash[1:]
        if fragment == self._link:
            return
        try:
            linked = read_link(_decoded(fragment), self.table.setup, self.language)
        except Refused as refusal:
            self._link = fragment
            self.say(str(refusal), refused=True)
            return
        self.open_game(linked)

    def open_game(self, linked: Linked) -> None:
        """Go on with a game of a link or of a file."""
        self._try(lambda: self.table.begin(linked.setup, state=linked.start, cells=linked.cells))

    async def change_language(self) -> None:
        """Speak another language from now on."""
        code = by_id("language").value
        remember("language", code)
        self.language = await load_messages(code)
        self._hint = None
        self._write_words()
        self.say("")

    def change_theme(self) -> None:
        """Use other colours from now on."""
        theme = by_id("theme").value
        remember("theme", theme)
        document.documentElement.dataset.theme = theme

    def _press(self, event: Any) -> None:
        """Take back and play again by Ctrl-Z and Ctrl-Y, and move by digits, but not in a field."""
        if event.defaultPrevented or event.target.matches("input:not([type=checkbox]), select"):
            return
        key, control = event.key, event.ctrlKey or event.metaKey
        if control and key.lower() == "z":
            (self.redo if event.shiftKey else self.undo)()
        elif control and key.lower() == "y":
            self.redo()
        elif control or event.altKey or key not in tuple("123456789"):
            return
        elif not self.board.press_digit(key):
            return
        event.preventDefault()

    def _try(self, action: Callable[[], object]) -> None:
        """Do something at the table; the loop shows what came of it, and this why nothing did."""
        self._note, self._refused = "", False
        try:
            action()
        except InvalidMove as refusal:
            self.say(f"{localise(self.language, refusal)}.", refused=True)
        else:
            self.replay.leave()

    # -- thinking --------------------------------------------------------------------------------

    async def think(self, state: GameState, name: str, rng: random.Random) -> int:
        """Return a computer's move; see `play_on`."""
        try:
            return await self.thoughts.choose(state, name, rng)
        except WorkerFailed as failure:
            from tic_tac_toe.game.strategies import play_by_rules

            self.say(str(failure), refused=True)
            move = play_by_rules(state, rng)
            assert move is not None
            return move.cell_index

    def _analyse(self, state: GameState, people_move: bool) -> None:
        """Begin to analyse the position, if that is wanted and has not begun."""
        wanted = by_id("analysis").checked and people_move and not state.game_over
        if wanted and self._analysed is not state:
            self._analysed = state
            start(self._show_analysis(state))

    async def _show_analysis(self, state: GameState) -> None:
        try:
            verdicts = await self.thoughts.analyse(state)
        except (WorkerFailed, asyncio.CancelledError):
            return
        if state is self._analysed:
            self._verdicts = state, verdicts
            self.show()


async def start_page() -> None:
    """Make the page ready and play on it for as long as it is open."""
    code = wanted_language()
    page = Page(code, await load_messages(code))
    page.open_link()
    page.show()
    start(_play(page))
    for element in all_of("header select, #new-game, #analysis, #side select, #side > section > .actions button"):
        element.disabled = False
    document.documentElement.dataset.ready = "1"
    window.performance.mark("ready")
    await keep_page()


async def _play(page: Page) -> None:
    async def pause() -> None:
        await asyncio.sleep(PAUSE_SECONDS)

    await play_on(page.table, page, page.think, pause)


def _remembered_setup() -> Setup:
    """Return the usual game, between those who played last time."""
    x, _, o = (remembered("players") or "").partition(" ")
    return Setup(x=x, o=o) if x in PLAYERS and o in PLAYERS else Setup()


def _decoded(fragment: str) -> str:
    """Return a part of an address without the escapes that browsers put into it."""
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote

    return unquote(fragment, errors="replace")


def _ignoring_event(action: Callable[[], object]) -> Callable[[Any], object]:
    return lambda _event: action()
