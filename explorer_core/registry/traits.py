"""Structural marks of a file, read from published conventions (``conventions.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache, lru_cache
from importlib.resources import files
from posixpath import splitext
from typing import NamedTuple

from explorer_core.contracts import Traits
from explorer_core.index.symbols import Symbol
from explorer_core.index.terms.text import analyse

_NOTHING = "(?!)"
_ANY = "X"
"""A name that says nothing, to see what is said by what stands beside it."""


class _Names(NamedTuple):
    """Names that are as some globs say; a glob for a file holds for a folder too."""

    files: re.Pattern[str]
    folders: re.Pattern[str]

    @classmethod
    def like(cls, files: Sequence[str], folders: Sequence[str]) -> _Names:
        if any("/" in glob or glob[0] == "!" for glob in (*files, *folders)):
            raise ValueError("A convention is a pattern for one name of a path.")
        return cls(_any_of(files), _any_of([*files, *folders]))

    def holds_for(self, name: str) -> bool:
        """Whether a file is named so; or a folder, which has a slash at the end."""
        if name.endswith("/"):
            return self.folders.match(name[:-1]) is not None
        return self.files.match(name) is not None


@dataclass(frozen=True, slots=True)
class _Convention:
    asked_for_as: tuple[str, ...]
    """The plain names that a question asks for it by."""
    any_case: _Names
    cased: _Names
    marks: tuple[re.Pattern[str], ...]

    def holds_for_name(self, name: str) -> bool:
        """Whether it holds for a file, or with a slash at the end for all in a folder."""
        return self.any_case.holds_for(name.lower()) or self.cased.holds_for(name)


def traits_of(path: str, head: str = "") -> Traits:
    """The marks of ``path``; ``head`` is the beginning of its text, where it is known."""
    held, marked = _held_by_path(path), _marked(head)
    return _traits(held | marked if marked else held)


def kinds_named(question: str) -> frozenset[str]:
    """The kinds of file that a question is about in so many words: it names them as their folders
    are named."""
    words = set(analyse(question))
    return frozenset(kind for kind, names in _words_for().items() if not names.isdisjoint(words))


def aside_from(question: str) -> Callable[[str], bool]:
    """Whether a file, by its path, is of some kind that ranks last, since ``question`` does not ask
    for it."""
    return _aside_but(kinds_named(question))


@cache
def _aside_but(asked_for: frozenset[str]) -> Callable[[str], bool]:
    """One function for all who ask for the same kinds, so that what it says can be remembered."""
    return lambda path: not _held_by_path(path) <= asked_for


def is_aside(traits: Traits) -> bool:
    """Whether what is so marked is code, but not the code under discussion: a flow does not run
    through it by itself."""
    return traits.test or traits.migration or traits.vendored or traits.generated or traits.example


def is_test(symbol: Symbol) -> bool:
    """Whether a symbol is a test, by its path or by what its language says of it."""
    return symbol.test or traits_of(symbol.path).test


def is_named_after(test: str, name: str) -> bool:
    """Whether a test file has the name of what it tests, and nothing else but the mark that makes a
    test of it, if its folder does not; however either writes the parts of a name."""
    stem, suffix = splitext(test.rpartition("/")[2])
    letters = [at for at, letter in enumerate(stem) if letter.isalnum()]
    written, wanted = folded(stem), folded(name)
    if not wanted or not (written.startswith(wanted) or written.endswith(wanted)):
        return False
    if written == wanted:
        return traits_of(test).test
    rest = len(written) - len(wanted)
    if written.startswith(wanted):
        mark = stem[letters[len(wanted) - 1] + 1 :]
        if _is_mark([f"{_ANY}{mark[at:]}{suffix}" for at in range(len(mark))]):
            return True
    before = stem[: letters[rest]]
    return written.endswith(wanted) and _is_mark(
        [f"{before[:at]}{_ANY}{suffix}" for at in range(len(before), 0, -1)]
    )


def folded(name: str) -> str:
    """A name without what stands between its parts, however these are written."""
    return "".join(filter(str.isalnum, name)).lower()


def _is_mark(names: Sequence[str]) -> bool:
    """Whether the first of some file names is one of a test and those with less of its mark are
    not."""
    rule = _conventions()["test"]
    return rule.holds_for_name(names[0]) and not any(map(rule.holds_for_name, names[1:]))


@cache
def _words_for() -> dict[str, frozenset[str]]:
    """The index terms that ask for files of a kind, by kind."""
    return {
        kind: frozenset(term for name in rule.asked_for_as for term in analyse(name))
        for kind, rule in _conventions().items()
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
    folders = table["folders"]
    loose = _Names.like(*([each.lower() for each in table[key]] for key in ("files", "folders")))
    strict = _Names.like(table.get("cased_files", []), table.get("cased_folders", []))
    marks = tuple(re.compile(mark) for mark in table.get("marks", []))
    plain = [each for each in folders if each.strip("_").isalpha()]
    return _Convention((*plain, *table.get("asked_for_as", [])), loose, strict, marks)


def _any_of(globs: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, globs)) or _NOTHING)
