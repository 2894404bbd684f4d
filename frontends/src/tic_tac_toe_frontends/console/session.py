"""A local game at the console: a table, its driver and the prompt."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import Move
from tic_tac_toe.logic.notation import move_name

from ..program.process import Refused
from ..program.terminal import NO_BREAK, in_columns
from ..table.advice import Advice
from ..table.commands import attempt
from ..table.driver import Driver
from ..table.looking_back import in_a_line
from ..table.queries import Ask, ask_here
from ..table.results import Store
from ..table.study import Study
from ..table.table import Table
from ..table.telling import analysis_text, coach_text, end_text, hint_text, status_text
from ..words.evaluation_text import NUMBER_LEGEND, evaluation_text
from ..words.game_text import from_the_left
from ..words.translation import as_sentence, join_clauses, localise
from .commands import (
    COMMANDS,
    MOVES_TO_LIST,
    Command,
    describe_refusal,
    translated_words,
)
from .players import ConsolePlayer
from .renderers import ConsoleRenderer
from .saving import Saving
from .studying import Studying


class Session:
    """Plays the game at a table by typed moves and commands.

    Args:
        renderer: shows the game, and has the terminal.
        ask: answers queries.
        delay: the pause before a computer's move, in seconds.
        store: keeps the results of puzzles.
    """

    def __init__(
        self,
        table: Table,
        renderer: ConsoleRenderer,
        ask: Ask = ask_here,
        delay: float = 0.0,
        store: Store | None = None,
    ) -> None:
        self.table = table
        self._renderer = renderer
        self._terminal = renderer.terminal
        self._language = renderer.language
        self._delay = delay
        self._driver = Driver(table, self._show, ask, self._pause)
        self._advice = Advice(table, ask, lambda: None)
        self._saving = Saving(self._terminal, self._language)
        self.study = Study(table, ask, lambda: None, store)
        self._studying = Studying(self.study, renderer)
        renderer.end_text = lambda _state: self._end_text()
        _ = self._language.gettext
        self._commands: Mapping[str, Callable[[str], object]] = {
            "undo": lambda _argument: self._step(table.take_back, _("Taken back: {moves}.")),
            "redo": lambda _argument: self._step(table.play_again, _("Played again: {moves}.")),
            "moves": lambda _argument: self._list_moves(),
            "analysis": lambda _argument: self._show_analysis(),
            "explain": self._explain,
            "coach": lambda _argument: self._switch_coach(),
            "go": lambda _argument: self._go_on(),
            "save": self._save,
            "resign": lambda _argument: self.table.resign(),
            **self._studying.words,
        }

    def play(self) -> None:
        """Play until the game at the table is over.

        Raises:
            PlayerLeft: a person quit.
            Refused: only computers play, and one of them failed.
        """
        self._saving = Saving(self._terminal, self._language)
        self._renderer.unpin_all()
        self.go_on()

    def go_on(self) -> None:
        """Continue, also after an undo of a finished game; see `play`."""
        while True:
            self._driver.go_on()
            turn, problem, people = self.table.match.turn, self.table.problem, self.table.people
            if self.table.task is not None:
                turn = self.table.task.aim.state.current_mark
            if turn is None:
                return
            if problem is not None and not people:
                raise Refused(localise(self._language, problem))
            person = ConsolePlayer(turn, self._terminal, self._language, self._renderer)
            self._read_commands(person, self._expected())

    def _expected(self) -> Sequence[str]:
        """Return the two commands to choose from, where it is not a person's turn to move."""
        if self.table.problem is not None:
            return "undo", "quit"
        if self.table.coach.objection is not None:
            return "undo", "go"
        if (task := self.table.task) is not None and task.is_over:
            return "next", "leave"
        if task is not None and task.is_wrong:
            return "undo", "solution"
        return ()

    def run_command(self, command: Command) -> bool:
        """Run a command of the table, or show why not.

        Returns:
            whether the table has this command.
        """
        action = self._commands.get(command.word)
        if self._studying.has(command.word):
            attempt(lambda: self._studying.do(command.word), self._refuse)
            return True
        if action is not None:
            attempt(lambda: action(command.argument), self._refuse)
        return action is not None

    def _refuse(self, reason: InvalidMove | Refused) -> None:
        message = as_sentence(localise(self._language, reason), self._language)
        is_read = self._terminal.interactive
        (self._terminal.show_wrapped if is_read else self._terminal.show)(message)

    def _save(self, name: str) -> None:
        self._saving.save(name, self.table.record)

    def _show(self) -> None:
        table = self.table
        if table.match.resigned is not None:
            self._terminal.show(self._end_text())
            return
        if table.problem is not None:
            if table.people:
                _ = self._language.gettext
                remedy = _("Type undo to take back a move and go on from there, or quit.")
                self._terminal.show_wrapped(status_text(table, self._language), remedy)
            return
        if table.coach.objection is not None:
            self._show_objection()
            return
        if table.task is not None:
            self._studying.show(table.task)
        self._renderer.render(table.state)
        if table.thinker is not None and self._terminal.fancy:
            self._terminal.show(status_text(table, self._language))

    def _end_text(self) -> str:
        """Return how the game ended; on a pipe by the side."""
        if self.table.task is not None:
            return ""
        return end_text(self.table, self._language, own=self._terminal.interactive)

    def _pause(self, go_on: Callable[[], object]) -> None:
        time.sleep(self._delay)
        go_on()

    def _read_commands(self, person: ConsolePlayer, expected: Sequence[str]) -> None:
        table, state, changes = self.table, self.table.state, self.table.changes
        while table.changes == changes:
            request = person.read(state, expected)
            if isinstance(request, Move):
                move = partial(table.place, request.number)
                attempt(partial(self.study.play, move), self._refuse)
            elif not self.run_command(request):
                person.run_command(request, state)

    def _step(self, back_or_on: Callable[[], list[Move]], message: str) -> None:
        moves = in_a_line(back_or_on())
        self._renderer.show_with_next_board(message.format(moves=moves))

    def _show_analysis(self) -> None:
        advice, state = self._advice, self.table.state
        if not (advice.values and advice.search_deeper()):
            advice.analyse(wanted=True)
        values = {value.move: value for value in advice.values}
        evaluated = [
            (move_name(state, move), evaluation_text(values[move], self._language))
            for move in from_the_left(state)
            if move in values
        ]
        if len(evaluated) <= MOVES_TO_LIST:
            for line in in_columns(("", *row) for row in evaluated):
                self._terminal.show(line)
        else:
            rows = (NO_BREAK.join(row).replace(" ", NO_BREAK) for row in evaluated)
            self._terminal.show_wrapped(join_clauses(rows, self._language))
        has_numbers = any(value.moves for value in advice.values)
        legend = self._language.gettext(NUMBER_LEGEND) if has_numbers else ""
        sentences = analysis_text(advice, self._language, legend)
        if advice.deeper_query is not None:
            word = translated_words(self._language, COMMANDS)["analysis"]
            message = self._language.gettext("To look further, type {word} again.")
            sentences.append(message.format(word=word))
        self._terminal.show_wrapped(*sentences)

    def _explain(self, name: str) -> None:
        """Tell why the last move is good or bad, or the named one."""
        state = self.table.state
        if not name and not self.table.match.history:
            raise Refused(self._language.gettext("There is no move yet; name one: explain MOVE"))
        try:
            self._advice.explain(state.move(name).number if name else None)
        except (InvalidMove, InvalidNotation) as error:
            raise Refused(describe_refusal(state, name, error, self._language)) from None
        self._terminal.show_wrapped(*hint_text(self._advice, state, self._language, typed=True))
        self._renderer.show_signs(state, self._advice.told)

    def _switch_coach(self) -> None:
        coach = self.table.coach
        coach.is_on = not coach.is_on
        self._terminal.show(coach_text(self.table, self._language))
        self.table.overrule_coach()

    def _go_on(self) -> None:
        if self.table.coach.objection is None:
            raise Refused(self._language.gettext("The coach objects to nothing."))
        self.table.overrule_coach()

    def _show_objection(self) -> None:
        """Tell what the coach says, and what can be done."""
        _, words = self._language.gettext, translated_words(self._language, COMMANDS)
        remedy = _("To try another move, type {undo}; to go on, type {go}.")
        self._terminal.show_wrapped(
            *hint_text(self._driver.advice, self.table.state, self._language, typed=True),
            remedy.format(undo=words["undo"], go=words["go"]),
        )
        self._renderer.show_signs(self.table.state, self.table.coach.objection)

    def _list_moves(self) -> None:
        moves = in_a_line(self.table.match.history)
        self._terminal.show_wrapped(moves or self._language.gettext("No moves yet."))
