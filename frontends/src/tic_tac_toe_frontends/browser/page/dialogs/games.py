"""The dialog in which people choose a game by its picture, or a board of any size."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import FLAGS, VARIANTS, find_rules
from tic_tac_toe.pictures.svg import svg

from ....table.games import (
    Game,
    Size,
    Tile,
    empty_board,
    game_of,
    picture_of,
    possible_flags,
    rules_of_size,
    size_of,
    tiles,
    within_limits,
)
from ....words.rules_text import game_name
from ..dom import Dialog, by_id, document, make, on, on_submit, set_text, window

#: How many tiles the arrow keys go on; up and down are rows of tiles.
STEPS = {"ArrowLeft": -1, "ArrowRight": 1}
ROWS = {"ArrowUp": -1, "ArrowDown": 1}


class Games:
    """Lets people choose a game: by one tap on its picture, or a kind of it that unfolds below.

    The pictures are drawn when the dialog is opened first.

    Args:
        choose: called with the rules of the chosen game.
    """

    def __init__(self, choose: Callable[[Rules], object]) -> None:
        self._choose = choose
        self._tiles: tuple[Tile, ...] = ()
        self._language: NullTranslations | None = None
        self._name = ""
        self._dialog, self._list = Dialog("games"), by_id("games-list")
        self._size = SizeForm(self._take)
        on(self._list, "click", self._click)
        on(self._list, "keydown", self._press)

    def open(self, rules: Rules, language: NullTranslations) -> None:
        """Open the dialog.

        Args:
            rules: of the game that is played now.
        """
        if language is not self._language:
            self._language = language
            self._draw(language)
        size = size_of(rules)
        is_own_size = size is not None and game_name(rules) not in VARIANTS
        self._size.show(size or Size(), language)
        self._mark(game_name(rules), is_own_size=is_own_size)
        self._dialog.open()
        current = self._list.querySelector(".game[aria-current]")
        (current or self._list.querySelector(".game")).focus()
        self._unfold(by_id("size-open") if is_own_size else None)

    def _draw(self, language: NullTranslations) -> None:
        last = by_id("size-tile")
        while (first := self._list.firstElementChild) and first.id != last.id:
            first.remove()
        self._tiles = tiles(language)
        for number, tile in enumerate(self._tiles):
            last.before(_tile(number, tile, language))
        shown = by_id("size-open").querySelector(".shown")
        shown.innerHTML = _picture(empty_board(rules_of_size(Size())))

    def _mark(self, name: str, *, is_own_size: bool) -> None:
        """Mark the tile of the game that is played now."""
        buttons = [*self._list.querySelectorAll(".game")]
        for button, tile in zip(buttons, self._tiles):
            _set_current(button, any(game.name == name for game in tile.games))
        _set_current(by_id("size-open"), is_own_size)
        for button in self._list.querySelectorAll(".kind"):
            _set_current(button, button.dataset.game == name)
        self._name = name

    def _click(self, event: Any) -> None:
        button = event.target.closest("button")
        if not button:
            return
        if button.hasAttribute("aria-expanded"):
            is_open = button.getAttribute("aria-expanded") == "true"
            self._unfold(None if is_open else button)
        elif button.matches("[data-game]"):
            self._take(find_rules(button.dataset.game))

    def _unfold(self, wanted: Any) -> None:
        """Unfold what a button controls, and fold all else."""
        for button in self._list.querySelectorAll("[aria-expanded]"):
            is_open = wanted is not None and button.isSameNode(wanted)
            button.setAttribute("aria-expanded", "true" if is_open else "false")
            part = by_id(button.getAttribute("aria-controls"))
            part.hidden = not is_open
            if is_open and not part.firstElementChild:
                tile = self._tiles[int(button.dataset.tile)]
                part.append(*(_kind(game, self._name) for game in tile.games))
            if is_open:
                part.scrollIntoView(block="nearest")

    def _press(self, event: Any) -> None:
        """Go from tile to tile by the arrow keys."""
        if not event.target.matches(".game"):
            return
        columns = len(window.getComputedStyle(self._list).gridTemplateColumns.split())
        step = STEPS.get(event.key, 0) + columns * ROWS.get(event.key, 0)
        if not step:
            return
        event.preventDefault()
        buttons = [*self._list.querySelectorAll(".game")]
        at = next(at for at, each in enumerate(buttons) if each.isSameNode(event.target))
        if 0 <= at + step < len(buttons):
            buttons[at + step].focus()

    def _take(self, rules: Rules) -> None:
        self._dialog.close()
        self._choose(rules)


class SizeForm:
    """A board of any size: numbers, and the flags that go with each other.

    Args:
        choose: called with the rules of the board.
    """

    def __init__(self, choose: Callable[[Rules], object]) -> None:
        self._choose = choose
        self._language = NullTranslations()
        self._numbers = [by_id(f"board-{name}") for name in ("columns", "rows", "length")]
        self._flags = {flag: by_id(f"board-{flag}") for flag in FLAGS}
        form = by_id("board-form")
        on(form, "input", lambda _event: self._update(is_typing=True))
        on(form, "change", lambda _event: self._update())
        on(form, "click", self._step)
        on_submit("board-form", lambda: choose(rules_of_size(self._read())))

    def show(self, size: Size, language: NullTranslations) -> None:
        """Show a size, its picture and its rules."""
        self._language = language
        for field, number in zip(self._numbers, (size.columns, size.rows, size.length)):
            field.value = number
        for flag, box in self._flags.items():
            box.checked = flag in size.flags
        self._update()

    def _read(self) -> Size:
        columns, rows, length = (int(float(field.value or 0)) for field in self._numbers)
        flags = frozenset(flag for flag, box in self._flags.items() if box.checked)
        return within_limits(Size(columns, rows, length, flags))

    def _step(self, event: Any) -> None:
        """Count a number up or down by its buttons."""
        if button := event.target.closest("[data-step]"):
            field = by_id(button.dataset.of)
            field.value = int(float(field.value or 0)) + int(button.dataset.step)
            self._update()

    def _update(self, *, is_typing: bool = False) -> None:
        """Show what the numbers and flags give; what is being typed stays as it is."""
        size = self._read()
        for field, number in zip(self._numbers, (size.columns, size.rows, size.length)):
            if not (is_typing and field.isSameNode(document.activeElement)):
                field.value = number
        self._numbers[-1].max = max(size.columns, size.rows)
        possible = possible_flags(size)
        for flag, box in self._flags.items():
            box.disabled = flag not in possible
        rules = rules_of_size(size)
        game = game_of(rules, self._language)
        by_id("board-picture").innerHTML = _picture(empty_board(rules))
        set_text(by_id("board-title"), game.title)
        set_text(by_id("board-about"), game.about)


def _tile(number: int, tile: Tile, language: NullTranslations) -> Any:
    """Return a tile: a button for the usual game, and one that unfolds its kinds."""
    item, head = make("li"), make("div", class_="tile")
    head.append(_button("game", tile.games[0].name, tile.picture, tile.title))
    item.append(head)
    if len(tile.games) > 1:
        more = language.gettext("More")
        part = f"kinds-{number}"
        head.append(
            make(
                "button",
                more,
                type="button",
                class_="unfold",
                data_tile=str(number),
                aria_label=f"{more}: {tile.title}",
                aria_expanded="false",
                aria_controls=part,
            )
        )
        kinds = make("div", id=part, class_="kinds")
        kinds.hidden = True
        item.append(kinds)
    return item


def _kind(game: Game, current: str) -> Any:
    button = _button("kind", game.name, picture_of(game.name), game.title)
    button.append(make("small", game.about))
    _set_current(button, game.name == current)
    return button


def _button(kind: str, name: str, picture: GameState, title: str) -> Any:
    """Return a button with a picture and a title that chooses a game by its name."""
    button = make("button", type="button", class_=kind, data_game=name)
    shown = make("span", class_="shown", aria_hidden="true")
    shown.innerHTML = _picture(picture)
    button.append(shown, make("b", title))
    return button


def _set_current(button: Any, is_current: bool) -> None:
    if is_current:
        button.setAttribute("aria-current", "true")
    else:
        button.removeAttribute("aria-current")


@lru_cache(maxsize=64)
def _picture(state: GameState) -> str:
    """Return a picture without words; the library's own SVG is safe."""
    return svg(state, label="", names=False, styled=False)
