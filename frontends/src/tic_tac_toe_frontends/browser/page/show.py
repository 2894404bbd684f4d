"""Writes a view into the page: it is compared with the last one, and only changes are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from .dom import by_id, document, fill, fill_group, on, options, set_text, window
from .view import Button, Entries, GameView, GraphView, MovesView, View


class MoveList:
    """Lists the moves as buttons, with buttons that step through them.

    Args:
        look_back: called with the ply of a clicked move.
        prefix: the prefix of its elements' ids.
    """

    def __init__(self, look_back: Callable[[int], object], prefix: str = "") -> None:
        self._look_back = look_back
        self._list, self._place = by_id(f"{prefix}moves"), by_id(f"{prefix}replay-place")
        self._steps = [by_id(f"{prefix}replay-{name}") for name in ("first", "back", "on", "last")]
        self._view: MovesView | None = None
        for place in (self._list, *self._steps):
            on(place, "click", self._click)

    def show(self, view: MovesView) -> None:
        """Show the moves, and mark the last move before the shown position."""
        if view == self._view:
            return
        self._view = view
        held = self._list.contains(document.activeElement)
        # Numbers, marks, colours and names of cells; titles of faults are escaped.
        self._list.innerHTML = "".join(
            f'<li><button type="button" data-ply="{ply}"'
            f"{' aria-current=step' if ply == view.moment else ''}>"
            f"<small>{ply}.</small>{_piece(piece, side)}{escape(name)}{_sign(sign, fault)}"
            "</button></li>"
            for ply, name, sign, fault, piece, side in view.moves
        )
        if current := self._list.querySelector("[aria-current]"):
            self._list.scrollTop = current.offsetTop - self._list.offsetTop - 60
            if held:
                current.focus()
        count, held_step = len(view.moves), document.activeElement
        for button, ply in zip(self._steps, (0, view.moment - 1, view.moment + 1, count)):
            button.dataset.ply = ply
            button.disabled = ply == view.moment or not 0 <= ply <= count
        if held_step.matches(".replay :disabled"):
            self._steps[1 if view.moment else 2].focus()
        set_text(self._place, view.place)

    def _click(self, event: Any) -> None:
        if button := event.target.closest("button"):
            self._look_back(int(button.dataset.ply))


def show(view: View, before: View | None) -> None:
    """Write what differs from the last view into the page."""
    for name, write in WRITERS.items():
        new, old = getattr(view, name), before and getattr(before, name)
        if new != old:
            write(new, old)


def press(name: str, is_pressed: bool) -> None:
    """Set whether a button is pressed."""
    by_id(name).setAttribute("aria-pressed", "true" if is_pressed else "false")


def show_result(line: Any, result: str) -> None:
    """Style a line as the end of a game.

    Args:
        result: ``win``, ``draw`` or ``loss`` for the reader, or ``over``; empty for an unfinished
            game.
    """
    if result:
        line.setAttribute("data-result", result)
    else:
        line.removeAttribute("data-result")


def show_buttons(buttons: Mapping[str, Button], before: Mapping[str, Button]) -> None:
    """Write the buttons that have changed; the focus leaves those without an effect."""
    held = document.activeElement
    for name, button in buttons.items():
        if button == before.get(name):
            continue
        element = by_id(name)
        element.hidden, element.disabled = not button.is_shown, not button.is_enabled
        element.classList.toggle("primary", button.is_primary)
        if button.title:
            set_text(element.querySelector("[data-title]") or element, button.title)
    if held.matches("button:is([hidden], :disabled)"):
        can_press = "button:not([hidden], :disabled)"
        for place in (f"{can_press}.primary", can_press):
            if next_one := held.parentElement.querySelector(place):
                next_one.focus()
                return
        by_id("cells").querySelector("[tabindex='0']").focus()


def _show_game(game: GameView, before: GameView | None) -> None:
    for name in ("rules", "solved", "level", "keys"):
        set_text(by_id(name), getattr(game, name))
    by_id("demonstrate").hidden = not game.has_demonstration
    _fill("against", game.opponents, game.opponent, *game.others)
    for menu, entries, chosen in (
        ("player-x", game.players, game.setup.x),
        ("player-o", game.players, game.setup.o),
        ("starting", game.starters, game.setup.starting),
    ):
        _fill(menu, entries, chosen)
    for menu, title in zip(("player-x", "player-o"), game.seats):
        set_text(by_id(menu).previousElementSibling, title)


def _scroll_to_note(is_wanted: bool) -> None:
    """Scroll to what is told, if it stands below the board."""
    if is_wanted and window.matchMedia(UPRIGHT).matches:
        by_id("note").scrollIntoView(options(block="nearest"))


def _show_graph(graph: GraphView | None, before: GraphView | None) -> None:
    by_id("graph").hidden = graph is None
    _scroll_to_note(graph is not None and before is None)
    if graph is not None:
        slider = by_id("graph-at")
        slider.max, slider.value = graph.total, graph.moment
        by_id("graph-picture").innerHTML = graph_markup(graph)


def graph_markup(graph: GraphView) -> str:
    """Return the graph as SVG: the first side's chances grow upwards, a dot marks a fault."""
    points = [(point.ply, round(100 * (1 - point.share), 1)) for point in graph.points]
    line = " ".join(f"{x},{y:g}" for x, y in points)
    first, last = points[0][0], points[-1][0]
    dots = "".join(
        f'<path class="fault" d="M{x} {y:g}h0"/>'
        for (x, y), point in zip(points, graph.points)
        if point.is_fault
    )
    above, below = map(escape, graph.sides)
    return (
        f'<span class="side">{above}</span><span class="side below">{below}</span>'
        f'<svg viewBox="0 0 {graph.total} 100" preserveAspectRatio="none">'
        f'<path class="even" d="M0 50H{graph.total}"/>'
        f'<polygon class="area" points="{first},50 {line} {last},50"/>'
        f'<polyline class="curve" points="{line}"/>{dots}'
        f'<path class="now" d="M{graph.moment} 0V100"/></svg>'
    )


def _show_idle(is_idle: bool, _before: object) -> None:
    by_id("play").toggleAttribute("data-idle", is_idle)
    by_id("replay-part").hidden = is_idle


def _fill(menu: str, entries: Entries, chosen: str, title: str = "", rest: Entries = ()) -> None:
    element = by_id(menu)
    shown = tuple((option.value, option.text) for option in element.options)
    if shown != (*entries, *rest):
        fill(element, [*entries], chosen)
        if rest:
            fill_group(element, title, rest)
    element.value = chosen
    if element.selectedIndex < 0:  # a game in which one side always starts
        element.selectedIndex = 0


def _press_way(chosen: str) -> None:
    for way in ("computer", "friend", "puzzle"):
        press(f"way-{way}", way == chosen)
    by_id("play").toggleAttribute("data-task", chosen == "puzzle")


def _text_writer(name: str) -> Callable[[str, object], None]:
    return lambda text, _before: set_text(by_id(name), text)


def _piece(piece: str, side: str) -> str:
    if not piece:
        return ""
    return f'{piece}<span class="unseen">{escape(side)} </span>'


def _sign(sign: str, fault: str) -> str:
    if not sign:
        return ""
    return f' <b aria-hidden="true">{sign}</b><span class="unseen">{escape(fault)}</span>'


#: A media query: what is told stands below the board, and may be out of sight.
UPRIGHT = "(orientation: portrait)"
#: What writes each part of a view; boards and lists of moves show themselves.
WRITERS: Mapping[str, Callable[[Any, Any], object]] = {
    "status": _text_writer("status"),
    "result": lambda result, _before: show_result(by_id("status"), result),
    "is_past": lambda is_past, _before: by_id("status").toggleAttribute("data-past", is_past),
    "refusal": _text_writer("refusal"),
    "note": _text_writer("note"),
    "is_explained": lambda is_on, _before: _scroll_to_note(is_on),
    "score": _text_writer("score"),
    "draws": _text_writer("draws"),
    "is_idle": _show_idle,
    "is_filming": lambda is_on, _before: press("film", is_on),
    "graph": _show_graph,
    "is_choosing": lambda is_on, _before: press("explain", is_on),
    "is_demonstrating": lambda is_on, _before: press("demonstrate", is_on),
    "way": lambda way, _before: _press_way(way),
    "game": _show_game,
    "buttons": lambda new, old: show_buttons(dict(new), dict(old or ())),
}
