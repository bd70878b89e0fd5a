"""From text to terms, to units, to postings."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.index.extraction.extract import extract
from explorer_core.index.terms.lexis import lexis_of
from explorer_core.index.terms.text import analyse, is_word, respelt, terms_of
from explorer_core.index.terms.units import (
    FIELDS,
    PATH_UNIT,
    WINDOW_LINES,
    Terms,
    text_facts,
    why_not_searched,
)
from tests.index.decoded import Entry, read_entry, read_units


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("resolvers", ["resolv"]),
        ("URLResolver", ["url", "resolv", "urlresolver"]),
        ("URLs", ["url"]),
        ("userIDs", ["user", "id", "userids"]),
        ("parseURLsFrom", ["pars", "url", "from", "parseurlsfrom"]),
        ("get_session_key", ["get", "session", "key", "get_session_key"]),
        ("__init__", ["init"]),
        ("utf8", ["utf", "utf8"]),
        ("sha256", ["sha", "256", "sha256"]),
        ("x", []),
        ("404", ["404"]),
        ("a" * 65, []),
        ("größeÄndern", ["größe", "ändern", "größeändern"]),
        ("検索結果", ["検索", "索結", "結果"]),
        ("検索UserName結果", ["検索", "user", "name", "username", "結果"]),
        ("第2章", ["第", "章"]),
        ("A0㐀", ["a0", "㐀"]),
    ],
)
def test_identifier_yields_its_parts_and_itself(word: str, terms: list[str]) -> None:
    assert list(terms_of(word)) == terms


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("resolv", True),
        ("größe", True),
        ("parseurlsfrom", True),
        ("get_session_key", False),
        ("sha256", False),
        ("404", False),
        ("索結", False),
    ],
)
def test_term_may_be_a_word_unless_it_is_a_name_a_number_or_a_bigram(
    term: str, *, expected: bool
) -> None:
    assert is_word(term) == expected


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ProxyURL", "proxy_url"),
        ("proxy_url", "proxyurl"),
        ("LONG_TEXT", "longtext"),
        ("proxy", ""),
        ("_proxy", ""),
    ],
)
def test_name_is_respelt_in_other_style(name: str, other: str) -> None:
    assert respelt(name) == other


@given(st.text())
def test_terms_are_lowered_and_independent_of_context(text: str) -> None:
    terms = analyse(text)
    assert all(term and term == term.lower() for term in terms if term.isascii())
    assert analyse(f"{text} {text}") == terms + terms


def occurrences(terms_made: Terms) -> Iterator[tuple[str, Entry]]:
    """Every term occurrence with its entry."""
    for term, places in terms_made.by_term().items():
        for place in chain.from_iterable(places):
            yield term, read_entry(terms_made.entries[place])


def term_counts(path: str, source: str) -> dict[str, dict[int, dict[str, int]]]:
    """The term counts of a file: term -> unit -> field -> count."""
    text = textwrap.dedent(source)
    facts = extract(path, text)
    terms_made = Terms()
    text_facts(path, text, facts, lexis_of(facts.language if facts else None), terms_made)
    table: dict[str, dict[int, dict[str, int]]] = {}
    for term, entry in occurrences(terms_made):
        fields = table.setdefault(term, {}).setdefault(entry.unit, {})
        fields[FIELDS[entry.field]] = fields.get(FIELDS[entry.field], 0) + 1
    return table


def test_fields_of_a_python_file() -> None:
    table = term_counts(
        "shop/cart.py",
        '''
        import decimal

        LIMIT = 3

        class Cart:
            """Holds what a customer picked."""

            # counted on the way out
            def total(self, rate):
                return self.sum("rounding")
        ''',
    )
    assert table["limit"][0]["name"] == 1
    assert table["cart"][1]["name"] == 1
    assert table["cart"][2]["qualified"] == 1
    assert "doc" in table["custom"][1]
    assert "doc" in table["count"][2]
    assert "string" in table["round"][2]
    assert "signature" in table["rate"][2]
    assert table["shop"] == {PATH_UNIT: {"path": 1}}


@pytest.mark.parametrize(("text", "is_name"), [("tables/:seat", True), ("tables and seats", False)])
def test_callback_text_counts_as_name_unless_it_has_blanks(text: str, is_name: bool) -> None:
    table = term_counts("a.js", f"app.get('{text}', () => {{ app.on('x', () => {{}}); }});\n")
    assert [field in table["tabl"][0] for field in ("name", "string")] == [is_name, True]


def test_lines_of_nested_definition_count_for_it_alone() -> None:
    table = term_counts("a.py", "class A:\n    first = 1\n    def b(self):\n        second = 2\n")
    assert set(table["first"]) == {0}
    assert set(table["second"]) == {1}


def test_lines_of_local_made_from_callback_count_for_it_alone() -> None:
    table = term_counts(
        "a.js",
        """
        function App() {
          const given = [
            first,
            second,
            third,
          ];
          const press = keep(() => {
            fourth();
          }, [given]);
        }
        """,
    )
    assert set(table["third"]) == {0}
    assert set(table["fourth"]) == {1}


def test_windows_between_definitions_are_bounded() -> None:
    text = "\n".join(f"alpha{i} beta" for i in range(3 * WINDOW_LINES))
    units = read_units(text_facts("notes.txt", text, None, lexis_of(None), Terms()).units)
    assert [(unit.start, unit.end) for unit in units] == [(1, 40), (41, 80), (81, 120)]
    assert all(unit.ordinal == -1 for unit in units)


@given(st.text(alphabet="ab \n\t'\"#\\`/*{}()=:defclas0_é", max_size=300))
def test_every_word_is_counted_exactly_once(text: str) -> None:
    terms_made = Terms()
    text_facts("x.py", text, None, lexis_of("python"), terms_made)
    in_text = sum(FIELDS[entry.field] != "path" for _, entry in occurrences(terms_made))
    assert in_text == len(analyse(text))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("var a=1;" * 2000, "minified"),
        ('msgid "a"\nmsgstr "b"\n\n' * 40, "records"),
        ("one two three\n" * 1000 + "words " * 60_000, "more than"),
        ("\n".join(f"word{i} and more of it" for i in range(500)), None),
        ("".join(f"set a{i}\n  call{i} it\nend\n" for i in range(40)), None),
        ("".join(f"set a{i}\ncall{i} it\nend\n" for i in range(40)), "records"),
        ("set\n  it\nend\n" * 40, "records"),
    ],
)
def test_text_shaped_like_data_is_not_searched(text: str, why: str | None) -> None:
    reason = why_not_searched(text, None)
    assert reason is None if why is None else reason is not None and why in reason
