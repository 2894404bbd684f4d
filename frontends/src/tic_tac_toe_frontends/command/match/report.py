"""The report of a match, in words and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.contest.plan import Plan, PlayedPair
from tic_tac_toe.contest.sprt import Sprt
from tic_tac_toe.contest.standings import (
    FAULT_KINDS,
    Encounter,
    SequentialTest,
    Standings,
    standings_of,
)
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.opponents import public_name

from ...program.terminal import in_table, screen_width
from ...words.rules_text import side_title, variant_title
from ...words.translation import N_, localise

#: The headings of a pair's points.
POINTS = ("0", "½", "1", "1½", "2")
#: A higher probability is reported as more than this.
LARGEST_PERCENT = 99.9
#: The headings of faults.
FAULT_TITLES = {
    "crash": N_("crashes"),
    "illegal": N_("illegal moves"),
    "time": N_("losses on time"),
}


class Report(NamedTuple):
    """The played part of a match.

    Attributes:
        total: the planned number of pairs.
        names: unique names of the players.
    """

    plan: Plan
    total: int
    pairs: Sequence[PlayedPair]
    standings: Standings
    test: SequentialTest | None
    names: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether no pairs are left to play."""
        decided = self.test is not None and self.test.decision is not None
        return decided or len(self.pairs) == self.total


def report_of(plan: Plan, total: int, played: dict[int, PlayedPair], sprt: Sprt | None) -> Report:
    """Return the report of finished pairs; pairs after the decision of a test do not count."""
    pairs = [played[number] for number in sorted(played)]
    test = None
    if sprt is not None:
        test = SequentialTest(sprt, pairs)
        if test.decision:
            pairs = pairs[: test.counts.pairs]
    public = [public_name(name) for name in plan.players]
    names = tuple(
        name if public.count(name) == 1 else f"{name} ({place + 1})"
        for place, name in enumerate(public)
    )
    return Report(plan, total, pairs, standings_of(plan, pairs), test, names)


def as_object(report: Report) -> dict[str, object]:
    """Return the object for ``--json``."""
    standings, plan = report.standings, report.plan
    result: dict[str, object] = {
        "variant": plan.variant,
        "clock": plan.clock,
        "pairs": standings.pairs,
        "complete": report.complete,
        "results": {"X": standings.x_wins, "draw": standings.draws, "O": standings.o_wins},
        "decided_by_faults": standings.decided_by_faults,
        "measures_strength": standings.measures_strength,
        "players": [
            {
                "name": name,
                "elo": rating and _number(rating.elo),
                "error": rating and _number(rating.error),
                "points": rating and rating.points,
                "games": rating and rating.games,
                "measures_strength": standings.measures(place),
                **dict(zip(FAULT_KINDS, standings.faults[place])),
                "longest": round(standings.longest[place], 3),
            }
            for place, name in enumerate(report.names)
            for rating in [standings.ratings[place] if standings.ratings else None]
        ],
        "encounters": [_encounter_object(report, each) for each in standings.encounters],
    }
    if report.test:
        result["sprt"] = _test_object(report.test)
    return result


def _encounter_object(report: Report, encounter: Encounter) -> dict[str, object]:
    elo, normalised = encounter.elo, encounter.normalised
    return {
        "players": [report.names[side] for side in encounter.sides],
        "won": encounter.tally.won,
        "drawn": encounter.tally.drawn,
        "lost": encounter.tally.lost,
        "pairs": list(encounter.counts),
        "different": encounter.different,
        "score": encounter.counts.score,
        "decided_score": encounter.counts.decided_score,
        "elo": {"value": _number(elo.value), "low": _number(elo.low), "high": _number(elo.high)},
        "normalised_elo": None if normalised is None else _number(normalised),
        "superiority": encounter.superiority,
        "decided_by_faults": encounter.faults,
        "measures_strength": encounter.measures_strength,
    }


def _test_object(test: SequentialTest) -> dict[str, object]:
    lower, upper = test.sprt.bounds
    return {**asdict(test.sprt), "lower": lower, "upper": upper, "llr": test.ratio} | {
        "decision": test.decision
    }


def _number(value: float) -> float | None:
    """Return a number for JSON: ``None`` for infinity."""
    return round(value, 2) if math.isfinite(value) else None


def describe(report: Report, language: NullTranslations) -> list[str]:
    """Return the report in lines."""
    _, standings = language.gettext, report.standings
    rules = find_rules(report.plan.variant)
    head = language.ngettext(
        "{variant}: {count} pair of games", "{variant}: {count} pairs of games", standings.pairs
    )
    title = variant_title(rules, language)
    lines = [head.format(variant=title, count=standings.pairs), *_faults(report, language)]
    if not standings.pairs:
        return lines
    lines += ["", *in_table(_table(report, language), screen_width())]
    if report.plan.clock == "cpu":
        lines.append(_("All seconds are those that the processor worked."))
    if not standings.measures_strength:
        text = _(
            "{faults} of {games} games were decided by faults: this table measures no strength"
        )
        lines.append(text.format(faults=standings.decided_by_faults, games=2 * standings.pairs))
    for encounter in standings.encounters:
        if encounter.counts.pairs:
            lines += ["", *_describe_encounter(report, encounter, language)]
    results = _("Games won by {first}: {wins}, won by {second}: {losses}, drawn: {draws}")
    lines += [
        "",
        results.format(
            first=side_title(rules, Mark.CROSS, language),
            wins=standings.x_wins,
            second=side_title(rules, Mark.NAUGHT, language),
            losses=standings.o_wins,
            draws=standings.draws,
        ),
    ]
    if report.test:
        lines.append(_describe_test(report.test, language))
    return lines


def progress_parts(
    report: Report, sides: tuple[int, int] | None, language: NullTranslations
) -> list[str]:
    """Return the progress of the match, the most important part first.

    Args:
        sides: the players of the last pair, if any.
    """
    _, standings = language.gettext, report.standings
    parts = [_("pair {count} of {total}").format(count=standings.pairs, total=report.total)]
    for encounter in standings.encounters:
        if encounter.sides == sides:
            one, other = (report.names[side] for side in encounter.sides)
            score = _("{player} against {opponent}: {percent} %")
            percent = f"{100 * encounter.counts.score:.1f}"
            parts.append(score.format(player=one, opponent=other, percent=percent))
            parts.append(_elo(encounter, language))
    if report.test:
        parts.append(f"LLR {report.test.ratio:.2f}")
    return parts


def _table(report: Report, language: NullTranslations) -> list[list[str]]:
    """Return a row of titles, and a row for each player, the strongest first."""
    _, standings = language.gettext, report.standings
    titles = [_("player"), "Elo", "±", _("points"), _("games")]
    titles += [_(FAULT_TITLES[kind]) for kind in FAULT_KINDS] + [_("longest move")]
    rows = []
    order = list(range(len(report.names)))
    if standings.ratings:
        order.sort(key=lambda place: -standings.ratings[place].elo)
    for place in order:
        rating = standings.ratings[place] if standings.ratings else None
        rated = [f"{rating.points:g}", str(rating.games)] if rating else ["–"] * 2
        is_rated = rating and standings.measures(place)
        elo = [f"{rating.elo:+.0f}", f"{rating.error:.0f}"] if rating and is_rated else ["–"] * 2
        seconds = _("{seconds} s").format(seconds=f"{standings.longest[place]:.2f}")
        rows.append(
            [report.names[place], *elo, *rated, *map(str, standings.faults[place]), seconds]
        )
    return [titles, *rows]


def _describe_encounter(
    report: Report, encounter: Encounter, language: NullTranslations
) -> list[str]:
    _ = language.gettext
    one, other = (report.names[side] for side in encounter.sides)
    tally = _("{player} against {opponent}: {won} won, {drawn} drawn, {lost} lost; {elo}").format(
        player=one,
        opponent=other,
        won=encounter.tally.won,
        drawn=encounter.tally.drawn,
        lost=encounter.tally.lost,
        elo=_elo(encounter, language),
    )
    pairs = ", ".join(f"{points}: {count}" for points, count in zip(POINTS, encounter.counts))
    by_points = _("  pairs by points: {pairs}; points in pairs that are not even: {percent} %")
    decided = f"{100 * encounter.counts.decided_score:.1f}"
    lines = [tally, by_points.format(pairs=pairs, percent=decided)]
    superiority = encounter.superiority
    if superiority is not None and encounter.measures_strength:
        chance = _("  {player} is the stronger one with a probability of {percent} %")
        likely = 100 * max(superiority, 1 - superiority)
        percent = f">{LARGEST_PERCENT}" if likely > LARGEST_PERCENT else f"{likely:.1f}"
        lines.append(chance.format(player=one if superiority >= 0.5 else other, percent=percent))
    if encounter.different < 2 * encounter.counts.pairs:
        lines.append(
            _("  different games: {count}; repeated games show nothing new").format(
                count=encounter.different
            )
        )
    return lines


def _elo(encounter: Encounter, language: NullTranslations) -> str:
    if not encounter.measures_strength:
        text = language.gettext("no Elo: {faults} of {games} games were decided by faults")
        return text.format(faults=encounter.faults, games=2 * encounter.counts.pairs)
    value, low, high = map(_signed, encounter.elo)
    text = language.gettext("Elo {value} (95 %: {low} to {high})")
    return text.format(value=value, low=low, high=high)


def _signed(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else ("+∞" if value > 0 else "-∞")


def _describe_test(test: SequentialTest, language: NullTranslations) -> str:
    _, (lower, upper) = language.gettext, test.sprt.bounds
    text = _("SPRT {elo0} or {elo1} Elo: log likelihood ratio {ratio}, between {lower} and {upper}")
    result = text.format(
        elo0=f"{test.sprt.elo0:g}",
        elo1=f"{test.sprt.elo1:g}",
        ratio=f"{test.ratio:.2f}",
        lower=f"{lower:.2f}",
        upper=f"{upper:.2f}",
    )
    if test.decision is None:
        return "; ".join([result, _("not decided")])
    elo = test.sprt.elo1 if test.decision == "elo1" else test.sprt.elo0
    return "; ".join([result, _("decided for {elo} Elo").format(elo=f"{elo:g}")])


def _faults(report: Report, language: NullTranslations) -> list[str]:
    """Return a sentence about each game that was lost other than on the board."""
    _, lines = language.gettext, []
    for pair in report.pairs:
        for number, game in enumerate(pair.games):
            if game.fault:
                name = report.names[pair.player_of(number, game.fault.mark)]
                result = localise(language, game.fault.told(name))
                text = _("Game {number}: {sentence}")
                lines.append(text.format(number=2 * pair.number + number + 1, sentence=result))
    if len(lines) > MOST_FAULTS:
        hidden = len(lines) - MOST_FAULTS
        lines = [*lines[:MOST_FAULTS], _("… and {count} more").format(count=hidden)]
    return lines


#: The maximum number of faults with sentences of their own.
MOST_FAULTS = 10
