"""What a picture of a board shows, as shapes in units of a cell, each with the role that it plays.

Every picture begins with `shapes_of(picture)`. A printer draws the shapes in their order: `svg` as
SVG, the window on a canvas. What a role looks like is its `Ink`, and printers in letters ask
`pieces_of`, `barred_cells` and `advice_of` what a cell shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.traits import (
    cell_signs,
    chooses_letter,
    leaving_cells,
    placement,
    traits_of,
)
from tic_tac_toe.logic.search.evaluation import MoveEvaluation, Outcome
from tic_tac_toe.pictures.board import (
    OUTCOMES,
    Box,
    Geometry,
    Look,
    Point,
    Segment,
    best_outcome,
    by_cell,
    geometry,
    sign_of,
    small_boards,
    star_points,
    strikes,
)


class Picture(NamedTuple):
    """What a picture shows: a state, and what is marked in it.

    Attributes:
        last: the cell of the last move.
        best: the moves to mark as good.
        values: what moves are worth.
        look: one of those that `looks_for` returns.
        names: whether rows and columns have names.
        written: what stands in empty cells, in the place of values.
        numbers: the numbers of moves by the cells that they marked, see `move_numbers`.
    """

    state: GameState
    last: int | None = None
    best: Collection[int] = ()
    values: Collection[MoveEvaluation] = ()
    look: Look = Look.MARKS
    names: bool = True
    written: Mapping[int, str] = MappingProxyType({})
    numbers: Mapping[int, int] = MappingProxyType({})


class Rect(NamedTuple):
    """A rectangle, perhaps with round corners."""

    role: str
    box: Box
    radius: float = 0.0


class Circle(NamedTuple):
    """A circle; whether it is a disc or a ring is a question of ink."""

    role: str
    centre: Point
    radius: float


class Cross(NamedTuple):
    """Two strokes across each other; an arm reaches as far to the right as it reaches down."""

    role: str
    centre: Point
    arm: float


class Lines(NamedTuple):
    """Strokes that are drawn alike."""

    role: str
    segments: tuple[Segment, ...]


class Panel(NamedTuple):
    """A rectangle with round corners and with holes."""

    role: str
    box: Box
    radius: float
    holes: tuple[Circle, ...]


class Text(NamedTuple):
    """A line of text around a point; its ink says how large it is, unless it has a size."""

    role: str
    at: Point
    text: str
    size: float = 0.0


class Piece(NamedTuple):
    """The piece of a side, 0 or 1, that fills most of a box: shapes that move and fade together.

    What its shapes do not say about their ink, the role of the piece says.
    """

    role: str
    side: int
    box: Box
    shapes: tuple[Shape, ...]


Shape: TypeAlias = Rect | Circle | Cross | Lines | Panel | Text | Piece


#: The width of a cell in the units of ink, and in the units of pictures in SVG.
UNITS = 40


class Ink(NamedTuple):
    """What a role looks like; what is empty or 0 is as it would be without the role.

    Attributes:
        fill, stroke: the names of colours, such as ``ink``, or ``none``.
        width: of a stroke; a cell is `UNITS` wide.
        size: of a text, in the same unit.
        dashes: the lengths of a broken line's strokes and gaps, in the same unit.
        ends: ``round`` or ``square`` ends of strokes.
    """

    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    opacity: float = 0.0
    dashes: str = ""
    ends: str = ""
    size: float = 0.0
    bold: bool = False

    def over(self, other: Ink) -> Ink:
        """Return this ink, and what it does not say as another ink does."""
        return other._replace(**{name: said for name, said in self._asdict().items() if said})


def shapes_of(picture: Picture, design: Design | None = None) -> tuple[Shape, ...]:
    """Return the shapes of a board, the lowest first; the board's upper left corner is at 0, 0.

    Args:
        design: the one of the picture's look unless given.
    """
    scene = _Scene(picture, design or DESIGNS[picture.look], geometry(picture.state.rules))
    return tuple(shape for part in scene.design.parts for shape in part(scene))


def row_names(rules: Rules, *, from_bottom: bool = False) -> tuple[str, ...]:
    """Return the names of rows, the uppermost first.

    Args:
        from_bottom: whether they are counted from the bottom, as on a go board. Rows of a board of
            boards are not: these have names of their own, and the first is at the top.
    """
    plan = geometry(rules)
    return plan.row_names[::-1] if from_bottom and not plan.is_divided else plan.row_names


def names_of(rules: Rules, *, from_bottom: bool = False) -> Iterator[Text]:
    """Yield the names of rows, columns and layers at the edges where they stand.

    Their roles say on which side: `name above`, `name before`, `name below`, or `name layer`,
    above the letters. Only columns have names where these are numbers.

    Args:
        from_bottom: see `row_names`.
    """
    plan = geometry(rules)
    if plan.is_numbered:
        for number, x in enumerate(plan.column_centres(), start=1):
            yield Text("name below", Point(x, plan.extent.height), str(number))
        return
    for name, x in plan.layers:
        yield Text("name layer", Point(x, 0), name)
    for name, x in zip(plan.column_names, plan.column_centres(), strict=True):
        yield Text("name above", Point(x, 0), name)
    for name, y in zip(row_names(rules, from_bottom=from_bottom), plan.row_centres(), strict=True):
        yield Text("name before", Point(0, y), name)


class ShownMark(NamedTuple):
    """A mark on the board, and what is to be seen of it.

    Attributes:
        side: whose it is, 0 or 1.
        sign: its letter; in some games a digit.
        roles: of ``latest``, ``leaving``, ``won`` and ``lost``, and ``settled`` in a block that
            is won and closed.
    """

    cell: int
    side: int
    sign: str
    roles: tuple[str, ...]


def marks_of(state: GameState, last: int | None = None) -> Iterator[ShownMark]:
    """Yield the marks of X and then those of O.

    At the end those that decided the game have the role ``won``, and all others ``lost``.
    """
    decided = frozenset(state.winning_cells if state.game_over else ())
    leaving = () if state.game_over else leaving_cells(state.rules, state.position)
    signs = cell_signs(state.rules, state.position, state.grid.cells)
    boxes = geometry(state.rules).boxes
    won = [small.box for small in small_boards(state) if small.owner is not None]
    closed = [] if _stay_open(state.rules) else won
    for side, name in enumerate(NAMES):
        for cell, letter in enumerate(state.grid.cells):
            if letter == name:
                known = {
                    "latest": cell == last,
                    "leaving": cell in leaving,
                    "settled": any(box.holds(boxes[cell].centre) for box in closed),
                    "won": cell in decided,
                    "lost": decided and cell not in decided,
                }
                roles = tuple(role for role, plays in known.items() if plays)
                yield ShownMark(cell, side, signs[cell], roles)


def barred_cells(state: GameState) -> frozenset[int]:
    """Return the empty cells that are forbidden to the mover, as in Renju.

    Where marks fall, and where the board is divided, other things show which cells are free.
    """
    if geometry(state.rules).is_framed or state.game_over:
        return frozenset()
    empty = {cell for cell, letter in enumerate(state.grid.cells) if letter == " "}
    return frozenset(empty.difference(state.legal_cells))


class Advice(NamedTuple):
    """The advice about a move into a cell.

    Attributes:
        letter: of the mark, in games with a choice; else empty.
        is_best: whether it is among the best moves.
        evaluation: what it is worth, if known.
    """

    letter: str
    is_best: bool
    evaluation: MoveEvaluation | None


def advice_of(
    rules: Rules, best: Iterable[int], values: Iterable[MoveEvaluation]
) -> dict[int, list[Advice]]:
    """Return the advice about moves by their cells."""
    advised, known = set(best), {value.move: value for value in values if value.is_judged}
    cells: dict[int, list[Advice]] = {}
    for move in sorted(advised | known.keys()):
        if placed := placement(rules, 0, move):
            letter = NAMES[placed.mark] if chooses_letter(rules) else ""
            advice = Advice(letter, move in advised, known.get(move))
            cells.setdefault(placed.cell, []).append(advice)
    return cells


def move_numbers(history: Iterable[Move]) -> dict[int, int]:
    """Return the number of the move that marked each cell, for pictures.

    >>> from tic_tac_toe import Match
    >>> match = Match()
    >>> for name in ("B2", "A1"):
    ...     _ = match.play(name)
    >>> move_numbers(match.history)
    {4: 1, 0: 2}
    """
    return {move.cell_index: number for number, move in enumerate(history, start=1)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Design:
    """A look: all that distinguishes it from others, for all printers.

    Another look is a member of `Look`, an entry in `DESIGNS`, and games for which `looks_for`
    names it. Shapes of one cell lie around 0, 0 and are 1 wide.

    Attributes:
        parts: what is drawn, the lowest first: functions of this module.
        ground: the role of what lies below the board, and the radius of its corners.
        pieces: the roles of both sides' pieces, and their shapes; of a shape without a role
            the ink is the piece's.
        last, lit, wash: what marks the last move, a decisive cell, and a cell with a value.
        number: where the number of a move stands.
        letters: the pieces of both sides as characters; empty for their signs.
        inks: of roles that others have, too, and of those that only this look has.
    """

    parts: tuple[Callable[[_Scene], Iterator[Shape]], ...]
    pieces: tuple[tuple[str, tuple[Shape, ...]], tuple[str, tuple[Shape, ...]]]
    last: Shape
    lit: Shape
    wash: Shape
    number: Text
    ground: tuple[str, float] = ("", 0.0)
    letters: str = ""
    inks: Mapping[str, Ink] = field(default_factory=dict)


@lru_cache(maxsize=512)
def ink_of(design: Design, roles: str) -> Ink:
    """Return the ink of roles, of which the last and those of the look come before others."""
    ink = Ink()
    for inks in (INKS, design.inks):
        for role in roles.split():
            ink = inks.get(role, ink).over(ink)
    return ink


class _Scene(NamedTuple):
    picture: Picture
    design: Design
    plan: Geometry


def _ground(scene: _Scene) -> Iterator[Shape]:
    role, radius = scene.design.ground
    yield Rect(role, scene.plan.extent, radius)


def _open_boards(scene: _Scene) -> Iterator[Shape]:
    """Yield the blocks that may be played in, unless all may."""
    smalls = small_boards(scene.picture.state)
    if not all(small.open for small in smalls):
        yield from (Rect("lit", small.box) for small in smalls if small.open)


def _decided(scene: _Scene) -> Iterator[Shape]:
    for cell in scene.picture.state.winning_cells:
        yield _on(scene, cell, scene.design.lit)


def _washes(scene: _Scene) -> Iterator[Shape]:
    """Yield what lies behind each value and each text, in the colour of the best move there."""
    picture, wash = scene.picture, scene.design.wash
    for cell, moves in by_cell(picture.state.rules, picture.values).items():
        role = f"wash-{best_outcome(moves)}"
        yield _placed(wash._replace(role=role), scene.plan.boxes[cell])
    for cell in picture.written:
        yield _placed(wash._replace(role="wash-open"), scene.plan.boxes[cell])


def _last(scene: _Scene) -> Iterator[Shape]:
    picture, last = scene.picture, scene.picture.last
    is_told = last in picture.numbers and "number-last" in scene.design.inks
    if last is not None and not is_told and last not in picture.state.winning_cells:
        yield _on(scene, last, scene.design.last)


def _grid(scene: _Scene) -> Iterator[Shape]:
    yield Lines("grid", scene.plan.grid)


def _frames(scene: _Scene) -> Iterator[Shape]:
    if scene.plan.is_framed:
        yield from (Rect("frame", box) for box in scene.plan.boards)


def _crossings(scene: _Scene) -> Iterator[Shape]:
    """Yield the lines through the centres of cells, to the edges on a torus, and star points."""
    plan, rules = scene.plan, scene.picture.state.rules
    across, down = plan.column_centres(), plan.row_centres()
    reach = 0.5 if traits_of(rules).torus else 0.0
    top, bottom, left, right = down[0], down[-1], across[0], across[-1]
    upright = (Segment(Point(x, top - reach), Point(x, bottom + reach)) for x in across)
    level = (Segment(Point(left - reach, y), Point(right + reach, y)) for y in down)
    yield Lines("grid", (*upright, *level))
    for cell in star_points(rules):
        yield Circle("star", plan.boxes[cell].centre, 0.13)


def _panel(scene: _Scene) -> Iterator[Shape]:
    extent = scene.plan.extent
    box = Box(extent.x - RIM, extent.y - RIM, extent.width + 2 * RIM, extent.height + 2 * RIM)
    holes = tuple(Circle("", cell.centre, HOLE) for cell in scene.plan.boxes)
    yield Panel("panel", box, 0.25, holes)


def _pieces(scene: _Scene) -> Iterator[Shape]:
    for mark in marks_of(scene.picture.state, scene.picture.last):
        box, sign = scene.plan.boxes[mark.cell], mark.sign
        sign = "" if sign == NAMES[mark.side] else sign
        piece = piece_of(scene.design, mark.side, box, sign, " ".join(mark.roles))
        if mark.cell in scene.picture.numbers and scene.design.letters:
            piece = piece._replace(shapes=piece.shapes[:1])  # the number takes the middle
        yield piece


def _owners(scene: _Scene) -> Iterator[Shape]:
    """Yield the large marks of the blocks that are won; pale ones where play goes on in these."""
    state = scene.picture.state
    role = "pale" if _stay_open(state.rules) else "owner"
    decided = [scene.plan.boxes[cell].centre for cell in state.winning_cells]
    for small in small_boards(state):
        if small.owner is not None:
            is_lost = decided and not any(map(small.box.holds, decided))
            more = f"{role} lost" if is_lost else role
            yield piece_of(scene.design, small.owner, small.box, more=more)


def _stay_open(rules: Rules) -> bool:
    """Return whether blocks may be played in after they are won."""
    return "open" in traits_of(rules).words


def _barred(scene: _Scene) -> Iterator[Shape]:
    for cell in sorted(barred_cells(scene.picture.state)):
        yield Cross("barred", scene.plan.boxes[cell].centre, 0.12)


def _advice(scene: _Scene) -> Iterator[Shape]:
    """Yield rings around the best moves, and what moves are worth; of many in a cell a best one."""
    picture, boxes = scene.picture, scene.plan.boxes
    found = advice_of(picture.state.rules, picture.best, picture.values)
    for cell, moves in found.items():
        if any(move.is_best for move in moves):
            yield Circle("best", boxes[cell].centre, 0.42)
    for cell, moves in found.items():
        if cell not in picture.written:
            yield from _values(boxes[cell].centre, moves)
    for cell, text in picture.written.items():
        yield Text("value", boxes[cell].centre, text)


def _values(centre: Point, moves: Iterable[Advice]) -> Iterator[Text]:
    lines: list[tuple[str, str, Outcome]] = [
        (move.letter, sign_of(value) if value else "", value.outcome if value else "win")
        for move in moves
        if (value := move.evaluation) or move.letter
    ]
    if len(lines) > 2:  # there is no room for more
        lines = sorted(lines, key=_rank)[:1]
    for number, (letter, sign, outcome) in enumerate(lines):
        role = f"value value-{outcome}" + (" half" if letter else "")
        down = (number - (len(lines) - 1) / 2) * 0.4
        yield Text(role, Point(centre.x, centre.y + down), letter + sign)


def _rank(line: tuple[str, str, Outcome]) -> int:
    return OUTCOMES.index(line[2])


def _strikes(scene: _Scene) -> Iterator[Shape]:
    """Yield the winning lines, each over an edge if the look has one."""
    state = scene.picture.state
    for line in strikes(state):
        if "strike-edge" in scene.design.inks:
            yield Lines("strike-edge", (line,))
        name = state.grid.cells[state.winning_cells[0]].lower()
        yield Lines(f"strike strike-{name}", (line,))


def _numbers(scene: _Scene) -> Iterator[Shape]:
    """Yield the numbers of moves; a winning line goes behind them, not through them."""
    picture, design = scene.picture, scene.design
    for mark in marks_of(picture.state, picture.last):
        if mark.cell in picture.numbers:
            text = design.number._replace(text=str(picture.numbers[mark.cell]))
            if "won" in mark.roles and "plate" in design.inks:
                yield _on(scene, mark.cell, Circle("plate", Point(0, 0), 0.25))
            if "latest" in mark.roles and "number-last" in design.inks:
                text = text._replace(role="number-last")
            shape = _on(scene, mark.cell, text)
            is_lost = "lost" in mark.roles
            yield shape._replace(role=f"{shape.role} number-lost") if is_lost else shape


def piece_of(design: Design, side: int, box: Box, sign: str = "", more: str = "") -> Piece:
    """Return the piece of a side, 0 or 1, that fills most of a box.

    Args:
        sign: what to write instead of a cross or a naught, where these are written.
        more: what else the piece is, such as ``latest``.
    """
    role, shapes = design.pieces[side]
    if sign and not design.letters:
        shapes = (Text("sign", Point(0, 0), sign, 0.62),)
    placed = tuple(_placed(shape, box) for shape in shapes)
    return Piece(f"{role} {more}".strip(), side, box, placed)


def _on(scene: _Scene, cell: int, shape: Shape) -> Shape:
    """Return a shape in a cell, with a role of its own on a mark of O if the look knows it."""
    other = f"{shape.role}-o"
    if other in scene.design.inks and scene.picture.state.grid.cells[cell] == NAMES[1]:
        shape = shape._replace(role=f"{shape.role} {other}")
    return _placed(shape, scene.plan.boxes[cell])


def _placed(shape: Shape, box: Box) -> Shape:
    """Return a shape of the cell around 0, 0 in a box."""
    size, (x, y) = min(box.width, box.height), box.centre
    match shape:
        case Rect(_, (left, top, width, height), radius):
            inner = Box(x + left * size, y + top * size, width * size, height * size)
            return shape._replace(box=inner, radius=radius * size)
        case Circle(radius=radius):
            return shape._replace(centre=box.centre, radius=radius * size)
        case Cross(arm=arm):
            return shape._replace(centre=box.centre, arm=arm * size)
        case Text():
            at = Point(x + shape.at.x * size, y + shape.at.y * size)
            return shape._replace(at=at, size=shape.size * size)
    raise TypeError(f"no shape of a cell: {shape}")


#: The radii of a hole in the panel before the discs, of a disc and of a stone, in cells.
HOLE, DISC, STONE = 0.43, 0.385, 0.44
#: How far the panel before the discs reaches beyond the cells, in cells.
RIM = 0.08

#: What roles look like unless a look says otherwise, in the order in which they override others.
INKS: Mapping[str, Ink] = {
    "paper": Ink("paper"),
    "grid": Ink("none", "line", 1.5, ends="round"),
    "frame": Ink("none", "line", 3),
    "lit": Ink("lit"),
    "last": Ink("last"),
    "x": Ink("none", "x", 4.5, ends="round"),
    "o": Ink("none", "o", 4.5, ends="round"),
    "barred": Ink("none", "line", 2, ends="round"),
    "owner": Ink(width=11, opacity=0.75),
    "pale": Ink(width=11, opacity=0.35),
    "leaving": Ink(opacity=0.35),
    "settled": Ink(opacity=0.4),
    "won": Ink(opacity=1),
    "lost": Ink(opacity=0.4),
    "strike": Ink("none", "strike", 3, ends="round"),
    "strike-x": Ink(stroke="x"),
    "strike-o": Ink(stroke="o"),
    "best": Ink("none", "win", 2.5, dashes="3 3.5"),
    "wash-win": Ink("win-wash"),
    "wash-draw": Ink("draw-wash"),
    "wash-loss": Ink("loss-wash"),
    "wash-open": Ink("last"),
    "value": Ink("ink", size=14, bold=True),
    "half": Ink(size=11),
    "value-win": Ink("win"),
    "value-draw": Ink("draw"),
    "value-loss": Ink("loss"),
    "number": Ink("ink", size=10),
    "number-lost": Ink(opacity=0.6),
}

MARKS = Design(
    parts=(
        *(_open_boards, _decided, _washes, _last, _grid, _frames, _pieces, _owners),
        *(_barred, _advice, _strikes, _numbers),
    ),
    pieces=(
        ("x", (Cross("", Point(0, 0), 0.26),)),
        ("o", (Circle("", Point(0, 0), 0.29),)),
    ),
    last=Rect("last", Box(-0.45, -0.45, 0.9, 0.9), 0.1),
    lit=Rect("lit", Box(-0.5, -0.5, 1, 1)),
    wash=Rect("wash", Box(-0.45, -0.45, 0.9, 0.9)),
    number=Text("number", Point(0.36, 0.36), ""),
)
DISCS = Design(
    parts=(_ground, _washes, _pieces, _panel, _decided, _last, _advice, _strikes, _numbers),
    ground=("well", 0.15),
    pieces=(
        ("disc-x", (Circle("", Point(0, 0), DISC), Cross("relief", Point(0, 0), 0.13))),
        ("disc-o", (Circle("", Point(0, 0), DISC), Circle("relief", Point(0, 0), 0.19))),
    ),
    last=Circle("last", Point(0, 0), HOLE),
    lit=Circle("lit", Point(0, 0), HOLE),
    wash=Circle("wash", Point(0, 0), HOLE),
    number=Text("number", Point(0, 0), ""),
    letters="●○",
    inks={
        "well": Ink("well"),
        "panel": Ink("panel"),
        "disc-x": Ink("disc-x", "disc-x-relief"),
        "disc-o": Ink("disc-o", "disc-o-relief"),
        "relief": Ink("none", width=3, ends="round"),
        "lit": Ink("none", "disc-sign", 4),
        "last": Ink("none", "disc-sign", 2.5),
        "best": Ink(stroke="disc-sign", width=3),
        "strike-edge": Ink("none", "disc-edge", 5, ends="round"),
        "strike": Ink(stroke="disc-sign", width=2.5),
        "plate": Ink("disc-x"),
        "plate-o": Ink("disc-o"),
        "number": Ink("disc-x-relief", size=15, bold=True),
        "number-o": Ink("disc-o-relief"),
        "number-lost": Ink("disc-sign"),
    },
)
STONES = Design(
    parts=(
        *(_ground, _crossings, _washes, _pieces, _decided, _last, _barred, _advice, _strikes),
        _numbers,
    ),
    ground=("wood", 0.1),
    pieces=(
        ("stone-x", (Circle("", Point(0, 0), STONE),)),
        ("stone-o", (Circle("", Point(0, 0), STONE),)),
    ),
    last=Circle("last", Point(0, 0), 0.14),
    lit=Circle("lit", Point(0, 0), STONE - 0.06),
    wash=Circle("wash", Point(0, 0), HOLE),
    number=Text("number", Point(0, 0), ""),
    letters="●○",
    inks={
        "wood": Ink("wood"),
        "star": Ink("wood-line"),
        "stone-x": Ink("stone-x", "stone-edge"),
        "stone-o": Ink("stone-o", "stone-edge", 1.5),
        "grid": Ink(stroke="wood-line", ends="square"),
        "barred": Ink(stroke="stone-strike"),
        "last": Ink("stone-x-sign"),
        "last-o": Ink("stone-o-sign"),
        "lit": Ink("none", "stone-x-sign", 4),
        "lit-o": Ink(stroke="stone-o-sign"),
        "best": Ink(stroke="stone-best", width=3),
        "strike-edge": Ink("none", "stone-strike-edge", 6, ends="round"),
        "strike": Ink(stroke="stone-strike", width=3),
        "plate": Ink("stone-x"),
        "plate-o": Ink("stone-o"),
        "number": Ink("stone-o", size=15, bold=True),
        "number-o": Ink("stone-x"),
        "number-last": Ink("stone-x-sign", size=15, bold=True),
        "number-last-o": Ink("stone-o-sign"),
    },
)
DESIGNS: Mapping[Look, Design] = {Look.MARKS: MARKS, Look.DISCS: DISCS, Look.STONES: STONES}
