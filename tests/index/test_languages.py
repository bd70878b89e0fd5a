"""Every language: its grammar loads, its query keeps the conventions, its fixture holds.

A fixture is ``languages/<language>.txt``: files behind ``//- path`` headers, then a line ``====``
and what extraction must find in them. ``UPDATE_EXPECT=1`` rewrites the second half.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer_core.index import languages
from explorer_core.index.extraction import grammars
from explorer_core.index.extraction.extract import extract
from tests import fixture
from tests.index.languages.dump import dump

FIXTURES = Path(__file__).parent / "languages"
_BAR = "====\n"


@pytest.mark.parametrize("language", languages.names())
def test_grammar_loads_and_its_query_keeps_the_conventions(language: str) -> None:
    assert len(grammars.grammar(language).roles) > 0


@pytest.mark.parametrize("capture", ["reference.seen", "regions", "scope.inner", "type"])
def test_a_query_says_nothing_that_nobody_takes_in(
    capture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "query_source", lambda _language: f"(identifier) @{capture}")
    with pytest.raises(grammars.QueryError):
        grammars.grammar.__wrapped__("python")


def test_a_spec_says_what_is_different_from_the_one_that_it_extends() -> None:
    extended, own = languages.spec("typescript"), languages.spec("tsx")
    assert own.decoration == extended.decoration
    assert own.suffixes == (".tsx",)
    assert extended.handed.items() < own.handed.items()


@pytest.mark.parametrize("language", languages.names())
def test_every_language_has_a_fixture(language: str) -> None:
    assert (FIXTURES / f"{language}.txt").is_file()


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.txt")), ids=lambda file: file.stem)
def test_fixture(file: Path) -> None:
    source, _, expected = file.read_text(encoding="utf-8").partition(_BAR)
    actual = ""
    files = fixture.parse(source).files
    assert languages.language_of(next(iter(files))) == file.stem
    for path, text in files.items():
        facts = extract(path, text)
        assert facts is not None, path
        actual += dump(path, facts)
    if os.environ.get("UPDATE_EXPECT"):
        file.write_text(source + _BAR + actual, encoding="utf-8")
    else:
        assert actual == expected


_AT_ONCE = """
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
def test_threads_that_ask_first_at_the_same_time(_: int):
    """Without a lock the process ended in about one of eight tries."""
    asked = subprocess.run([sys.executable, "-c", _AT_ONCE], check=False, capture_output=True)
    assert asked.returncode == 0, asked.stderr.decode()
