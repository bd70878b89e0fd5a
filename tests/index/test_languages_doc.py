"""docs/languages.md lists every language's files and every capture that queries may use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from explorer_core.index import languages

TEXT = (Path(__file__).parents[2] / "docs" / "languages.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", languages.names())
def test_first_file_is_in_the_table(language: str) -> None:
    spec = languages.spec(language)
    assert (spec.suffixes or spec.filenames)[0] in TEXT


@pytest.mark.parametrize("language", languages.names())
def test_captures_are_documented(language: str) -> None:
    source = re.sub(r'"[^"\n]*"|;[^\n]*', "", languages.query_source(language))
    for capture in set(re.findall(r"@([a-z][\w.]*)", source)):
        group = capture.partition(".")[0]
        assert f"@{capture}" in TEXT or f"@{group}.KIND" in TEXT, capture
