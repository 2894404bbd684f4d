"""The data for the page: a picture, the buttons over its cells and texts, as plain values."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterable
from functools import partial
from gettext import NullTranslations
from html import escape
from typing import Any, NamedTuple

from tic_tac_toe.logic.models import MARKS, GameState
from tic_tac_toe.logic.notation import cell_below, clickable_cells
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.traits import chooses_letter, letter_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import by_cell, fitting_look, geometry
from tic_tac_toe.pictures.svg import CELL, DARK, LIGHT, describe, placement, svg
from tic_tac_toe.pictures.svg import STYLE as PICTURE_STYLE

from ..table.commands import COMMANDS, Desk, title_of
from ..table.table import Table
from ..table.telling import picture_text, score_text, status_text
from ..words.evaluation_text import evaluation_text
from ..words.game_text import (
    cell_label,
    describe_last_move,
    letter_title,
    rows_from_bottom,
    setup_menus,
    special_title,
    starter_titles,
)
from ..words.rules_text import Drawn, seat_title, variant_title
from ..words.translation import N_

#: The maximum width of a picture and of a cell in pixels.
WIDEST, WIDEST_CELL = 500, 72

#: The buttons of commands that have an effect only now and then.
BUTTONS = ("undo", "redo", "hint", "explain", "go-on", "coach")
#: The buttons that are there only while a puzzle or an exercise is solved.
TASK_BUTTONS = ("solution", "next-level")
#: The static texts of the page.
TITLES = {
    "board": N_("Board"),
    "letters": N_("Letter to place"),
    "new": COMMANDS["new-game"].title,
    "analyse": COMMANDS["analysis"].title,
    **{name: COMMANDS[name].title for name in (*BUTTONS, *TASK_BUTTONS)},
    "variant": N_("Game"),
    "x": N_("Player X"),
    "o": N_("Player O"),
    "starting": N_("Who starts"),
}

Page = dict[str, Any]


def style() -> str:
    """Return the picture's style, which follows the notebook's theme if known."""
    return (
        f"{PICTURE_STYLE}\n"
        f"[data-ttt-theme=light] .ttt {{ {LIGHT} }}\n"
        f"[data-ttt-theme=dark] .ttt {{ {DARK} }}\n"
    )


def menus(language: NullTranslations, others: Iterable[str] = ()) -> Page:
    """Return the constant data: texts of buttons, and entries of menus."""
    titles = {name: language.gettext(title) for name, title in TITLES.items()}
    return {"titles": titles, **setup_menus(language, others)}


class Drawing(NamedTuple):
    """How the board is drawn; see `svg`.

    Attributes:
        look: the name of a `Look`; the game's default if it does not have this one.
    """

    look: str | None = None
    numbers: bool = False
    from_bottom: bool = False

    def svg(self, table: Table, **options: Any) -> str:
        """Return the picture of a game, with more options of `svg`."""
        return svg(
            table.state,
            last=table.last_cell,
            numbers=table.match.history if self.numbers else (),
            from_bottom=self.from_bottom,
            look=fitting_look(table.state.rules, self.look),
            **options,
        )

    def told(self, text: str, rules: Rules) -> str:
        """Return a text that names cells as the picture does."""
        return rows_from_bottom(text, rules) if self.from_bottom else text


def page(desk: Desk, language: NullTranslations, drawing: Drawing) -> Page:
    """Return the data of a table for the page."""
    table, advice, state = desk.table, desk.advice, desk.table.state
    drawn = Drawn(fitting_look(state.rules, drawing.look), lights=True)
    told = partial(drawing.told, rules=state.rules)
    values, open_to_people = advice.values, not (table.match.over or table.thinker)
    remarks = [*filter(None, [table.remark]), *picture_text(advice, state, language, drawn)]
    cell_values = by_cell(state.rules, values)
    return {
        "picture": drawing.svg(
            table,
            best=advice.best,
            values=values,
            written=advice.written,
            label="",
            styled=False,
        ),
        "layout": _layout(table.state.rules),
        "ply": table.match.ply,
        "labels": [
            told(_label(state, cell, cell_values.get(cell, ()), language))
            for cell in range(state.rules.shape.cells)
        ],
        "legal": clickable_cells(state) if open_to_people else [],
        "switch": _switch(table, language),
        "valued": bool(values),
        "specials": [
            (name, special_title(name, language)) for name in state.special_moves if open_to_people
        ],
        "status": told(status_text(table, language, drawn)),
        "news": told("".join(describe_last_move(table.match, language, drawn))),
        "remarks": [told(remark) for remark in remarks],
        "score": score_text(table, language, drawn),
        "busy": table.thinker is not None and advice.objection is None,
        "can": {name: desk.may(name) for name in (*BUTTONS, *TASK_BUTTONS)},
        "titles": {name: title_of(name, desk, language) for name in (*BUTTONS, *TASK_BUTTONS)},
        "hidden": _hidden(desk),
        "analyse": advice.analysing,
        "coach": table.coach.is_on,
        "setup": _setup(table, language),
        "sides": _sides(state.rules, language),
    }


def _hidden(desk: Desk) -> list[str]:
    """Return the buttons that have no effect for a while."""
    if desk.table.task is not None:
        return ["explain", "go-on", "coach"]
    return [*TASK_BUTTONS, *([] if desk.may("go-on") else ["go-on"])]


def picture_width(rules: Rules) -> int:
    """Return the width of a board's picture in pixels."""
    return round(min(WIDEST, WIDEST_CELL * placement(rules)[1].x / CELL))


def _layout(rules: Rules) -> Page:
    """Return the places of the cells in percent of the picture, and its width."""
    (corner, paper), plan = placement(rules), geometry(rules)
    across, down = 100 / paper.x, 100 / paper.y
    shape = rules.shape
    return {
        "columns": [
            round((corner.x + box.x * CELL) * across, 3) for box in plan.boxes[: shape.columns]
        ],
        "rows": [
            round((corner.y + box.y * CELL) * down, 3) for box in plan.boxes[:: shape.columns]
        ],
        "cell": [round(CELL * across, 3), round(CELL * down, 3)],
        "width": picture_width(rules),
        "ratio": round(paper.x / paper.y, 4),
    }


def _label(
    state: GameState, cell: int, values: Iterable[MoveEvaluation], language: NullTranslations
) -> str:
    rules, parts = state.rules, [cell_label(state, cell, language)]
    for value in values:
        text = evaluation_text(value, language)
        parts.append(f"{letter_of(rules, value.move)} {text}" if chooses_letter(rules) else text)
    return ", ".join(parts)


def _switch(table: Table, language: NullTranslations) -> Page | None:
    """Return the letters to choose from, and for each cell the one where a mark lands."""
    if not table.letters:
        return None
    state = table.state
    return {
        "letters": [(letter, letter_title(letter, language)) for letter in table.letters],
        "chosen": table.letter,
        "lands": [cell_below(state, cell) for cell in range(state.rules.shape.cells)],
    }


def _sides(rules: Rules, language: NullTranslations) -> Page:
    players = {mark.value.lower(): seat_title(rules, mark, language) for mark in MARKS}
    return {"players": players, "starting": starter_titles(language, rules)}


def _setup(table: Table, language: NullTranslations) -> Page:
    """Return the selected entries of the menus; a game that no menu lists adds an entry."""
    rules, x, o, starting = table.setup
    name = next((name for name, known in VARIANTS.items() if known == rules), "")
    other = "" if name else variant_title(rules, language)
    return {"variant": name, "x": x, "o": o, "starting": starting, "other": other}


Bundle = dict[str, Any]


class SavedPicture:
    """A picture of a game, displayed as a separate output below the widget.

    The widget's script hides it, so that it is visible only without a widget. In one output,
    notebooks would prefer the widget to the picture even if they cannot show it, and would redraw
    the widget at each update.

    Attributes:
        name: the CSS class of the picture, by which the script finds it.
    """

    def __init__(self) -> None:
        self.name = f"ttt-picture-{uuid.uuid4().hex}"
        self._displayed = False
        self._latest: Bundle | None = None

    def display(self, widget: Bundle, metadata: Bundle, table: Table, drawing: Drawing) -> None:
        """Display the widget, and the picture below it.

        Args:
            widget: the widget's display data by media type.
        """
        from IPython.core.getipython import get_ipython
        from IPython.display import display

        # An export to HTML prefers this empty text to the plain one, and so shows only the picture.
        display({**widget, "text/html": ""}, metadata=metadata, raw=True)
        display(self._bundle(table, drawing), raw=True, display_id=self.name)
        self._displayed = True
        if shell := get_ipython():
            shell.events.register("post_run_cell", self._send_again)

    def update(self, table: Table, drawing: Drawing) -> None:
        """Update the displayed picture."""
        if self._displayed:
            self._latest = self._bundle(table, drawing)
            self._send(self._latest)

    def _send_again(self, _result: object) -> None:
        """Send the latest picture again at the end of a cell.

        A computer's move belongs to the output of the cell that caused it. Programs that run a
        notebook listen only to the running cell, and miss output of earlier ones.
        """
        latest, self._latest = self._latest, None
        if latest is not None:
            self._send(latest)

    def _send(self, picture: Bundle) -> None:
        from IPython.display import update_display

        update_display(picture, raw=True, display_id=self.name)

    def _bundle(self, table: Table, drawing: Drawing) -> Bundle:
        picture, state = drawing.svg(table), table.state
        # A data URL of an image passes the filters for outputs of untrusted notebooks.
        data = base64.b64encode(picture.encode()).decode()
        return {
            "text/html": f'<img class="{self.name}" alt="{escape(describe(state))}" '
            f'width="{picture_width(state.rules)}" src="data:image/svg+xml;base64,{data}" />'
        }
