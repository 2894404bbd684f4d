"""The widgets around the board, which fit any width."""

from __future__ import annotations

import re
import tkinter as tk
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from gettext import NullTranslations
from itertools import takewhile
from tkinter import font, ttk

from ..table.looking_back import ListedMove, Row, ValuePoint
from ..words.game_text import letter_title, special_title
from .commands import STEPS
from .palettes import Palette

#: The space between two widgets in pixels.
GAP = 8
#: Unbreakable parts of a text: a word, or a Chinese character, with punctuation that may not begin
#: a line.
PART = re.compile(
    r"\s*(?:[^\s\u2e80-\u9fff\uff00-\uffef]+|\S)"
    r"[\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u2019\u201d\u2026]*"
)


class Words(ttk.Label):
    """A label that wraps its text, also between Chinese characters: Tk would only break at spaces.

    Args:
        lines: the least number of lines, so that what is below stays in its place.

    Attributes:
        least: that number.
        words: the text.
    """

    def __init__(self, parent: tk.Misc, lines: int = 1, **options: str) -> None:
        super().__init__(parent, **options)  # type: ignore[arg-type]  # each option has a type of its own
        self.least = lines
        self.words, self._room = "", 0
        self._fonts: dict[str, font.Font] = {}

    def write(self, words: str) -> None:
        """Show another text."""
        if words != self.words:
            self.words = words
            self.wrap()

    def fit(self, room: int) -> None:
        """Wrap lines to ``room`` pixels."""
        if room != self._room:
            self._room = room
            self.wrap()

    def wrap(self) -> None:
        """Wrap the text again, in another style or with more lines."""
        name = str(self.cget("style")) or "TLabel"
        if name not in self._fonts:
            self._fonts[name] = font.Font(root=self, font=ttk.Style(self).lookup(name, "font"))
        letters = self._fonts[name]
        lines = [""]
        fits = letters.measure(self.words) <= self._room
        for part in [self.words] if fits else PART.findall(self.words):
            if lines[-1] and letters.measure(lines[-1] + part) > self._room > 0:
                lines.append("")
            lines[-1] += part if lines[-1] else part.lstrip()
        lines += [""] * (self.least - len(lines))
        self.configure(text="\n".join(lines))


class Columns(ttk.Frame):
    """A frame that arranges its children in as few rows as possible."""

    def __init__(self, parent: tk.Misc) -> None:
        super().__init__(parent)
        self.children_shown: tuple[ttk.Widget, ...] = ()
        self.bind("<Configure>", lambda event: self._arrange(event.width))

    def show(self, children: Iterable[ttk.Widget]) -> None:
        """Show only these children, in this order."""
        for child in self.children_shown:
            child.grid_remove()
        self.children_shown = (*children,)
        self._arrange(self.winfo_width())

    def _arrange(self, width: int) -> None:
        children = self.children_shown
        asked = [child.winfo_reqwidth() for child in children]
        rows = 1
        while rows < len(children):
            columns = -(-len(children) // rows)  # rows of similar length
            wanted = [max(asked[column::columns]) for column in range(columns)]
            if sum(wanted) + GAP * (columns - 1) <= width:
                break
            rows += 1
        columns = -(-len(children) // rows) if children else 0
        for column in range(max(columns, self.grid_size()[0])):
            self.columnconfigure(column, weight=int(column < columns))
        for index, child in enumerate(children):
            row, column = divmod(index, columns)
            across, down = (GAP if column else 0, 0), (GAP // 2 if row else 0, 0)
            child.grid(row=row, column=column, sticky="ew", padx=across, pady=down)


class Bar(Columns):
    """The buttons of commands: those that fit, or all of them in rows.

    Args:
        press: called with the name of a command.
        names: of the commands.
    """

    def __init__(
        self, parent: tk.Misc, press: Callable[[str], object], names: Iterable[str]
    ) -> None:
        super().__init__(parent)
        self.buttons = {name: ttk.Button(self, command=partial(press, name)) for name in names}
        self._shown: tuple[object, ...] = ()
        self._offered: Mapping[str, str] = {}
        self._useless: Collection[str] = ()
        self._room, self._is_single = 0, True

    def offer(self, titles: Mapping[str, str], useless: Collection[str], primary: str) -> None:
        """Show buttons with their titles, the most important first.

        Args:
            useless: buttons without an effect now: pale, or left out if there is no room.
            primary: the button that stands out.
        """
        offered = ([*titles.items()], useless, primary)
        if offered == self._shown:
            return
        self._shown = offered
        for name, button in self.buttons.items():
            style = "Primary.TButton" if name == primary else "TButton"
            button.configure(text=titles.get(name, ""), style=style)
            button.state(["disabled" if name in useless else "!disabled"])
        self._offered, self._useless = titles, useless
        self._fill()

    def fit(self, room: int, *, single: bool) -> None:
        """Fill a single row of ``room`` pixels, or as many rows as needed."""
        if (room, single) != (self._room, self._is_single):
            self._room, self._is_single = room, single
            self._fill()

    def _fill(self) -> None:
        room = self._room
        names = [*self._offered]
        if self._is_single:
            names, room = [], self._room + GAP
            for name in sorted(self._offered, key=lambda name: name in self._useless):
                room -= self.buttons[name].winfo_reqwidth() + GAP
                if room < 0:
                    break
                names.append(name)
            names.sort(key=[*self._offered].index)
        shown = tuple(self.buttons[name] for name in names)
        if shown != self.children_shown:
            self.show(shown)


#: The height of the graph, its margin and the radius of its points, in pixels.
GRAPH, EDGE, POINT = 56, 6, 3


class Graph(tk.Canvas):
    """The graph of a reviewed game's value; a click shows the position there.

    Args:
        look_back: called with the ply of the position to show.
    """

    def __init__(
        self, parent: tk.Misc, palette: Palette, look_back: Callable[[int], object]
    ) -> None:
        super().__init__(
            parent, height=GRAPH, background=palette.paper, highlightthickness=0, cursor="hand2"
        )
        self._palette = palette
        self._points: Sequence[ValuePoint] = ()
        self._plies, self._moment = 1, 0
        self.bind("<Configure>", lambda _event: self._draw())
        self.bind("<Button-1>", lambda event: look_back(self.ply_at(event.x)))

    def show(self, points: Sequence[ValuePoint], plies: int, moment: int) -> None:
        """Show the value of the first side in a game.

        Args:
            plies: the number of moves in the game.
            moment: the number of moves before the shown position.
        """
        shown = (points, max(plies, 1), moment)
        if shown != (self._points, self._plies, self._moment):
            self._points, self._plies, self._moment = shown
            self._draw()

    def ply_at(self, x: float) -> int:
        """Return the number of moves before the position at a place."""
        share = (x - EDGE) / max(self.winfo_width() - 2 * EDGE, 1)
        return round(min(max(share, 0), 1) * self._plies)

    def place_of(self, ply: int, share: float) -> tuple[float, float]:
        """Return the place of a point."""
        width, height = self.winfo_width() - 2 * EDGE, self.winfo_height() - 2 * EDGE
        return EDGE + width * ply / self._plies, EDGE + height * (1 - share)

    def _draw(self) -> None:
        palette = self._palette
        self.delete("all")
        self.create_line(
            *self.place_of(0, 0.5), *self.place_of(self._plies, 0.5), fill=palette.line
        )
        x, _ = self.place_of(self._moment, 0)
        self.create_line(x, 0, x, self.winfo_height(), fill=palette.focus, width=2)
        places = [self.place_of(point.ply, point.share) for point in self._points]
        if len(places) > 1:
            self.create_line(*places, fill=palette.ink, width=2)
        for point, (x, y) in zip(self._points, places):
            if point.is_fault or not point.is_exact:
                box = (x - POINT, y - POINT, x + POINT, y + POINT)
                fill = palette.loss if point.is_fault else palette.paper
                self.create_oval(
                    *box, fill=fill, outline=palette.loss if point.is_fault else palette.line
                )


class MoveChoice(ttk.Frame):
    """A switch between letters and a button for each move that places nothing.

    It keeps its size during a game, so that the board does not move: an unusable button leaves a
        gap.

    Args:
        choose: called with the chosen letter.
        play: called with the name of a move that places nothing.
        chosen: holds the letter to place; it outlives the switch.
    """

    def __init__(
        self,
        parent: tk.Misc,
        language: NullTranslations,
        choose: Callable[[str], object],
        play: Callable[[str], object],
        chosen: tk.StringVar,
    ) -> None:
        super().__init__(parent)
        self._language = language
        self._choose = choose
        self._play = play
        self._offered: tuple[Sequence[str], Sequence[str]] = ((), ())
        self._stands = True
        self._chosen = chosen
        self.letters: dict[str, ttk.Radiobutton] = {}
        self.specials: dict[str, ttk.Button] = {}
        self._parts: list[ttk.Widget] = []

    def show(
        self, letters: Sequence[str], letter: str, specials: Sequence[str], possible: Sequence[str]
    ) -> None:
        """Show the choices.

        Args:
            letters: to choose from.
            specials: the moves of the game that place nothing.
            possible: the legal ones.
        """
        if (letters, specials) != self._offered:
            self._offered = letters, specials
            self._make(letters, specials)
        self._chosen.set(letter)
        for name, button in self.specials.items():
            if name in possible:
                button.place(x=0, y=0, relwidth=1, relheight=1)
            else:
                button.place_forget()

    @property
    def is_empty(self) -> bool:
        """Whether the game has no such choices."""
        return not any(self._offered)

    def extent(self, *, standing: bool) -> tuple[int, int]:
        """Return the width and height in pixels, stacked or in a row."""
        sizes = [(one.winfo_reqwidth(), one.winfo_reqheight()) for one in self._parts]
        if not sizes:
            return 0, 0
        (widths, heights), gaps = zip(*sizes), GAP * (len(sizes) - 1)
        if standing:
            return max(widths), sum(heights) + gaps
        return sum(widths) + gaps, max(heights)

    def arrange(self, *, standing: bool) -> None:
        """Stack the widgets, or put them in a row."""
        if standing is self._stands:
            return
        self._stands = standing
        self._arrange()

    def _arrange(self) -> None:
        standing = self._stands
        for index, part in enumerate(self._parts):
            gap = (GAP if index else 0, 0)
            if standing:
                part.grid_configure(row=index, column=0, sticky="w", pady=gap, padx=0)
            else:
                part.grid_configure(row=0, column=index, sticky="w", padx=gap, pady=0)

    def _make(self, letters: Sequence[str], specials: Sequence[str]) -> None:
        for part in self._parts:
            part.destroy()
        self.letters = {
            letter: ttk.Radiobutton(
                self,
                text=letter_title(letter, self._language),
                value=letter,
                variable=self._chosen,
                style="Letter.TRadiobutton",
                command=partial(self._choose, letter),
            )
            for letter in letters
        }
        self._parts = [*self.letters.values()]
        self.specials = {}
        for name in specials:
            frame = ttk.Frame(self)  # keeps the place of a hidden button
            title = special_title(name, self._language)
            button = ttk.Button(frame, text=title, command=partial(self._play, name))
            frame.configure(width=button.winfo_reqwidth(), height=button.winfo_reqheight())
            self.specials[name] = button
            self._parts.append(frame)
        self._arrange()


#: The minimum width of a side's column in pixels.
MOVE_WIDTH = 54


class MoveList(ttk.Frame):
    """The list of moves, the first side's on the left.

    A click on a move shows the position after it; the buttons below step through the game.

    Args:
        look_back: called with the ply of the position to show.
        press: called with the name of a command of `STEPS`.
    """

    def __init__(
        self,
        parent: tk.Misc,
        look_back: Callable[[int], object],
        press: Callable[[str], object],
    ) -> None:
        super().__init__(parent)
        self._look_back = look_back
        below = ttk.Frame(self)
        below.pack(side="bottom", fill="x", pady=(6, 0))
        self.buttons = {
            name: ttk.Button(below, text=sign, style="Step.TButton", command=partial(press, name))
            for name, sign in STEPS.items()
        }
        for place, button in enumerate(self.buttons.values()):
            below.columnconfigure(place, weight=1, uniform="all")
            button.grid(row=0, column=place, sticky="ew")
        columns = ("number", "first", "second")
        self.tree = ttk.Treeview(self, columns=columns, show="headings", takefocus=False)
        self.tree.configure(selectmode="none", height=1)
        for column, width in zip(columns, (34, MOVE_WIDTH, MOVE_WIDTH)):
            self.tree.column(column, width=width, anchor="center", stretch=column != "number")
        scrollbar = ttk.Scrollbar(self, command=self.tree.yview)
        self.tree.configure(yscrollcommand=scrollbar.set)
        scrollbar.pack(side="right", fill="y")
        self.tree.pack(side="left", fill="both", expand=True)
        self.tree.bind("<Button-1>", self._on_click)
        self._rows: list[Row] = []
        self._sides = ("", "")
        self._lines: list[tuple[str, str, str]] = []

    def show(self, sides: tuple[str, str], rows: Iterable[Row], signs: Mapping[int, str]) -> None:
        """Show the moves of a game, on the left those of the first side.

        A sign precedes the last move before a shown past position.

        Args:
            signs: after moves, by ply.
        """
        self._rows = [*rows]
        if sides != self._sides:
            self._sides = sides
            letters = font.nametofont("TkHeadingFont", root=self)
            for column, name in zip(("first", "second"), sides):
                width = max(MOVE_WIDTH, letters.measure(name) + 12)
                self.tree.heading(column, text=name)
                self.tree.column(column, width=width)
        lines = [_cells(row, signs) for row in self._rows]
        pairs = zip(lines, self._lines)
        kept = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        self.tree.delete(*self.tree.get_children()[kept:])
        for line in lines[kept:]:
            self.tree.insert("", "end", values=line)
        if lines != self._lines:
            self._scroll_to(len(lines))
        self._lines = lines

    def _scroll_to(self, count: int) -> None:
        """Scroll to the move of the shown position, else to the last one."""
        current = [
            index
            for index, row in enumerate(self._rows)
            if any(move is not None and move.current for move in row[1:])
        ]
        if current:
            self.tree.see(self.tree.get_children()[current[0]])
        elif count:
            self.tree.yview_moveto(1.0)

    def _on_click(self, event: tk.Event[ttk.Treeview]) -> str:
        row, column = self.tree.identify_row(event.y), self.tree.identify_column(event.x)
        if row and column in ("#2", "#3"):
            move = self._rows[self.tree.index(row)][int(column[1:]) - 1]
            if isinstance(move, ListedMove):
                self._look_back(move.ply)
        return "break"


def _cells(row: Row, signs: Mapping[int, str]) -> tuple[str, str, str]:
    first, second = (_move_text(move, signs) if move else "" for move in (row.first, row.second))
    return str(row.number), first or "…", second


def _move_text(move: ListedMove, signs: Mapping[int, str]) -> str:
    return f"{'▸' if move.current else ''}{move.name} {signs.get(move.ply, '')}".rstrip()
