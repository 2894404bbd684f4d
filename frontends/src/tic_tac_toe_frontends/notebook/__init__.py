"""The game in notebooks: a board to click on in JupyterLab, marimo, VS Code and Colab.

It needs the package anywidget::

    from tic_tac_toe_frontends.notebook import Game

    game = Game("connect-four", o="medium")
    game
"""

from __future__ import annotations

from tic_tac_toe.extras import missing_sentence

try:
    from .widget import Game
except ModuleNotFoundError as error:
    if error.name not in ("anywidget", "traitlets"):
        raise
    sentence = missing_sentence("the notebook widget", "library", "frontends[notebook]")
    raise ModuleNotFoundError(sentence, name=error.name) from None

__all__ = ["Game"]
