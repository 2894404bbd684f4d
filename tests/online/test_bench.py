"""The benchmark of the server runs from end to end, small; nothing here looks at a time."""

import pytest

from benchmarks.online.__main__ import main
from benchmarks.online.attacks.catalogue import ATTACKS
from benchmarks.online.attacks.trial import SMALL, run
from tests.machine import needs


@pytest.mark.slow
def test_every_group_measures_something(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--small", "idle", "moves", "watchers", "return"])
    table = capsys.readouterr().out
    for figure in (
        "idle sockets",
        "durable moves",
        "a bare loop",
        "watchers of one game",
        "60 with the same",
    ):
        assert figure in table


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs("postgres") if name == "watchers-lines" else ())
        for name in ATTACKS
    ],
)
def test_an_attack_reaches_the_server_and_takes_nothing_from_the_others(name: str) -> None:
    outcome = run(name, SMALL)
    assert sum(outcome.counts.values()) > 0
    assert outcome.during.delays
    assert (outcome.lost, outcome.during.unanswered, outcome.during.refused) == (0, 0, [])


def test_writing_half_of_the_table_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["idle", "--write"])
