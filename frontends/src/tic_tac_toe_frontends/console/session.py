"""A game at the console: the game loop at a table, driven by what is typed at the prompt."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import Move

from ..program.process import Refused
from ..table.driver import Driver
from ..table.move_list import in_a_line
from ..table.queries import Ask, ask_here
from ..table.table import Table
from ..table.telling import tell_end, tell_status
from ..words.messages import localise
from .players import ConsolePlayer
from .renderers import ConsoleRenderer
from .saving import Saving


class Session:
    """A table whose people type moves, take them back, save the game and give up.

    Args:
        renderer: shows the game, and has the terminal to ask at.
        ask: how a computer's move is found.
        delay: the pause before a computer's move, in seconds.
    """

    def __init__(
        self, table: Table, renderer: ConsoleRenderer, ask: Ask = ask_here, delay: float = 0.0
    ) -> None:
        self.table = table
        self._renderer = renderer
        self._terminal = renderer.terminal
        self._language = renderer.language
        self._delay = delay
        self._driver = Driver(table, self._show, ask, self._pause)
        self._saving = Saving(self._terminal, self._language)
        renderer.tell_end = lambda _state: self._tell_end()
        _ = self._language.gettext
        self._commands: Mapping[str, Callable[[str], object]] = {
            "undo": lambda _argument: self._go(table.take_back, _("Taken back: {moves}.")),
            "redo": lambda _argument: self._go(table.play_again, _("Played again: {moves}.")),
            "moves": lambda _argument: self._list_moves(),
            "save": self._save,
            "resign": lambda _argument: self.table.resign(),
        }

    def play(self) -> None:
        """Play until the game at the table is over.

        Raises:
            Left: a person left the game.
            Refused: only computers play, and one of them has broken down.
        """
        self._saving = Saving(self._terminal, self._language)
        self._renderer.forget()
        while True:
            self._driver.go_on()
            turn, problem, people = self.table.match.turn, self.table.problem, self.table.people
            if turn is None:
                return
            if problem is not None and not people:
                raise Refused(localise(self._language, problem))
            asked = turn.other if problem is not None else turn
            person = ConsolePlayer(asked, self._terminal, self._language, self._renderer)
            self._consult(person)

    def save(self, name: str) -> None:
        """Write the game to a file, and say so or why not."""
        try:
            self._save(name)
        except Refused as refusal:
            self._terminal.show(str(refusal))

    def _save(self, name: str) -> None:
        self._saving.save(name, self.table.record)

    def _show(self) -> None:
        table = self.table
        if table.match.resigned is not None:
            self._terminal.show(self._tell_end())
            return
        if table.problem is not None:
            if table.people:
                _ = self._language.gettext
                remedy = _("Type undo to take back a move and go on from there, or quit.")
                self._terminal.show_wrapped(tell_status(table, self._language), remedy)
            return
        self._renderer.render(table.state)
        if table.thinker is not None and self._terminal.fancy:
            self._terminal.show(tell_status(table, self._language))

    def _tell_end(self) -> str:
        """Return how the game ended; a program at the other end of a pipe is told the sides."""
        return tell_end(self.table, self._language, own=self._terminal.interactive)

    def _pause(self, go_on: Callable[[], object]) -> None:
        time.sleep(self._delay)
        go_on()

    def _consult(self, person: ConsolePlayer) -> None:
        """Do what a person types until the game has changed."""
        table, state, changes = self.table, self.table.state, self.table.changes
        while table.changes == changes:
            request = person.read(state)
            try:
                if isinstance(request, Move):
                    table.place(request.number)
                elif command := self._commands.get(request.word):
                    command(request.argument)
                else:
                    person.answer(request, state)
            except (InvalidMove, Refused) as refusal:
                self._terminal.show(localise(self._language, refusal))

    def _go(self, back_or_on: Callable[[], list[Move]], told: str) -> None:
        moves = in_a_line(back_or_on())
        self._renderer.note(told.format(moves=moves))

    def _list_moves(self) -> None:
        moves = in_a_line(self.table.match.history)
        self._terminal.show_wrapped(moves or self._language.gettext("No moves yet."))
