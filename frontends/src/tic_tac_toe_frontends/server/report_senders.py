"""Who has reported what: repeated reports of a line by the same player count once."""

from __future__ import annotations

#: The number of reports that are remembered, the newest ones.
MOST = 10_000


class ReportSenders:
    """Remembers reports by id and sender."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], None] = {}

    def add(self, report: str, sender: object) -> bool:
        """Remember a report; return whether it is new."""
        if (report, sender) in self._known:
            return False
        self._known[report, sender] = None
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return True

    def drop(self, report: str, sender: object) -> None:
        """Forget a report that could not be stored."""
        self._known.pop((report, sender), None)
