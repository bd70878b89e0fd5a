"""Families of types, with each member at the line that declares its supertype."""

from __future__ import annotations

import pytest

from explorer_core.angles.structure import Structure
from explorer_core.index.graph import SymbolGraph
from tests.index.workspace import facts_of

CASES: dict[str, tuple[str, list[str]]] = {
    "partial types count once, at the part with the supertype": (
        "//- A.cs\npartial class A {}\npartial class B {}\npartial class C {}\n"
        "//- B.cs\ninterface I {}\n\npartial class A : I {}\npartial class B : I {}\n"
        "//- C.cs\n\n\n\n\npartial class C : I {}\n",
        ["A B.cs:3", "B B.cs:4", "C C.cs:5"],
    ),
    "implementation outside the file of the type": (
        "//- src/lib.rs\nmod all;\npub trait I {}\npub struct A; pub struct B; pub struct C;\n"
        "//- src/all.rs\nuse crate::*;\n\nimpl I for A {}\nimpl I for B {}\nimpl I for C {}\n",
        ["A src/all.rs:3", "B src/all.rs:4", "C src/all.rs:5"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_members_of_a_family_are_at_their_supertype(case: str) -> None:
    source, expected = CASES[case]
    memory, fixture = facts_of(source)
    graph, structure = SymbolGraph(memory), Structure()
    for path in fixture.files:
        facts = memory.facts(path)
        assert facts is not None
        structure.add(graph, path, facts)
    (family,) = structure.families(graph)
    shown = [f"{member.name} {edge.path}:{edge.line}" for member, edge in family.members]
    assert sorted(shown) == expected
