"""Puzzles and lessons at the console, by typed words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tic_tac_toe.logic.registry import closest

from ..program.process import Refused
from ..program.terminal import in_columns
from ..table.commands import COMMANDS as TABLE_COMMANDS
from ..table.study import Study
from ..table.task import LEVELS, Choice, Task
from ..words.translation import N_
from .commands import COMMANDS, translated_words
from .renderers import ConsoleRenderer

#: What the words of the table's commands do while a puzzle is solved.
WORDS = {command.typed: name for name, command in TABLE_COMMANDS.items() if command.typed}
WORDS["leave"] = "new-game"
#: Refusals.
NO_TASK = N_("No puzzle is being solved; type {word}.")
USELESS = N_("This has no effect now.")
UNKNOWN = N_("There is no {text}: type a game, such as {games}, and easy, middle or hard.")


class Studying:
    """Opens puzzles and lessons, and does what the words mean in them.

    Attributes:
        words: what opens them, and what has an effect in them only, by the words of commands.
    """

    def __init__(self, study: Study, renderer: ConsoleRenderer) -> None:
        self._study, self._renderer = study, renderer
        self._language, self._terminal = renderer.language, renderer.terminal
        self.words: Mapping[str, Callable[[str], object]] = {
            "puzzle": self._open_puzzle,
            "lesson": self._open_lesson,
            **dict.fromkeys(("next", "solution", "leave"), self._refuse),
        }

    def has(self, word: str) -> bool:
        """Return whether a puzzle is solved in which a word means something of its own."""
        return self._study.task is not None and self._study.may(WORDS.get(word, "")) is not None

    def do(self, word: str) -> None:
        """Do a command of the puzzle that is solved.

        Raises:
            Refused: it has no effect now.
        """
        name = WORDS[word]
        if not self._study.may(name):
            raise Refused(self._language.gettext(USELESS))
        self._study.do(name)
        if name == "hint" and self._study.task is not None:  # the board stays the same
            self._terminal.show_wrapped(*self._study.task.lines(self._language))

    def show(self, task: Task) -> None:
        """Show what is told of a task with the next board."""
        _, words = self._language.gettext, translated_words(self._language, COMMANDS)
        lines = [task.status(self._language), *task.lines(self._language)]
        if task.is_wrong:
            message = _("To try again, type {undo}; to see the solution, type {solution}.")
            lines.append(message.format(**words))
        elif task.is_over:
            lines.append(
                _("For the next one, type {next}; to leave, type {leave}.").format(**words)
            )
        for line in lines:
            self._renderer.show_with_next_board(line)

    def _open_puzzle(self, text: str) -> None:
        """Open a puzzle of a game, a level and a theme, else that of the day."""
        from tic_tac_toe.insight.collection import GAMES  # large, and not needed to play

        from ..table.study_menu import theme_meant  # the same

        choice, rest = Choice(), list[str]()
        for word in text.lower().split():
            if word in LEVELS:
                choice = choice._replace(level=word)
            elif word in GAMES:
                choice = choice._replace(game=word)
            elif word != "today":
                rest.append(word)
        theme = " ".join(rest)
        if theme and not choice.game:
            games = closest(theme, GAMES) or ", ".join(GAMES[:3])
            raise Refused(self._language.gettext(UNKNOWN).format(text=theme, games=games))
        if choice.level and not choice.game:
            choice = choice._replace(game=GAMES[0])
        if theme:
            theme = theme_meant(choice.game, theme, self._language)
        self._study.open(choice._replace(theme=theme))

    def _open_lesson(self, text: str) -> None:
        """Open a lesson by its name or number, or list the lessons."""
        from ..table.study_menu import lesson_entries  # large, and not needed to play

        language, lessons = self._language, lesson_entries(self._study, self._language)
        numbers = {str(number): name for number, (name, _) in enumerate(lessons, 1)}
        name = numbers.get(text, text)
        if name in numbers.values():
            self._study.open(self._study.lesson(name))
            return
        for line in in_columns(("", number, title) for number, (_, title) in zip(numbers, lessons)):
            self._terminal.show(line)
        word = translated_words(language, COMMANDS)["lesson"]
        message = language.gettext("Type a number after the word, as in: {example}")
        self._terminal.show_wrapped(message.format(example=f"{word} 1"))

    def _refuse(self, _argument: str) -> None:
        word = translated_words(self._language, COMMANDS)["puzzle"]
        raise Refused(self._language.gettext(NO_TASK).format(word=word))
