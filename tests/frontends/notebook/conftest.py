"""What holds for every test of the widget."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_went_wrong_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """See that no message ended in an error, which widgets only write to their log, unseen."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call")] == []
