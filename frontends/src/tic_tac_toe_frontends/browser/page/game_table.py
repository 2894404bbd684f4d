"""A table of online games in the page: rows of texts, each with buttons; on phones, cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .dom import by_id, document, make, on


class Deed(NamedTuple):
    """A button of a row: what it does, by a name of the table's owner, and what it says."""

    name: str
    title: str
    is_primary: bool = False


class Row(NamedTuple):
    """A row: a game, what the columns say of it, and what can be done with it."""

    game: str
    cells: Sequence[str]
    deeds: Sequence[Deed]


class GameTable:
    """Shows games in a table, and tells which of their buttons is pressed.

    The roles are written down, because the phone's cards are made by a style that takes them from
    the elements of a table.

    Args:
        name: the id of its element.
        pressed: called with the name of a deed and the address of the game.
    """

    def __init__(self, name: str, pressed: Callable[[str, str], object]) -> None:
        self._table, self._pressed = by_id(name), pressed
        self._name = name
        self._shown: object = None
        on(self._table, "click", self._click)

    def show(self, headings: Sequence[str], rows: Sequence[Row], deeds: str) -> None:
        """Show games; the focus stays on the button that has it, as long as that is there.

        Args:
            headings: of the columns.
            deeds: the heading of the column of buttons, which is heard and not seen.
        """
        wanted = tuple(headings), tuple(rows), deeds
        if wanted == self._shown:
            return
        self._shown = wanted
        focused = document.activeElement
        focus = focused.getAttribute("data-key") if self._table.contains(focused) else None
        self._table.replaceChildren()
        self._table.hidden = not rows
        head, body = make("thead", role="rowgroup"), make("tbody", role="rowgroup")
        titles = make("tr", role="row")
        for heading in headings:
            titles.append(make("th", heading, role="columnheader", scope="col"))
        last = make("th", role="columnheader", scope="col")
        last.append(make("span", deeds, class_="unseen"))
        titles.append(last)
        head.append(titles)
        body.append(*(self._row(headings, row) for row in rows))
        self._table.append(head, body)
        if focus and (found := self._table.querySelector(f'[data-key="{focus}"]')):
            found.focus()

    def _row(self, headings: Sequence[str], row: Row) -> Any:
        item = make("tr", role="row")
        first, *others = zip(headings, row.cells)
        item.append(make("th", first[1], role="rowheader", scope="row"))
        for heading, text in others:
            cell = make("td", text, role="cell")
            cell.dataset.heading = heading
            item.append(cell)
        buttons = make("td", role="cell", class_="actions")
        about = ", ".join(filter(None, row.cells))
        for deed in row.deeds:
            primary = "primary" if deed.is_primary else ""
            label = f"{deed.title}: {about}"
            button = make("button", deed.title, type="button", class_=primary, aria_label=label)
            button.dataset.action, button.dataset.game = deed.name, row.game
            button.dataset.key = f"{deed.name}-{row.game}"
            buttons.append(button)
        item.append(buttons)
        return item

    def _click(self, event: Any) -> None:
        if button := event.target.closest("button"):
            self._pressed(str(button.dataset.action), str(button.dataset.game))
