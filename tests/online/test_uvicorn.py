"""The server relies on private parts of uvicorn, which any minor version may change."""

from __future__ import annotations

import uvicorn

#: The minor version that the WebSocket, the HTTP protocol and the signals were tried with.
TRIED = (0, 54)


def test_uvicorn_is_of_the_minor_version_that_the_server_was_tried_with() -> None:
    installed = tuple(int(part) for part in uvicorn.__version__.split(".")[:2])

    assert installed == TRIED, (
        f"uvicorn {uvicorn.__version__} is installed; web_socket.py, http_protocol.py and run.py "
        f"override parts of uvicorn {TRIED[0]}.{TRIED[1]} that are not public: look whether they "
        "are the same, run tests/online, then change the pin in frontends/pyproject.toml and here"
    )
