"""What is counted and timed, for Prometheus: cheap enough to be called for every message.

Nothing here names a person, a game or an address of the network, and every label has few values,
all of them known before: what clients send cannot make new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from tic_tac_toe.protocols.online.replies import REASONS, STATUSES
from tic_tac_toe.protocols.online.requests import TYPES

#: A text that was no request, so that it has no type.
INVALID = "invalid"
#: What stands for a name that is not known here.
OTHER = "other"
#: The `Welcome` that answers a `Hello`; all others are answered with one of `STATUSES`.
WELCOME = "welcome"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

#: The classes of HTTP's statuses, and why connections and handshakes are turned away.
CLASSES = ("2xx", "3xx", "4xx", "5xx")
TURNED_AWAY = (
    *("arrivals", "sockets", "full", "requests", "origin", "openings", "connections"),
    "banned",
)


class Metrics:
    """The figures of one server, in a registry of their own.

    Everything is counted in one thread or under the counters' own locks; readers may be anywhere.

    Attributes:
        registry: what `/metrics` shows.
        cut_readers: counts the connections that were cut because they read too slowly.
        storage_errors: counts failures of the database.
        thought_waited: takes the number of seconds that a computer has waited for its turn.
        turned_away: counts what is turned away, by its reason in `TURNED_AWAY`.
        loop_lag: takes the number of seconds by which the event loop was late.
    """

    def __init__(self) -> None:
        # They would be a second, unread figure for each counter.
        disable_created_metrics()  # type: ignore[no-untyped-call]  # untyped in prometheus_client
        self.registry = CollectorRegistry()
        self._submitted_count = self._answered_count = 0
        self._submitted = self._counters(
            "submitted", "Messages that clients have sent, by type.", "type", (*TYPES, INVALID)
        )
        self._answered = self._counters(
            "answered", "Answers that were given, by status.", "status", (*STATUSES, WELCOME)
        )
        self._refused = self._counters(
            "rejections", "Requests refused or put off, by reason.", "reason", (*REASONS, "move")
        )
        self.cut_readers = self._counter(
            "queue_drops", "Connections cut because they read too slowly."
        )
        self.storage_errors = self._counter("storage_errors", "Failures of the database.")
        self._events = self._counter("events", "Events that have been written.")
        self._acknowledged = self._histogram(
            "acknowledge_seconds", "From a request to its answer, writing included."
        )
        self._commit_size = self._histogram(
            "commit_units", "Units of work that one commit wrote.", _SIZES
        )
        self._commit_seconds = self._histogram(
            "commit_seconds", "How long commits took, syncing included."
        )
        self.thought_waited = self._histogram(
            "thought_wait_seconds", "How long computers waited for their turn to think."
        )
        self.loop_lag = self._histogram(
            "loop_lag_seconds", "How late the event loop was to do what was due."
        )
        self._pages = self._counters(
            "http_responses", "Answers to plain HTTP, by status.", "status", CLASSES
        )
        self.turned_away = self._counters(
            "turned_away", "Connections and requests turned away.", "reason", TURNED_AWAY
        )
        self.watch(
            "unanswered",
            "Messages without an answer yet: 0 whenever nothing is under way.",
            lambda: self.unanswered,
        )
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    @property
    def unanswered(self) -> int:
        """The number of messages without an answer yet."""
        return self._submitted_count - self._answered_count

    def submitted(self, kind: str) -> None:
        """Count a message that has come, by its type in the protocol, or `INVALID`."""
        self._submitted_count += 1
        self._submitted(kind)

    def answered(self, status: str, reason: str = "", seconds: float | None = None) -> None:
        """Count the answer to a message.

        Args:
            status: of `STATUSES`, or `WELCOME`.
            reason: of what was refused or put off, its name in `REASONS`.
            seconds: how long the sender of what has been written waited for it.
        """
        self._answered_count += 1
        self._answered(status)
        if reason:
            self._refused(reason)
        if seconds is not None:
            self._acknowledged.observe(seconds)

    def responded(self, status: int) -> None:
        """Count an answer to plain HTTP."""
        self._pages(f"{status // 100}xx")

    def committed(self, units: int, events: int, seconds: float) -> None:
        """Count a commit: its transactions, its events and its seconds."""
        self._commit_size.observe(units)
        self._commit_seconds.observe(seconds)
        self._events.inc(events)

    def watch(self, name: str, text: str, value: Callable[[], float]) -> None:
        """Show a value as it is when it is asked for, such as the number of games in memory."""
        Gauge(f"tictactoe_{name}", text, registry=self.registry).set_function(value)

    def tell_build(self, version: str) -> None:
        """Show the version of the program, as a label of a figure that is always 1."""
        gauge = Gauge("tictactoe_build_info", "The program.", ("version",), registry=self.registry)
        gauge.labels(version).set(1)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"tictactoe_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, buckets: Sequence[float] = _SECONDS) -> Histogram:
        return Histogram(f"tictactoe_{name}", text, registry=self.registry, buckets=buckets)

    def _counters(
        self, name: str, text: str, label: str, values: Iterable[str]
    ) -> Callable[[str], None]:
        """Return what counts a value of a label; a value that is not listed counts as `OTHER`."""
        counter = self._counter(name, text, label)
        counters = {value: counter.labels(value) for value in (*values, OTHER)}
        return lambda value: counters.get(value, counters[OTHER]).inc()
