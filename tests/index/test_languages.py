"""Every language: its grammar loads, its query keeps the conventions, and its fixture matches.

A fixture is ``languages/<language>.txt``: files under ``//- path`` headers, then a line ``====``
and what extraction must find in them. ``UPDATE_EXPECT=1`` rewrites the second half.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import tree_sitter_language_pack as bundle
from tree_sitter import Node

from explorer_core.index import languages
from explorer_core.index.extraction import grammars
from explorer_core.index.extraction.extract import extract
from tests import fixture
from tests.index.languages.dump import dump

FIXTURES = Path(__file__).parent / "languages"
_SEPARATOR = "====\n"


@pytest.mark.parametrize("language", languages.names())
def test_grammar_loads_and_its_query_keeps_the_conventions(language: str) -> None:
    assert len(grammars.grammar(language).roles) > 0


@pytest.mark.parametrize("capture", ["reference.seen", "regions", "scope.inner", "type"])
def test_query_with_unknown_capture_is_rejected(
    capture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "query_source", lambda _language: f"(identifier) @{capture}")
    with pytest.raises(grammars.QueryError):
        grammars.grammar.__wrapped__("python")


_PATTERN_NODES = {"anonymous_node", "field_definition", "grouping", "list", "named_node"}
"""The node types of patterns and their parts in the query grammar; ``[...]`` is a ``list``."""


def _branches_that_begin_with_a_choice(query: str) -> list[str]:
    """The branches of ``[...]`` that begin with an alternation or an optional or repeated node.

    tree-sitter stores a branch's alternative at the first node of the branch, which overwrites what
    such a node has stored there itself.
    """
    root = bundle.get_parser("query").parse(query.encode()).root_node
    assert not root.has_error
    found: list[str] = []
    pending = [root]
    while pending:
        node = pending.pop()
        pending += node.named_children
        if node.type == "list":
            found += [_text(each) for each in _child_patterns(node) if _begins_with_a_choice(each)]
    return found


def _begins_with_a_choice(branch: Node) -> bool:
    if branch.type == "list" or branch.child_by_field_name("quantifier"):
        return True
    return branch.type in {"grouping", "field_definition"} and _begins_with_a_choice(
        _child_patterns(branch)[0]
    )


def _child_patterns(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type in _PATTERN_NODES]


def _text(node: Node) -> str:
    return (node.text or b"").decode()


@pytest.mark.parametrize("language", languages.names())
def test_query_branches_begin_with_a_single_node(language: str) -> None:
    assert _branches_that_begin_with_a_choice(languages.query_source(language)) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("(a [(b) (c)])", []),
        ("(a [(b [(c) (d)]) (e)?])", ["(e)?"]),
        ("(a [(b) (c (d)?)]?)", []),
        ("(a [[(b) (c)] @x (d)])", ["[(b) (c)] @x"]),
        ("(a b: [(c) (d [[(e) (f)] (g)])])", ["[(e) (f)]"]),
        ("[b: [(c) (d)] (e)] @x", ["b: [(c) (d)]"]),
        ("[(([(b) (c)] . (d)) (e)) (f)] @x", ["(([(b) (c)] . (d)) (e))"]),
        ("[((b)* (c)) (d)] @x", ["((b)* (c))"]),
        ("[((b) [(c) (d)]) (e)] @x", []),
    ],
)
def test_branches_that_begin_with_a_choice_are_detected(query: str, found: list[str]) -> None:
    assert _branches_that_begin_with_a_choice(query) == found


def test_spec_inherits_what_it_does_not_override() -> None:
    extended, own = languages.spec("typescript"), languages.spec("tsx")
    assert own.decoration == extended.decoration
    assert own.suffixes == (".tsx",)
    assert extended.lambdas.handed.items() < own.lambdas.handed.items()


@pytest.mark.parametrize("language", languages.names())
def test_every_language_has_a_fixture(language: str) -> None:
    assert (FIXTURES / f"{language}.txt").is_file()


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.txt")), ids=lambda file: file.stem)
def test_extraction_matches_fixture(file: Path) -> None:
    source, _, expected = file.read_text(encoding="utf-8").partition(_SEPARATOR)
    actual = ""
    files = fixture.parse(source).files
    assert languages.language_of(next(iter(files))) == file.stem
    for path, text in files.items():
        facts = extract(path, text)
        assert facts is not None, path
        actual += dump(path, facts)
    if os.environ.get("UPDATE_EXPECT"):
        file.write_text(source + _SEPARATOR + actual, encoding="utf-8")
    else:
        assert actual == expected


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        ("", "typescript"),
        ("export const a = 1", "typescript"),
        ('<?xml version="1.0"?>', None),
        ("<!DOCTYPE TS>", None),
    ],
)
def test_first_line_can_contradict_language_of_suffix(
    first_line: str, language: str | None
) -> None:
    assert languages.language_of("lang/shop_de.ts", first_line) == language


_CONCURRENT_LOOKUPS = """
import sys, threading
from explorer_core.index import languages
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(8)
def first():
    barrier.wait()
    assert languages.language_of("a.py") == "python"
threads = [threading.Thread(target=first) for _ in range(8)]
for each in threads:
    each.start()
for each in threads:
    each.join()
"""


@pytest.mark.parametrize("_", range(5))
def test_concurrent_first_lookups_do_not_crash(_: int):
    """Without a lock, the process crashed in about one of eight tries."""
    process = subprocess.run(
        [sys.executable, "-c", _CONCURRENT_LOOKUPS], check=False, capture_output=True
    )
    assert process.returncode == 0, process.stderr.decode()
