"""The real widget of a notebook: the messages of a page, and what it is sent."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from tests.screens.loop import Loop
from tests.screens.screen import COMMAND_NAMES, Sit, move_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.opponents import Opponents
from tic_tac_toe_frontends.notebook import Game
from tic_tac_toe_frontends.words.rules_text import STARTERS

NEW = {"variant": "4x4", "x": "human", "o": "human", "starting": "X"}

#: What no page would send: values of every kind, and messages that are nearly right.
OTHER_THINGS: tuple[object, ...] = (None, 1.0, True, "0", "<script>", [], {}, ["undo"])

NONSENSE: list[object] = [
    *(*OTHER_THINGS, 0, "place", [1], {"place": 0}, {"ply": 0}),
    *({"place": cell, "ply": 0} for cell in OTHER_THINGS),
    *({"place": 0, "ply": ply} for ply in OTHER_THINGS),
    {"place": 0, "ply": 0, "more": 1},
    *({"press": name} for name in (*OTHER_THINGS, 0, "", "UNDO", "close", "__class__")),
    {"press": "undo", "more": 1},
    *({"letter": letter} for letter in (*OTHER_THINGS, 0, "", "x", "O")),
    *({"special": name, "ply": 0} for name in (*OTHER_THINGS, 0, "", "swap")),
    *({"special": "swap", "ply": ply} for ply in OTHER_THINGS),
    *({"analyse": wanted} for wanted in OTHER_THINGS if wanted is not True),
    *({"new": new} for new in (*OTHER_THINGS, 0, "4x4", {"variant": "4x4"})),
    *({"new": {**NEW, "variant": name}} for name in (*OTHER_THINGS, 0, "chess", "mnk:3,3,3")),
    *({"new": {**NEW, "x": name}} for name in (*OTHER_THINGS, 0, "", "ann")),
    *({"new": {**NEW, "o": name}} for name in (*OTHER_THINGS, 0, "", "ann")),
    *({"new": {**NEW, "starting": name}} for name in (*OTHER_THINGS, 0, "", "x")),
    {"new": {**NEW, "more": 1}},
    {"new": NEW, "more": 1},
    {"kind": "anywidget-command"},
    {"place": 10**400, "ply": 10**400, "x": "y" * 1_000_000},
]


def send(game: Game, content: object) -> None:
    """Let a message arrive as a kernel would deliver it."""
    data = {"method": "custom", "content": content}
    game._handle_msg({"content": {"data": data}, "buffers": []})


class Notebook:
    """A game in a notebook with an event loop."""

    def __init__(
        self,
        variant: str | Rules = "tic-tac-toe",
        x: str = "human",
        o: str = "human",
        *,
        language: str = "en",
        held: bool = False,
        film_step: float = 0.001,
        **more: Any,
    ) -> None:
        self._held = held

        @contextlib.asynccontextmanager
        async def running() -> AsyncIterator[Game]:
            game = Game(variant, x, o, lang=language, seed=1, delay=0, **more)
            yield game
            game.close()

        self._loop: Loop[Game] = Loop(running())
        self._settle()

    @property
    def widget(self) -> Game:
        """The widget."""
        return self._loop.value

    @property
    def _page(self) -> dict[str, Any]:
        return self.widget.page

    def _settle(self) -> None:
        if not self._held:
            self._loop.do(self.widget.answered)

    def send(self, content: object) -> None:
        """Let a message of the page arrive."""

        async def arrive() -> None:
            send(self.widget, content)

        self._loop.do(arrive)
        self._settle()

    def close(self) -> None:
        self._loop.close()

    @property
    def told(self) -> str:
        page = self._page
        return " ".join([page["status"], page["news"], *page["remarks"]])

    @property
    def marks(self) -> str:
        """What the labels of the cells say."""
        contents = [re.split(": ?|：", label, maxsplit=1)[1] for label in self._page["labels"]]
        return "".join(" " if text.startswith("empty") else text[0] for text in contents)

    @property
    def moves(self) -> list[str]:
        from tic_tac_toe_frontends.table.looking_back import list_of_moves, replayed

        record = self.widget.record
        return [move.name for move in list_of_moves(replayed(record.initial_state, record.moves))]

    @property
    def score(self) -> str:
        return str(self._page["score"])

    @property
    def values(self) -> list[str]:
        found = re.findall(r'class="ttt-value [^>]*>.*?([+=−-]\d*)</text>', self._page["picture"])
        return sorted(text.replace("−", "-") for text in found)

    @property
    def game(self) -> str:
        chosen = self._page["setup"]["variant"]
        return str(dict(self.widget.menus["variant"]).get(chosen) or self._page["setup"]["other"])

    @property
    def players(self) -> tuple[str, str]:
        menus, setup = self.widget.menus, self._page["setup"]
        return dict(menus["x"])[setup["x"]], dict(menus["o"])[setup["o"]]

    def play(self, *moves: str) -> None:
        for name in moves:
            move = move_of(self.widget.state.rules, name)
            if move.special:
                self.send({"special": move.special, "ply": self._page["ply"]})
                continue
            if move.letter:
                self.choose("letter", move.letter)
            self.send({"place": move.cell, "ply": self._page["ply"]})

    def press(self, *commands: str) -> None:
        """Press the buttons of the page; resigning is a call in Python."""
        for command in commands:
            if command == "resign":
                self._do(self.widget.resign)
            elif command == "analysis":
                self.send({"analyse": not self._page["analyse"]})
            elif command == "new":
                self._begin({})
            else:
                self.send({"press": COMMAND_NAMES.get(command, command)})

    def choose(self, what: str, value: str) -> None:
        if what == "letter":
            self.send({"letter": value})
        elif what == "look":
            self._do(lambda: setattr(self.widget, "look", value))
        else:
            self._begin({what: value})

    def _begin(self, changes: dict[str, str]) -> None:
        setup = {name: self._page["setup"][name] for name in ("variant", "x", "o", "starting")}
        self.send({"new": setup | changes})

    def _do(self, action: Callable[[], object]) -> None:
        async def act() -> None:
            action()

        self._loop.do(act)
        self._settle()

    def learn(self, lesson: str) -> None:
        self._do(lambda: self.widget.lesson(lesson))

    def save(self, path: Path) -> None:
        raise NotImplementedError(path)

    def open(self, path: Path) -> None:
        raise NotImplementedError(path)

    def help(self) -> str:
        raise NotImplementedError

    def fumble(self, rng: random.Random) -> None:
        dice, game = rng.random(), self.widget
        if dice < 0.6:
            cell, stale = rng.randrange(-1, game.state.rules.shape.cells + 1), rng.random() < 0.1
            content: object = {"place": cell, "ply": self._page["ply"] - stale}
        elif dice < 0.8:
            content = {"press": rng.choice(["undo", "redo", "undo", "redo", "hint", "close"])}
        elif dice < 0.83:
            content = {"analyse": rng.random() < 0.3}
        elif dice < 0.88:
            variant = rng.choice(["tic-tac-toe", "misere-tic-tac-toe", ""])
            x, o = (rng.choice(["human", "random", "rules"]) for _ in "xo")
            starting = rng.choice(STARTERS)
            content = {"new": {"variant": variant, "x": x, "o": o, "starting": starting}}
        else:
            content = rng.choice(NONSENSE)

        async def arrive() -> None:
            send(game, content)
            await asyncio.sleep(0)

        self._loop.do(arrive)
        assert game.record.final_state == game.state
        assert self._page["ply"] == len(game.record.moves)
        if rng.random() < 0.05:
            self._settle()
            ET.fromstring(self._page["picture"])

    def until(self, condition: Callable[[], object]) -> None:
        self._loop.until(condition)


@contextlib.contextmanager
def sitting() -> Iterator[Sit]:
    """Return what shows widgets; they are closed when the test ends."""
    with contextlib.ExitStack() as stack:

        def sit(*args: Any, opponents: Opponents | None = None, **options: Any) -> Notebook:
            return stack.enter_context(contextlib.closing(Notebook(*args, **options)))

        yield sit
