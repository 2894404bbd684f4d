"""What can be done at a table: one table of commands for the buttons, keys and words of screens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import Literal, TypeAlias

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import move_at, parse_place

from ..program.process import Refused
from ..words.game_text import next_level_title, player_title
from ..words.translation import N_, pgettext
from .advice import Advice
from .driver import Driver, LongThought
from .looking_back import LookingBack, check_present
from .study import Study
from .table import Table, easier_after, offer_after

#: Shows why something was refused.
Refuse: TypeAlias = Callable[[InvalidMove | Refused], object]
#: The screens with keys of their own.
Keyboard: TypeAlias = Literal["window", "terminal", "page"]


def attempt(action: Callable[[], object], refuse: Refuse) -> None:
    """Do something, or show why not."""
    try:
        action()
    except (InvalidMove, Refused) as reason:
        refuse(reason)


@dataclass(frozen=True)
class Desk:
    """A table as one screen shows it, for the commands.

    Attributes:
        thought: the computer's long searches.
        refuse: shows why an action was refused.
        study: runs puzzles and lessons.
        own: the actions that screens have in their own way, by the names of their commands.
    """

    table: Table
    driver: Driver
    past: LookingBack
    thought: LongThought
    refuse: Refuse
    study: Study
    own: Mapping[str, Callable[[], object]] = field(default_factory=dict)

    @property
    def advice(self) -> Advice:
        """What is known of the moves."""
        return self.driver.advice

    def attempt(self, action: Callable[[], object]) -> None:
        """Do something, or show why not."""
        attempt(action, self.refuse)

    def do(self, name: str) -> None:
        """Do a command, or show why not."""
        self.attempt(lambda: self.study.do(name) or COMMANDS[name].do(self))

    def may(self, name: str) -> bool:
        """Return whether a command has an effect now."""
        in_task = self.study.may(name)
        return COMMANDS[name].may(self) if in_task is None else in_task

    def play_cell(self, cell: int, ply: int | None = None) -> None:
        """Choose a person's move in a cell, or show why not; see `place`."""
        self._choose(lambda: move_at(self.table.state, cell, self.table.letter), ply)

    def place(self, number: int, ply: int | None = None) -> None:
        """Choose a person's move by its number, or show why not.

        It is made, see `Table.place`, or explained, see `Advice.is_choosing`.
        """
        self._choose(lambda: number, ply)

    def explain(self, move: int | None = None) -> None:
        """Find out why a move is good or bad: one of the present state, or the one before.

        While people look back or review the game, it is the move before the shown position; while
        the values of moves are shown, people can choose a move.
        """
        if move is not None:
            self.advice.explain(move)
        elif self.table.replay.ply is not None or self.past.review.is_on:
            self.past.explain()
        else:
            self.advice.ask_why()

    def play_special(self, name: str) -> None:
        """Make a move that places nothing, such as ``swap``, if it is legal."""
        number = self.table.state.special_moves.get(name)
        if number is not None and self.table.replay.ply is None:
            self.place(number)

    def _choose(self, number_of: Callable[[], int], ply: int | None = None) -> None:
        def at_present() -> None:
            check_present(self.table)
            if self.advice.is_choosing:
                self.explain(self.table.state.move(number_of()).number)
            else:
                self.study.play(lambda: self.table.place(number_of(), ply))

        self.attempt(at_present)


@dataclass(frozen=True)
class Command:
    """A command.

    Attributes:
        title: for buttons and menus, in English.
        meaning: what it does, for lists of keys and words.
        do: does it; may raise `InvalidMove` or `Refused`.
        may: returns whether it has an effect now.
        word: a short title for a bar of keys; by default the title.
        typed: the English word at the console, if it can be typed there.
        window, terminal, page: the keys there, such as ``ctrl+z``, ``PageUp`` or ``[``, with spaces
            between them; the first one is shown.
    """

    title: str
    meaning: str
    do: Callable[[Desk], object]
    may: Callable[[Desk], bool] = lambda _desk: True
    word: str = ""
    typed: str = ""
    window: str = ""
    terminal: str = ""
    page: str = ""

    def keys(self, keyboard: Keyboard) -> list[str]:
        """Return the keys of a screen."""
        return str(getattr(self, keyboard)).split()


def title_of(name: str, desk: Desk, language: NullTranslations) -> str:
    """Return the title of a command at present, for its button."""
    _, table = language.gettext, desk.table
    if table.task is not None and name in TASK_TITLES:
        return _(TASK_TITLES[name])
    if name == "new-game" and table.match.over:
        return _("Try again") if table.outcome == "loss" else _("Play again")
    if name == "next-level" and (offer := offer_after(table)):
        return next_level_title(offer.level, language, offer.setup.rules)
    if name == "easier-level" and (offer := easier_after(table)):
        level = player_title(offer.level, language, offer.setup.rules)
        return _("Play an easier level: {level}").format(level=level)
    if name == "play-on" and desk.past.has_persons_fault:
        return _("Try another move")
    if name == "undo" and table.coach.objection:
        return _("Try another move")
    return _(COMMANDS[name].title)


def primary_command(desk: Desk) -> str:
    """Return the next thing to do after a game, or at a fault of one's own; else empty."""
    if (task := desk.table.task) is not None:
        return "undo" if task.is_wrong else "next-level" if task.is_over else ""
    if desk.table.replay.ply is not None:
        return "play-on" if desk.past.has_persons_fault else ""
    if desk.table.coach.objection:
        return "undo"
    if not desk.table.match.over:
        return ""
    return "next-level" if desk.may("next-level") else "new-game"


def key_rows(keyboard: Keyboard, language: NullTranslations) -> dict[str, tuple[str, str, str]]:
    """Return the first key, the word and the meaning of each command with a key, by its name."""
    _ = language.gettext
    return {
        name: (keys[0], _(command.word or command.title), _(command.meaning))
        for name, command in COMMANDS.items()
        if (keys := command.keys(keyboard))
    }


def cell_of_digit(state: GameState, digit: str) -> int | None:
    """Return the cell of a digit key, if any: a column under gravity, a number pad on 3x3.

    A full column has its top cell, so that a refusal explains the problem.
    """
    if digit not in DIGITS:
        return None
    try:
        return parse_place(state, digit)
    except InvalidNotation:
        return None
    except InvalidMove:
        return int(digit) - 1


#: The titles of commands that do something else while a puzzle or exercise is solved.
TASK_TITLES: Mapping[str, str] = {
    "undo": N_("Try again"),
    "next-level": N_("Next one"),
    "new-game": N_("Back to the game"),
}
#: The keys that name a cell.
DIGITS = frozenset("123456789")
#: The keys of the letters in games with a choice, and of moves that place nothing.
LETTER_KEYS: Mapping[str, str] = {"X": "x", "O": "o"}
SPECIAL_KEYS: Mapping[str, str] = {"swap": "s"}


def _of_screen(name: str) -> Callable[[Desk], object]:
    return lambda desk: desk.own[name]()


def _step(name: str, title: str, meaning: str, word: str, **keys: str) -> Command:
    return Command(
        title,
        meaning,
        lambda desk: desk.past.step(name),
        lambda desk: name in desk.table.replay.steps(desk.table.match),
        word,
        **keys,
    )


def _fault(direction: int, title: str, meaning: str, key: str) -> Command:
    return Command(
        title,
        meaning,
        lambda desk: desk.past.step_to_fault(direction),
        lambda desk: desk.past.fault(direction) is not None,
        N_("Mistake"),
        window=key,
        terminal=key,
    )


def _accept_next_level(desk: Desk) -> None:
    if offer := offer_after(desk.table):
        desk.table.new_game(offer.setup)


def _accept_easier_level(desk: Desk) -> None:
    if offer := easier_after(desk.table):
        desk.table.new_game(offer.setup)


#: All commands by name, the most important first; a short list leaves out the last ones.
COMMANDS: Mapping[str, Command] = {
    "help": Command(
        N_("Help"),
        N_("show this"),
        _of_screen("help"),
        typed=pgettext("command", "help"),
        window="F1",
        terminal="? F1",
    ),
    "new-game": Command(
        N_("New game"),
        N_("begin another game"),
        lambda desk: desk.table.new_game(),
        word=N_("New"),
        window="ctrl+n",
        terminal="n",
    ),
    "undo": Command(
        N_("Undo"),
        N_("take back, to your previous turn"),
        lambda desk: desk.table.take_back(),
        lambda desk: desk.table.can_take_back,
        typed=pgettext("command", "undo"),
        window="ctrl+z",
        terminal="u",
        page="ctrl+z",
    ),
    "go-on": Command(
        N_("Go on"),
        N_("let the computer answer the move that the coach objects to"),
        lambda desk: desk.table.overrule_coach(),
        lambda desk: desk.table.coach.objection is not None,
        typed=pgettext("command", "go"),
        window="y",
        terminal="y",
    ),
    "hint": Command(
        N_("Hint"),
        N_("show what to look for; once more, where, then the best move and why"),
        lambda desk: desk.advice.ask_hint(),
        lambda desk: desk.advice.is_useful,
        typed=pgettext("command", "hint"),
        window="h",
        terminal="h",
    ),
    "quit": Command(
        N_("Quit"),
        N_("leave the game"),
        _of_screen("quit"),
        typed=pgettext("command", "quit"),
        window="ctrl+q",
        terminal="q",
    ),
    "setup": Command(
        N_("Choose a game …"),
        N_("choose players, game and language"),
        _of_screen("setup"),
        word=N_("Game"),
        window="g",
        terminal="g",
    ),
    "analysis": Command(
        N_("Analysis"),
        N_("show what each move leads to, or no longer"),
        lambda desk: desk.advice.analyse(not desk.advice.analysing),
        typed=pgettext("command", "analysis"),
        window="a",
        terminal="a",
    ),
    "explain": Command(
        N_("Why?"),
        N_("tell why the last move is good or bad"),
        lambda desk: desk.explain(),
        lambda desk: desk.past.may_explain or desk.advice.may_choose,
        typed=pgettext("command", "explain"),
        window="e",
        terminal="e",
        page="F2",
    ),
    "redo": Command(
        N_("Redo"),
        N_("play again what was taken back"),
        lambda desk: desk.table.play_again(),
        lambda desk: desk.table.can_play_again,
        typed=pgettext("command", "redo"),
        window="ctrl+y ctrl+shift+z",
        terminal="r",
        page="ctrl+y ctrl+shift+z",
    ),
    "replay-back": _step(
        "back",
        N_("One move back"),
        N_("look at the position before"),
        N_("Back"),
        window="PageUp",
        terminal=", PageUp",
        page="ArrowLeft",
    ),
    "replay-on": _step(
        "on",
        N_("One move on"),
        N_("look at the position after"),
        N_("On"),
        window="PageDown",
        terminal=". PageDown",
        page="ArrowRight",
    ),
    "move-now": Command(
        N_("Move now"),
        N_("let the computer end its thought and move"),
        lambda desk: desk.driver.move_now(),
        lambda desk: desk.thought.progress is not None,
        window="m",
        terminal="d",
    ),
    "next-level": Command(
        N_("Next level"),
        N_("play the next level, after a win"),
        _accept_next_level,
        lambda desk: offer_after(desk.table) is not None,
        typed=pgettext("command", "next"),
        window="+",
        terminal="+",
    ),
    "easier-level": Command(
        N_("Easier level"),
        N_("play an easier level, after three losses"),
        _accept_easier_level,
        lambda desk: easier_after(desk.table) is not None,
        window="-",
        terminal="-",
    ),
    "review": Command(
        N_("Review"),
        N_("see where the finished game turned"),
        lambda desk: desk.past.start_review(),
        lambda desk: desk.past.may_review,
        typed=pgettext("command", "review"),
        window="ctrl+r",
        terminal="v",
    ),
    "fault-on": _fault(1, N_("Next mistake"), N_("go to the next mistake"), "]"),
    "fault-back": _fault(-1, N_("Mistake before"), N_("go to the mistake before"), "["),
    "play-on": Command(
        N_("Play on from here"),
        N_("play on from the position of the past"),
        lambda desk: desk.past.play_on(),
        lambda desk: desk.table.replay.ply is not None,
        word=N_("Play on"),
        window="k",
        terminal="k",
    ),
    "film": Command(
        N_("Play the moves"),
        N_("show the moves one after the other, or stop"),
        lambda desk: desk.past.film.toggle(),
        lambda desk: desk.table.match.ply > 0,
        word=N_("Replay"),
        window="p",
        terminal="p",
    ),
    "moves": Command(
        N_("Moves"),
        N_("show or hide the list of moves"),
        _of_screen("moves"),
        window="ctrl+l",
        terminal="m",
    ),
    "coach": Command(
        N_("Coach"),
        N_("be told of each move that throws something away, or no longer"),
        lambda desk: desk.own.get("coach", desk.driver.switch_coach)(),
        lambda desk: desk.table.person is not None,
        typed=pgettext("command", "coach"),
        window="i",
        terminal="i",
    ),
    "resign": Command(
        N_("Resign"),
        N_("give up this game"),
        lambda desk: desk.table.resign(),
        lambda desk: desk.table.match.turn is not None and bool(desk.table.people),
        typed=pgettext("command", "resign"),
        terminal="f",
    ),
    "puzzle": Command(
        N_("Puzzles and lessons …"),
        N_("solve a puzzle, or learn in a lesson"),
        _of_screen("puzzle"),
        word=N_("Puzzle"),
        typed=pgettext("command", "puzzle"),
        window="z",
        terminal="z",
    ),
    "solution": Command(
        N_("Show the solution"),
        N_("show the solution of the puzzle"),
        lambda desk: desk.study.do("solution"),
        lambda desk: desk.table.task is not None,
        word=N_("Solution"),
        typed=pgettext("command", "solution"),
        window="s",
        terminal="j",
    ),
    "save": Command(
        N_("Save …"),
        N_("save the game to a file"),
        _of_screen("save"),
        word=N_("Save"),
        typed=pgettext("command", "save"),
        window="ctrl+s",
        terminal="w",
    ),
    "open": Command(
        N_("Open …"),
        N_("open a game from a file"),
        _of_screen("open"),
        word=N_("Open"),
        window="ctrl+o",
        terminal="l",
    ),
    "size": Command(N_("Another size …"), N_("choose another size"), _of_screen("size")),
    "look": Command(
        N_("Look"), N_("draw the board in another way"), _of_screen("look"), terminal="b"
    ),
    "names": Command(
        N_("Coordinates"),
        N_("name rows and columns, or no longer"),
        _of_screen("names"),
        window="c",
        terminal="c",
    ),
    "theme": Command(N_("Theme"), N_("choose the colours"), _of_screen("theme"), terminal="t"),
    "replay-first": _step(
        "first",
        N_("To the beginning"),
        N_("look at the first position"),
        N_("Start"),
        window="Home",
        terminal="Home",
        page="Home",
    ),
    "replay-last": _step(
        "last",
        N_("To the end"),
        N_("go to the end of the game, to play on"),
        N_("End"),
        window="End",
        terminal="End",
        page="End",
    ),
}
