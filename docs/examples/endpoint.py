"""A web endpoint that says what a position is worth: JSON in, JSON out, standard library only."""

from __future__ import annotations

import json
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import Any

from tic_tac_toe import (
    GameError,
    Limits,
    evaluate,
    evaluate_moves,
    move_name,
    parse_state,
    play_moves,
)

MOST_BYTES = 10_000
LIMITS = Limits(time_limit=1)
SEARCHES = BoundedSemaphore(2)  # at the same time; others are told to come back


class Refused(Exception):
    """A request that gets no answer, with the HTTP status and a code for the client."""

    def __init__(self, status: HTTPStatus, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status, self.code = status, code


def analysis(body: bytes) -> dict[str, Any]:
    """Return what each move of the asked position is worth; raise `Refused` for a bad request."""
    bad = HTTPStatus.BAD_REQUEST
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(bad, "bad_json", "the body is not JSON") from None
    keys = {"game", "position", "moves"}
    if not isinstance(asked, dict) or not all(isinstance(asked.get(k, ""), str) for k in keys):
        raise Refused(bad, "bad_request", "expected an object of texts: game, position, moves")
    try:
        game = asked.get("game", "tic-tac-toe")
        start = parse_state(asked["position"], game) if "position" in asked else game
        state = play_moves(start, asked.get("moves", ""))
    except GameError as error:
        raise Refused(bad, error.code, str(error)) from None
    if not SEARCHES.acquire(blocking=False):
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "too many searches; try again")
    try:
        best, moves = evaluate(state, LIMITS).best, evaluate_moves(state, LIMITS)
    finally:
        SEARCHES.release()
    return {
        "to_move": None if state.game_over else state.current_mark.value,
        "best": [move_name(state, move) for move in best],
        "moves": [{"name": move_name(state, m.move), "outcome": m.outcome} for m in moves],
    }


class Endpoint(BaseHTTPRequestHandler):
    """Answers ``POST /analysis``; a client that is silent for ten seconds is dropped."""

    timeout = 10

    def do_POST(self) -> None:
        """Answer with an analysis, or with an error and its code."""
        try:
            status, answer = HTTPStatus.OK, analysis(self._body())
        except Refused as error:
            status, answer = error.status, {"code": error.code, "error": str(error)}
        sent = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if self.path != "/analysis":
            raise Refused(HTTPStatus.NOT_FOUND, "no_page", "ask POST /analysis")
        if not (length.isascii() and length.isdigit()):  # no sign, so that none is negative
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "no_length", "Content-Length is no number")
        if len(length) > 9 or int(length) > MOST_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", "send less")
        return self.rfile.read(int(length))


if __name__ == "__main__":
    address = "127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    with ThreadingHTTPServer(address, Endpoint) as server:
        print(f"http://{address[0]}:{server.server_port}/analysis", flush=True)
        server.serve_forever()
