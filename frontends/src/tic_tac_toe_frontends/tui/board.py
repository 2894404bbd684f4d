"""The board as a widget: drawn as roomy as there is space, played by mouse and keys."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from tic_tac_toe.game.geometry import geometry, small_boards
from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import cell_below, parse_move
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.verdict import MoveVerdict

from .canvas import Canvas
from .glyphs import glyph
from .palette import Palette
from .plan import fitting_plan
from .signs import BEST, CURSOR, FREE, LAST, WON, verdict_text

DIGITS = frozenset("123456789")
_INKS = {Mark.CROSS: "cross", Mark.NAUGHT: "naught"}


class Picture(NamedTuple):
    """What a board shows.

    Attributes:
        last: the cell of the last move.
        best: cells that a hint names.
        verdicts: what moves lead to, by cell.
        waiting: whether a person is to move, and sees a cursor.
    """

    state: GameState
    last: int | None = None
    best: tuple[int, ...] = ()
    verdicts: Mapping[int, MoveVerdict] = {}
    waiting: bool = True


class Board(Widget, can_focus=True):
    """A board of any shape.

    It posts `Chosen` for every cell that is clicked, and draws what `show` is given.

    Attributes:
        plan: where everything lies now.
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
        """A person wants to play a cell."""

        def __init__(self, cell: int) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, state: GameState) -> None:
        super().__init__(id="board")
        self.picture = Picture(state)
        self.palette = Palette({}, plain=True)
        self.cursor = state.rules.shape.middle
        self._space = Size(80, 24)
        self.plan = fitting_plan(state.rules, *self._space)
        self._canvas = Canvas(self.plan, self.palette)
        self._paint()

    @property
    def target(self) -> int:
        """The cell that the cursor means: under gravity the one where a mark would land."""
        state = self.picture.state
        return self.cursor if state.game_over else cell_below(state, self.cursor)

    def show(self, picture: Picture) -> None:
        """Draw something else."""
        if picture.state.rules != self.picture.state.rules:
            self.cursor = picture.state.rules.shape.middle
        self.picture = picture
        self._go_to_forced_board()
        self._fit()

    def use(self, palette: Palette) -> None:
        """Draw in other colours."""
        self.palette = palette
        self._fit()

    def give_space(self, space: Size) -> None:
        """Draw as roomy as a number of columns and lines allows."""
        self._space = space
        self._fit()
        self.call_after_refresh(self._lay_out_again)

    def action_move_cursor(self, right: int, down: int) -> None:
        """Move the cursor by a number of cells, around the edges."""
        shape = self.picture.state.rules.shape
        row, column = divmod(self.cursor, shape.columns)
        row, column = (row + down) % shape.rows, (column + right) % shape.columns
        self.cursor = row * shape.columns + column
        self._paint()
        self.refresh()
        self.see_cursor()

    def see_cursor(self, *, anew: bool = False) -> None:
        """Scroll to the cursor and a little around it, where the board does not fit.

        Args:
            anew: from the upper left corner, wherever the board was scrolled to before.
        """
        if self.is_attached and isinstance(self.parent, Widget):
            field = self.parent
            if anew:
                field.scroll_to(0, 0, animate=False, force=True, immediate=True)
            lines = 1 if field.size.height > 2 else 0
            region = Region(*self.plan.places[self.target]).grow((lines, 2, lines, 2))
            region = region.translate(self.virtual_region.offset)
            field.scroll_to_region(region, animate=False, force=True, immediate=True)

    # -- what Textual asks ---------------------------------------------------------------------

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return how wide the drawing is."""
        return self.plan.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how high the drawing is."""
        return self.plan.height

    def render_line(self, y: int) -> Strip:
        """Return a line of the drawing."""
        return self._canvas.strip(y)

    def on_key(self, event: events.Key) -> None:
        """Choose the cell that a digit means, where digits mean cells."""
        if event.character and event.character in DIGITS:
            with contextlib.suppress(InvalidMove, InvalidNotation):
                self.cursor = parse_move(self.picture.state, event.character)
                self.action_choose()
            event.stop()

    def action_choose(self) -> None:
        """Choose the cell at the cursor."""
        self.post_message(self.Chosen(self.target))

    def on_click(self, event: events.Click) -> None:
        """Choose the cell that is clicked."""
        offset: Offset | None = event.get_content_offset(self)
        cell = None if offset is None else self.plan.cell_at(*offset)
        if cell is not None:
            self.cursor = cell
            self.action_choose()

    # -- drawing -------------------------------------------------------------------------------

    def _fit(self) -> None:
        plan = fitting_plan(self.picture.state.rules, *self._space)
        changed = plan is not self.plan
        self.plan = plan
        self._paint()
        self.refresh(layout=changed)
        if changed:
            self.call_after_refresh(self.see_cursor, anew=True)

    def _lay_out_again(self) -> None:
        """Ask for the layout once more: a request while another layout is under way can be lost."""
        self.refresh(layout=True)
        self.call_after_refresh(self.see_cursor, anew=True)

    def _go_to_forced_board(self) -> None:
        """Take the cursor to the small board that must be played in, where there is one."""
        forced = [board.box for board in small_boards(self.picture.state) if board.open]
        plan = geometry(self.picture.state.rules)
        if len(forced) == 1 and not forced[0].holds(plan.boxes[self.cursor].centre):
            self.cursor = plan.cell_at(*forced[0].centre) or self.cursor

    def _paint(self) -> None:
        canvas = self._canvas = Canvas(self.plan, self.palette)
        grounds = self._paint_boards(canvas)
        for text in self.plan.texts():
            ground = grounds.get((text.x, text.y), "board")
            canvas.write(text.x, text.y, text.text, self.palette.style(text.part, ground))
        picture = self.picture
        decisive, legal = set(picture.state.winning_cells), set(picture.state.legal_cells)
        target = self.target if picture.waiting and legal else None
        styles: dict[int, Style] = {}
        for cell, place in enumerate(self.plan.places):
            ground = "cursor" if cell == target else grounds.get((place.x, place.y), "board")
            if picture.state.grid.cells[cell] == " ":
                self._paint_empty(canvas, cell, ground, cell in legal)
            else:
                styles[cell] = self._paint_mark(canvas, cell, ground, cell in decisive)
        # Neighbours may share the gap between them: what comes first has it.
        surrounded = [(cell, WON, styles[cell]) for cell in decisive & styles.keys()]
        if target is not None:
            style = self.palette.style("text", "cursor", bold=True)
            surrounded.insert(0, (target, CURSOR, style))
        if picture.last in styles:
            surrounded.append((picture.last, LAST, styles[picture.last]))
        for cell, sign, style in surrounded:
            canvas.surround(self.plan.bracketed(cell), sign.at(self.plan.scale), style)

    def _paint_boards(self, canvas: Canvas) -> dict[tuple[int, int], str]:
        """Light the small boards that may be played in, and tint those that are won."""
        grounds: dict[tuple[int, int], str] = {}
        boards = small_boards(self.picture.state)
        everywhere = all(board.open for board in boards)
        for board, place in zip(boards, self.plan.boards):
            ground = "open" if board.open and not everywhere else "board"
            if board.owner is not None:
                ground = _INKS[MARKS[board.owner]]
            if ground != "board":
                canvas.fill(place, self.palette.style("text", ground))
                grounds.update(dict.fromkeys(place.letters(), ground))
        return grounds

    def _paint_mark(self, canvas: Canvas, cell: int, ground: str, decisive: bool) -> Style:
        """Paint a cell with a mark, and return its style."""
        mark, place = Mark(self.picture.state.grid.cells[cell]), self.plan.places[cell]
        style = self.palette.style(
            _INKS[mark],
            ground,
            bold=True,
            underline=cell == self.picture.last and place.width < 3,
            inverted=decisive or (ground == "cursor" and place.width == 1),
        )
        canvas.fill(place, style)
        lines = self.plan.scale.glyph
        canvas.centre(place, glyph(mark, lines) if lines else (mark,), style)
        return style

    def _paint_empty(self, canvas: Canvas, cell: int, ground: str, legal: bool) -> None:
        place, best = self.plan.places[cell], cell in self.picture.best
        verdict = self.picture.verdicts.get(cell)
        inverted = place.width == 1 and ground == "cursor"
        ink, text = "empty", FREE if legal and self._shows_free_cells() else ""
        if best:
            ink, text = "hint", BEST
            ground = "cursor" if ground == "cursor" else "hint"
        if verdict is not None:
            ink, text = verdict.outcome, verdict_text(verdict, place.width, best)
        style = self.palette.style(ink, ground, bold=text != FREE, inverted=inverted)
        if ground != "board" or inverted:
            canvas.fill(place, style)
        canvas.centre(place, (text,), style)

    def _shows_free_cells(self) -> bool:
        """Return whether free cells need a sign: where no lines part them, or some are closed."""
        state = self.picture.state
        if traits_of(state.rules).gravity:
            return False
        return not self.plan.scale.lined or len(state.legal_cells) != state.grid.empty_count


class Field(Container):
    """Tells the board how much space there is, each time that the layout has changed it."""

    def on_resize(self, event: events.Resize) -> None:
        """Pass the space on."""
        self.query_one(Board).give_space(event.size)
