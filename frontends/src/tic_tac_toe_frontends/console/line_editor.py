"""A line that is being typed, key by key, so that it can be shown again after other things."""

from __future__ import annotations

from ..program.terminal import LINE_LIMIT

_BACKSPACE = "\b\x7f"
_ENTER = "\r\n"
_END = "\x04"  # Ctrl-D
_CLEAR = "\x15"  # Ctrl-U
_WORD = "\x17"  # Ctrl-W
_ESCAPE = "\x1b"


class LineEditor:
    """What has been typed since the last line was finished.

    Attributes:
        text: the line so far.
        ended: whether Ctrl-D was pressed on an empty line.
    """

    def __init__(self) -> None:
        self.text = ""
        self.ended = False
        self._escape = ""

    def feed(self, keys: str) -> list[str]:
        """Take keys and return the lines that they finish."""
        lines = []
        for key in keys:
            if self._escape:
                self._continue_escape(key)
            elif key in _ENTER:
                lines.append(self.text)
                self.text = ""
            elif key in _BACKSPACE:
                self.text = self.text[:-1]
            elif key == _CLEAR:
                self.text = ""
            elif key == _WORD:
                self.text = self.text.rstrip().rpartition(" ")[0]
                self.text += " " if self.text else ""
            elif key == _END:
                self.ended = self.ended or not self.text
            elif key == _ESCAPE:
                self._escape = key
            elif key.isprintable() and len(self.text) < LINE_LIMIT:
                self.text += key
        return lines

    def _continue_escape(self, key: str) -> None:
        """Pass over the sequence that an arrow or another key without a letter sends."""
        begun = self._escape + key
        is_sequence = len(begun) == 2 and key in "[O"
        within = len(begun) > 2 and not "@" <= key <= "~" and len(begun) < 32
        self._escape = begun if is_sequence or within else ""
