"""From the value of a league to the text of its files. Knows no clock and no disk: the same value, the same bytes."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tournaments.leaderboard import standings_csv, standings_json
from tournaments.results import FAULT_KINDS, UnitResult
from tournaments.schedule import EntityHash
from tournaments.site import wording
from tournaments.site.chart import Chart
from tournaments.site.match import match_pages
from tournaments.site.partnership import partnership_page_of
from tournaments.site.places import INDEX, STYLE, anchor, match_page, partnership_page, to_top
from tournaments.site.tally import ENOUGH, crosstable
from tournaments.site.view import LeagueView, PartnershipView

WIDEST: Final = 24
"""With more partnerships the table of everybody against everybody is left to their own pages."""


def render_site(view: LeagueView, *, matches: bool = True) -> Iterator[tuple[str, str]]:
    """
    Yield each file of the site of *view* as its path, with ``/`` between parts, and its text.

    Without *matches* there are no pages of single matches, of which a large league has very many.
    """
    pages = _Pages(view, matches)
    yield INDEX, pages.index()
    yield STYLE, files("tournaments.site").joinpath("static", STYLE).read_text("utf-8")
    yield "standings.json", standings_json(view.board)
    yield "standings.csv", standings_csv(view.board)
    yield "provenance.json", provenance_json(view)
    yield from pages.partnerships()
    if matches:
        yield from pages.matches()


def provenance_json(view: LeagueView) -> str:
    """Return what depends on when and where *view* was published, as JSON text."""
    said = view.provenance
    value = {
        "chain_head": said.chain_head,
        "commitment": view.commitment,
        "host": said.host,
        "published_at": said.published_at.astimezone(UTC).isoformat(timespec="seconds"),
        "results_sha256": view.board.results_sha256,
        "seed": view.seed,
        "versions": dict(said.versions),
    }
    return json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n"


class _Pages:
    """The pages of one league, made from templates."""

    def __init__(self, view: LeagueView, matches: bool) -> None:
        self._view = view
        self._matches = matches
        self._templates = _templates()
        self._partnerships = _in_order(view)
        self._rows = {row.entity: row for row in view.board.rows}
        self._links: dict[str, Mapping[EntityHash, Markup]] = {}
        self._results = sorted(view.results, key=lambda result: result.unit)

    def index(self) -> str:
        board, entities = self._view.board, tuple(self._partnerships)
        small = len(entities) <= WIDEST
        return self._page(
            "index.html.j2",
            INDEX,
            chart=Chart.of(board.rows),
            groups=[
                (component, list(rows)) for component, rows in groupby(board.rows, lambda row: row.component)
            ],
            crosstable=crosstable(self._results, entities) if small else None,
            faults=_faults(self._results),
            all_provisional=all(row.provisional for row in board.rows),
            enough=ENOUGH,
        )

    def partnerships(self) -> Iterator[tuple[str, str]]:
        played: dict[EntityHash, list[UnitResult]] = {entity: [] for entity in self._partnerships}
        for result in self._results:
            for entity in set(result.entities):
                played[entity].append(result)
        for entity, partnership in self._partnerships.items():
            row = self._rows.get(entity)
            page = partnership_page_of(partnership, row, played[entity], self._partnerships)
            path = partnership_page(entity)
            yield path, self._page("partnership.html.j2", path, page=page)

    def matches(self) -> Iterator[tuple[str, str]]:
        view = self._view
        for result in self._results:
            for page in match_pages(result, self._partnerships, view.seats, view.rounds):
                path = match_page(result, page.leg.number)
                yield path, self._page("match.html.j2", path, page=page)

    def _names(self, top: str) -> Mapping[EntityHash, Markup]:
        """Return each partnership's name as a link from a page from which *top* leads to the site's folder."""
        if top not in self._links:
            name = vars(self._templates.get_template("macros.html.j2").module)["name"]
            self._links[top] = {entity: name(each, top) for entity, each in self._partnerships.items()}
        return self._links[top]

    def _page(self, template: str, path: str, **content: Any) -> str:
        return self._templates.get_template(template).render(
            league=self._view,
            two_sides=self._view.sides == 2,
            whom="Entrant" if self._view.sides == self._view.seats else "Partnership",
            partnerships=self._partnerships,
            match_links=self._matches,
            top=to_top(path),
            names=self._names(to_top(path)),
            **content,
        )


@cache
def _templates() -> Environment:
    """Return the templates, compiled once; all that they are given is escaped."""
    templates = Environment(
        loader=PackageLoader("tournaments.site"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=wording.visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {
        name: getattr(wording, name) for name in ("points", "signed", "decimals", "percent")
    }
    templates.globals |= {
        "anchor": anchor,
        "counted": wording.counted,
        "match_page": match_page,
        "partnership_page": partnership_page,
        "style": STYLE,
        "index": INDEX,
    }
    return templates


def _in_order(view: LeagueView) -> Mapping[EntityHash, PartnershipView]:
    """Return the partnerships as the board has them; those that are not on it come last, by label."""
    places = {row.entity: number for number, row in enumerate(view.board.rows)}
    ordered = sorted(
        view.partnerships, key=lambda each: (places.get(each.entity, len(places)), each.label, each.entity)
    )
    return {each.entity: each for each in ordered}


def _faults(results: Sequence[UnitResult]) -> Mapping[EntityHash, Mapping[str, int]]:
    """Return how many faults of each class each partnership committed, if any, classes in alphabetical order."""
    counts: dict[EntityHash, Counter[str]] = {}
    for result in results:
        for leg in result.legs:
            for fault in leg.faults:
                counts.setdefault(result.entities[fault.entity], Counter())[fault.kind] += 1
    return {entity: {kind: count[kind] for kind in sorted(FAULT_KINDS)} for entity, count in counts.items()}
