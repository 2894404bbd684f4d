"""The game in notebooks: a board to click on in JupyterLab, marimo, VS Code and Colab.

It needs the extra ``tictactoe-frontends[notebook]``::

    from tic_tac_toe_frontends.notebook import Game

    game = Game("connect-four", o="medium")
    game
"""

from __future__ import annotations

#: What to tell where the widget is wanted and cannot be had.
MISSING = "the notebook widget needs anywidget: pip install 'tictactoe-frontends[notebook]'"

try:
    from .widget import Game
except ModuleNotFoundError as error:
    if error.name not in ("anywidget", "traitlets"):
        raise
    raise ModuleNotFoundError(MISSING, name=error.name) from None

__all__ = ["MISSING", "Game"]
