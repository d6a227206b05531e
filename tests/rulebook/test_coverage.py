"""The rulebook, its tests and the code name the same clauses, and the rulesets bear the rulebook out."""

import ast
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from rulebook.clauses import HOUSE_RULES, ROOT, Clause, order_of, read_clauses

from referee.rules import RULESETS, Ruleset, flat_content

CLAUSES = read_clauses()
RULEBOOK_TESTS = ROOT / "tests" / "rulebook"


def clauses_with_tests() -> dict[str, list[str]]:
    """Return the clauses that the names of tests name, each with the files that test it."""
    found: dict[str, list[str]] = {}
    for path in RULEBOOK_TESTS.glob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for chapter, clause in re.findall(r"(?m)^test_hf_(\d+)_(\d+)_", "\n".join(names)):
            found.setdefault(f"HF-{chapter}.{clause}", []).append(path.name)
    return found


def clauses_in_use() -> dict[str, list[str]]:
    """Return the clauses that code and documents cite, each with the files that cite it."""
    found: dict[str, list[str]] = {}
    for folder, pattern in (
        ("referee", "*.py"),
        ("tournaments", "*.py"),
        ("docs", "*.md"),
        ("clients", "*.md"),
    ):
        for path in (ROOT / folder).rglob(pattern):
            if "node_modules" not in path.parts:
                for number in re.findall(r"HF-\d+\.\d+", path.read_text(encoding="utf-8")):
                    found.setdefault(number, []).append(str(path.relative_to(ROOT)))
    return found


def test_each_clause_has_a_test() -> None:
    """No clause is without a test that is named after it."""
    assert sorted(set(CLAUSES) - set(clauses_with_tests())) == []


def test_each_test_names_a_clause() -> None:
    """No test is named after a clause that is not in the rulebook."""
    assert {number: files for number, files in clauses_with_tests().items() if number not in CLAUSES} == {}


def test_each_test_stands_in_the_file_of_its_chapter() -> None:
    """The tests of a chapter are in one file, which begins with its number."""
    for number, files in clauses_with_tests().items():
        assert {file.split("_")[1] for file in files} == {str(order_of(number)[0])}, number


def test_each_test_says_what_it_shows() -> None:
    """Every test of the rulebook has a sentence."""
    for path in RULEBOOK_TESTS.glob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert (ast.get_docstring(node) or "").endswith("."), f"{path.name}: {node.name}"


def test_each_cited_clause_exists() -> None:
    """Errors, docstrings and pages cite only clauses of the rulebook."""
    assert {number: files for number, files in clauses_in_use().items() if number not in CLAUSES} == {}


def test_clauses_are_numbered_in_order() -> None:
    """Chapters and clauses are counted without gaps, in the order of the page."""
    places = [order_of(number) for number in CLAUSES]
    assert places[0] == (1, 1)
    for (chapter, place), following in pairwise(places):
        assert following in ((chapter, place + 1), (chapter + 1, 1))


def test_each_field_of_a_ruleset_decides_a_clause() -> None:
    """Whatever a ruleset can say is explained by a clause, and clauses name only fields that exist."""
    fields = {
        re.sub(r"^scores\.points\..*", "scores.points", key) for key in flat_content(RULESETS["online"])
    }
    named = {field for clause in CLAUSES.values() for field in clause.fields}
    assert (sorted(fields - named), sorted(named - fields)) == ([], [])


def _books_needed(ruleset: Ruleset) -> bool:
    rule = ruleset.going_out
    return bool(rule.clean_books or rule.dirty_books or rule.wild_books or rule.clean_book_ranks)


def _last_card_is_bound(ruleset: Ruleset) -> bool:
    rule = ruleset.going_out
    return _books_needed(ruleset) or rule.partner_played_foot or rule.final_discard != "optional"


HOLDS: dict[str, Callable[[Ruleset], bool]] = {
    "HF-1.5": lambda r: r.deal.upcard,
    "HF-1.6": lambda r: not r.deal.upcard,
    "HF-1.7": lambda r: r.deal.upcard and r.deal.rejected_upcards == "buried",
    "HF-1.8": lambda r: r.deal.upcard and r.deal.rejected_upcards == "under",
    "HF-1.9": lambda r: r.deal.start == "dealers_left",
    "HF-1.10": lambda r: r.deal.start == "high_cut",
    "HF-3.1": lambda r: not r.pile.allowed,
    **dict.fromkeys(
        ("HF-3.2", "HF-3.3", "HF-3.7", "HF-3.9", "HF-3.10", "HF-3.11", "HF-7.3", "HF-9.3"),
        lambda r: r.pile.allowed,
    ),
    "HF-3.4": lambda r: r.pile.allowed and not r.pile.wild_upcard,
    "HF-3.5": lambda r: r.pile.allowed and r.pile.choice,
    "HF-3.6": lambda r: r.pile.allowed and not r.pile.choice,
    "HF-3.8": lambda r: r.pile.allowed and r.pile.wild_upcard,
    **dict.fromkeys(("HF-4.1", "HF-4.2", "HF-4.3", "HF-4.4", "HF-8.13"), lambda r: r.red_threes == "laid"),
    "HF-4.5": lambda r: r.red_threes == "held",
    "HF-5.3": lambda r: not r.melds.wild_melds,
    "HF-5.4": lambda r: r.melds.wild_melds,
    "HF-5.6": lambda r: not r.melds.books_grow,
    "HF-5.7": lambda r: r.melds.books_grow,
    "HF-5.9": lambda r: not r.melds.books_grow,
    "HF-6.1": lambda r: r.opening.unit == "side",
    "HF-6.2": lambda r: r.opening.unit == "seat",
    "HF-6.3": lambda r: r.opening.excludes_partner_ranks,
    "HF-6.4": lambda r: any(r.opening.minimums),
    "HF-6.5": lambda r: r.opening.unit != "none",
    "HF-6.6": lambda r: r.opening.unit == "seat",
    "HF-6.7": lambda r: r.opening.unit != "none" and r.pile.allowed and r.pile.opening_counts == "all_melds",
    "HF-6.8": lambda r: (
        r.opening.unit != "none" and r.pile.allowed and r.pile.opening_counts == "upcard_meld"
    ),
    "HF-6.9": lambda r: r.opening.unit == "none",
    "HF-8.2": lambda r: r.going_out.permission == "none",
    "HF-8.3": lambda r: r.going_out.permission != "none",
    "HF-8.4": _books_needed,
    "HF-8.5": lambda r: r.going_out.partner_played_foot,
    "HF-8.6": lambda r: r.going_out.permission != "none",
    "HF-8.7": lambda r: r.going_out.permission == "required",
    "HF-8.8": lambda r: r.going_out.final_discard == "optional",
    "HF-8.9": lambda r: r.going_out.final_discard == "forbidden",
    "HF-8.10": lambda r: r.going_out.final_discard == "required",
    "HF-8.12": _last_card_is_bound,
    "HF-8.14": lambda r: r.pile.allowed and r.going_out.permission != "required",
    "HF-10.3": lambda r: r.scores.melded_cards,
    "HF-10.5": lambda r: bool(r.scores.red_three_laid or r.scores.red_three_laid_unmelded),
    "HF-10.6": lambda r: bool(r.scores.red_three_unplaced),
    "HF-10.7": lambda r: r.scores.leftover == "subtracted",
    "HF-10.8": lambda r: r.scores.leftover != "subtracted" and bool(r.scores.leftover_black_three),
    "HF-10.9": lambda r: bool(r.scores.red_three_from_opponent),
    "HF-10.10": lambda r: bool(r.scores.red_three_from_partner),
    "HF-10.11": lambda r: r.scores.leftover == "handed_over",
    "HF-10.12": lambda r: bool(r.scores.red_three_held_at_stock_out),
    "HF-11.3": lambda r: r.match.target is not None,
}
"""For each clause that does not hold for all rulesets: whether it holds for one, judged by its values."""


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=lambda clause: clause.number)
def test_holds_for_what_it_says(clause: Clause) -> None:
    """The rulesets that a clause names are those whose values call for it."""
    holds = HOLDS.get(clause.number)
    expected = tuple(name for name, ruleset in RULESETS.items() if holds is None or holds(ruleset))
    assert clause.holds_for == (expected or (HOUSE_RULES,))
