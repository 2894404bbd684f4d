"""The styles of widgets in the colours of a palette."""

from __future__ import annotations

import tkinter as tk
from tkinter import font, ttk

from .palettes import Palette

#: Font sizes in points: small texts, normal ones, the switch of letters and the status of a low
#: window, the status.
SMALL, NORMAL, MIDDLE, LARGE = 9, 10, 12, 17
#: The styles of fields and lists.
FIELDS = ("TSpinbox", "TEntry")


def family_of(root: tk.Misc) -> str:
    """Return the desktop's font."""
    return str(font.nametofont("TkDefaultFont", root=root).actual("family"))


def apply_palette(root: tk.Tk, palette: Palette) -> None:
    """Set the colours of all present and future widgets."""
    family = family_of(root)
    normal, small = (family, NORMAL), (family, SMALL)
    style = ttk.Style(root)
    style.theme_use("clam")
    style.configure(
        ".",
        background=palette.ground,
        foreground=palette.ink,
        font=normal,
        bordercolor=palette.edge,
        lightcolor=palette.surface,
        darkcolor=palette.surface,
        troughcolor=palette.ground,
        focuscolor=palette.focus,
        selectbackground=palette.pressed,
        selectforeground=palette.ink,
        insertcolor=palette.ink,
    )
    style.map(
        ".",
        background=[("disabled", palette.ground)],
        foreground=[("disabled", palette.line)],
    )
    style.configure(
        "TMenubutton", background=palette.surface, arrowcolor=palette.ink, padding=(8, 4), width=0
    )
    style.map("TMenubutton", background=[("active", palette.pressed)])
    style.configure("Cross.TMenubutton", foreground=palette.x)
    style.configure("Naught.TMenubutton", foreground=palette.o)
    style.configure("Status.TLabel", font=(family, LARGE, "bold"))
    style.configure("Low.Status.TLabel", font=(family, MIDDLE, "bold"))
    style.configure("Small.TLabel", font=small, foreground=palette.muted)
    style.configure("Refusal.TLabel", font=normal, foreground=palette.loss)
    style.configure("Tile.TLabel", font=(family, NORMAL, "bold"))
    style.configure("Letter.TRadiobutton", font=(family, MIDDLE, "bold"), indicatorsize=14)
    _style_buttons(style, palette)
    _style_fields(style, palette)
    focused = [("focus", palette.focus)]
    for name in ("TButton", "TMenubutton", "TCheckbutton", "TRadiobutton", *FIELDS):
        style.map(name, bordercolor=focused, lightcolor=focused, darkcolor=focused)
    style.configure(
        "Treeview", background=palette.paper, fieldbackground=palette.paper, rowheight=24
    )
    style.map("Treeview", background=[("selected", palette.pressed)], foreground=[])
    style.configure("Treeview.Heading", background=palette.ground, relief="flat", font=small)
    style.map("Treeview.Heading", background=[("active", palette.ground)])
    style.configure(
        "TScrollbar", background=palette.surface, arrowcolor=palette.ink, gripcount=0, width=12
    )
    style.map("TScrollbar", background=[("disabled", palette.ground)])
    style.configure(
        "Horizontal.TProgressbar", background=palette.focus, troughcolor=palette.surface
    )
    root.configure(background=palette.ground)


def menu_colours(palette: Palette) -> dict[str, str | int]:
    """Return the options of a menu, which ignores styles too."""
    return {
        "background": palette.ground,
        "foreground": palette.ink,
        "activebackground": palette.focus,
        "activeforeground": palette.paper,
        "selectcolor": palette.ink,
        "disabledforeground": palette.line,
        "borderwidth": 0,
        "activeborderwidth": 0,
        "relief": "flat",
    }


def _style_buttons(style: ttk.Style, palette: Palette) -> None:
    style.configure("TButton", background=palette.surface, padding=(7, 5), width=-4)
    style.configure("Step.TButton", padding=(2, 4), width=3)
    style.configure("Primary.TButton", background=palette.focus, foreground=palette.paper)
    style.map("Primary.TButton", background=[("active", palette.ink)])
    disabled = [("disabled", palette.line)]
    pressed = [(state, palette.pressed) for state in ("pressed", "selected", "active")]
    sunken = [(state, "sunken") for state in ("pressed", "selected")]
    style.map("TButton", background=pressed, foreground=disabled, relief=sunken)
    for name in ("TCheckbutton", "TRadiobutton"):
        style.configure(name, indicatorbackground=palette.surface, padding=(2, 4))
        style.map(
            name,
            background=[("active", palette.ground)],
            foreground=disabled,
            indicatorforeground=[("selected", palette.ink)],
            indicatorbackground=[("selected", palette.surface)],
        )


def _style_fields(style: ttk.Style, palette: Palette) -> None:
    for name in FIELDS:
        style.configure(
            name,
            fieldbackground=palette.surface,
            background=palette.surface,
            foreground=palette.ink,
            arrowcolor=palette.ink,
            padding=(6, 4),
        )
        style.map(
            name,
            fieldbackground=[("readonly", palette.surface)],
            background=[("active", palette.pressed)],
            foreground=[("readonly", palette.ink)],
            selectbackground=[("readonly", palette.surface)],
            selectforeground=[("readonly", palette.ink)],
        )
