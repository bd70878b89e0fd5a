"""Structural marks of a file, read from published conventions (``conventions.toml``)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from pathspec import GitIgnoreSpec

from explorer_core.contracts import Traits
from explorer_core.index.text import analyse


@dataclass(frozen=True, slots=True)
class _Convention:
    folders: tuple[str, ...]
    any_case: GitIgnoreSpec
    cased: GitIgnoreSpec
    marks: tuple[re.Pattern[str], ...]

    def holds_for_name(self, name: str) -> bool:
        """Whether it holds for a file, or with a slash at the end for all in a folder."""
        return self.any_case.match_file(name.lower()) or self.cased.match_file(name)


def traits_of(path: str, head: str = "") -> Traits:
    """The marks of ``path``; ``head`` is the beginning of its text, where it is known."""
    held, marked = _held_by_path(path), _marked(head)
    return _traits(held | marked if marked else held)


def kinds_named(question: str) -> frozenset[str]:
    """The kinds of file that a question is about in so many words: it names them as the folders
    that hold them are named."""
    words = set(analyse(question))
    return frozenset(kind for kind, names in _folder_words().items() if not names.isdisjoint(words))


@cache
def _folder_words() -> dict[str, frozenset[str]]:
    """The index terms of folder names that are one plain word, by kind."""
    plain = {
        kind: [each for each in rule.folders if each.strip("_").isalpha()]
        for kind, rule in _conventions().items()
    }
    return {
        kind: frozenset(term for folder in folders for term in analyse(folder))
        for kind, folders in plain.items()
    }


@lru_cache(maxsize=50_000)
def _held_by_path(path: str) -> frozenset[str]:
    """What the path alone tells; questions ask about the same files again and again."""
    *folders, name = path.split("/")
    return _held_by_name(name).union(*(_held_by_name(f"{folder}/") for folder in folders))


@lru_cache(maxsize=50_000)
def _held_by_name(name: str) -> frozenset[str]:
    """What a file's name tells, or a folder's, which ends in a slash."""
    return frozenset(n for n, rule in _conventions().items() if rule.holds_for_name(name))


@lru_cache(maxsize=4_000)
def _marked(head: str) -> frozenset[str]:
    """What the beginning of the text tells."""
    rules = _conventions().items() if head else ()
    return frozenset(n for n, rule in rules if any(mark.search(head) for mark in rule.marks))


@cache
def _traits(held: frozenset[str]) -> Traits:
    return Traits(**dict.fromkeys(held, True))


@cache
def _conventions() -> dict[str, _Convention]:
    text = files("explorer_core.registry").joinpath("conventions.toml").read_text(encoding="utf-8")
    return {name: _read(table) for name, table in tomllib.loads(text).items()}


def _read(table: dict[str, list[str]]) -> _Convention:
    loose = [f"{folder}/" for folder in table["folders"]] + table["files"]
    strict = [f"{folder}/" for folder in table.get("cased_folders", [])]
    strict += table.get("cased_files", [])
    if any("/" in pattern[:-1] or pattern[0] == "!" for pattern in (*loose, *strict)):
        raise ValueError("A convention is a pattern for one name of a path.")
    return _Convention(
        folders=tuple(table["folders"]),
        any_case=GitIgnoreSpec.from_lines(pattern.lower() for pattern in loose),
        cased=GitIgnoreSpec.from_lines(strict),
        marks=tuple(re.compile(mark) for mark in table.get("marks", [])),
    )
