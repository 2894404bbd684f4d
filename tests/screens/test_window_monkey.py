"""Whatever is clicked and pressed, in whatever order, nothing breaks and every game stays legal."""

from __future__ import annotations

import random
from pathlib import Path
from tkinter import filedialog

import pytest

from tests.frontends.desk import answer_soon
from tests.screens.window import ON_DISPLAY, Open, RealWindow
from tic_tac_toe.game.looks import looks_for
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.table.telling import tell_status
from tic_tac_toe_frontends.window.commands import COMMANDS, GAME_MENU, MOVES_MENU
from tic_tac_toe_frontends.window.dialogs import Dialog, SizeDialog
from tic_tac_toe_frontends.window.palettes import THEMES
from tic_tac_toe_frontends.window.view import plain
from tic_tac_toe_frontends.words.rules_text import STARTERS, variant_title
from tic_tac_toe_frontends.words.translation import LANGUAGES

pytestmark = ON_DISPLAY

EVENTS = 5_000
#: Everything but closing the window; what takes it away and makes it anew comes up less often.
ACTIONS = [name for name in COMMANDS if name != "quit"]
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
KEYS = (
    *("Left", "Right", "Up", "Down", "Return", "space", "Escape", "Tab", "BackSpace", "F1", "h"),
    *"0123456789xo",
    "adiaeresis",
    "ssharp",
    *("Control-n", "Control-z", "Control-y", "Control-Shift-Z", "Control-l", "Control-o"),
    *("a", "c", "p", "Home", "End", "Prior", "Next"),
    *("Control-s", "Control-Cyrillic_ya", "Control-Cyrillic_te", "Cyrillic_er", "Prior", "Menu"),
)


class Monkey:
    """Random clicks, keys and choices, the same ones for the same seed."""

    def __init__(self, stage: RealWindow, seed: int) -> None:
        self.stage = stage
        self.rng = random.Random(seed)

    def act(self) -> None:
        """Click, press a key, or choose something."""
        dialogs = [child for child in self.stage.root.winfo_children() if isinstance(child, Dialog)]
        if dialogs and isinstance(dialogs[-1], SizeDialog):
            self._answer(dialogs[-1])
        elif dialogs:
            dialogs[-1].event_generate("<Escape>")
        else:
            acts = (self._click, self._press, self._push, self._choose, self._do)
            self.rng.choices(acts, weights=(55, 30, 12, 2, 1))[0]()

    def _click(self) -> None:
        board = self.stage.board
        if self.rng.random() < 0.7:  # where it matters
            x, y = self.stage.centre_of(self.rng.choice(self.stage.table.state.legal_cells or (0,)))
        else:
            x = self.rng.randrange(-5, board.winfo_width() + 5)
            y = self.rng.randrange(-5, board.winfo_height() + 5)
        board.event_generate("<Motion>", x=x, y=y)
        if self.rng.random() < 0.1:
            board.event_generate(self.rng.choice(("<Button-4>", "<Button-5>")), x=x, y=y)
        board.event_generate("<Button-1>", x=x, y=y)
        board.event_generate("<ButtonRelease-1>", x=x, y=y)

    def _press(self) -> None:
        focused = self.stage.root.focus_get() or self.stage.root
        focused.event_generate(f"<{_event(self.rng.choice(KEYS))}>")

    def _push(self) -> None:
        view = self.stage.app.view
        buttons = [*view.buttons.values(), *view.move_choice.specials.values()]
        pushes = [button.invoke for button in buttons]
        pushes += [letter.invoke for letter in view.move_choice.letters.values()]
        self.rng.choice(pushes)()

    def _do(self) -> None:
        name = self.rng.choice(ACTIONS)
        menus = self.stage.app.view.menus
        if name in GAME_MENU:
            menus.game.invoke(GAME_MENU.index(name))
        elif name in MOVES_MENU:
            menus.moves.invoke(MOVES_MENU.index(name))
        else:
            self.stage.app.actions[name]()

    def _choose(self) -> None:
        name = self.rng.choice(list(OPTIONS))
        offered = looks_for(self.stage.table.setup.rules) if name == "look" else OPTIONS[name]
        self.stage.app.choose(name, self.rng.choice(offered))
        if self.rng.random() < 0.3:
            width, height = self.rng.randrange(200, 900), self.rng.randrange(200, 800)
            self.stage.root.geometry(f"{width}x{height}")

    def _answer(self, dialog: SizeDialog) -> None:
        for box in dialog.numbers:
            box.set(self.rng.choice(["", "x", "0", "27", *map(str, range(1, 27))]))
        for flag in dialog.flags.values():
            if self.rng.random() < 0.3:
                flag.invoke()
        if self.rng.random() < 0.2:
            dialog.event_generate("<Escape>")
        else:
            dialog.begin()


def _event(key: str) -> str:
    *modifiers, name = key.split("-")
    return "-".join([*modifiers, "Key", name])


def check(stage: RealWindow) -> None:
    """The game is one that the rules allow, and the window shows that very game."""
    table = stage.table
    record = table.record
    assert record.final_position == table.state.position
    assert len(record.moves) == table.match.ply
    view = stage.app.view
    if table.replay.ply is None:
        status = tell_status(
            table, stage.app.language, stage.app.settings.looks.of(table.state.rules)
        )
        assert view.status.cget("text") == plain(status)
    assert stage.board.picture.state is table.replay.state(table.match)
    assert view.choices["variant"].box.get() == variant_title(table.setup.rules, stage.app.language)
    assert stage.desktop.errors == []


@pytest.mark.slow
def test_thousands_of_random_clicks_and_keys_end_in_no_error(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(tmp_path / name) for name in ("a.txt", "b.json", "no/such", "c", "")]
    dice = random.Random(1)
    for name in ("askopenfilename", "asksaveasfilename"):
        monkeypatch.setattr(filedialog, name, lambda **_options: dice.choice(names))
    stage = open_window(animated=True, answer=answer_soon)
    monkey = Monkey(stage, 1)
    games = counted = moves = ply = 0

    for count in range(EVENTS):
        monkey.act()
        stage.desktop.root.update()
        moves, ply = moves + max(0, stage.table.match.ply - ply), stage.table.match.ply
        total = stage.table.score.total()  # which other players and games set back to 0
        games, counted = games + max(0, total - counted), total
        if count % 25 == 0:
            check(stage)

    check(stage)
    assert games >= 5
    assert moves >= 50
