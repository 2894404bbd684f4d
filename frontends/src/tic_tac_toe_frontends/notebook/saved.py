"""The picture beside the widget: what a saved notebook shows where no Python runs."""

from __future__ import annotations

import base64
import uuid
from html import escape
from typing import Any

from tic_tac_toe.game.looks import fitting_look
from tic_tac_toe.game.svg import describe, svg
from tic_tac_toe.logic.models import GameState

from .page import picture_width

Bundle = dict[str, Any]


class SavedPicture:
    """A picture of a game, displayed as an output of its own below the widget.

    The widget's script hides it, so that it is seen only where there is no widget. Notebooks prefer
    the widget to a picture in the same output even where they cannot show it, and would draw the
    widget anew whenever its output is updated.

    Attributes:
        name: the class of the picture's element, by which the script finds it.
    """

    def __init__(self) -> None:
        self.name = f"ttt-picture-{uuid.uuid4().hex}"
        self._displayed = False
        self._latest: Bundle | None = None

    def display(
        self,
        widget: Bundle,
        metadata: Bundle,
        state: GameState,
        last: int | None,
        look: str | None,
    ) -> None:
        """Display the widget, and the picture below it.

        Args:
            widget: what the widget is displayed with, by media types.
            last: the cell of the last move.
            look: the name of a `Look`, if one is chosen.
        """
        from IPython.core.getipython import get_ipython
        from IPython.display import display

        # An export to HTML prefers the empty text to the plain one: it shows the picture alone.
        display({**widget, "text/html": ""}, metadata=metadata, raw=True)
        display(self._bundle(state, last, look), raw=True, display_id=self.name)
        self._displayed = True
        if shell := get_ipython():
            shell.events.register("post_run_cell", self._keep)

    def update(self, state: GameState, last: int | None, look: str | None) -> None:
        """Let the picture follow the game, once it is displayed."""
        if self._displayed:
            self._latest = self._bundle(state, last, look)
            self._send(self._latest)

    def _keep(self, _result: object) -> None:
        """Send the latest picture once more, at the end of a cell.

        A computer's answer belongs to the cell that asked for it. Programs that run a notebook
        listen to the cell that is running, and miss what comes of one that has ended.
        """
        latest, self._latest = self._latest, None
        if latest is not None:
            self._send(latest)

    def _send(self, picture: Bundle) -> None:
        from IPython.display import update_display

        update_display(picture, raw=True, display_id=self.name)

    def _bundle(self, state: GameState, last: int | None, look: str | None) -> Bundle:
        picture = svg(state, last=last, look=fitting_look(state.rules, look))
        # As data of an image it passes the filters for outputs of notebooks that are not trusted.
        data = base64.b64encode(picture.encode()).decode()
        return {
            "text/html": f'<img class="{self.name}" alt="{escape(describe(state))}" '
            f'width="{picture_width(state.rules)}" src="data:image/svg+xml;base64,{data}" />'
        }
