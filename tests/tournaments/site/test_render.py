"""What the pages of a league promise."""

import json
from dataclasses import fields, replace
from pathlib import Path, PurePosixPath

import pytest
from conftest import Golden
from hypothesis import given, settings
from hypothesis import strategies as st
from league_views import PROVENANCE, ROUNDS, league_of, partnership, small_league, unrated
from rendered import Page, pages, site
from unit_results import ANN, BEA, CAT, played

from referee.rules import RoundScore
from tournaments.leaderboard import standings_csv, standings_json
from tournaments.schedule import EntityHash, round_robin
from tournaments.site import EntrantView, LeagueView, PartnershipView
from tournaments.site.match import LINES
from tournaments.site.render import WIDEST
from tournaments.site.wording import visible

GOLDEN = Path(__file__).parents[2] / "golden" / "site"


@pytest.fixture(scope="module")
def small() -> dict[str, str]:
    return site(small_league())


@pytest.fixture(scope="module")
def parsed() -> dict[str, Page]:
    return pages(small_league())


@pytest.mark.parametrize(
    "path",
    [
        "index.html",
        "partnerships/bbbbbbbbbbbb.html",
        "matches/000000-aaaaaaaaaaaa-bbbbbbbbbbbb-0.html",
        "matches/000001-aaaaaaaaaaaa-bbbbbbbbbbbb-0.html",
        "provenance.json",
    ],
)
def test_pages_are_the_golden_ones(small: dict[str, str], golden: Golden, path: str) -> None:
    """The pages of a small fixed league are the golden ones."""
    golden(GOLDEN / PurePosixPath(path).name, small[path])


def test_a_league_has_these_files(small: dict[str, str]) -> None:
    """A league has a board, a page for each partnership and each match that was begun, and its data."""
    ab, ac, bc = ("aaaaaaaaaaaa-bbbbbbbbbbbb", "aaaaaaaaaaaa-cccccccccccc", "bbbbbbbbbbbb-cccccccccccc")
    matches = [f"000000-{pair}-{leg}" for pair in (ab, ac, bc) for leg in (0, 1)]
    matches += [f"000001-{ab}-0", f"000001-{bc}-0", f"000002-{ab}-0"]
    assert set(small) == {
        "index.html",
        "style.css",
        "standings.json",
        "standings.csv",
        "provenance.json",
        *(f"partnerships/{letter * 12}.html" for letter in "abc"),
        *(f"matches/{match}.html" for match in matches),
    }


def test_the_standings_are_those_of_the_board(small: dict[str, str]) -> None:
    """The published standings are the texts of the board, to the byte."""
    board = small_league().board
    assert small["standings.json"] == standings_json(board)
    assert small["standings.csv"] == standings_csv(board)


@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_the_order_of_what_is_known_changes_nothing(data: st.DataObject) -> None:
    """The same results and partnerships in another order give the same bytes."""
    view = small_league()
    shuffled = replace(
        view,
        results=tuple(data.draw(st.permutations(view.results))),
        partnerships=tuple(data.draw(st.permutations(view.partnerships))),
    )
    assert site(shuffled) == site(view)


def test_what_depends_on_time_and_place_is_in_one_file(small: dict[str, str]) -> None:
    """Time, machine, versions and chain stand in provenance.json, and in no other file."""
    said = json.loads(small["provenance.json"])
    assert said == {
        "chain_head": PROVENANCE.chain_head,
        "commitment": None,
        "host": "attic.example",
        "published_at": "2026-12-24T18:00:00+00:00",
        "results_sha256": small_league().board.results_sha256,
        "seed": 7,
        "versions": {"handfoot": "0.1.0-test", "trueskill": "0.4.5-test"},
    }
    others = "".join(text for path, text in small.items() if path != "provenance.json")
    for secret in (PROVENANCE.chain_head, "attic", "2026-12-24", "0.1.0-test", "0.4.5-test"):
        assert secret not in others


def test_all_links_lead_somewhere(small: dict[str, str], parsed: dict[str, Page]) -> None:
    """Each link is relative and leads to a file of the site, and to a place in it that is there."""
    for path, page in parsed.items():
        for link in page.values("href"):
            if link.startswith("data:"):
                continue
            file, _, place = link.partition("#")
            target = str(PurePosixPath(*_resolved(path, file))) if file else path
            assert target in small, (path, link)
            assert not place or place in parsed[target].values("id"), (path, link)


def _resolved(page: str, link: str) -> list[str]:
    parts = list(PurePosixPath(page).parent.parts)
    for part in PurePosixPath(link).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return parts


def test_each_page_is_reached_from_the_board(parsed: dict[str, Page]) -> None:
    """Whoever follows links from the board gets to each page."""
    seen, left = set(), ["index.html"]
    while left:
        path = left.pop()
        if path in seen or not path.endswith(".html"):
            continue
        seen.add(path)
        links = [
            link.partition("#")[0] for link in parsed[path].values("href") if not link.startswith("data:")
        ]
        left += [str(PurePosixPath(*_resolved(path, link))) for link in links if link]
    assert seen == set(parsed)


def test_pages_load_nothing_and_run_nothing(parsed: dict[str, Page], small: dict[str, str]) -> None:
    """No page has a script, an inline style, a handler or an address of the network, nor has the style sheet."""
    for path, page in parsed.items():
        assert not {"script", "style", "iframe", "img", "object", "form"} & set(page.tags), path
        names = {name for _, name, _ in page.attributes}
        assert not [name for name in names if name.startswith("on") or name in ("style", "src")], path
        assert "default-src 'none'" in "".join(page.values("content"))
    assert "url(" not in small["style.css"]
    assert "@import" not in small["style.css"]
    assert "http" not in small["style.css"]


def test_pages_can_be_read_without_seeing_them(parsed: dict[str, Page]) -> None:
    """Each page has a language, a title, one first heading, unique ids, and headed table columns."""
    for path, page in parsed.items():
        assert ("html", "lang", "en") in page.attributes
        assert page.tags.count("h1") == 1, path
        assert page.tags.count("title") == page.tags.count("main") == 1
        ids = page.values("id")
        assert len(ids) == len(set(ids)), path
        labelled = page.values("aria-labelledby")
        assert set(labelled) <= set(ids)
        assert page.tags.count("th") == len(
            [1 for tag, name, _ in page.attributes if (tag, name) == ("th", "scope")]
        )


def test_the_board_shows_its_numbers(parsed: dict[str, Page]) -> None:
    """The board shows rank, partnership, rating, interval, sigma, record, margin and forfeits of everybody."""
    words = parsed["index.html"].words
    for row in small_league().board.rows:
        wdl = f"{row.wins}–{row.draws}–{row.losses}"
        shown = words.split(row.partnership, 1)[1]
        assert row.low is not None
        assert row.high is not None
        for number in (
            f"{row.mu:.2f}",
            f"{(row.high - row.low) / 2:.2f}",
            f"{row.sigma:.2f}",
            f"{row.conservative:.2f}",
        ):
            assert number.replace("-", "−") in shown
        assert wdl in shown
    assert "4 still to play" in words
    assert "All deals follow from seed 7" in words
    assert small_league().board.results_sha256 in words


def test_faults_are_counted_by_class(parsed: dict[str, Page]) -> None:
    """The board counts the faults of each partnership that had one."""
    words = parsed["index.html"].words
    faults = words[words.index("Strikes and faults") : words.index("What the numbers mean")]
    assert "bea@0.2-rc.1 + bea@0.2-rc.1 1 – – – – –" in faults
    assert "ann@1.0" not in faults


def test_a_match_shows_each_round(parsed: dict[str, Page]) -> None:
    """The page of a match shows the lines of each round, who went out, and totals that add up."""
    words = parsed["matches/000000-aaaaaaaaaaaa-bbbbbbbbbbbb-0.html"].words
    rounds = words[words.index("Round by round") : words.index("Who sat where")]
    assert "Round 1 seat 2, ann@1.0, went out Books 1,300 500 Cards melded 640 310 Going out 100 –" in rounds
    assert "Round 1 2,240 965 Match so far 2,240 965" in rounds
    assert "Round 2 the stock ended it" in rounds
    assert "Red threes not on the table −100 –" in rounds
    assert "Round 2 −240 1,265 Match so far 2,000 2,230" in rounds
    assert (
        "Seat Bot Language 0 ann@1.0 Python 1 bea@0.2-rc.1 C++ 2 ann@1.0 Python 3 bea@0.2-rc.1 C++" in words
    )


def test_the_second_leg_has_the_sides_swapped(parsed: dict[str, Page]) -> None:
    """In the second leg the other partnership has the first side, and its points stand with it."""
    words = parsed["matches/000000-aaaaaaaaaaaa-bbbbbbbbbbbb-1.html"].words
    assert "bea@0.2-rc.1 + bea@0.2-rc.1 1,500 lost ann@1.0 + ann@1.0 2,900 won" in words
    assert "0 bea@0.2-rc.1 C++ 1 ann@1.0 Python" in words
    assert "4 rounds finished; the scores of single rounds were not kept" in words
    assert "ann@1.0 + ann@1.0 won the unit by 1,170." in words


def test_a_forfeit_says_why(parsed: dict[str, Page]) -> None:
    """The page of a forfeited match says who forfeited, in which round, and why."""
    words = parsed["matches/000001-aaaaaaaaaaaa-bbbbbbbbbbbb-0.html"].words
    assert "ann@1.0 + ann@1.0 won bea@0.2-rc.1 + bea@0.2-rc.1 forfeited" in words
    assert "Forfeited by bea@0.2-rc.1 + bea@0.2-rc.1: the match was not played out." in words
    assert "crash bea@0.2-rc.1 + bea@0.2-rc.1, round 2, ended the match: exit code 1; last words:" in words
    assert "'cannot <open> \"deck\" & go on'" in words
    assert "The unit ended here; the other leg was not played." in words


def test_units_that_count_for_nobody_are_shown_as_such(parsed: dict[str, Page]) -> None:
    """A no-show and a double forfeit are listed as not rated, and their pages say that they count for nobody."""
    words = parsed["partnerships/bbbbbbbbbbbb.html"].words
    assert "3 not rated double forfeit" in words
    assert "2 not rated no show" in words
    assert "1–0–0 in units, margin +7,530 a unit, 1 unit not rated" in words
    match = parsed["matches/000001-bbbbbbbbbbbb-cccccccccccc-0.html"].words
    assert "This match was not played out, and counts for nobody." in match
    assert "The unit counts for nobody: no show." in match


def test_a_suspended_bot_is_marked(parsed: dict[str, Page]) -> None:
    """A bot that is not active is marked on the board."""
    assert "cat@3 + cat@3 suspended" in parsed["index.html"].words


def test_all_lines_of_a_score_have_words() -> None:
    """Each line that a round's score can have is shown in words."""
    assert set(LINES) == {field.name for field in fields(RoundScore)}


def test_an_empty_league_can_be_published() -> None:
    """A league without entrants, or without results, has a board that says so."""
    assert "Nobody has entered yet." in pages(league_of([], []))["index.html"].words
    fresh = pages(league_of([partnership(ANN, "ann@1"), partnership(BEA, "bea@1")], [], pending=10))
    assert "0 rated units 10 still to play" in fresh["index.html"].words
    assert "No unit has been played yet." in fresh["partnerships/aaaaaaaaaaaa.html"].words


def test_groups_without_a_result_between_them_are_kept_apart() -> None:
    """Partnerships that no results tie together stand in groups of their own, each with its first."""
    dan = EntityHash("d" * 64)
    several = [partnership(entity, f"{entity[0]}@1") for entity in (ANN, BEA, CAT, dan)]
    view = league_of(several, [played(0, (1, 0), (1, 0)), played(0, (1, 0), (1, 0), one=CAT, two=dan)])
    words = pages(view)["index.html"].words
    assert words.count("no result ties it to the other groups") == 2


def test_a_large_league_has_no_table_of_everybody() -> None:
    """Beyond a size the table of everybody against everybody is left out, and match pages can be."""
    entities = [EntityHash(f"{number:064x}"[::-1]) for number in range(WIDEST + 1)]
    results = [
        played(0, (5, 3), (1, 2), one=unit.entities[0], two=unit.entities[1])
        for unit in round_robin(entities, 1)
    ]
    several = [partnership(entity, f"bot{number}@1") for number, entity in enumerate(entities)]
    files = site(league_of(several, results), matches=False)
    assert "Everybody against everybody" not in files["index.html"]
    assert not [path for path in files if path.startswith("matches/")]
    assert "matches/" not in "".join(files.values())
    assert len(files) == 5 + len(entities)


HOSTILE = [
    "<script>alert(1)</script>",
    '" onmouseover="alert(1)" x="',
    "'><img src=x onerror=alert(1)>",
    "</title></main></table><h1>",
    "&lt;b&gt;&amp;",
    "{{ league.seed }}{% raw %}",
    "a\r\nb\0c\x1b[31m",
    "\u202eGNP.exe",
    "A" * 5000,
    " + ",
]


def hostile_league(text: str) -> LeagueView:
    """Return the small league with *text* in place of everything that its members may choose."""
    view = small_league()

    def spoil(each: PartnershipView) -> PartnershipView:
        entrants = tuple(
            replace(one, label=f"{text}{each.entity[0]}", language=text) for one in each.entrants
        )
        return replace(each, label=" + ".join(one.label for one in entrants), entrants=entrants)

    results = tuple(
        replace(
            result,
            legs=tuple(
                replace(leg, faults=tuple(replace(fault, reason=text) for fault in leg.faults))
                for leg in result.legs
            ),
        )
        for result in view.results
    )
    spoilt = league_of(
        [spoil(each) for each in view.partnerships], results, name=text, pending=4, rounds=view.rounds
    )
    return replace(spoilt, time=text)


PLAIN = pages(hostile_league("x"))


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30)))
@settings(max_examples=25, deadline=None)
def test_no_text_changes_what_a_page_is_made_of(text: str) -> None:
    """Whatever names, languages, faults and leagues are called, the pages have the same elements, and show the text."""
    spoilt = pages(hostile_league(text))
    for path, plain in PLAIN.items():
        page = spoilt.pop(path)
        assert page.tags == plain.tags
        shape = [(tag, name) for tag, name, _ in page.attributes]
        assert shape == [(tag, name) for tag, name, _ in plain.attributes]
        assert page.values("href") == plain.values("href")
        assert f"{visible(text)}b" in page.text or "bbb" not in path
    assert not spoilt


def test_mixed_partnerships_sit_in_their_order() -> None:
    """The bots of a mixed partnership sit on the seats of their side in their order."""
    mixed = PartnershipView(ANN, "a@1 + b@1", (EntrantView("a@1", "Go"), EntrantView("b@1", "C")))
    view = league_of([mixed, partnership(BEA, "c@1")], [played(0, (1, 2), (3, 4))])
    words = pages(view)["matches/000000-aaaaaaaaaaaa-bbbbbbbbbbbb-1.html"].words
    assert "0 c@1 Python 1 a@1 Go 2 c@1 Python 3 b@1 C" in words


def test_the_rounds_of_the_builder_add_up() -> None:
    """The rounds of the small league make the totals of its first match."""
    totals = [sum(each.scores[side].total for each in ROUNDS) for side in (0, 1)]
    assert totals == [2000, 2230]
    assert unrated(1, ANN, BEA, "no_show").margin is None
