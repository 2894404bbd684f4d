"""The benchmark of the server runs from end to end, small; nothing here looks at a time."""

import pytest

from benchmarks.online.__main__ import main


@pytest.mark.slow
def test_every_group_measures_something(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--small"])
    table = capsys.readouterr().out
    for figure in ("idle sockets", "durable moves", "watchers of one game", "60 with the same"):
        assert figure in table


def test_writing_half_of_the_table_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["idle", "--write"])
