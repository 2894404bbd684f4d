"""Dialogs: help, another size, the name of a file."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from gettext import NullTranslations
from tkinter import filedialog, ttk

from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import FLAGS as FLAG_NAMES
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.traits import Digits, letters, traits_of
from tic_tac_toe.logic.shapes import MAXIMUM_SIDE
from tic_tac_toe.pictures.board import looks_for
from tic_tac_toe.pictures.shapes import Picture

from ..table.commands import key_rows
from ..table.games import Game, Size, Tile, is_possible, tiles
from ..words.how_to_win import how_to_win
from ..words.refusal_text import refusal_text
from ..words.rules_text import FLAGS, describe_rules, variant_title
from ..words.translation import N_, as_sentence
from .commands import LETTER_KEYS, key_title
from .palettes import Palette
from .scene import Scene
from .styles import NORMAL, family_of, menu_colours

#: The padding of a dialog in pixels.
PADDING = 16


class Dialog(tk.Toplevel):
    """A modal window; Escape closes it."""

    def __init__(self, parent: tk.Tk, title: str) -> None:
        super().__init__(parent, background=parent["background"])
        self.withdraw()
        self.title(title)
        self.transient(parent)
        self.resizable(width=False, height=False)
        self.content = ttk.Frame(self, padding=PADDING)
        self.content.pack(fill="both", expand=True)
        self.bind("<Escape>", lambda _event: self.destroy())

    def add_buttons(self, title: str, action: Callable[[], object], cancel: str) -> None:
        """Add a row with two buttons; Enter does the action, as its button."""
        buttons = ttk.Frame(self.content)
        buttons.grid(column=0, columnspan=2, sticky="e", pady=(14, 0))
        ttk.Button(buttons, text=cancel, command=self.destroy).pack(side="left", padx=(0, 8))
        ttk.Button(buttons, text=title, command=action).pack(side="left")
        for key in ("<Return>", "<KP_Enter>"):
            self.bind(key, lambda _event: action())

    def open(self, first: tk.Misc) -> None:
        """Show the dialog over the middle of its parent, and grab all input.

        Args:
            first: the widget that gets the focus.
        """
        parent = self.master
        self.update_idletasks()
        x = parent.winfo_rootx() + (parent.winfo_width() - self.winfo_reqwidth()) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - self.winfo_reqheight()) // 3
        x = min(x, self.winfo_screenwidth() - self.winfo_reqwidth())
        y = min(y, self.winfo_screenheight() - self.winfo_reqheight())
        self.geometry(f"+{max(x, 0)}+{max(y, 0)}")
        self.deiconify()
        if parent.winfo_viewable():
            self.wait_visibility()
            self.grab_set()
        first.focus_set()


#: The width of the text in characters, and its maximum height in lines.
WIDTH, MOST_LINES = 64, 24
#: The keys of the board, the most important first.
BOARD_KEYS = (
    (N_("Arrows, Enter"), N_("choose a cell with the keyboard and play there")),
    (N_("Wheel, right button"), N_("look closer at a board with small cells, and move it")),
    (N_("Tab"), N_("go on to the next button or list")),
    (N_("Esc"), N_("forget a hint")),
)


class HelpDialog(Dialog):
    """Shows the rules and the keys."""

    def __init__(
        self, parent: tk.Tk, rules: Rules, language: NullTranslations, palette: Palette
    ) -> None:
        _ = language.gettext
        super().__init__(parent, _("Help"))
        family = family_of(parent)
        self.text = tk.Text(
            self.content,
            width=WIDTH,
            wrap="word",
            font=(family, NORMAL),
            background=palette.surface,
            foreground=palette.ink,
            borderwidth=0,
            highlightthickness=0,
            padx=12,
            pady=8,
            tabs=("4.5c",),
        )
        self.text.tag_configure("title", font=(family, NORMAL, "bold"), spacing1=8, spacing3=4)
        self.text.tag_configure("key", lmargin2="4.5c")
        self.text.insert("end", f"{variant_title(rules, language)}\n", "title")
        self.text.insert("end", f"{as_sentence(describe_rules(rules, language), language)}\n")
        for line in (*how_to_win(rules, language), *describe_play(rules, language)):
            self.text.insert("end", f"{line}\n")
        self.text.insert("end", _("Keys"), "title")
        self.text.insert("end", "\n")
        for key, meaning in key_lines(language):
            self.text.insert("end", f"{key}\t{meaning}\n", "key")
        lines = int(str(self.text.index("end-1c")).split(".")[0])
        self.text.configure(state="disabled", height=min(lines + 6, MOST_LINES, _room(parent)))
        scrollbar = ttk.Scrollbar(self.content, command=self.text.yview)
        self.text.configure(yscrollcommand=scrollbar.set)
        close = ttk.Button(self.content, text=_("Close"), command=self.destroy)
        close.pack(side="bottom", anchor="e", pady=(12, 0))
        scrollbar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="both", expand=True)
        self.bind("<Return>", lambda _event: self.destroy())
        for key, scroll in {
            "Up": (-1, "units"),
            "Down": (1, "units"),
            "Prior": (-1, "pages"),
            "Next": (1, "pages"),
        }.items():
            self.bind(f"<{key}>", partial(self._scroll, *scroll))
        self.open(close)

    def _scroll(self, amount: int, unit: str, _event: object) -> None:
        self.text.tk.call(self.text, "yview", "scroll", amount, unit)


def describe_play(rules: Rules, language: NullTranslations) -> list[str]:
    """Return how to make moves in a game."""
    _, traits = language.gettext, traits_of(rules)
    lines = []
    if traits.digits is Digits.COLUMNS:
        lines.append(_("Click a column, or press its number."))
    elif traits.digits is Digits.NUMBER_PAD:
        lines.append(
            _("Click a cell, or press a digit as on a number pad: 7 is A1, 5 the centre, 3 is C3.")
        )
    else:
        lines.append(_("Click a cell."))
    if letters(rules):
        message = _("The keys {x} and {o} choose the letter that you place.")
        lines.append(message.format(x=LETTER_KEYS["X"][0].upper(), o=LETTER_KEYS["O"][0].upper()))
    return lines


def key_lines(language: NullTranslations) -> Iterable[tuple[str, str]]:
    """Yield the keys of the window with their meanings."""
    _ = language.gettext
    for key, meaning in BOARD_KEYS:
        yield _(key), _(meaning)
    for key, word, meaning in key_rows("window", language).values():
        yield key_title(key), f"{word}: {meaning}"


def _room(parent: tk.Tk) -> int:
    return max(8, (parent.winfo_screenheight() - 220) // 20)


#: The maximum width of a refusal in pixels.
WORDS_WIDTH = 340


#: The side of a tile's picture and half the gap between two, in pixels, and the tiles of a row.
TILE, GAP, TILES = 112, 8, 5


class GamesDialog(Dialog):
    """Asks for a game, by pictures of the families.

    A family of several games opens the menu of these.

    Args:
        choose: called with the name of the chosen game.
        ask_size: asks for a board of any size.

    Attributes:
        tiles: the pictures, by the titles of families.
    """

    def __init__(
        self,
        parent: tk.Tk,
        choose: Callable[[str], object],
        ask_size: Callable[[], object],
        language: NullTranslations,
        palette: Palette,
    ) -> None:
        _ = language.gettext
        super().__init__(parent, _("Choose a game"))
        self._choose, self._palette = choose, palette
        self._scenes: list[Scene] = []
        self.tiles: dict[str, tk.Canvas] = {}
        families = tiles(language)
        for index, tile in enumerate(families):
            row, column = divmod(index, TILES)
            self._add_tile(tile).grid(row=row, column=column, padx=GAP, pady=GAP, sticky="n")
        below = ttk.Frame(self.content)
        below.grid(columnspan=TILES, sticky="e", pady=(12, 0))
        for title, action in ((_("Another size …"), ask_size), (_("Cancel"), None)):
            button = ttk.Button(below, text=title, command=partial(self._leave, action))
            button.pack(side="left", padx=(8, 0))
        self.open(next(iter(self.tiles.values())))
        self.update_idletasks()  # so that the pictures know their sizes
        for tile, canvas in zip(families, self.tiles.values()):
            look = looks_for(tile.picture.rules)[0]
            scene = Scene(canvas, palette, family_of(parent))
            scene.draw(Picture(tile.picture, look=look, names=False))
            self._scenes.append(scene)

    def press(self, games: Sequence[Game], canvas: tk.Canvas) -> None:
        """Choose the game of a family, or open the menu of its games."""
        if len(games) == 1:
            self._leave(partial(self._choose, games[0].name))
            return
        menu = tk.Menu(self, menu_colours(self._palette), tearoff=False)
        for game in games:
            action = partial(self._leave, partial(self._choose, game.name))
            menu.add_command(label=game.title, command=action)
        menu.tk_popup(canvas.winfo_rootx(), canvas.winfo_rooty() + canvas.winfo_height())

    def _add_tile(self, tile: Tile) -> ttk.Frame:
        frame = ttk.Frame(self.content)
        canvas = tk.Canvas(
            frame,
            width=TILE,
            height=TILE,
            background=self._palette.ground,
            highlightthickness=2,
            highlightbackground=self._palette.ground,
            highlightcolor=self._palette.focus,
            takefocus=True,
            cursor="hand2",
        )
        canvas.pack()
        more = "\N{NO-BREAK SPACE}▾" if len(tile.games) > 1 else ""
        text = f"{tile.title}{more}"
        label = ttk.Label(frame, text=text, wraplength=TILE + 2 * GAP, justify="center")
        label.pack()
        press = partial(self.press, tile.games, canvas)
        for widget in (canvas, label):
            widget.bind("<Button-1>", lambda _event: press())
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            canvas.bind(key, lambda _event: press())
        self.tiles[tile.title] = canvas
        return frame

    def destroy(self) -> None:
        """Destroy the dialog and its pictures."""
        for scene in self._scenes:
            scene.close()
        self._scenes.clear()
        super().destroy()

    def _leave(self, action: Callable[[], object] | None) -> None:
        self.destroy()
        if action is not None:
            action()


class SizeDialog(Dialog):
    """Asks for columns, rows, the length of a line, and flags.

    Flags that do not fit the chosen ones are disabled.

    Args:
        rules: the game with the first values.
        choose: called with the chosen valid rules.
    """

    def __init__(
        self,
        parent: tk.Tk,
        rules: Rules,
        choose: Callable[[Rules], object],
        language: NullTranslations,
    ) -> None:
        _ = language.gettext
        super().__init__(parent, _("Another size …"))
        self._language = language
        self._choose = choose
        frame = self.content
        shape, traits = rules.shape, traits_of(rules)
        self.numbers = [
            self._add_number(frame, 0, _("columns"), shape.columns),
            self._add_number(frame, 1, _("rows"), shape.rows),
            self._add_number(frame, 2, _("line length"), traits.length or 1),
        ]
        self.flags = {
            flag: self._add_flag(frame, row, _(FLAGS[flag]), flag in traits.flags)
            for row, flag in enumerate(FLAG_NAMES, start=len(self.numbers))
        }
        self._offer_flags()
        self.problem = ttk.Label(frame, style="Refusal.TLabel", wraplength=WORDS_WIDTH)
        self.problem.grid(column=0, columnspan=2, sticky="w", pady=(8, 0))
        self.add_buttons(_("New game"), self.start_game, _("Cancel"))
        self.open(self.numbers[0])

    def start_game(self) -> None:
        """Start the entered game, or show what is wrong with it."""
        numbers = ",".join(box.get().strip() or "-" for box in self.numbers)
        try:
            rules = find_rules(",".join([f"mnk:{numbers}", *self._chosen_flags]))
        except InvalidVariant as error:
            self.problem.configure(text=refusal_text(error, self._language))
            return
        self.destroy()
        self._choose(rules)

    def _add_number(self, frame: ttk.Frame, row: int, title: str, value: int) -> ttk.Spinbox:
        ttk.Label(frame, text=title).grid(row=row, column=0, sticky="w", pady=3, padx=(0, 16))
        box = ttk.Spinbox(frame, from_=1, to=MAXIMUM_SIDE, width=5)
        box.set(value)
        box.grid(row=row, column=1, sticky="e", pady=3)
        return box

    def _add_flag(self, frame: ttk.Frame, row: int, title: str, chosen: bool) -> ttk.Checkbutton:
        # The widget itself keeps its state: a variable would outlive it.
        box = ttk.Checkbutton(frame, text=title, takefocus=True, command=self._offer_flags)
        box.state(["!alternate", "selected" if chosen else "!selected"])
        box.grid(row=row, column=0, columnspan=2, sticky="w")
        return box

    @property
    def _chosen_flags(self) -> list[str]:
        return [flag for flag, box in self.flags.items() if box.instate(["selected"])]

    def _offer_flags(self) -> None:
        chosen = self._chosen_flags
        for flag, box in self.flags.items():
            if flag not in chosen:
                size = Size(3, 3, 3, frozenset([*chosen, flag]))
                box.state(["!disabled" if is_possible(size) else "disabled"])


#: The interval of attempts to end a dialog, in milliseconds.
PERSISTENCE = 50


class FileDialogs:
    """Asks for one file at a time.

    Args:
        closed: called if the window was closed while a dialog was open.
    """

    def __init__(self, root: tk.Tk, closed: Callable[[], object]) -> None:
        self._root = root
        self._closed = closed
        self._asks = False
        self._closes = False

    def open(self, use: Callable[[str], object], language: NullTranslations) -> None:
        """Ask for a file to read, and use its name."""
        self._ask(filedialog.askopenfilename, use, language)

    def save(self, use: Callable[[str], object], language: NullTranslations) -> None:
        """Ask for a file to write, and use its name."""
        self._ask(filedialog.asksaveasfilename, use, language)

    def cancel(self) -> bool:
        """Return whether a dialog is open; if so, end it, and call ``closed`` afterwards."""
        if not self._asks:
            return False
        self._closes = True
        self._end_wait()
        return True

    def _end_wait(self) -> None:
        """Make Tk leave its own loop, in which it waits for an answer.

        Before the dialog is visible, Tk does not wait yet and would miss this: so it is repeated.
        """
        if self._asks:
            self._root.setvar("::tk::Priv(selectFilePath)", "")
            self._root.after(PERSISTENCE, self._end_wait)

    def _ask(
        self, ask: Callable[..., str], use: Callable[[str], object], language: NullTranslations
    ) -> None:
        if self._asks:
            return
        _ = language.gettext
        kinds = [(_("Recorded games"), "*.txt *.json *.jsonl"), (_("All files"), "*")]
        self._asks = True
        name = ask(parent=self._root, filetypes=kinds)
        self._asks = False
        if self._closes:
            self._closed()
        elif name:
            use(name)
