"""Keeping the page for times without a network, and noticing that there is a newer one."""

from __future__ import annotations

from typing import Any

import js

from .dom import by_id, on, on_click, window


async def keep_page() -> None:
    """Let the service worker keep everything; where browsers have none, the page goes without."""
    workers = getattr(window.navigator, "serviceWorker", None)
    if workers is None:
        return
    try:
        registration = await workers.register("service-worker.js")
    except Exception as error:  # a private window, a full disk: the page plays all the same
        js.console.info(f"not kept for offline play: {error}")
        return
    # The browser may have found a new version before Python was there to be told.
    if registration.waiting and workers.controller:
        _offer(registration.waiting, workers)
    elif registration.installing:
        _watch(registration.installing, workers)
    on(registration, "updatefound", lambda _event: _watch(registration.installing, workers))


def _watch(worker: Any, workers: Any) -> None:
    """Offer a new version once it is complete; the first version is not offered."""

    def changed(_event: Any) -> None:
        if worker.state == "installed" and workers.controller:
            _offer(worker, workers)

    on(worker, "statechange", changed)


def _offer(worker: Any, workers: Any) -> None:
    def take_over() -> None:
        on(workers, "controllerchange", lambda _event: window.location.reload())
        worker.postMessage("take over")

    by_id("update").hidden = False
    on_click("reload", take_over)
