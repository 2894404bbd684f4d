"""Metrics for Prometheus, cheap enough to be updated with every message.

No metric names a person, a game or a network address, and every label has a few fixed values:
clients cannot create new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from tic_tac_toe.protocols.online.replies import REASONS, STATUSES
from tic_tac_toe.protocols.online.requests import TYPES

#: The type of a message that is no valid request.
INVALID = "invalid"
#: Stands for values that are not listed.
OTHER = "other"
#: The status of a `Welcome`; other answers have one of `STATUSES`.
WELCOME = "welcome"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

#: The classes of HTTP statuses, and the reasons why connections and handshakes are turned away.
CLASSES = ("2xx", "3xx", "4xx", "5xx")
TURNED_AWAY = (
    *("arrivals", "sockets", "full", "requests", "origin", "openings", "connections"),
    *("banned", "host"),
)


class Metrics:
    """The metrics of one server, in a registry of their own.

    The counters are thread-safe, so that any thread may read them.

    Attributes:
        registry: what `/metrics` shows.
        cut_readers: counts connections that were closed because the client read too slowly.
        storage_errors: counts failures of the database.
        thought_waited: records the seconds that a search has waited for its turn.
        turned_away: counts what is turned away, by the reasons in `TURNED_AWAY`.
        loop_lag: records the seconds by which the event loop was late.
    """

    def __init__(self) -> None:
        # They would be a second time series for each counter.
        disable_created_metrics()  # type: ignore[no-untyped-call]  # untyped in prometheus_client
        self.registry = CollectorRegistry()
        self._submitted_count = self._answered_count = 0
        self._submitted = self._counters(
            "submitted", "Requests received, by type.", "type", (*TYPES, INVALID)
        )
        self._answered = self._counters(
            "answered", "Answers, by status.", "status", (*STATUSES, WELCOME)
        )
        self._refused = self._counters(
            "rejections", "Requests refused or postponed, by reason.", "reason", (*REASONS, "move")
        )
        self.cut_readers = self._counter(
            "queue_drops", "Connections closed because the client read too slowly."
        )
        self.storage_errors = self._counter(
            "storage_errors",
            "Failures of the database. Until it works again, nothing is acknowledged.",
        )
        self._events = self._counter("events", "Events written.")
        self._acknowledged = self._histogram(
            "acknowledge_seconds", "The time from a request to its answer, the commit included."
        )
        self._commit_size = self._histogram(
            "commit_units", "The number of transactions in one commit.", _SIZES
        )
        self._commit_seconds = self._histogram("commit_seconds", "The time of a commit.")
        self.thought_waited = self._histogram(
            "thought_wait_seconds", "How long a move of a computer player waited for its turn."
        )
        self.loop_lag = self._histogram(
            "loop_lag_seconds", "The delay with which the event loop ran a timer."
        )
        self._pages = self._counters(
            "http_responses",
            "Answers to requests for pages and files, by the class of their status.",
            "status",
            CLASSES,
        )
        self.turned_away = self._counters(
            "turned_away", "Connections and requests turned away, by reason.", "reason", TURNED_AWAY
        )
        self.add_gauge(
            "unanswered",
            "Requests without an answer. If it stays above 0 for some seconds, read the log.",
            lambda: self.unanswered,
        )
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    @property
    def unanswered(self) -> int:
        """The number of messages without an answer yet."""
        return self._submitted_count - self._answered_count

    def submitted(self, kind: str) -> None:
        """Count a message of a client, by its type in the protocol, or `INVALID`."""
        self._submitted_count += 1
        self._submitted(kind)

    def answered(self, status: str, reason: str = "", seconds: float | None = None) -> None:
        """Count the answer to a message.

        Args:
            status: one of `STATUSES`, or `WELCOME`.
            reason: of a refused or postponed request, its name in `REASONS`.
            seconds: how long the sender of a written event has waited.
        """
        self._answered_count += 1
        self._answered(status)
        if reason:
            self._refused(reason)
        if seconds is not None:
            self._acknowledged.observe(seconds)

    def responded(self, status: int) -> None:
        """Count an HTTP response."""
        self._pages(f"{status // 100}xx")

    def committed(self, units: int, events: int, seconds: float) -> None:
        """Count a commit, its transactions and its events."""
        self._commit_size.observe(units)
        self._commit_seconds.observe(seconds)
        self._events.inc(events)

    def add_gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is computed when it is read."""
        Gauge(f"tictactoe_{name}", text, registry=self.registry).set_function(value)

    def add_build_info(self, version: str) -> None:
        """Add the program's version, as a label of a gauge that is always 1."""
        gauge = Gauge(
            "tictactoe_build_info",
            "Always 1; its label is the version of the program.",
            ("version",),
            registry=self.registry,
        )
        gauge.labels(version).set(1)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"tictactoe_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, buckets: Sequence[float] = _SECONDS) -> Histogram:
        return Histogram(f"tictactoe_{name}", text, registry=self.registry, buckets=buckets)

    def _counters(
        self, name: str, text: str, label: str, values: Iterable[str]
    ) -> Callable[[str], None]:
        """Return a function that counts a value of a label; unlisted values count as `OTHER`."""
        counter = self._counter(name, text, label)
        counters = {value: counter.labels(value) for value in (*values, OTHER)}
        return lambda value: counters.get(value, counters[OTHER]).inc()
