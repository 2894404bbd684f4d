"""The real window on a virtual display, with the events of its mouse and keyboard."""

from __future__ import annotations

import contextlib
import gc
import os
import random
import re
import subprocess
import threading
import time
import tkinter as tk
from collections.abc import Callable, Iterator
from pathlib import Path
from tkinter import filedialog
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pytest

from tests.frontends.programs import PATIENCE
from tests.machine import needs
from tests.screens.screen import COMMAND_NAMES, Sit, is_at_rest, move_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.pictures.board import geometry, looks_for
from tic_tac_toe_frontends.table.commands import COMMANDS
from tic_tac_toe_frontends.table.table import Setup, Table
from tic_tac_toe_frontends.table.telling import status_text
from tic_tac_toe_frontends.window import app as window_app
from tic_tac_toe_frontends.window.app import App
from tic_tac_toe_frontends.window.args import Args
from tic_tac_toe_frontends.window.board import Board
from tic_tac_toe_frontends.window.commands import (
    GAME_MENU,
    HELP_MENU,
    LETTER_KEYS,
    MOVES_MENU,
    SWITCHES,
    sequences_of,
)
from tic_tac_toe_frontends.window.dialogs import Dialog, HelpDialog, SizeDialog
from tic_tac_toe_frontends.window.palettes import THEMES
from tic_tac_toe_frontends.window.puzzles import PuzzleDialog
from tic_tac_toe_frontends.window.view import without_emoji
from tic_tac_toe_frontends.words.rules_text import STARTERS, variant_title
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

if TYPE_CHECKING:
    from _tkinter import TkappType

#: What somebody presses, chooses and names who fumbles.
ANY_KEYS = (
    *("Left", "Right", "Up", "Down", "Return", "space", "Escape", "Tab", "BackSpace", "F1", "h"),
    *(f"Key-{key}" for key in "0123456789xo"),
    *("adiaeresis", "ssharp", "a", "c", "p", "Home", "End", "Prior", "Next", "Menu"),
    *(f"Control-Key-{key}" for key in "nzylos"),
    *("Control-Shift-Key-Z", "Control-Key-Cyrillic_ya", "Control-Key-Cyrillic_te", "Cyrillic_er"),
)
PLAYERS = ("human", "human", "random", "easy", "rules", "medium")
OPTIONS = {
    "x": PLAYERS,
    "o": PLAYERS,
    "variant": tuple(VARIANTS),
    "starting": STARTERS,
    "look": (),
    "theme": THEMES[1:],
    "language": tuple(LANGUAGES),
}
#: The commands with a menu, a button or a key.
OFFERED = (*filter(None, (*GAME_MENU, *MOVES_MENU, *HELP_MENU)), *SWITCHES, "setup", "size")
FILES = ("a.txt", "b.json", "no/such", "c", "")


class OneThread:
    """Stands for an interpreter of Tk, and lets the thread that made it use it, and no other.

    Every widget calls the interpreter for all it does, so that none can be touched unnoticed. Tk
    itself would pass such calls on to the other thread, mostly: it hides the fault until it hangs.

    Attributes:
        foreign: what other threads asked for, with their names.
        calls: the number of calls of the interpreter.
    """

    def __init__(self, interpreter: TkappType) -> None:
        self._interpreter = interpreter
        self._owner = threading.get_ident()
        self.foreign: list[str] = []
        self.calls = 0

    def __getattr__(self, name: str) -> object:
        if threading.get_ident() != self._owner:
            thread = threading.current_thread().name
            self.foreign.append(f"{name} in {thread}")
            raise RuntimeError(f"the window was touched by the thread {thread}: {name}")
        self.calls += 1
        return getattr(self._interpreter, name)


class Desktop:
    """The one interpreter of Tk of a worker, in which each test has windows of its own.

    Whatever touches a widget from another thread, and whatever goes wrong in a callback, is noted.
    """

    def __init__(self, display: str) -> None:
        self.display = display
        self.root = tk.Tk(screenName=display)
        self.root.withdraw()
        self.guard = OneThread(self.root.tk)
        self.root.tk = self.guard  # type: ignore[assignment]  # it stands for the same interpreter
        self.root.report_callback_exception = self._note_error
        self.errors: list[BaseException] = []

    def _note_error(self, _kind: object, error: BaseException, _trace: object) -> None:
        self.errors.append(error)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Fail where something went wrong meanwhile, once all thoughts have ended.

        No garbage is collected meanwhile: a thread that thinks would take widgets away.
        """
        self.errors.clear()
        self.guard.foreign.clear()
        gc.disable()
        try:
            yield
        finally:
            for thread in threading.enumerate():
                if thread.name == "thinking":
                    thread.join(PATIENCE)
            gc.collect(1)
            gc.enable()
        assert self.errors == []
        assert self.guard.foreign == []


class Window:
    """A game in a window.

    Args:
        answer: see `App`.
        more: other options of `Args`; unless given nothing moves, and nothing is delayed.
    """

    def __init__(
        self,
        desktop: Desktop,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = "human",
        starting: str = "X",
        *,
        language: str = "en",
        held: bool = False,
        answer: Callable[[Any], Any] = lambda query: query(),
        **more: Any,
    ) -> None:
        rules = find_rules(variant) if isinstance(variant, str) else variant
        is_own = not isinstance(variant, str)  # the command line knows no rules without a name
        setup = Setup(find_rules("tic-tac-toe") if is_own else rules, x, o, starting)
        options = {"theme": "light", "delay": 0.0, "animated": False, **more}
        self._held = held
        self.desktop = desktop
        self.root = cast("tk.Tk", tk.Toplevel(desktop.root))  # which has all that the window uses
        self.root.geometry("+0+0")
        self.app = App(self.root, Args(setup, load(language, {}), seed=1, **options), answer)
        if is_own:
            self.table.new_game(setup._replace(rules=rules))
        self.until(self.root.winfo_viewable)
        # There is no window manager that would give the keyboard to the new window.
        self.board.focus_force()
        self.until(lambda: self.root.focus_get() is self.board)
        self.settle()

    @property
    def table(self) -> Table:
        """The table that the window shows."""
        return self.app.table

    @property
    def board(self) -> Board:
        """The board in the window."""
        return self.app.view.board

    @property
    def is_closed(self) -> bool:
        """Whether the window is gone."""
        return not self.root.winfo_exists()

    def close(self) -> None:
        if not self.is_closed:
            self.app.close()
            self.desktop.root.update()

    def fumble(self, rng: random.Random) -> None:
        view = self.app.view
        dialogs = [child for child in self.root.winfo_children() if isinstance(child, Dialog)]
        dice = rng.random()
        with pytest.MonkeyPatch.context() as patch:
            for name in ("askopenfilename", "asksaveasfilename"):
                patch.setattr(filedialog, name, lambda **_options: rng.choice(FILES))
            if dialogs and isinstance(dialogs[-1], SizeDialog):
                self._fumble_with_size(dialogs[-1], rng)
            elif dialogs:
                dialogs[-1].event_generate("<Escape>")
            elif dice < 0.55:
                self._fumble_with_mouse(rng)
            elif dice < 0.85:
                (self.root.focus_get() or self.root).event_generate(f"<{rng.choice(ANY_KEYS)}>")
            elif dice < 0.97:
                choice = view.move_choice
                buttons = (view.bar.buttons, choice.specials, choice.letters)
                rng.choice([button for group in buttons for button in group.values()]).invoke()
            elif dice < 0.98:
                self.app.desk.do(rng.choice([name for name in OFFERED if name != "quit"]))
            else:
                name = rng.choice(list(OPTIONS))
                looks = [look.value for look in looks_for(self.table.setup.rules)]
                self.app.choose(name, rng.choice(looks if name == "look" else OPTIONS[name]))
                if rng.random() < 0.3:
                    self.root.geometry(f"{rng.randrange(200, 900)}x{rng.randrange(200, 800)}")
            self.desktop.root.update()
        self._check()

    def _fumble_with_mouse(self, rng: random.Random) -> None:
        board = self.board
        x, y = self.centre_of(rng.choice(self.table.state.legal_cells or (0,)))
        if rng.random() < 0.3:
            x = rng.randrange(-5, board.winfo_width() + 5)
            y = rng.randrange(-5, board.winfo_height() + 5)
        wheel = [rng.choice(("<Button-4>", "<Button-5>"))] if rng.random() < 0.1 else []
        for event in ("<Motion>", *wheel, "<Button-1>", "<ButtonRelease-1>"):
            board.event_generate(event, x=x, y=y)

    def _fumble_with_size(self, dialog: SizeDialog, rng: random.Random) -> None:
        for box in dialog.numbers:
            box.set(rng.choice(["", "x", "0", "27", *map(str, range(1, 27))]))
        for flag in dialog.flags.values():
            if rng.random() < 0.3:
                flag.invoke()
        if rng.random() < 0.2:
            dialog.event_generate("<Escape>")
        else:
            dialog.start_game()

    def _check(self) -> None:
        """See that the game is one that the rules allow, and that the window shows that game."""
        table, language = self.table, self.app.language
        assert table.record.final_position == table.state.position
        assert len(table.record.moves) == table.match.ply
        if table.replay.ply is None:
            assert self.status == without_emoji(status_text(table, language, self.app.drawn))
        assert self.board.picture.state is table.replay.state(table.match)
        title = variant_title(table.setup.rules, language)
        assert self.app.view.game.cget("text") == title
        assert self.desktop.errors == []

    def until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "it did not come to this"
            self.desktop.root.update()
            time.sleep(0.002)

    def settle(self) -> None:
        """Let everything happen that is due, and the computers move."""
        self.desktop.root.update()
        if not self._held and not self.is_closed:
            self.until(lambda: is_at_rest(self.table))
            self.desktop.root.update()

    def centre_of(self, cell: int) -> tuple[int, int]:
        """Return where the middle of a cell lies on the board's canvas, in pixels."""
        boxes = geometry(self.board.picture.state.rules).boxes
        x, y = self.board.plan.point(boxes[cell].centre)
        return round(x), round(y)

    def drawn(self, kind: str) -> list[int]:
        """Return what is drawn on the board of a kind, such as ``image`` for marks."""
        return [item for item in self.board.find_all() if str(self.board.type(item)) == kind]

    def option(self, item: int, name: str) -> str:
        """Return how something on the board is drawn."""
        return str(self.board.tk.call(self.board, "itemcget", item, f"-{name}"))

    @property
    def texts(self) -> list[str]:
        """What is written on the board."""
        return [self.option(item, "text") for item in self.drawn("text")]

    @property
    def status(self) -> str:
        """The words that are read first."""
        return self.app.view.status.words

    @property
    def detail(self) -> str:
        """The words below the status."""
        return self.app.view.detail.words

    @property
    def told(self) -> str:
        return f"{self.status} {self.detail}"

    @property
    def marks(self) -> str:
        """What the board is drawn of; how it is drawn is for tests of its own."""
        return self.board.picture.state.grid.cells

    @property
    def moves(self) -> list[str]:
        tree = self.app.view.moves.tree
        cells = [str(cell) for row in tree.get_children() for cell in tree.item(row, "values")[1:]]
        return [cell.lstrip("▸").split()[0] for cell in cells if cell.strip(" …")]

    @property
    def score(self) -> str:
        return str(self.app.view.score.cget("text"))

    @property
    def values(self) -> list[str]:
        found = [text.replace("−", "-") for text in self.texts]
        return sorted(text for text in found if re.fullmatch(r"[+=-]\d*", text))

    @property
    def game(self) -> str:
        return str(self.root.title())

    @property
    def players(self) -> tuple[str, str]:
        x, o = (str(seat.cget("text")) for seat in self.app.view.seats.values())
        return x.split(": ")[1], o.split(": ")[1]

    def play(self, *moves: str) -> None:
        for name in moves:
            move = move_of(self.table.state.rules, name)
            if move.special:
                self.app.view.move_choice.specials[move.special].invoke()
                self.settle()
                continue
            if move.letter:
                self.choose("letter", move.letter)
            self.click(move.cell)

    def click(self, cell: int) -> None:
        """Click the middle of a cell."""
        x, y = self.centre_of(cell)
        for event in ("<Motion>", "<Button-1>", "<ButtonRelease-1>"):
            self.board.event_generate(event, x=x, y=y)
        self.settle()

    def key(self, name: str) -> None:
        """Press a key, as Tk calls it."""
        (self.root.focus_get() or self.root).event_generate(f"<{name}>")
        self.settle()

    def press(self, *commands: str) -> None:
        """Press the keys of commands; resigning has a button."""
        for command in commands:
            name = COMMAND_NAMES.get(command, command)
            if sequences := sequences_of(COMMANDS[name].keys("window")):
                self.key(sequences[0])
            else:
                self.app.view.bar.buttons[name].invoke()
                self.settle()

    def choose(self, what: str, value: str) -> None:
        """Choose a letter by a key, and anything else as menus do it."""
        if what == "letter":
            self.key(f"Key-{LETTER_KEYS[value][0]}")
            return
        self.app.choose(what, value)
        self.settle()

    def learn(self, lesson: str) -> None:
        self.press("puzzle")
        (dialog,) = [one for one in self.root.winfo_children() if isinstance(one, PuzzleDialog)]
        dialog.choose("kind", lesson, "")
        dialog.begin()
        self.settle()

    def save(self, path: Path) -> None:
        self._use_file("save", path)

    def open(self, path: Path) -> None:
        self._use_file("open", path)

    def _use_file(self, command: str, path: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            for name in ("askopenfilename", "asksaveasfilename"):
                patch.setattr(filedialog, name, lambda **_options: str(path))
            self.press(command)

    def help(self) -> str:
        self.press("help")
        (dialog,) = [one for one in self.root.winfo_children() if isinstance(one, HelpDialog)]
        told = dialog.text.get("1.0", "end")
        dialog.event_generate("<Escape>")
        self.settle()
        self.board.focus_force()
        return told


def xdotool(display: str, *arguments: str | int) -> str:
    """Move the mouse and press keys for real; return what xdotool prints."""
    return subprocess.run(
        ["xdotool", *map(str, arguments)],
        capture_output=True,
        check=True,
        env={**os.environ, "DISPLAY": display},
        text=True,
        timeout=PATIENCE,
    ).stdout


class RealWindow(Window):
    """A game in a window, with somebody at a real mouse and keyboard; no computer is waited for."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, held=True, **options)

    @property
    def cells(self) -> list[int]:
        """The cells of the moves so far."""
        return [move.cell_index for move in self.table.match.history]

    def settle(self) -> None:
        """Let everything happen that is due."""
        for _ in range(3):
            self.desktop.root.update()
            xdotool(self.desktop.display, "getmouselocation")  # what was sent has arrived by now
        self.desktop.root.update()

    def click(self, cell: int) -> None:
        """Click a cell of the board."""
        self.click_in(self.board, *self.centre_of(cell))

    def click_widget(self, widget: tk.Misc) -> None:
        """Click the middle of a widget."""
        self.click_in(widget, widget.winfo_width() // 2, widget.winfo_height() // 2)

    def click_in(self, widget: tk.Misc, x: int, y: int) -> None:
        """Click a point of a widget."""
        x, y = widget.winfo_rootx() + x, widget.winfo_rooty() + y
        xdotool(self.desktop.display, "mousemove", x, y, "click", 1)
        self.settle()

    def wheel(self, x: int, y: int, *, closer: bool) -> None:
        """Turn the wheel by one step over a point of the board."""
        self.board.event_generate("<Button-4>" if closer else "<Button-5>", x=x, y=y)
        self.desktop.root.update()

    def type(self, *keys: str) -> None:
        """Press keys one after the other, by the names that xdotool knows."""
        xdotool(self.desktop.display, "key", "--delay", 5, *keys)
        self.settle()


#: Opens a window, with the arguments of `Window` after the first.
Open: TypeAlias = Callable[..., RealWindow]
#: What tests at a real mouse and keyboard are marked with.
ON_DISPLAY = [needs("Xvfb", "xdotool")]


@contextlib.contextmanager
def sitting(desktop: Desktop, kind: type[Window] = Window) -> Iterator[Sit]:
    """Return what opens windows; they are closed when the test ends."""
    with (
        desktop.watched(),
        contextlib.ExitStack() as stack,
        pytest.MonkeyPatch.context() as patch,
    ):

        def sit(*args: Any, film_step: float = 0.001, **options: Any) -> Window:
            patch.setattr(window_app, "STEP_SECONDS", film_step)
            return stack.enter_context(contextlib.closing(kind(desktop, *args, **options)))

        yield sit
