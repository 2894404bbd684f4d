"""What is counted adds up, and clients cannot make new labels."""

from prometheus_client import generate_latest

from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.requests import TYPES
from tic_tac_toe_frontends.server.metrics import INVALID, OTHER, WELCOME, Metrics


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"tictactoe_{name}", labels)


def test_every_message_that_is_answered_leaves_none_unanswered() -> None:
    metrics = Metrics()
    metrics.submitted("move")
    metrics.submitted("hello")
    metrics.submitted(INVALID)
    assert value(metrics, "unanswered") == metrics.unanswered == 3

    metrics.answered("ok", seconds=0.004)
    metrics.answered(WELCOME)
    metrics.answered("illegal", "invalid")

    assert value(metrics, "unanswered") == metrics.unanswered == 0
    assert value(metrics, "submitted_total", type="move") == 1
    assert value(metrics, "answered_total", status="ok") == 1
    assert value(metrics, "rejections_total", reason="invalid") == 1
    assert value(metrics, "acknowledge_seconds_count") == 1


def test_an_unknown_label_counts_as_another() -> None:
    metrics = Metrics()
    before = len(generate_latest(metrics.registry).splitlines())
    for i in range(100):
        metrics.submitted(f"made up {i}")
        metrics.answered("illegal", f"made up {i}")

    assert value(metrics, "submitted_total", type=OTHER) == 100
    assert len(generate_latest(metrics.registry).splitlines()) == before


def test_every_type_and_reason_is_there_from_the_start() -> None:
    metrics = Metrics()

    assert all(value(metrics, "submitted_total", type=kind) == 0 for kind in TYPES)
    assert all(value(metrics, "rejections_total", reason=name) == 0 for name in REASONS)


def test_commits_connections_and_lag_are_shown() -> None:
    metrics = Metrics()
    metrics.committed(units=3, events=4, seconds=0.002)
    metrics.loop_lag.observe(0.1)
    metrics.cut_readers.inc()
    metrics.storage_errors.inc()
    metrics.watch("games", "Games in memory.", lambda: 7)

    assert value(metrics, "commit_units_sum") == 3
    assert value(metrics, "events_total") == 4
    assert value(metrics, "loop_lag_seconds_sum") == 0.1
    assert value(metrics, "queue_drops_total") == 1
    assert value(metrics, "storage_errors_total") == 1
    assert value(metrics, "games") == 7
