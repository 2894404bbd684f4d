"""What the library says, in the reader's language: the library itself speaks English.

Its messages are texts with parts filled in. They are recognised by their templates, which a test
compares with the library's source, and put together again from the translated ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from gettext import NullTranslations
from string import Formatter

from .translation import N_

#: Placeholders with these names hold messages, to be translated in their turn.
NESTED = {"cells", "choices", "expected", "found", "known", "reason", "wanted", "what"}
#: What placeholders with these names hold, where anything would be too much.
_VALUES = {"quoted": '".*?"', "least": "[0-9]+"}

TEMPLATES = (
    # moves
    N_("Cell is not empty"),
    N_("Cell cannot be played now"),
    N_("Cell must be a whole number, not {kind}"),
    N_("Cell must be from 0 to {last}"),
    N_("Column {column} is full"),
    N_("A mark falls to the lowest empty cell of its column"),
    N_("The last move asks for another board"),
    N_("That board is closed"),
    N_("The game is over"),
    N_("The game has moved on: {count} moves have been played"),
    N_("It's the other player's turn"),
    N_("No more possible moves"),
    N_("There is no move to take back"),
    N_("There is no move to play again"),
    N_("The mark must be X or O"),
    # positions
    N_("Wrong number of Xs and Os"),
    N_("Wrong starting mark"),
    N_("Wrong number of {mark}s"),
    N_("Marks overlap or lie outside the board"),
    N_("The turn is 0 or 1"),
    N_("The grid has another shape than the rules"),
    N_("Both players own a line"),
    N_("Both players own a line in one small board"),
    N_("The game went on after a line"),
    N_("A mark floats above an empty cell"),
    N_("Nothing is remembered in this game"),
    N_("No last move leads to this choice of boards"),
    # notation
    N_("{quoted}: expected {expected}"),
    N_("a cell from A1 to {last}"),
    N_("a column from 1 to {columns}, or {cells}"),
    N_("{cells}, or a digit of the number pad"),
    N_("cell must be from 0 to {last}"),
    N_("cell must be from 0 to 8"),
    N_("a number pad has the digits from 1 to 9"),
    N_("move {number} {reason}"),
    N_("move {number} {text}: {reason}"),
    N_("expected {rows} rows, got {found_rows}"),
    N_("expected {count} cells, got {found_cells}"),
    N_("row {row}: expected {columns} cells, got {found_cells}"),
    N_(
        "{text} in row {row}, column {column}: "
        "expected X, O, or for an empty cell a dot, underscore or space"
    ),
    N_("{text} after the last cell: expected x or o, who moves"),
    N_("{text} after the side to move: expected a number, if any"),
    N_("{text} after the side to move: expected {wanted}"),
    N_("add the side to move and {wanted}, like: x A1"),
    N_("the board to play in, A1 to {last}, or - for any"),
    N_("{side} to move means that {starter} has started here, not {starting_mark}"),
    # variants
    N_("no variant is called {text}; {choices}"),
    N_("no variant is called {text}; did you mean {close}? Else {choices}"),
    N_("choose from {names}, or mnk:COLUMNS,ROWS,LENGTH with the flags gravity, exact and misere"),
    N_("a board needs columns, rows and line length, like 7x6x4; {count} given"),
    N_("{what} must be a whole number, not {text}"),
    N_("{what} must be from 1 to {most}, not {text}"),
    N_(
        "no line of {count} fits {columns} columns and {rows} rows, "
        "so every game would be a draw: line length must be from 1 to {most}"
    ),
    N_("line length must be 1 or more, not {text}"),
    N_("misère play needs the rules of a game, not {kind}"),
    N_(
        "the boards of ultimate need line rules, not {kind}; "
        "misère play wraps the whole: Misere(Ultimate())"
    ),
    N_("columns"),
    N_("rows"),
    N_("line length"),
    N_("{text} is not a flag; the flags are {flags}"),
    N_("the flag {flag} is given twice"),
    N_("{kind} rules of one's own have no variant name"),
    N_("the boards of ultimate cannot have gravity"),
    N_("ultimate cannot be larger than {columns} x {rows}"),
    # records
    N_("line {line}: {reason}"),
    N_("unexpected {text}"),
    N_("unexpected control character {text}"),
    N_("{what} holds the control character {text}"),
    N_("a comment"),
    N_("the tag {tag}"),
    N_("a comment after move {ply} of {count}"),
    N_("a comment begins that does not end"),
    N_("the tag {tag} is given twice"),
    N_("the tag {tag} should be {value}"),
    N_("the tag Starting should be X or O"),
    N_("the tag Termination should be X resigns or O resigns"),
    N_('{text} is not a tag: expected a line like [X "Ann"]'),
    N_("{text} is not the name of a tag: letters, digits, underscores"),
    N_("{text} is not a free tag: {tag} is taken"),
    N_("{text} stands where the moves have the number {number}"),
    N_("the result {text} should be {result}"),
    N_("the game before this breaks off: it ends in none of {results}"),
    N_("The record and its first position disagree on rules or starter"),
    N_("Nobody resigns once the game is over"),
    # records in JSON
    N_("no JSON: {detail}, column {column}"),
    N_("{text} is no JSON"),
    N_("lists or objects are nested too deeply"),
    N_("the field {text} is given twice"),
    N_("{path}: the field {field} is missing"),
    N_("{path}: {text} is no field of it"),
    N_("{path}: expected {expected}, got {found}"),
    N_("{path}.ply: expected 0 to {last}"),
    N_('{path}: expected "X" or "O"'),
    N_('format: expected "{format}"'),
    N_("version: {version} is unknown here, expected {known}"),
    N_("variant: {reason}"),
    N_("position: {reason}"),
    N_("moves[{ply}]: {reason}"),
    N_('result: the moves make it "{result}"'),
    N_("an object"),
    N_("a list"),
    N_("a text"),
    N_("true or false"),
    N_("a whole number"),
    N_("a fraction or an immense number"),
    N_("null"),
    # certificates
    N_('expected a line like "{example}"'),
    N_("longer than {count} bytes"),
    N_("no plain text"),
    N_("the file ends before its closing line"),
    N_("something follows the closing line"),
    N_("this does not fit what stands above: something has been changed"),
    N_("no such board, or no such line on it"),
    N_("no game comes to this position"),
    N_("no theorem is about the start position"),
    N_("a theorem above is about this position already"),
    N_("{mark} cannot answer there"),
    N_("{mark} has completed a line and lost"),
    N_("the board is full and nobody has won"),
    N_("nothing answers the reply {cell}"),
    N_("this is no reason here"),
    N_("a line is still open"),
    N_("the lines weigh 1 or more after a reply"),
    N_('"{text}" is no pair of empty cells of its own'),
    N_("the odd columns are not paired up by their lowest cells"),
    N_("the upper cells fill no line"),
    N_("{kind} rules have no certificates"),
    N_("lines of an exact length have no certificates"),
    # online play
    N_("There is no such game, or no such seat for you"),
    N_("Create, join or watch a game first"),
    N_("Only players can do that"),
    N_("The other player is not there yet"),
    N_("The game is not over yet"),
    N_("The game has begun"),
    N_("The seat is taken"),
    N_("You already play in this game"),
    N_("There is no such offer to answer"),
    N_("That has been offered already"),
    N_("There is a rematch already"),
    N_("Your time has run out"),
    N_("So much has happened in this game that no more is written down"),
    N_("There has been so much talk that no more is written down"),
    N_("This message cannot be understood"),
    N_("Another version of the protocol is spoken here"),
    N_("Another message has had the same id"),
    N_("The server is about to stop"),
    N_("The server cannot write at the moment"),
    N_("That was too much at once"),
    N_("The server has all the games that it can hold"),
    N_("event {version} of a game that is at version {known_version}"),
    N_("event {version} is a {kind}, which is unknown here"),
    N_("event {version}: {reason}"),
    N_("event {version}: a {kind} cannot follow here"),
    N_("a game begins with the event that creates it, which is version 1"),
    N_("type: {text} is unknown here"),
    N_("a message has at most {count} bytes"),
    N_("a number has at most {count} digits"),
    N_("{path}: expected 1 to {most} letters, digits, hyphens and underscores"),
    N_("{path}: expected 22 signs of base64url"),
    N_("{path}: expected no number below 0"),
    N_("{path}: at most {count} can wait for an answer"),
    N_("{path}: expected one line of at most {count} characters"),
    N_("{path}: expected one of {names}"),
    N_("{path}: expected true or false"),
    N_("{path}: expected the seconds for each side and those of a move"),
    N_("{path}: expected {least} to {most}"),
    N_("{path}: expected a line that says something"),
    N_("{path}{field}: expected two numbers"),
    N_("setup.players: expected two"),
    N_("setup.starting: expected X or O"),
    # searches and strategies
    N_("the game is too long for the interpreter's stack"),
    N_("no answer after {count} positions"),
    N_("the tree has more than {count} nodes"),
    N_("no answer after {count} seconds"),
    N_("the search was cancelled"),
    N_("{reason}; {known}"),
    N_("{reason}; {faster}node_limit=None sets no limit; find_best_move always answers"),
    N_("{reason}; {solved} of {count} are solved"),
    N_("at least a draw"),
    N_("at most a draw"),
    N_("a win, but not how soon"),
    N_("a loss, but not how late"),
    N_("the outcome is open"),
    N_("{what} needs packages that are not installed: {command}"),
    N_("the fast solver"),
    N_("the cluster solver"),
    N_("the fast solver does not know the rules {kind}"),
    N_("the fast solver does not know lines of an exact length"),
    N_(
        "the fast solver needs columns x (rows + 1) <= {most} under gravity, "
        "and {columns} columns with {rows} rows make {count}"
    ),
    N_("the fast solver takes boards of {most} cells at most, not {count}"),
    N_("only boards of at most {most} cells can be enumerated"),
    N_("No game from the empty board reaches the position"),
    N_("all states of a batch must be of the same game"),
    N_("{file} is no checkpoint, or is damaged"),
    N_("{file} holds what no search has saved"),
    N_("{file} belongs to another {name}: {found_value}, not {value}"),
    N_("{file} is cut off, or too long"),
    N_("{file} cannot be read: {detail}"),
    N_("{file} is damaged: its checksum is wrong"),
    N_("{reason}; the older state is used"),
    N_("the time limit leaves no time to search: saving takes {count} seconds"),
    N_("no Dask scheduler answers at {address}"),
    N_("the connection to the cluster has been lost for {count} seconds"),
    N_("the cluster has had no worker for {count} seconds"),
    N_("one worker after another has died at the same job"),
    N_("a worker cannot do its job: {detail}"),
    N_("another version of the fast solver is installed there"),
    N_("the cluster solver needs a client that is not asynchronous"),
    N_("a checkpoint saves the search of one process, not that of a cluster"),
    N_("the game has more than {count} positions"),
    N_(
        "This board is too large for {strategy} to solve at the start: "
        "it looks some moves ahead until few enough cells are empty."
    ),
    N_(
        "This board is too large for {strategy} to solve at the start: "
        "it looks some moves ahead until few enough cells are empty. "
        "With “{command}” it solves much more."
    ),
    N_(
        "{strategy} plays perfectly what it can solve in a few seconds, "
        "and looks some moves ahead until then."
    ),
)


def translate(language: NullTranslations, text: str) -> str:
    """Return a sentence of the library in another language; what no template fits as it is."""
    return _translated(language, text) or text


def _translated(language: NullTranslations, text: str) -> str | None:
    for pattern, template in _patterns():
        match = pattern.fullmatch(text)
        if match is None:
            continue
        values = match.groupdict()
        inner = {name: _translated(language, values[name]) for name in NESTED & values.keys()}
        if all(inner.values()):
            return language.gettext(template).format(**values | inner)
    return None


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return the templates with the patterns of their messages, the most particular first."""
    ordered = sorted(TEMPLATES, key=lambda template: -sum(map(len, _literals(template))))
    return [(re.compile(pattern_of(template), re.DOTALL), template) for template in ordered]


def _literals(template: str) -> Iterator[str]:
    return (literal for literal, *_ in Formatter().parse(template))


def pattern_of(template: str) -> str:
    """Return a regular expression for the messages of a template, with a group for each place."""
    parts = []
    for literal, name, *_ in Formatter().parse(template):
        part = f"(?P<{name}>{_VALUES.get(name, '.+?')})" if name else ""
        parts.append(re.escape(literal) + part)
    return "".join(parts)
