"""The light and dark colours of the window, and the desktop's preference."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

from tic_tac_toe.pictures import svg

AUTOMATIC, LIGHT, DARK = "auto", "light", "dark"
#: The themes, by their names on the command line.
THEMES = (AUTOMATIC, LIGHT, DARK)

#: Seconds to wait for a desktop's preference.
_PATIENCE = 1.0


class Palette(NamedTuple):
    """The colours of the library's pictures, by their names there, and of the widgets.

    Attributes:
        ground: of the window around the board.
        surface: of buttons and fields.
        pressed: of buttons under the pointer, and of selected rows.
        edge: of the frames of buttons and fields.
        muted: of secondary texts.
        focus: of the focused widget's frame.
    """

    colours: Mapping[str, str]
    paper: str
    ink: str
    line: str
    x: str
    o: str
    loss: str
    ground: str
    surface: str
    pressed: str
    edge: str
    muted: str
    focus: str


def _palette(pictures: str, **around: str) -> Palette:
    found = dict(re.findall(r"--ttt-([\w-]+): (#\w+)", f"{pictures}; {svg.PIECES}"))
    shared = {name: found[name] for name in Palette._fields if name in found}
    return Palette(found, **shared, **around)


PALETTES: Mapping[str, Palette] = {
    LIGHT: _palette(
        svg.LIGHT,
        ground="#f3f5f7",
        surface="#ffffff",
        pressed="#e3e8ee",
        edge="#808994",
        muted="#555d66",
        focus="#0a58ca",
    ),
    DARK: _palette(
        svg.DARK,
        ground="#14181d",
        surface="#262c35",
        pressed="#39414d",
        edge="#6e7681",
        muted="#a9b3bd",
        focus="#79b8ff",
    ),
}


def palette_of(theme: str, environ: Mapping[str, str]) -> Palette:
    """Return the colours of a theme; for the automatic theme ask the desktop."""
    if theme == AUTOMATIC:
        theme = DARK if _is_desktop_dark(environ) else LIGHT
    return PALETTES[theme]


def _is_desktop_dark(environ: Mapping[str, str]) -> bool:
    """Return whether the desktop prefers dark windows; false if unknown."""
    if sys.platform == "win32":
        import winreg

        key = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as settings:
                return not winreg.QueryValueEx(settings, "AppsUseLightTheme")[0]
        except OSError:
            return False
    if sys.platform == "darwin":
        return "Dark" in _output_of("defaults", "read", "-g", "AppleInterfaceStyle")
    if "GTK_THEME" in environ:
        return environ["GTK_THEME"].lower().endswith(("dark", "inverse"))
    return "dark" in _output_of("gsettings", "get", "org.gnome.desktop.interface", "color-scheme")


def _output_of(*command: str) -> str:
    """Return the output of a command; "" if it is missing, fails or times out."""
    try:
        ended = subprocess.run(
            command, capture_output=True, check=False, text=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return ended.stdout if ended.returncode == 0 else ""
