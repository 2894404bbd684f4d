"""What the page lays over a board's picture: ghosts of pieces, and which cells are meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tic_tac_toe.game.geometry import Box, geometry
from tic_tac_toe.game.looks import Look
from tic_tac_toe.game.svg_board import CELL, piece
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import cell_below
from tic_tac_toe.logic.rules.alternation import NAMES
from tic_tac_toe.logic.rules.placements import letters, placement

from .views import LANE, Plan

#: How wide the lines are that cross in a selected cell, in cells.
HAIR = 0.14

_UNIT = Box(0, 0, 1, 1)


@dataclass(frozen=True)
class Overlay:
    """What is shown over the picture of a state.

    Attributes:
        pointed: a playable cell that a pointer or the keyboard is at.
        selected: a cell that the next tap places a mark in.
        letter: the one that a person places next, in games in which people choose.
        pending: a move that has been made, and is not yet part of the game.
        valued: the cells in which values stand, which no ghost may hide.
    """

    pointed: int | None = None
    selected: int | None = None
    letter: str = ""
    pending: int | None = None
    valued: Collection[int] = ()


def ghost_of(state: GameState, cell: int, letter: str) -> str:
    """Return the letter of the mark that a move of the side to move would place in a cell.

    Args:
        letter: the one that is chosen, where the game has a choice.
    """
    if letter:
        return letter
    placed = placement(state.rules, state.current_mark.side, cell)
    return NAMES[placed.mark] if placed and not letters(state.rules) else ""


def draw_overlay(state: GameState, plan: Plan, look: Look, overlay: Overlay) -> str:
    """Return the elements of an overlay as HTML."""
    return "".join(_parts(state, plan, look, overlay))


def _parts(state: GameState, plan: Plan, look: Look, overlay: Overlay) -> Iterator[str]:
    boxes, shape = plan.boxes, state.rules.shape
    if overlay.selected is not None:
        box = boxes[overlay.selected]
        middle = (1 - HAIR) / 2
        yield _band(plan, Box(0, box.y + middle, plan.width, HAIR), "hair")
        yield _band(plan, Box(box.x + middle, 0, HAIR, plan.height), "hair")
        sign = ghost_of(state, overlay.selected, overlay.letter)
        yield _ghost(plan, look, sign, box, "ghost")
    if overlay.pointed is not None:
        lands = cell_below(state, overlay.pointed)
        sign = ghost_of(state, lands, overlay.letter)
        if geometry(state.rules).is_numbered:
            top = boxes[lands % shape.columns]
            yield _band(plan, Box(top.x, top.y, 1, boxes[-1].y + 1 - top.y))
            if plan.has_lane:
                yield _ghost(plan, look, sign, top._replace(y=top.y - LANE), "waiting")
        if lands not in overlay.valued and lands != overlay.selected:
            yield _ghost(plan, look, sign, boxes[lands], "ghost")
    if overlay.pending is not None:
        placed = placement(state.rules, state.current_mark.side, overlay.pending)
        if placed is not None:
            yield _ghost(plan, look, NAMES[placed.mark], boxes[placed.cell], "pending")


def _ghost(plan: Plan, look: Look, sign: str, box: Box, kind: str) -> str:
    """Return the piece of a letter, or what else a game shows in its cells."""
    if not sign:
        return ""
    known = sign in NAMES
    drawn = piece(look, NAMES.index(sign) if known else 0, _UNIT, "" if known else sign)
    opening = f'<svg class="ttt {kind}" viewBox="0 0 {CELL} {CELL}" style="{plan.place(box)}">'
    return f"{opening}{drawn}</svg>"


def _band(plan: Plan, box: Box, kind: str = "band") -> str:
    return f'<div class="{kind}" style="{plan.place(box)}"></div>'
