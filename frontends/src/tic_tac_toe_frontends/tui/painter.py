"""Draws a board in characters, so that nothing depends on colour alone."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import groupby, islice
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.logic.search.evaluation import MoveEvaluation
from tic_tac_toe.pictures.board import SIGNS, Look, sign_of, small_boards
from tic_tac_toe.pictures.shapes import (
    DESIGNS,
    Picture,
    ShownMark,
    advice_of,
    barred_cells,
    marks_of,
)

from .palette import Palette
from .plan import LetterPlan, Place, Scale

#: The characters of a hint's cell and of a free cell.
BEST, FREE = "◆", "·"
#: The character of a crossing where no stone may be placed now.
BARRED = "×"
#: The sign of each outcome.
OUTCOMES = {"win": "+", "draw": "=", "open": "%", "loss": "-"}


class Sign(NamedTuple):
    """The characters around a mark.

    Attributes:
        corners: of a picture, row by row.
        beside: both sides of a letter.
    """

    corners: str
    beside: str

    def at(self, scale: Scale) -> str:
        """Return the characters at a scale; none if a cell has room only for its letter."""
        if scale.height > 1 and (scale.glyph or not scale.crossed):
            return self.corners
        return self.beside if scale.width > 1 else ""


CURSOR = Sign("┏┓┗┛", "[]")
LAST = Sign("╭╮╰╯", "()")
WON = Sign("****", "**")


def advice_text(
    evaluation: MoveEvaluation | str | None, width: int, best: bool, letter: str = ""
) -> str:
    """Return the advice about a move in at most ``width`` characters.

    ``+3`` is a win in three moves, ``62%`` an estimated chance. ``◆`` precedes that of a hint.

    Args:
        evaluation: or a sign that fits, in its place.
        best: whether it is a move of the hint.
        letter: that the move places, if it must be shown.
    """
    if evaluation is None:
        texts = [f"{BEST} {letter}", f"{BEST}{letter}"] if letter else []
        shortest = BEST
    else:
        if isinstance(evaluation, str):
            shortest = value = evaluation
        else:
            shortest = OUTCOMES[evaluation.outcome]
            value = sign_of(evaluation).replace(SIGNS["loss"], OUTCOMES["loss"])
        texts = [f"{BEST} {letter}{value}", f"{BEST} {value}"] if best else []
        texts += [f"{letter}{value}", value]
    return next((text for text in texts if len(text) <= max(1, width - 1)), shortest)


#: The smallest pictures, drawn by hand: the formula would make blots.
_SMALL = (
    ("##..##", ".####.", "..##..", "..##..", ".####.", "##..##"),
    (".####.", "##..##", "##..##", "##..##", "##..##", ".####."),
)
#: The thickness of a cross, and the radii of a naught, as fractions of the picture.
_STROKE, _OUTER, _INNER = 0.13, 0.52, 0.3
#: Block characters by their upper and lower half.
_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


@lru_cache(maxsize=32)
def glyph(side: int, lines: int, *, pale: bool = False, round_off: bool = False) -> tuple[str, ...]:
    """Return the picture of a side's mark: ``lines`` lines of twice as many characters.

    A character has two dots, one above the other, which are roughly square.

    Args:
        pale: leave out every other dot.
        round_off: draw a full disc instead of a cross.
    """
    size = 2 * lines
    if round_off and side == 0:
        centres = [(index + 0.5) / size - 0.5 for index in range(size)]
        dots = [[math.hypot(x, y) <= _OUTER for x in centres] for y in centres]
    elif size == len(_SMALL[side]):
        dots = [[sign == "#" for sign in row] for row in _SMALL[side]]
    else:
        centres = [(index + 0.5) / size - 0.5 for index in range(size)]
        dots = [[_is_on(side, x, y) for x in centres] for y in centres]
    if pale:
        dots = [[on and (x + y) % 2 == 0 for x, on in enumerate(row)] for y, row in enumerate(dots)]
    return tuple(
        "".join(_BLOCKS[upper, lower] for upper, lower in zip(dots[row], dots[row + 1]))
        for row in range(0, size, 2)
    )


def _is_on(side: int, x: float, y: float) -> bool:
    """Return whether a mark covers a point, with the middle at 0 and the edges at 0.5."""
    if side == 0:
        return abs(abs(x) - abs(y)) <= _STROKE
    return _INNER <= math.hypot(x, y) <= _OUTER


class Canvas:
    """Lines of styled characters."""

    def __init__(self, plan: LetterPlan, palette: Palette) -> None:
        self._base = palette.style("text")
        self._letters = [[" "] * plan.width for _ in range(plan.height)]
        self._styles = [[self._base] * plan.width for _ in range(plan.height)]

    def strip(self, y: int) -> Strip:
        """Return a line for Textual; an empty one outside the drawing."""
        if not 0 <= y < len(self._letters):
            return Strip.blank(len(self._letters[0]), self._base)
        letters = iter(self._letters[y])
        runs = ((style, len([*run])) for style, run in groupby(self._styles[y]))
        segments = [Segment("".join(islice(letters, length)), style) for style, length in runs]
        return Strip(segments, len(self._letters[y]))

    def write(self, x: int, y: int, text: str, style: Style) -> None:
        """Write characters; blanks change nothing."""
        for column, letter in enumerate(text, start=x):
            if letter != " ":
                self._letters[y][column] = letter
                self._styles[y][column] = style

    def fill(self, place: Place, style: Style) -> None:
        """Give a rectangle a style."""
        for x, y in place.letters():
            self._styles[y][x] = style

    def centre(self, place: Place, lines: tuple[str, ...], style: Style) -> None:
        """Write lines of one length in the middle of a rectangle."""
        x = place.x + (place.width - len(lines[0])) // 2
        y = place.y + (place.height - len(lines)) // 2
        for number, line in enumerate(lines):
            self.write(x, y + number, line, style)

    def surround(self, place: Place, signs: str, style: Style, over: str = " ") -> None:
        """Write characters into the corners of a rectangle, row by row.

        Args:
            over: the characters that they may replace.
        """
        right, bottom = place.x + place.width - 1, place.y + place.height - 1
        spots = [(place.x, place.y), (right, place.y), (place.x, bottom), (right, bottom)]
        for (x, y), sign in zip(spots, signs):
            if 0 <= x < len(self._letters[y]) and self._letters[y][x] in over:
                self.write(x, y, sign, style)


#: The inks of both sides.
INKS = ("cross", "naught")


def paint(
    plan: LetterPlan,
    palette: Palette,
    picture: Picture,
    cursor: int | None = None,
    letter: str = "",
) -> Canvas:
    """Return the drawing of a board.

    Args:
        cursor: the cell where a mark would land, while a person is to move.
        letter: the person's letter, in games with a choice.
    """
    return _Painter(plan, palette, picture, cursor, letter).canvas


class _Painter:
    """Draws one picture."""

    def __init__(
        self, plan: LetterPlan, palette: Palette, picture: Picture, cursor: int | None, letter: str
    ) -> None:
        self.canvas = Canvas(plan, palette)
        self._plan = plan
        self._palette = palette
        self._state = state = picture.state
        self._letter = letter
        self._legal = set(state.legal_cells)
        self._barred = barred_cells(state)
        self._target = cursor if self._legal else None
        self._marks = {mark.cell: mark for mark in marks_of(state, picture.last)}
        self._pieces = DESIGNS[plan.look].letters
        self._advised = advice_of(state.rules, picture.best, picture.values)
        self._written = {
            cell: sign
            for cell, sign in picture.written.items()
            if len(sign) < max(2, plan.places[cell].width)
        }
        self._paint()

    def _paint(self) -> None:
        canvas, plan, palette = self.canvas, self._plan, self._palette
        grounds = self._paint_boards()
        for text in plan.texts():
            ground = grounds.get((text.x, text.y), "board")
            canvas.write(text.x, text.y, text.text, palette.style(text.part, ground))
        styles: dict[int, Style] = {}
        for cell, place in enumerate(plan.places):
            ground = "cursor" if cell == self._target else grounds.get((place.x, place.y), "board")
            if cell in self._marks:
                styles[cell] = self._paint_mark(self._marks[cell], ground)
            else:
                self._paint_empty(cell, ground)
        # Neighbours may share a gap: the first one gets it.
        seen = self._marks.values()
        surrounded = [(mark.cell, WON, styles[mark.cell]) for mark in seen if "won" in mark.roles]
        if self._target is not None:
            style = palette.style("text", "cursor", bold=True)
            surrounded.insert(0, (self._target, CURSOR, style))
        latest = (mark.cell for mark in seen if "latest" in mark.roles)
        surrounded += [(cell, LAST, styles[cell]) for cell in latest]
        for cell, sign, style in surrounded:
            over = " ─" if plan.scale.crossed else " "
            canvas.surround(plan.bracketed(cell), sign.at(plan.scale), style, over)
        self._paint_hand()

    def _paint_hand(self) -> None:
        """Paint the disc above the column of the cursor."""
        plan, side = self._plan, self._state.current_mark.side
        if plan.look is Look.DISCS and self._target is not None:
            style = self._palette.style(INKS[side], bold=True)
            self.canvas.centre(plan.above(self._target), (self._pieces[side],), style)

    def _paint_boards(self) -> dict[tuple[int, int], str]:
        """Highlight the playable small boards, and tint the won ones."""
        grounds: dict[tuple[int, int], str] = {}
        state = self._state
        boards = small_boards(state)
        # A layer is no small board: marks in the lowest layers close none.
        everywhere = traits_of(state.rules).layered or all(board.open for board in boards)
        for board, place in zip(boards, self._plan.boards):
            ground = "open" if board.open and not everywhere else "board"
            if board.owner is not None:
                ground = INKS[board.owner]
            if ground != "board":
                self.canvas.fill(place, self._palette.style("text", ground))
                grounds.update(dict.fromkeys(place.letters(), ground))
        return grounds

    def _paint_mark(self, mark: ShownMark, ground: str) -> Style:
        """Paint a cell with a mark, and return its style."""
        cell, place, lines = mark.cell, self._plan.places[mark.cell], self._plan.scale.glyph
        leaves, ink = "leaving" in mark.roles, INKS[mark.side]
        is_pale = leaves or "lost" in mark.roles
        # A reversed full disc would look hollow.
        inverts = not self._pieces or place.width == 1
        style = self._palette.style(
            f"pale {ink}" if is_pale else ink,
            ground,
            bold=not is_pale,
            underline="latest" in mark.roles and place.width < 3,
            inverted=("won" in mark.roles and inverts) or (ground == "cursor" and place.width == 1),
        )
        self.canvas.fill(self._plan.inner(cell), style)
        sign = mark.sign.lower() if leaves else mark.sign
        if cell in self._advised:  # a mark that leaves before the next one is placed
            self._paint_advice(cell, ground, sign)
            return style
        if lines and mark.sign == NAMES[mark.side]:
            drawn = glyph(mark.side, lines, pale=leaves, round_off=bool(self._pieces))
        else:
            drawn = (self._pieces[mark.side] if self._pieces else sign,)
        self.canvas.centre(place, drawn, style)
        return style

    def _paint_empty(self, cell: int, ground: str) -> None:
        if cell in self._advised or cell in self._written:
            self._paint_advice(cell, ground)
            return
        place = self._plan.places[cell]
        ghost = self._letter.lower() if cell == self._target else ""
        text = ghost or self._sign_of_empty(cell)
        inverted = place.width == 1 and ground == "cursor"
        ink = f"pale {INKS[NAMES.index(self._letter)]}" if ghost else "empty"
        bold = text != FREE and not ghost
        style = self._palette.style(ink, ground, bold=bold, inverted=inverted)
        if ground != "board" or inverted:
            self.canvas.fill(place, style)
        self.canvas.centre(place, (text,), style)

    def _paint_advice(self, cell: int, ground: str, mark: str = "") -> None:
        """Write the advice about the moves into a cell; both, if the cell is high enough.

        A sign of the picture stands in the place of values.

        Args:
            mark: in the cell, in lower case.
        """
        place, moves = self._plan.places[cell], self._advised.get(cell, [])
        if len(moves) > 1 and place.height < len(moves) * 2 - 1:
            chosen = [move for move in moves if move.letter == self._letter]
            moves = chosen or moves[:1]
        is_best = any(move.is_best for move in moves)
        if is_best:
            ground = "cursor" if ground == "cursor" else "hint"
        inverted = place.width == 1 and ground == "cursor"
        lines = [
            (
                move.evaluation.outcome if move.evaluation else "hint",
                advice_text(move.evaluation, place.width, move.is_best, mark or move.letter),
            )
            for move in moves
        ]
        if cell in self._written:
            lines = [("hint", advice_text(self._written[cell], place.width, is_best))]
        top = place.y + (place.height + 1) // 2 - len(lines)
        for number, (ink, text) in enumerate(lines):
            style = self._palette.style(ink, ground, bold=True, inverted=inverted)
            if number == 0 and (ground != "board" or inverted):
                self.canvas.fill(place, style)
            line = Place(place.x, top + 2 * number, place.width, 1)
            self.canvas.centre(line, (text,), style)

    def _sign_of_empty(self, cell: int) -> str:
        if self._plan.look is Look.DISCS:
            return FREE
        if self._plan.look is Look.STONES:
            return BARRED if cell in self._barred else ""
        return FREE if cell in self._legal and self._shows_free_cells() else ""

    def _shows_free_cells(self) -> bool:
        """Return whether free cells need a sign: without lines, or if some cells are closed."""
        traits = traits_of(self._state.rules)
        if traits.gravity and not traits.layered:
            return False
        return not self._plan.scale.lined or len(self._legal) != self._state.grid.empty_count
