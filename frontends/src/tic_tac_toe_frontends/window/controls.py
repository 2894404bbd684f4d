"""Words, rows of buttons and lists to choose from, which fit any width."""

from __future__ import annotations

import re
import tkinter as tk
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from tkinter import font, ttk

from .commands import Group

#: Space between two things beside each other, in pixels.
GAP = 8
#: The least width of a list, in letters.
LETTERS = 7
#: Room for the scrollbar of a list that opens and for its frame, and beside the words of a closed
#: list for its arrow, in pixels.
BAR, ARROW = 28, 32
#: Parts of a line of Chinese: a word in other letters, or a sign, with what may not begin a line.
PART = re.compile(
    r"\s*(?:[!-~]+|\S)[\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u2019\u201d\u2026]*"
)


class Words(ttk.Label):
    """Words that fill their lines: Tk breaks Chinese at its few spaces only."""

    _words, _room = "", 0

    def write(self, words: str) -> None:
        """Show other words."""
        if words != self._words:
            self._words = words
            self._break()

    def fit(self, room: int) -> None:
        """Break lines that are longer than ``room`` pixels."""
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
    """A frame whose children stand in columns, in as few rows as they fit in.

    The columns are of equal width, unless one needs more than that and another can give it.

    Args:
        enough: the pixels that are enough for a child that asks for more; 0 if none are.
    """

    def __init__(self, parent: tk.Misc, enough: int = 0) -> None:
        super().__init__(parent)
        self._enough = enough
        self._columns = 0
        self._shown: tuple[ttk.Widget, ...] | None = None
        self._most = 0
        self.bind("<Configure>", lambda event: self._arrange(event.width))

    def limit(self, most: int) -> None:
        """Have no more columns than this; as many as there is room for if it is 0."""
        if most != self._most:
            self._most, self._columns = most, 0
            self.arrange()

    def show(self, children: Iterable[ttk.Widget]) -> None:
        """Show these of the children; all of them unless this is called."""
        shown = (*children,)
        if shown != self._shown:
            for child in self._children():
                child.grid_remove()
            self._shown, self._columns = shown, 0
            self.arrange()

    def arrange(self) -> None:
        """Put the children where they belong, some of which may ask for another width."""
        self._arrange(self.winfo_width())

    def _children(self) -> tuple[ttk.Widget, ...]:
        if self._shown is not None:
            return self._shown
        return tuple(child for child in self.winfo_children() if isinstance(child, ttk.Widget))

    def _arrange(self, width: int) -> None:
        children = self._children()
        # Of a frame with parts the parts are asked: it hears of their widths only later.
        parts = [child.winfo_children() or [child] for child in children]
        asked = [max(part.winfo_reqwidth() for part in each) for each in parts]
        rows = -(-len(children) // (self._most or len(children)))
        while True:
            columns = -(-len(children) // rows)  # so that no row is much shorter than another
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
        more: three dots at the end of words that are cut; the list that opens has room for them.
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
        self.box.bind("<<ComboboxSelected>>", lambda _event: self._take())
        self._font = font.nametofont("TkDefaultFont", root=self)
        self.more = ttk.Label(self.box, text="…", style="Field.TLabel")
        self.more.bind("<Button-1>", lambda _event: self.tk.call("ttk::combobox::Post", self.box))
        self.box.bind("<Configure>", lambda _event: self._mark_cut())
        self.box.configure(postcommand=self._widen)
        for wheel in ("<MouseWheel>", "<Button-4>", "<Button-5>"):
            # Scrolling past a list must not begin another game.
            self.box.bind(wheel, lambda _event: "break")
        self.show(group)

    def show(self, group: Group) -> None:
        """Show what can be chosen now, and what is."""
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
        """Show three dots where words are cut."""
        if self._font.measure(self.box.get()) > self.box.winfo_width() - ARROW:
            self.more.place(relx=1, x=-ARROW // 2 - 4, rely=0.5, anchor="e")
        else:
            self.more.place_forget()

    def _widen(self) -> None:
        """Make the list that is about to open as wide as its longest entry, on the screen."""
        box = self.box
        wanted = max(map(self._font.measure, box.cget("values"))) + BAR
        extra = max(0, wanted - box.winfo_width())
        beyond = box.winfo_rootx() + box.winfo_width() + extra - box.winfo_screenwidth()
        offset = (-min(extra, max(0, beyond)), 0, extra, 0)
        ttk.Style(self).configure("TCombobox", postoffset=offset)

    def _take(self) -> None:
        self._choose(self._values[self.box.current()])
