"""Messages of every type, and what becomes of them when they are changed at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

from tools.protocol import sample, schemas, session

SCHEMAS = schemas()


def _samples(what: str) -> list[str]:
    """Return a message of each type and of each kind of event, with all its fields."""
    known = [schema for name, schema in SCHEMAS.items() if name.endswith(what)]
    flat = [each for schema in known for each in schema.get("oneOf", [schema])]
    return [json.dumps(sample(schema, SCHEMAS), separators=(",", ":")) for schema in flat]


#: What is changed: the messages of the session in docs/reference/protocol.md, and samples of all
#: types.
REQUESTS = (
    *(text for direction, text in session() if direction == ">"),
    *_samples("Request"),
    '{"type":"chat","id":"t-1","text":"well played, 你好 Ünï"}',
)
REPLIES = (*(text for direction, text in session() if direction == "<"), *_samples("Reply"))

#: What JSON can be, and some that it cannot.
PIECES = (
    *("null", "true", "false", "0", "-1", "1.5", "1e999", "-0", "NaN", "Infinity", "9" * 15),
    *("9" * 16, "9" * 400, '""', '"X"', "[]", "{}", "[[[[[]]]]]", '{"a":{"b":{"c":{"d":1}}}}'),
    *('"\\ud800"', '"\\udfff\\ud800"', "\ud800", '"\\u0000"', '"\x00"', '"\\', "\\u00", "\ufeff"),
    *('"a\\nb"', '"\u202e"', '"' + "x" * 300 + '"', "[" * 5000, "{" * 60, '{"a":' * 50, "/**/"),
    *('"type":"move",', '"id":"x",', '"version":1,', '"__class__":1,', '"type":"hello",'),
)
SIGNS = '{}[]:,"\\ \t\n\r\x00\x1f\x7f\u0085\u2028\ud83d😀09-+.eEaXO'


def mutate(rng: random.Random, texts: Sequence[str]) -> str:
    """Return one of the texts after some changes."""
    text = rng.choice(texts)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        text = rng.choice(CHANGES)(rng, text, texts)
    return text


def _flip(rng: random.Random, text: str, _: Sequence[str]) -> str:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("utf-8", rng.choice(("replace", "ignore", "surrogateescape")))


def _cut(rng: random.Random, text: str, _: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    return rng.choice((text[:at], text[at:], text[:at] + text[rng.randrange(at, len(text) + 1) :]))


def _splice(rng: random.Random, text: str, texts: Sequence[str]) -> str:
    other = rng.choice(texts)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _insert(rng: random.Random, text: str, _: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    what = rng.choice(PIECES) if rng.random() < 0.5 else rng.choice(SIGNS)
    return text[:at] + what + text[at:]


def _repeat(rng: random.Random, text: str, _: Sequence[str]) -> str:
    at = rng.randrange(len(text) + 1)
    part = text[at : at + rng.randrange(1, 20)]
    return text[:at] + part * rng.choice((2, 3, 50, 1000)) + text[at:]


def _replace_value(rng: random.Random, text: str, _: Sequence[str]) -> str:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(values, dict) or not values:
        return text
    chosen = rng.choice(list(values))
    parts = [
        f"{json.dumps(name)}:{rng.choice(PIECES) if name == chosen else json.dumps(value)}"
        for name, value in values.items()
    ]
    if rng.random() < 0.2:
        parts.append(rng.choice(parts))
    rng.shuffle(parts)
    return "{" + ",".join(parts) + "}"


CHANGES: tuple[Callable[[random.Random, str, Sequence[str]], str], ...] = (
    *(_flip, _cut, _splice, _insert, _repeat),
    *(_replace_value, _replace_value),
)
