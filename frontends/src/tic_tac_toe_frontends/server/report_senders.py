"""Who has reported what: a line that the same player reports again counts once."""

from __future__ import annotations

#: Reports that are remembered, the newest ones.
MOST = 10_000


class ReportSenders:
    """Remembers reports by their ids, each with who sent it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], None] = {}

    def add(self, report: str, sender: object) -> bool:
        """Remember that somebody reports something; return whether that is new."""
        if (report, sender) in self._known:
            return False
        self._known[report, sender] = None
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return True

    def drop(self, report: str, sender: object) -> None:
        """Forget a report that could not be kept."""
        self._known.pop((report, sender), None)
