"""References stored in columns: they survive a round trip, and are found by scope and by name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from explorer_core.index.extraction.facts import TOP, FileFacts
from explorer_core.index.extraction.reference_table import (
    KINDS,
    Reference,
    ReferenceRows,
    ReferenceTable,
)
from explorer_core.index.storage.record import pack_facts, read_facts, unpack_facts

NUMBERS = st.sampled_from([0, 1, 255, 256, 257, 65_536, 16_777_216, 16_777_217])
"""Numbers whose byte patterns also occur across the boundary of two other numbers."""
REFERENCES = st.lists(
    st.builds(
        Reference,
        name=st.sampled_from(["a", "b", "ab", "ä", ""]),
        kind=st.sampled_from(KINDS),
        receiver=st.sampled_from(["", "a", "self.b", "\U0001f600()"]),
        line=NUMBERS,
        column=NUMBERS,
        scope=st.one_of(st.just(TOP), NUMBERS),
        local=st.booleans(),
        arguments=st.integers(-1, 250),
        labels=st.sampled_from(["", "a:_", "_:{}"]),
        begins_argument=st.booleans(),
    ),
    max_size=40,
)


def table_of(references: list[Reference]) -> ReferenceTable:
    rows = ReferenceRows()
    for one in references:
        rows.add(
            one.name,
            KINDS.index(one.kind),
            one.receiver,
            one.line,
            one.column,
            one.scope,
            one.arguments,
            one.labels,
            local=one.local,
            begins_argument=one.begins_argument,
        )
    return rows.table()


@given(REFERENCES)
def test_packing_and_unpacking_keeps_references(references: list[Reference]):
    facts = FileFacts("python", 1, references=table_of(references))
    again = unpack_facts(pack_facts(facts)).references

    assert list(again) == references
    assert len(again) == len(references)
    assert again == facts.references
    assert [again[at] for at in range(len(again))] == references


@given(REFERENCES)
def test_lookups_equal_linear_search(references: list[Reference]):
    table = table_of(references)

    assert table.names() == {one.name for one in references}
    for scope in {TOP, 2, *(one.scope for one in references)}:
        expected = [at for at, one in enumerate(references) if one.scope == scope]
        assert table.in_scope(scope) == expected
    for name in {"c", *(one.name for one in references), *(one.receiver for one in references)}:
        assert table.named(name) == [at for at, one in enumerate(references) if one.name == name]


def test_references_are_loaded_lazily_and_once():
    loads: list[str] = []

    def load_missing() -> None:
        loads.append("references")

    outline = pack_facts(FileFacts("python", 3)).outline
    facts = read_facts(outline, load_missing)
    assert facts.line_count == 3
    assert not loads
    assert not list(facts.references)
    assert not facts.references.in_scope(TOP)
    assert loads == ["references"]
