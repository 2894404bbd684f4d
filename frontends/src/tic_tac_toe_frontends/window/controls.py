"""The widgets around the board, which fit any width."""

from __future__ import annotations

import re
import tkinter as tk
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from gettext import NullTranslations
from itertools import takewhile
from tkinter import font, ttk

from ..table.looking_back import ListedMove, Row
from ..words.game_text import letter_title, special_title
from .commands import STEPS, Group

#: The space between two widgets in pixels.
GAP = 8
#: The minimum width of a list in characters.
LETTERS = 7
#: The width of an open list's scrollbar and frame, and of a closed list's arrow, in pixels.
BAR, ARROW = 28, 32
#: Unbreakable parts of Chinese: a foreign word or a character, with punctuation that may not begin
#: a line.
PART = re.compile(
    r"\s*(?:[!-~]+|\S)[\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u2019\u201d\u2026]*"
)


class Words(ttk.Label):
    """A label that wraps Chinese between characters: Tk would only break at spaces."""

    _words, _room = "", 0

    def write(self, words: str) -> None:
        """Show another text."""
        if words != self._words:
            self._words = words
            self._break()

    def fit(self, room: int) -> None:
        """Wrap lines to ``room`` pixels."""
        if room != self._room:
            self._room = room
            self.configure(wraplength=room)
            self._break()

    def _break(self) -> None:
        lines = [self._words]
        if any(unicodedata.east_asian_width(sign) in "WF" for sign in self._words):
            name = str(self.cget("style")) or "TLabel"
            letters = font.Font(root=self, font=ttk.Style(self).lookup(name, "font"))
            lines = [""]
            for part in PART.findall(self._words):
                if lines[-1] and letters.measure(lines[-1] + part) > self._room > 0:
                    lines.append("")
                lines[-1] += part if lines[-1] else part.lstrip()
        self.configure(text="\n".join(lines))


class Columns(ttk.Frame):
    """A frame that arranges its children in columns, in as few rows as possible.

    The columns have equal widths, unless one needs more and another one less.

    Args:
        enough: the maximum request of a child that counts, in pixels; 0 for no maximum.
    """

    def __init__(self, parent: tk.Misc, enough: int = 0) -> None:
        super().__init__(parent)
        self._enough = enough
        self._columns = 0
        self._shown: tuple[ttk.Widget, ...] | None = None
        self._most = 0
        self.bind("<Configure>", lambda event: self._arrange(event.width))

    def limit(self, most: int) -> None:
        """Set the maximum number of columns; 0 for as many as fit."""
        if most != self._most:
            self._most, self._columns = most, 0
            self.arrange()

    def show(self, children: Iterable[ttk.Widget]) -> None:
        """Show only these children; by default all."""
        shown = (*children,)
        if shown != self._shown:
            for child in self._children():
                child.grid_remove()
            self._shown, self._columns = shown, 0
            self.arrange()

    def arrange(self) -> None:
        """Arrange the children again, whose requested widths may have changed."""
        self._arrange(self.winfo_width())

    def _children(self) -> tuple[ttk.Widget, ...]:
        if self._shown is not None:
            return self._shown
        return tuple(child for child in self.winfo_children() if isinstance(child, ttk.Widget))

    def _arrange(self, width: int) -> None:
        children = self._children()
        # Ask the parts of a frame: the frame itself learns their widths only later.
        parts = [child.winfo_children() or [child] for child in children]
        asked = [max(part.winfo_reqwidth() for part in each) for each in parts]
        rows = -(-len(children) // (self._most or len(children)))
        while True:
            columns = -(-len(children) // rows)  # rows of similar length
            wanted = [max(asked[column::columns]) for column in range(columns)]
            least = [min(each, self._enough or each) for each in wanted]
            if columns == 1 or _total(least) <= width:
                break
            rows += 1
        is_even = not _total(wanted) <= width < _total([max(wanted)] * columns)
        for column in range(max(columns, self.grid_size()[0])):
            is_used = column < columns
            self.columnconfigure(
                column,
                weight=int(is_used),
                uniform="all" if is_used and is_even else "",
                minsize=least[column] if is_used else 0,
            )
        if columns == self._columns:
            return
        self._columns = columns
        for index, child in enumerate(children):
            row, column = divmod(index, columns)
            child.grid_configure(
                row=row,
                column=column,
                sticky="ew",
                padx=(GAP if column else 0, 0),
                pady=(GAP // 2 if row else 0, 0),
            )


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


class Choice(ttk.Frame):
    """A list to choose from, with its title above.

    Attributes:
        more: three dots after a cut title; the open list shows it in full.
    """

    def __init__(
        self, parent: tk.Misc, group: Group, style: str, choose: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self._group: Group | None = None
        self._values: tuple[str, ...] = ()
        self._choose = choose
        self.title = ttk.Label(self, style=style)
        self.title.pack(anchor="w")
        self.box = ttk.Combobox(self, state="readonly", width=LETTERS)
        self.box.pack(fill="x")
        self.box.bind("<<ComboboxSelected>>", lambda _event: self._choose_selected())
        self._font = font.nametofont("TkDefaultFont", root=self)
        self.more = ttk.Label(self.box, text="…", style="Field.TLabel")
        self.more.bind("<Button-1>", lambda _event: self.tk.call("ttk::combobox::Post", self.box))
        self.box.bind("<Configure>", lambda _event: self._mark_cut())
        self.box.configure(postcommand=self._widen)
        for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
            # Scrolling over a list must not start another game.
            self.box.bind(wheel, lambda _event: "break")
        self.show(group)

    def show(self, group: Group) -> None:
        """Show the options and the chosen one."""
        if group == self._group:
            return
        self._group = group
        self._values, titles = zip(*group.options)
        self.title.configure(text=group.title)
        self.box.configure(values=titles)
        self.box.current(self._values.index(group.chosen))
        self.box.selection_clear()
        letters = -(-self._font.measure(self.box.get()) // self._font.measure("0"))
        self.box.configure(width=max(LETTERS, letters))
        self._mark_cut()

    def _mark_cut(self) -> None:
        if self._font.measure(self.box.get()) > self.box.winfo_width() - ARROW:
            self.more.place(relx=1, x=-ARROW // 2 - 4, rely=0.5, anchor="e")
        else:
            self.more.place_forget()

    def _widen(self) -> None:
        """Make the list that opens as wide as its longest entry, within the screen."""
        box = self.box
        wanted = max(map(self._font.measure, box.cget("values"))) + BAR
        extra = max(0, wanted - box.winfo_width())
        beyond = box.winfo_rootx() + box.winfo_width() + extra - box.winfo_screenwidth()
        offset = (-min(extra, max(0, beyond)), 0, extra, 0)
        ttk.Style(self).configure("TCombobox", postoffset=offset)

    def _choose_selected(self) -> None:
        self._choose(self._values[self.box.current()])


#: The width of the progress bar in pixels.
THOUGHT_BAR = 110


class Offers(ttk.Frame):
    """Buttons that are shown only while they have an effect, in a row if there is room.

    Args:
        actions: the functions of the buttons by name, in their order.

    Attributes:
        shown: the texts of shown buttons by name.
    """

    def __init__(self, parent: tk.Misc, actions: Mapping[str, Callable[[], object]]) -> None:
        super().__init__(parent)
        self.shown: dict[str, str] = {}
        self._room = 0
        self._is_measuring = False
        self.bar = ttk.Progressbar(self, length=THOUGHT_BAR, maximum=1.0)
        self.buttons = {
            name: ttk.Button(self, style="Offer.TButton", command=action)
            for name, action in actions.items()
        }

    @property
    def height(self) -> int:
        """The height of a row of buttons in pixels."""
        return max(button.winfo_reqheight() for button in self.buttons.values())

    @property
    def needed(self) -> int:
        """The width of a row of the shown buttons in pixels; 0 for none."""
        bar = THOUGHT_BAR + GAP if "now" in self.shown else 0  # it comes without further notice
        return bar + sum(self.buttons[name].winfo_reqwidth() + GAP for name in self.shown)

    def measure(self, share: float | None) -> None:
        """Show the progress of a search; ``None`` hides the bar."""
        if share is not None:
            self.bar.configure(value=share)
        if self._is_measuring is not (share is not None):
            self._is_measuring = share is not None
            self._arrange()

    def show(self, titles: Mapping[str, str]) -> None:
        """Show only the buttons with a title."""
        if titles != self.shown:
            self.shown = dict(titles)
            for name, title in titles.items():
                self.buttons[name].configure(text=title)
            self._arrange()

    def fit(self, room: int) -> None:
        """Stack the buttons if they do not fit into a row of ``room`` pixels."""
        if room != self._room:
            self._room = room
            self._arrange()

    def _arrange(self) -> None:
        for part in (self.bar, *self.buttons.values()):
            part.pack_forget()
        stand = self.needed > self._room
        shown = [button for name, button in self.buttons.items() if name in self.shown]
        for part in (*shown, *([self.bar] if self._is_measuring else [])):
            part.pack(side="top" if stand else "left", fill="x", padx=0 if stand else GAP // 2)


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
        steps: the functions of the buttons, by the names of `STEPS`.
    """

    def __init__(
        self,
        parent: tk.Misc,
        look_back: Callable[[int], object],
        steps: Mapping[str, Callable[[], object]],
    ) -> None:
        super().__init__(parent)
        self._look_back = look_back
        below = ttk.Frame(self)
        below.pack(side="bottom", fill="x", pady=(6, 0))
        self.buttons = {
            name: ttk.Button(below, text=sign, style="Step.TButton", command=steps[name])
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

    def allow(self, steps: Container[str]) -> None:
        """Enable the possible steps, and the film if there are moves."""
        for name, button in self.buttons.items():
            button.state(["!disabled" if name in steps else "disabled"])

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
