"""Offline use of the page by a service worker, and updates to newer versions."""

from __future__ import annotations

from typing import Any

import js

from .dom import by_id, on, on_click, window


async def keep_page() -> None:
    """Register the service worker that caches the page, if the browser has service workers."""
    workers = getattr(window.navigator, "serviceWorker", None)
    if workers is None:
        return
    try:
        registration = await workers.register("service-worker.js")
    except Exception as error:  # a private window or a full disk: the page works online only
        js.console.info(f"not kept for offline play: {error}")
        return
    # The browser may have found a new version before Python had loaded.
    if registration.waiting and workers.controller:
        _offer(registration.waiting, workers)
    elif registration.installing:
        _watch(registration.installing, workers)
    on(registration, "updatefound", lambda _event: _watch(registration.installing, workers))


def _watch(worker: Any, workers: Any) -> None:
    """Offer a new version once it is cached, but not the very first one."""

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
