"""Types as written, reduced to what is looked up: the type's name and its element types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.index import languages
from explorer_core.index.extraction.reduced_types import reduced_type
from explorer_core.index.extraction.type_names import reduced_collection

CASES: dict[str, dict[str, str]] = {
    "python": {
        "Foo": "Foo",
        "'Foo'": "Foo",
        "Foo | None": "Foo",
        "Foo | Bar": "Foo | Bar",
        "list[Foo]": "list[*]Foo",
        "list['Foo']": "list[*]Foo",
        "Optional[list[Foo]]": "list[*]Foo",
        "list[Foo | Bar] | None": "list[*](Foo | Bar)",
        "tuple[Foo, ...]": "tuple[*]Foo",
        "tuple[Foo, Bar]": "tuple[:]Bar",
        "dict[str, list[pkg.Foo]]": "dict[:]list[*]pkg.Foo",
        "list[None]": "list",
        "Callable[[Bar], Foo | None]": "Callable[()]Foo",
        "list[": "list",
        "Optional['Foo']": "Foo",
        "type[Foo]": "[=]Foo",
        "Optional[typing.Type['Foo']]": "[=]Foo",
        "type[Foo | Bar] | None": "[=](Foo | Bar)",
        "type[Foo] | Bar": "[=]Foo | Bar",
        "dict[str, type[Foo]]": "dict[:][=]Foo",
        "type": "type",
        "type[None]": "type",
        "type[": "type",
    },
    "typescript": {
        "Foo[]": "[*]Foo",
        "Foo[][]": "[*][*]Foo",
        ": readonly Foo[]": "[*]Foo",
        "(Foo | Bar)[]": "[*](Foo | Bar)",
        "[Foo, Bar]": "[*](Foo | Bar)",
        "Foo | Foo[]": "Foo | [*]Foo",
        "Promise<Array<Foo>>": "Array[*]Foo",
        "Map<string, Foo[]> | undefined": "Map[:][*]Foo",
        'Foo["limit"]': 'Foo["limit"]',
        "Foo[number]": "Foo[number]",
        "ReturnType<typeof make>": "ReturnType",
        "(item: Foo) => Foo[]": "[()][*]Foo",
        "((item: Foo) => Promise<Foo | Bar>) | undefined": "[()](Foo | Bar)",
        "Map<string, () => Foo>": "Map[:][()]Foo",
        "() => void": "[()]",
    },
    "go": {
        "*pkg.Foo": "pkg.Foo",
        "[]*Foo": "[*]Foo",
        "[4]Foo": "[*]Foo",
        "map[string]*pkg.Foo": "[:]pkg.Foo",
        "Foo[T]": "Foo[*]T",
        "func(int) (*Foo, error)": "[()]Foo",
    },
    "rust": {
        "&'a [Foo]": "[*]Foo",
        "&[a::Foo]": "[*]a::Foo",
        "&mut Vec<Box<dyn Foo>>": "Vec[*]Foo",
        "[Foo; 4]": "[*]Foo",
        "HashMap<String, Foo>": "HashMap[:]Foo",
        "Option<Arc<Mutex<Vec<Foo>>>>": "Vec[*]Foo",
        "impl Iterator<Item = &'a Foo> + 'a": "Iterator[*]Foo",
        "Foo<'a>": "Foo",
        "Box<dyn Fn(&str) -> Option<Foo> + Send>": "[()]Foo",
    },
    "java": {"Foo[]": "[*]Foo", "List<? extends Foo>": "List[*]Foo"},
    "kotlin": {
        "List<out Foo>?": "List[*]Foo",
        "(Foo) -> List<Bar>": "[()]List[*]Bar",
        "(Foo.(Bar) -> (Foo) -> Bar)?": "[()][()]Bar",
    },
    "swift": {"[Foo]": "[*]Foo", "[String: Foo]?": "[:]Foo"},
    "cpp": {"const std::vector<std::unique_ptr<Foo>> &": "std::vector[*]Foo"},
    "c": {"struct Foo *": "Foo"},
    "php": {"Foo[]": "[*]Foo", "array<int, Foo>|null": "array[:]Foo"},
}
TYPES = [(language, written) for language, cases in CASES.items() for written in cases]


@pytest.mark.parametrize(("language", "written"), TYPES)
def test_type_is_reduced(language: str, written: str) -> None:
    assert reduced_type(written, languages.spec(language)) == CASES[language][written]


@pytest.mark.parametrize(("language", "written"), TYPES)
def test_reducing_twice_changes_nothing(language: str, written: str) -> None:
    spec = languages.spec(language)
    once = reduced_type(written, spec)
    if reduced_collection(once):
        assert reduced_type(once, spec) == once


@given(st.text("Fo[]<>(){}|&:;,.*'\"=- ?!", max_size=30), st.sampled_from(languages.names()))
def test_any_text_is_reduced(written: str, language: str) -> None:
    once = reduced_type(written, languages.spec(language))
    listed = reduced_collection(once)
    assert listed is None or listed.element
