"""The real widget of a notebook: the messages of a page, and what it is sent."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from tests.screens.loop import Loop
from tests.screens.screen import Sit, move_of
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.opponents.registry import Opponents
from tic_tac_toe_frontends.notebook import Game


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
        """Close the widget, and see that nothing is left."""
        self._loop.close()

    @property
    def told(self) -> str:
        """All sentences of the page."""
        page = self._page
        return " ".join([page["status"], page["news"], *page["remarks"]])

    @property
    def marks(self) -> str:
        """What the labels of the cells say."""
        contents = [re.split(": ?|：", label, maxsplit=1)[1] for label in self._page["labels"]]
        return "".join(" " if text.startswith("empty") else text[0] for text in contents)

    @property
    def moves(self) -> list[str]:
        """The moves of the record."""
        from tic_tac_toe_frontends.table.move_list import listed, replayed

        record = self.widget.record
        return [move.name for move in listed(replayed(record.initial_state, record.moves))]

    @property
    def score(self) -> str:
        """The line of the score."""
        return str(self._page["score"])

    @property
    def values(self) -> list[str]:
        """The signs in the cells of the picture."""
        found = re.findall(r'class="ttt-value [^>]*>.*?([+=−-]\d*)</text>', self._page["picture"])
        return sorted(text.replace("−", "-") for text in found)

    @property
    def game(self) -> str:
        """What the menu of games shows."""
        chosen = self._page["setup"]["variant"]
        return str(dict(self.widget.menus["variant"]).get(chosen) or self._page["setup"]["other"])

    @property
    def players(self) -> tuple[str, str]:
        """What the menus of players show."""
        menus, setup = self.widget.menus, self._page["setup"]
        return dict(menus["x"])[setup["x"]], dict(menus["o"])[setup["o"]]

    def play(self, *moves: str) -> None:
        """Click cells, letters and the buttons of special moves."""
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
                self.send({"press": command})

    def choose(self, what: str, value: str) -> None:
        """Choose in the menus, and begin; the look is set in Python."""
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

    def save(self, path: Path) -> None:
        """Fail: the record is a value in Python."""
        raise NotImplementedError(path)

    def open(self, path: Path) -> None:
        """Fail: records are values in Python."""
        raise NotImplementedError(path)

    def help(self) -> str:
        """Fail: a notebook has Python's."""
        raise NotImplementedError

    def until(self, condition: Callable[[], object]) -> None:
        """Let the loop go on."""
        self._loop.until(condition)


@contextlib.contextmanager
def sitting() -> Iterator[Sit]:
    """Return what shows widgets; they are closed when the test ends."""
    with contextlib.ExitStack() as stack:

        def sit(*args: Any, opponents: Opponents | None = None, **options: Any) -> Notebook:
            return stack.enter_context(contextlib.closing(Notebook(*args, **options)))

        yield sit
