"""The person at the console's prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from gettext import NullTranslations

from tic_tac_toe.game.players import Player
from tic_tac_toe.insight.hints import Stage
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState, Mark, Move
from tic_tac_toe.logic.notation import parse_move

from ..program.process import DONE, INTERRUPTED
from ..program.terminal import Terminal
from ..table.advice import Advice
from ..table.queries import ask_here
from ..table.table import Setup, Table
from ..table.telling import hint_text
from ..words.game_text import describe_reading
from ..words.rules_text import HUMAN, side_title
from .commands import (
    COMMANDS,
    Command,
    describe_commands,
    describe_moves,
    describe_refusal,
    either,
    parse_command,
    translated_words,
)
from .renderers import ConsoleRenderer


class PlayerLeft(SystemExit):
    """The person quits; uncaught, this ends the program."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ConsolePlayer(Player):
    """A person who types moves in any notation, and may type commands.

    Args:
        terminal: by default the standard streams.
        language: the messages, by default English.
        renderer: shows the board again at the command ``board``.
    """

    def __init__(
        self,
        mark: Mark,
        terminal: Terminal | None = None,
        language: NullTranslations | None = None,
        renderer: ConsoleRenderer | None = None,
    ) -> None:
        super().__init__(mark)
        self.terminal = terminal or Terminal.standard()
        self.language = language or NullTranslations()
        self._renderer = renderer or ConsoleRenderer(self.terminal, self.language)
        self._table = Table(Setup(o=HUMAN))
        self._advice = Advice(self._table, ask_here, lambda: None)
        # Only the game's renderer can keep a line on a screen that is cleared for each board.
        self._remark: Callable[[str], None] = self.terminal.show
        if renderer is not None:
            self._remark = renderer.pin
        self._answers: Mapping[str, Callable[[GameState], None]] = {
            "hint": self._show_hint,
            "board": self._renderer.show_board,
            "help": lambda state: show_help(self.terminal, self.language, COMMANDS, state),
        }

    def get_move(self, game_state: GameState) -> Move | None:
        """Return the typed move; ``None`` if the game is over.

        Raises:
            PlayerLeft: the person quits, or the input ends.
        """
        while not game_state.game_over:
            request = self.read(game_state)
            if isinstance(request, Move):
                return request
            self.run_command(request, game_state)
        return None

    def read(self, state: GameState, expected: Sequence[str] = ()) -> Move | Command:
        """Prompt until a legal move or a command is typed, and return it.

        Args:
            expected: the two commands to choose from, where it is nobody's turn.

        Raises:
            PlayerLeft: the person quits, or the input ends.
        """
        _ = self.language.gettext
        words = translated_words(self.language, COMMANDS)
        meant = [words[each] for each in expected]
        player = side_title(state.rules, self.mark, self.language)
        prompt = _("{mark}'s move: ").format(mark=player)
        if expected:
            prompt = f"{either(meant, self.language)}: "
        self._renderer.unpin_all()
        while True:
            line = ask(self.terminal, prompt)
            if not line.strip():
                continue
            command = parse_command(line, self.language, abbreviated=True)
            if command is None:
                move = self._read_move(state, line)
                if move is not None:
                    return move
            elif command.word == "quit":
                raise PlayerLeft(DONE)
            else:
                return command

    def run_command(self, command: Command, state: GameState) -> None:
        """Run a command that needs only the state of the game."""
        if answer := self._answers.get(command.word):
            answer(state)
        else:
            self.terminal.show(self.language.gettext("This program does not offer that."))

    def _read_move(self, state: GameState, line: str) -> Move | None:
        """Return the typed move; if it is not legal, show why."""
        reading: list[str] = []
        try:
            number = parse_move(state, line)
            reading = describe_reading(state, line, number, self.language)
            move = state.make_move_to(number)
        except (InvalidMove, InvalidNotation) as error:
            # Programs that read a pipe get each answer in one line.
            show = self.terminal.show_wrapped if self.terminal.interactive else self.terminal.show
            for text in [*reading, describe_refusal(state, line, error, self.language)]:
                show(text)
            return None
        for text in reading:
            self._remark(text)
        return move

    def _show_hint(self, state: GameState) -> None:
        if state is not self._table.state:
            self._table.new_game(Setup(state.rules, o=HUMAN), state=state)
        self._advice.ask_hint()
        told = hint_text(self._advice, state, self.language, typed=True)
        if self._advice.stage in (Stage.THEME, Stage.AREA):
            word = translated_words(self.language, COMMANDS)["hint"]
            message = self.language.gettext("To look further, type {word} again.")
            told.append(message.format(word=word))
        self.terminal.show_wrapped(*told)
        self._renderer.show_signs(state, self._advice.told)


def ask(terminal: Terminal, prompt: str) -> str:
    """Return a typed line.

    Raises:
        PlayerLeft: the input ends, or the person presses Ctrl-C.
    """
    try:
        return terminal.ask(prompt)
    except EOFError:
        raise PlayerLeft(DONE) from None
    except KeyboardInterrupt:
        raise PlayerLeft(INTERRUPTED) from None


def show_help(
    terminal: Terminal,
    language: NullTranslations,
    commands: Mapping[str, str],
    state: GameState | None,
) -> None:
    """Show how to write moves, unless the game is over, and the commands."""
    if state is not None:
        terminal.show_wrapped(*describe_moves(state, language))
        terminal.show(language.gettext("Or one of these words:"))
    for line in describe_commands(language, commands):
        terminal.show(line)
