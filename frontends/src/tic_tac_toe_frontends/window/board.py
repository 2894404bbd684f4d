"""The board: a canvas with mouse and keyboard input."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_below, move_at
from tic_tac_toe.logic.rules.traits import cell_of, chooses_letter, traits_of
from tic_tac_toe.pictures.board import Look, Point, geometry, strikes
from tic_tac_toe.pictures.shapes import Picture

from ..table.commands import cell_of_digit
from .palettes import Palette
from .plan import CLOSEST, HAND, CanvasPlan, Zoom
from .scene import LATEST, Scene

FRAME_MILLISECONDS = 16


class Animation:
    """Runs movements one after the other.

    Args:
        widget: the moving one; invisible ones do not move.
        enabled: whether to move at all.
    """

    def __init__(self, widget: tk.Misc, *, enabled: bool) -> None:
        self._widget = widget
        self._enabled = enabled
        self._timer: str | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether movements are enabled and the widget is visible."""
        return self._enabled and bool(self._widget.winfo_viewable())

    def run(self, *movements: tuple[float, Callable[[float], object]]) -> None:
        """Run movements one after the other; end earlier ones.

        Args:
            movements: the seconds of each, and a function that shows its share from 0 to 1, at last
                1.
        """
        self.stop()
        self._go_on(_frames(movements))

    def stop(self) -> None:
        """Stop the movement."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None

    def _go_on(self, frames: Iterator[None]) -> None:
        self._timer = None
        for _ in frames:
            self._timer = self._widget.after(FRAME_MILLISECONDS, self._go_on, frames)
            return


def _frames(movements: Iterable[tuple[float, Callable[[float], object]]]) -> Iterator[None]:
    """Show movements one after the other, and yield after each frame."""
    for seconds, show in movements:
        begun = time.monotonic()
        while (done := (time.monotonic() - begun) / seconds) < 1.0:
            show(done)
            yield
        show(1.0)


#: Seconds in which a mark falls through a whole board, and a winning line grows.
FALL_SECONDS, STRIKE_SECONDS = 0.32, 0.4
#: The zoom factor of one step of the wheel.
WHEEL = 1.25
#: The arrow keys' changes of row and column.
ARROWS = {"Left": (0, -1), "Right": (0, 1), "Up": (-1, 0), "Down": (1, 0)}
#: The requested size of the board in pixels; it fills the available space.
WANTED_SIDE = 240


class Board(tk.Canvas):
    """Shows states, and reports the cell chosen by mouse or keyboard.

    Under gravity any cell of a column means the one where the mark lands.

    Args:
        family: the font of the names of rows and columns.
        play: called with the chosen cell.
        animated: whether to animate marks and lines.
    """

    def __init__(
        self,
        parent: tk.Misc,
        palette: Palette,
        family: str,
        play: Callable[[int], object],
        *,
        animated: bool,
    ) -> None:
        super().__init__(
            parent,
            width=WANTED_SIDE,
            height=WANTED_SIDE,
            background=palette.ground,
            highlightthickness=0,
            takefocus=True,
        )
        self._play = play
        self._scene = Scene(self, palette, family)
        self._animation = Animation(self, enabled=animated)
        self.picture = Picture(GameState.new())
        self._letter = ""
        self._active = False
        self._pointed: int | None = None
        self._zoom = Zoom()
        self._grasped: tuple[int, int, Zoom] | None = None
        self._cursor = self._state.rules.shape.middle
        self._by_keys = False
        self._redrawing: str | None = None
        self._bind_events()

    @property
    def _state(self) -> GameState:
        return self.picture.state

    def show(self, picture: Picture, *, letter: str = "X", active: bool = True) -> None:
        """Show a picture.

        Args:
            letter: the person's letter, in games with a choice.
            active: whether a person may move now.
        """
        before, state, last = self._state, picture.state, picture.last
        had_strikes = bool(strikes(before))
        is_next = last is not None and _is_next(before, last, state)
        if state.rules != before.rules:
            self._cursor = state.rules.shape.middle
            self._pointed = None
            self._zoom = Zoom()
        self.picture, self._active, self._letter = picture, active, letter
        self._draw()
        if is_next and self._animation.is_wanted:
            traits = traits_of(state.rules)
            falls = traits.gravity and not traits.layered  # no animation through layers
            self._animate(falls=falls, grows=not had_strikes)

    @property
    def plan(self) -> CanvasPlan:
        """The layout of the board on the canvas."""
        return self._scene.plan

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell at a point of the canvas, if any.

        The next disc above a board of wells belongs to its column.
        """
        plan, board = self.plan, geometry(self._state.rules)
        right, down = (x - plan.left) / plan.cell, (y - plan.top) / plan.cell
        if self.picture.look is Look.DISCS and -HAND <= down < 0:
            down = 0.0
        return board.cell_at(right, down)

    def destroy(self) -> None:
        """Destroy the widget and its timers."""
        self._stop()
        self._scene.close()
        super().destroy()

    def _draw(self) -> None:
        self._stop()
        self._scene.draw(self.picture, self._zoom)
        self._draw_over()

    def _draw_over(self) -> None:
        cursor = ghost = None
        if self._by_keys and self.focus_get() is self:
            cursor = cell_below(self._state, self._cursor)
        pointed = None if self._by_keys else self._pointed
        falls = self.picture.look is Look.DISCS
        if cursor is not None and (falls or chooses_letter(self._state.rules)):
            pointed = cursor  # to show the letter or the next disc there
        if self._active and pointed is not None:
            ghost = self._move_over(pointed)
        self._scene.draw_over(self._state, ghost, cursor)

    def _move_over(self, cell: int) -> int | None:
        try:
            move = move_at(self._state, cell, self._letter)
        except InvalidMove:
            return None
        return move if move in self._state.legal_moves else None

    def _animate(self, *, falls: bool, grows: bool) -> None:
        movements: list[tuple[float, Callable[[float], object]]] = []
        last = self.picture.last
        if falls and last is not None:
            board = geometry(self._state.rules)
            rows = board.boxes[last].y + 1
            height, at = rows * self._scene.plan.cell, 0.0

            def fall(done: float) -> None:
                nonlocal at
                there = (done * done - 1) * height
                self.move(LATEST, 0, there - at)
                at = there

            movements.append((FALL_SECONDS * (rows / board.extent.height) ** 0.5, fall))
        if grows and strikes(self._state):
            self._scene.draw_strikes(0.0)
            movements.append((STRIKE_SECONDS, self._scene.draw_strikes))
        self._animation.run(*movements)

    def _bind_events(self) -> None:
        self.bind("<Configure>", lambda _event: self._redraw_soon())
        self.bind("<Button-1>", self._on_click)
        self.bind("<Motion>", lambda event: self._point_at(self.cell_at(event.x, event.y)))
        self.bind("<Leave>", lambda _event: self._point_at(None))
        self.bind("<<TraverseIn>>", lambda _event: self._show_cursor())
        self.bind("<FocusIn>", lambda _event: self._draw_over())
        self.bind("<FocusOut>", lambda _event: self._draw_over())
        self.bind("<Key>", self._on_key)
        for arrow in ARROWS:
            self.bind(f"<{arrow}>", partial(self._on_arrow, arrow))
            self.bind(f"<KP_{arrow}>", partial(self._on_arrow, arrow))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            self.bind(key, lambda _event: self._on_enter())
        self.bind("<MouseWheel>", lambda event: self._zoom_by_wheel(event, event.delta > 0))
        self.bind("<Button-4>", lambda event: self._zoom_by_wheel(event, True))
        self.bind("<Button-5>", lambda event: self._zoom_by_wheel(event, False))
        for button in (2, 3):
            self.bind(f"<Button-{button}>", self._start_drag)
            self.bind(f"<B{button}-Motion>", self._drag)

    def _redraw_soon(self) -> None:
        if self._redrawing is None:
            self._redrawing = self.after_idle(self._draw)

    def _stop(self) -> None:
        self._animation.stop()
        if self._redrawing is not None:
            self.after_cancel(self._redrawing)
            self._redrawing = None

    def _point_at(self, cell: int | None) -> None:
        if cell != self._pointed or (cell is not None and self._by_keys):
            self._pointed = cell
            self._by_keys = self._by_keys and cell is None
            self._draw_over()

    def _on_click(self, event: tk.Event[Board]) -> None:
        self.focus_set()
        self._by_keys = False
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self._cursor = cell
            self._play(cell)
        self._draw_over()

    def _zoom_by_wheel(self, event: tk.Event[Board], closer: bool) -> None:
        """Zoom around the pointer, on boards with small cells."""
        plan, zoom = self.plan, self._zoom
        fitting = plan.cell / zoom.factor
        factor = zoom.factor * (WHEEL if closer else 1 / WHEEL)
        factor = max(1.0, min(factor, CLOSEST / fitting))
        x, y = (event.x - plan.left) / plan.cell, (event.y - plan.top) / plan.cell
        # The point under the pointer stays in place.
        cell = round(fitting * factor)
        right = x - (event.x - self.winfo_width() / 2) / cell
        down = y - (event.y - self.winfo_height() / 2) / cell
        self._set_zoom(Zoom(factor, Point(right, down)))

    def _start_drag(self, event: tk.Event[Board]) -> None:
        plan = self.plan
        centre = Point(
            (self.winfo_width() / 2 - plan.left) / plan.cell,
            (self.winfo_height() / 2 - plan.top) / plan.cell,
        )
        self._grasped = event.x, event.y, Zoom(self._zoom.factor, centre)

    def _drag(self, event: tk.Event[Board]) -> None:
        """Shift a zoomed board with the pointer."""
        if self._grasped is not None:
            x, y, zoom = self._grasped
            right, down = (event.x - x) / self.plan.cell, (event.y - y) / self.plan.cell
            self._set_zoom(Zoom(zoom.factor, Point(zoom.centre.x - right, zoom.centre.y - down)))

    def _set_zoom(self, zoom: Zoom) -> None:
        if zoom != self._zoom:
            self._zoom = zoom
            self._draw()

    def _on_arrow(self, name: str, _event: object) -> None:
        shape = self._state.rules.shape
        row, column = divmod(self._cursor, shape.columns)
        if self._by_keys:  # the first key only shows the cursor
            down, right = ARROWS[name]
            row = min(max(row + down, 0), shape.rows - 1)
            column = min(max(column + right, 0), shape.columns - 1)
        self._cursor = row * shape.columns + column
        if self._zoom.factor > 1:
            centre = geometry(self._state.rules).boxes[self._cursor].centre
            self._set_zoom(self._zoom._replace(centre=centre))
        self._show_cursor()

    def _on_enter(self) -> None:
        if self._by_keys:
            self._play(self._cursor)
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Show the cursor until the next click."""
        self._by_keys = True
        self._draw_over()

    def _on_key(self, event: tk.Event[Board]) -> None:
        """Play the cell of a digit: a column under gravity, a number pad on 3x3."""
        cell = cell_of_digit(self._state, event.char)
        if cell is not None:
            self._play(cell)


def _is_next(before: GameState, last: int, state: GameState) -> bool:
    if before.rules != state.rules or last not in before.legal_cells:
        return False
    moves = (move for move in before.legal_moves if cell_of(before.rules, move) == last)
    return any(before.trusted_move(move).after_state == state for move in moves)
