"""Search: the ranking's invariants, checked against a simple reference implementation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer_core.index.search.bm25f import Search, Searcher, UnitHit, Weighting
from explorer_core.index.storage.store import Store
from explorer_core.index.storage.view import View
from explorer_core.index.terms.text import analyse
from explorer_core.index.terms.units import FIELDS
from explorer_core.index.workers.wire import Task
from tests.fixture import parse
from tests.index.workspace import make_batch

SHOP = """
    //- shop/cart.py
    class Cart:
        '''What a customer picked.'''
        def total(self, rate):
            return sum(self.prices) * rate

        def checkout(self):
            session = open_session("cart")
            return session.save(self.total(1))
    //- shop/session.py
    def open_session(name):
        '''Open a session by name.'''
        return Session(name)

    class Session:
        def save(self, amount):
            store(amount)
    //- notes.md
    # Behind sessions

    A session is opened by name and saved at checkout.
    //- other/checkout.txt
    nothing that matters
    //- other/empty.py
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    store = Store(tmp_path_factory.mktemp("store") / "s.sqlite")
    files = parse(SHOP).files
    batch = make_batch(Task(path, files[path], path, at) for at, path in enumerate(files, 1))
    store.write(batch, dict.fromkeys(files, (0, 0)))
    yield Searcher(View(store))
    store.close()


def ask(searcher: Searcher, query: str, **options: object) -> list[UnitHit]:
    return searcher.now().units(dict.fromkeys(analyse(query), 1.0), **options)  # pyright: ignore


def counts_of(search: Search, hit: UnitHit, terms: list[str]) -> dict[str, dict[str, float]]:
    """The counts of each term in each field of a hit."""
    (counts,) = search.collection.occurrences([hit.unit], terms).counts.tolist()
    named = {
        term: {field: n for field, n in zip(FIELDS, row, strict=True) if n}
        for term, row in zip(terms, counts, strict=True)
    }
    return {term: fields for term, fields in named.items() if fields}


def reference_score(search: Search, hit: UnitHit, query: dict[str, float]) -> float:
    """Textbook BM25F, with the collection filled up to 500 units, and each term's IDF multiplied by
    a power of its naming share."""
    weighting, whole = Weighting(), search.collection
    (lengths,) = whole.occurrences([hit.unit], []).lengths.tolist()
    total = 0.0
    for term, counts in counts_of(search, hit, list(query)).items():
        idf = reference_idf(whole.units, max(search.terms.spread(term)), term)
        weighted = 0.0
        for at, name in enumerate(FIELDS):
            if name in counts:
                norm = lengths[at] / whole.average_lengths[at]
                b = weighting.b[at]
                weighted += weighting.weights[at] * counts[name] / (1 - b + b * norm)
        worth = idf * naming_share(search, term) ** weighting.naming
        total += query[term] * worth * weighted / (weighting.k1 + weighted)
    return total


def reference_idf(units: int, having: float, term: str) -> float:
    """In the units that are added to a small collection, a word of two letters is in a tenth, and
    each further letter makes it rarer. A name with an underscore is in none of them."""
    added = max(500 - units, 0)
    having += 0.0 if "_" in term else added * 0.1 * math.exp(-0.35 * (len(term) - 2))
    return math.log(1 + (max(units + added - having, 0) + 0.5) / (having + 0.5))


def naming_share(search: Search, term: str) -> float:
    """A term's share of occurrences in names and paths, counted one unit at a time."""
    whole = search.collection
    everywhere = whole.occurrences(range(whole.units), [term]).counts[:, 0].tolist()
    rows = [dict(zip(FIELDS, row, strict=True)) for row in everywhere]
    names = sum(bool(row["name"] or row["qualified"]) for row in rows)
    paths = {int(whole.file[unit]) for unit, row in enumerate(rows) if row["path"]}
    comments = sum(bool(row["doc"]) for row in rows)
    return (names + len(paths) + 0.5) / (names + len(paths) + comments + 1)


QUERY_WORDS = st.lists(
    st.sampled_from(
        [
            "cart",
            "session",
            "open_session",
            "save",
            "total",
            "rate",
            "checkout",
            "shop",
            "name",
            "self",
        ]
    ),
    min_size=1,
    max_size=6,
)


@given(QUERY_WORDS, st.integers(1, 12))
@settings(deadline=None)
def test_scores_are_bm25f(searcher: Searcher, query: list[str], limit: int) -> None:
    terms = dict.fromkeys(analyse(" ".join(query)), 1.5)
    search = searcher.now()
    hits = search.units(terms)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.path, hit.start))
    assert search.units(terms, limit=limit) == hits[:limit]
    for hit in hits:
        assert hit.score == pytest.approx(reference_score(search, hit, terms))


@given(QUERY_WORDS)
@settings(deadline=None)
def test_files_with_scores_are_files_of_unit_hits(searcher: Searcher, query: list[str]) -> None:
    terms = dict.fromkeys(analyse(" ".join(query)), 1.0)
    search = searcher.now()
    scores = search.files(terms)
    hit_files = {hit.path for hit in search.units(terms)}
    assert {path for path in search.collection.paths if scores.of(path) > 0} == hit_files
    assert scores.best == max((scores.of(path) for path in hit_files), default=0.0)
    assert scores.of("no/such/file") == 0.0


def test_name_weighs_more_than_mention(searcher: Searcher) -> None:
    best = ask(searcher, "open session")[0]
    assert (best.path, best.start, best.ordinal) == ("shop/session.py", 1, 0)


@pytest.mark.parametrize(
    ("named", "commented"), [("session", "customer"), ("checkout", "what"), ("total", "by")]
)
def test_words_in_names_are_more_salient_than_in_comments(
    searcher: Searcher, named: str, commented: str
) -> None:
    search = searcher.now()
    (name,), (comment,) = analyse(named), analyse(commented)
    assert search.terms.naming_share(comment) < 0.5 < search.terms.naming_share(name)
    assert search.terms.salience(comment) < search.terms.rarity(comment)


def test_heading_does_not_count_as_name_in_code(searcher: Searcher) -> None:
    search = searcher.now()
    (heading,), (name,) = analyse("behind"), analyse("checkout")
    assert search.terms.code_naming_share(heading) == 0.5 < search.terms.naming_share(heading)
    assert search.terms.code_naming_share(name) == search.terms.naming_share(name)


def test_unknown_word_has_naming_share_of_half(searcher: Searcher) -> None:
    assert searcher.now().terms.naming_share("zebra") == 0.5


def test_path_match_yields_one_hit_per_file(searcher: Searcher) -> None:
    hits = [hit for hit in ask(searcher, "other") if hit.path == "other/checkout.txt"]
    found = [(hit.ordinal, counts_of(searcher.now(), hit, ["other"])) for hit in hits]
    assert found == [(-1, {"other": {"path": 1}})]


def test_scope_and_limit(searcher: Searcher) -> None:
    hits = ask(searcher, "session", allowed=lambda path: path.endswith(".md"))
    assert {hit.path for hit in hits} == {"notes.md"}
    assert len(ask(searcher, "session", limit=2)) == 2
    assert ask(searcher, "session", limit=2) == ask(searcher, "session")[:2]


@pytest.mark.parametrize("query", ["", "zebra", "?!"])
def test_query_without_known_words_has_no_hits(searcher: Searcher, query: str) -> None:
    assert ask(searcher, query) == []


def test_language_share_of_files(searcher: Searcher) -> None:
    collection = searcher.now().collection
    share = {path: collection.language_share(path) for path in collection.paths}
    assert share["shop/cart.py"] == share["shop/session.py"] > share["notes.md"] > 0
    others = share["notes.md"] + share["other/checkout.txt"]
    assert share["shop/cart.py"] + others == pytest.approx(1)


def test_own_lines_exclude_those_of_nested_units(searcher: Searcher) -> None:
    collection = searcher.now().collection
    for number, path in enumerate(collection.paths):
        first = int(collection.first[number])
        units = range(first, first + int(collection.sizes[number]))
        own = [set(lines_of(collection.own_lines(unit))) for unit in units]
        whole = [set(lines_of([collection.unit(unit)[1:]])) for unit in units]
        assert set().union(*own) == set().union(*whole), path
        assert sum(map(len, own)) == len(set().union(*own)), path
        assert all(some <= lines for some, lines in zip(own, whole, strict=True)), path


def lines_of(runs: Iterable[tuple[int, int]]) -> Iterator[int]:
    for start, end in runs:
        yield from range(start, end + 1)


def test_search_is_unaffected_by_later_segment_merge(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")

    def put(number: int) -> None:
        path = f"m{number}.py"
        task = Task(path, f"def run{number}():\n    shared.helper({number})\n", path, number)
        store.write(make_batch([task]), {path: (0, 0)})

    for number in range(1, 9):
        put(number)
    before, queried_before = (Searcher(View(store)).now() for _ in range(2))
    query = dict.fromkeys(analyse("shared helper run3"), 1.0)
    expected = queried_before.units(query)
    queried_before.terms.scarcity("run3")
    segments = {number for number, _ in store.places()}
    for number in range(9, 12):
        put(number)
    assert not segments & {number for number, _ in store.places()}
    assert before.terms.scarcity("run3") == queried_before.terms.scarcity("run3")
    assert len(expected) == 8
    assert before.units(query) == expected
    store.close()
