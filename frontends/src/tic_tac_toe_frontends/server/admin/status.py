"""The status of a running server, for its operator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import inf, isnan
from typing import Any

import tic_tac_toe

from ..budgets import network_of
from ..game_server import GameServer

#: Addresses that are listed, those with the most connections.
LISTED = 20
#: The timings in the status, with the names of their metrics.
TIMED = {
    "answers": "tictactoe_acknowledge_seconds",
    "commits": "tictactoe_commit_seconds",
    "loop": "tictactoe_loop_lag_seconds",
    "thoughts": "tictactoe_thought_wait_seconds",
}
#: The refusals in the status by the names of their metrics: of requests, and of connections.
REFUSED = {"tictactoe_rejections_total": "refused", "tictactoe_turned_away_total": "turned_away"}


def status_of(server: GameServer, size: int) -> Iterator[Mapping[str, object]]:
    """Yield the lines of a server's status; `size` is that of its data in bytes."""
    samples = [each for metric in server.registry.collect() for each in metric.samples]
    addresses: Counter[str] = Counter()
    for address, count in Counter(server.connections.values()).items():
        addresses[network_of(address)] += count
    yield {
        "version": tic_tac_toe.__version__,
        "node": server.nodes.name,
        "seconds": (server.now() - server.started_at) // 1000,
        "ready": server.is_ready,
        "draining": server.moderation.is_draining,
        "connections": len(server.connections),
        "addresses": len(addresses),
        "games": len(server.sessions),
        "unfinished": server.lobby.unfinished,
        "thoughts": len(server.computers),
        "waiting": server.computers.waiting,
        "loads": len(server.loads),
        "analyses": len(server.analyst),
        "writing": len(server.writer),
        "data": server.store.place,
        "bytes": size,
        "backup": None if isnan(server.backup_age) else int(server.backup_age),
        "bans": len(server.moderation.bans),
        "banned": server.moderation.refused,
    }
    for address, count in addresses.most_common(LISTED):
        yield {"address": address, "connections": count}
    for name, figure in TIMED.items():
        half, most = (_quantile(samples, figure, part) for part in (0.5, 0.99))
        yield {"slow": name, "p50": half, "p99": most}
    for each in samples:
        if each.name in REFUSED and each.value:
            yield {REFUSED[each.name]: each.labels["reason"], "count": int(each.value)}


def _quantile(samples: Sequence[Any], figure: str, part: float) -> float | None:
    """Return an upper bound of a quantile of a histogram, in seconds; ``None`` if it is empty."""
    buckets = [
        (float(each.labels["le"]), each.value)
        for each in samples
        if each.name == f"{figure}_bucket"
    ]
    if not buckets or not buckets[-1][1]:
        return None
    bound = next(le for le, count in buckets if count >= part * buckets[-1][1])
    return None if bound == inf else bound
