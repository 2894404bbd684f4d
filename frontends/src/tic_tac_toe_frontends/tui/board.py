"""The widget of the board: as large as the space allows, played by mouse and keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_below
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.pictures.board import geometry, small_boards
from tic_tac_toe.pictures.shapes import Picture

from ..table.commands import DIGITS, cell_of_digit
from .painter import paint
from .palette import Palette
from .plan import fitting_plan


class Board(Widget, can_focus=True):
    """A board of any shape.

    It posts `Chosen` for every chosen cell, and draws the picture of `show`.
    """

    DEFAULT_CSS = """
    Board { width: auto; height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move_cursor(-1, 0)", show=False),
        Binding("right", "move_cursor(1, 0)", show=False),
        Binding("up", "move_cursor(0, -1)", show=False),
        Binding("down", "move_cursor(0, 1)", show=False),
        Binding("enter,space", "choose", show=False),
    ]

    class Chosen(Message):
        """A person has chosen a cell."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, state: GameState) -> None:
        super().__init__(id="board")
        self.picture = Picture(state)
        self._waiting, self._letter = True, ""
        self.palette = Palette({}, plain=True)
        self.cursor = state.rules.shape.middle
        self._space = Size(80, 24)
        self.plan = fitting_plan(state.rules, *self._space)
        self._paint()

    @property
    def target(self) -> int:
        """The cell of the cursor; under gravity the cell where a mark would land."""
        state = self.picture.state
        return self.cursor if state.game_over else cell_below(state, self.cursor)

    def show(self, picture: Picture, *, waiting: bool = True, letter: str = "") -> None:
        """Draw another picture.

        Args:
            waiting: whether a person is to move, with a cursor.
            letter: the person's letter, in games with a choice; else empty.
        """
        if picture.state.rules != self.picture.state.rules:
            self.cursor = picture.state.rules.shape.middle
        self.picture, self._waiting, self._letter = picture, waiting, letter
        self._go_to_forced_board()
        self._fit()

    def set_palette(self, palette: Palette) -> None:
        """Use other colours."""
        self.palette = palette
        self._fit()

    def set_space(self, space: Size) -> None:
        """Set the available columns and lines."""
        self._space = space
        self._fit()
        self.call_after_refresh(self._lay_out_again)

    def action_move_cursor(self, right: int, down: int) -> None:
        """Move the cursor, and wrap at the edges."""
        shape = self.picture.state.rules.shape
        row, column = divmod(self.cursor, shape.columns)
        row, column = (row + down) % shape.rows, (column + right) % shape.columns
        self.cursor = row * shape.columns + column
        self._paint()
        self.refresh()
        self.see_cursor()

    def see_cursor(self, *, anew: bool = False) -> None:
        """Scroll to the cursor with a margin, if the board does not fit.

        Args:
            anew: start from the upper left corner.
        """
        if self.is_attached and isinstance(self.parent, Widget):
            field = self.parent
            if anew:
                field.scroll_to(0, 0, animate=False, force=True, immediate=True)
            lines = 1 if field.size.height > 2 else 0
            region = Region(*self.plan.places[self.target]).grow((lines, 2, lines, 2))
            region = region.translate(self.virtual_region.offset)
            field.scroll_to_region(region, animate=False, force=True, immediate=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the drawing."""
        return self.plan.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of the drawing."""
        return self.plan.height

    def render_line(self, y: int) -> Strip:
        """Return a line of the drawing."""
        return self._canvas.strip(y)

    def on_key(self, event: events.Key) -> None:
        """Choose the cell of a digit, in games with such digits."""
        if event.character and event.character in DIGITS:
            cell = cell_of_digit(self.picture.state, event.character)
            if cell is not None:
                self.cursor = cell
                self.action_choose()
            event.stop()

    def action_choose(self) -> None:
        """Choose the cell at the cursor."""
        self.post_message(self.Chosen(self.target))

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked cell."""
        offset: Offset | None = event.get_content_offset(self)
        cell = None if offset is None else self.plan.cell_at(*offset)
        if cell is not None:
            self.cursor = cell
            self.action_choose()

    def _fit(self) -> None:
        picture = self.picture
        plan = fitting_plan(picture.state.rules, *self._space, picture.look, names=picture.names)
        changed = plan is not self.plan
        self.plan = plan
        self._paint()
        self.refresh(layout=changed)
        if changed:
            self.call_after_refresh(self.see_cursor, anew=True)

    def _lay_out_again(self) -> None:
        """Request a layout later: a request during another layout can be lost."""
        self.refresh(layout=True)
        self.call_after_refresh(self.see_cursor, anew=True)

    def _go_to_forced_board(self) -> None:
        rules = self.picture.state.rules
        if traits_of(rules).layered:
            return
        forced = [board.box for board in small_boards(self.picture.state) if board.open]
        plan = geometry(rules)
        if len(forced) == 1 and not forced[0].holds(plan.boxes[self.cursor].centre):
            self.cursor = plan.cell_at(*forced[0].centre) or self.cursor

    def _paint(self) -> None:
        cursor = self.target if self._waiting else None
        self._canvas = paint(self.plan, self.palette, self.picture, cursor, self._letter)


class Field(Container):
    """The container of the board, which passes its size on."""

    def on_resize(self, event: events.Resize) -> None:
        """Pass the new size on."""
        self.query_one(Board).set_space(event.size)
