"""Which members a file calls on literals of its language; their names alone prove nothing."""

from __future__ import annotations

import pytest

from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.indexed_names import names_called_on_literals

# ruff: noqa: E501 - a fixture stands on one line

CASES: dict[str, tuple[str, str, str]] = {
    "python: string and list literals": (
        "a.py",
        "'-'.join(x); f'{x}'.title(); [1, 2].index(1)\n",
        "index join title",
    ),
    "python: local variables that hold a literal": (
        "a.py",
        "def a():\n    found = []\n    found.append(1)\ndef b(found):\n    found.extend(1)\n",
        "append",
    ),
    "python: variable that is also assigned a call": (
        "a.py",
        "def a():\n    found = []\n    found = load()\n    found.append(1)\n",
        "",
    ),
    "python: attribute that holds a literal": (
        "a.py",
        "class A:\n    def __init__(self):\n        self.rows = []\n    def go(self):\n        self.rows.append(1)\n        self.other.extend(1)\n",
        "append",
    ),
    "python: attribute reads and results of calls do not count": (
        "a.py",
        "'a'.title\n'a b'.split()[0].strip()\n[Page()][0].render()\n",
        "split",
    ),
    "ruby: word lists, numbers and lists": (
        "a.rb",
        "%w(a b).include?(x)\n5.times { y }\n[1, 2].each { |z| z }\n",
        "each include? times",
    ),
    "typescript": ("a.ts", "`a${b}`.trim(); const s = 'a'; s.split('')\n", "split trim"),
    "java": ("A.java", 'class A { boolean is(String x) { return "a".equals(x); } }', "equals"),
    "objective-c: bracketed message is not a list literal": (
        "a.m",
        "void go(void) { [[Till alloc] open]; }\n",
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_member_names_called_on_literals(case: str) -> None:
    path, text, names = CASES[case]
    facts = extract(path, text)
    assert facts is not None
    assert sorted(names_called_on_literals(facts)) == names.split()
