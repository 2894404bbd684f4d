"""Killing the server loses nothing that it has acknowledged, and builds that do are found out."""

import asyncio
from pathlib import Path

import pytest

from tests.machine import needs
from tests.online.kills import kill_again_and_again

pytestmark = pytest.mark.slow


def test_after_200_kills_every_acknowledged_move_is_in_the_log_once(tmp_path: Path) -> None:
    findings = asyncio.run(kill_again_and_again(tmp_path, trials=200))
    assert not findings.faults, str(findings)
    assert findings.trials == 200
    assert findings.acknowledged > 500


@needs("postgres")
def test_nor_does_a_kill_lose_anything_in_postgresql(tmp_path: Path, postgres_url: str) -> None:
    findings = asyncio.run(kill_again_and_again(tmp_path, trials=40, database=postgres_url))
    assert not findings.faults, str(findings)
    assert findings.acknowledged > 100


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ("acknowledges-early", "is in the log 0 times"),
        ("writes-again", "was written 2 times"),
        ("drops-answers", "without an answer"),
        ("tells-twice", "was sent twice"),
        ("answers-twice", "an answer that nobody waits for"),
    ],
)
def test_a_broken_server_is_found_out(tmp_path: Path, broken: str, complaint: str) -> None:
    findings = asyncio.run(kill_again_and_again(tmp_path, trials=60, broken=broken, patience=10))
    assert any(complaint in fault for fault in findings.faults), str(findings)
