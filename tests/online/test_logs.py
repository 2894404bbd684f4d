"""The server's log cannot be forged by what clients send."""

import io
import json
import logging
import re

import pytest

from tic_tac_toe_frontends.server import logs
from tic_tac_toe_frontends.server.processes import close_pool, make_pool

HOSTILE = 'Ann\n{"event": "forged"}\r\x1b[2J\u202e\x7f\x85\u2028"end'


def written(as_json: bool, **fields: str | int | None) -> str:
    stream = io.StringIO()
    logs.configure(stream, as_json=as_json)
    logs.say("joined", level=logging.INFO, error=None, **fields)
    return stream.getvalue()


def test_an_event_is_one_line_of_json() -> None:
    line = written(True, games=3, name=HOSTILE, ready=True)

    assert line.endswith("}\n")
    assert line.isascii()
    assert all(" " <= sign <= "~" for sign in line[:-1])
    values = json.loads(line)
    assert values.pop("time").endswith("Z")
    assert values == {
        "level": "info",
        "event": "joined",
        "games": 3,
        "name": HOSTILE,
        "ready": True,
    }


def test_a_field_cannot_take_the_place_of_the_events_own() -> None:
    values = json.loads(written(True, event_="x", time="never"))

    assert values["event"] == "joined"
    assert values["time_"] == "never"


def test_plain_text_stays_on_its_line_and_moves_no_cursor() -> None:
    line = written(False, name=HOSTILE, new=True)

    assert line.endswith("\n")
    assert line[:-1].isprintable()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d joined name=", line)


@pytest.mark.parametrize("as_json", [False, True])
def test_what_is_not_known_is_left_out(as_json: bool) -> None:
    assert "game" not in written(as_json, game=None)


def test_the_traceback_of_an_error_is_part_of_its_line() -> None:
    stream = io.StringIO()
    logs.configure(stream, as_json=True)
    try:
        raise OSError("disk\nis full")
    except OSError as error:
        logs.say("storage failed", level=logging.ERROR, error=error)

    (line,) = stream.getvalue().splitlines()
    values = json.loads(line)
    assert values["level"] == "error"
    assert values["error"] == "OSError: disk\nis full"
    assert "Traceback" in values["traceback"]


def test_long_fields_are_cut() -> None:
    values = json.loads(written(True, name="a" * 10_000))

    assert len(values["name"]) == logs.FIELD_LENGTH


@pytest.mark.parametrize("name", ["uvicorn.error", "asyncio"])
def test_what_others_say_is_written_the_same_way(name: str) -> None:
    stream = io.StringIO()
    logs.configure(stream, as_json=True)
    logging.getLogger(name).warning("odd: %s", "a\nb")

    assert json.loads(stream.getvalue())["event"] == "odd: a\nb"


def test_a_stream_that_is_no_terminal_gets_json() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    logs.say("started")

    assert json.loads(stream.getvalue())["event"] == "started"


def flood(count: int) -> list[dict[str, object]]:
    """Return what is written of errors that are the same but for numbers, and of another at last.

    They come in the first second, but for the last two, which come a minute later.
    """
    now = 0.0
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines())
    handler.addFilter(logs.Sparing(lambda: now))
    for number in range(count):
        text = f"socket.accept() out of system resource {number}\nsocket: <{number} 0x{number:x}>"
        handler.handle(logging.makeLogRecord({"msg": text, "levelno": logging.ERROR}))
        handler.handle(logging.makeLogRecord({"msg": "joined", "levelno": logging.INFO}))
    now = 60.0
    for text in ("socket.accept() out of system resource 7", "another"):
        handler.handle(logging.makeLogRecord({"msg": text, "levelno": logging.ERROR}))
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_of_errors_that_are_the_same_few_are_written_and_the_rest_counted() -> None:
    lines = flood(10_000)
    errors = [line for line in lines if line["event"] != "joined"]

    assert len(lines) - len(errors) == 10_000
    assert len(errors) == logs.AT_ONCE + 2
    assert errors[-2]["left_out"] == 10_000 - logs.AT_ONCE
    assert "left_out" not in errors[-1]


def test_a_log_that_writes_all_errors_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs.Sparing, "filter", lambda *_: True)
    with pytest.raises(AssertionError):
        test_of_errors_that_are_the_same_few_are_written_and_the_rest_counted()


def log_a_remark() -> None:
    logging.getLogger("tic_tac_toe").warning("something of the library")


def test_what_the_library_logs_in_a_process_of_the_server_is_written_as_the_server_writes(
    capfd: pytest.CaptureFixture[str],
) -> None:
    logs.configure(as_json=True)
    pool = make_pool(1)
    pool.schedule(log_a_remark).result()
    close_pool(pool)

    values = json.loads(capfd.readouterr().err)
    assert (values["level"], values["event"]) == ("warning", "something of the library")
