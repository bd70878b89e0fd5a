"""Structural traits of a file, derived from published conventions (``conventions.toml``)."""

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
"""A placeholder name without a convention of its own, to test what surrounds it."""


class _Names(NamedTuple):
    """Globs for the names of files and of folders; a glob for files applies to folders too."""

    files: re.Pattern[str]
    folders: re.Pattern[str]

    @classmethod
    def of_globs(cls, files: Sequence[str], folders: Sequence[str]) -> _Names:
        if any("/" in glob or glob[0] == "!" for glob in (*files, *folders)):
            raise ValueError("A convention is a pattern for one name of a path.")
        return cls(_any_of(files), _any_of([*files, *folders]))

    def holds_for(self, name: str) -> bool:
        """Whether a file's name matches, or a folder's, given with a trailing slash."""
        if name.endswith("/"):
            return self.folders.match(name[:-1]) is not None
        return self.files.match(name) is not None


@dataclass(frozen=True, slots=True)
class _Convention:
    asked_for_as: tuple[str, ...]
    """The plain names by which a question asks for this kind."""
    any_case: _Names
    cased: _Names
    marks: tuple[re.Pattern[str], ...]

    def holds_for_name(self, name: str) -> bool:
        """Whether a file is of this kind by its name; with a trailing slash, all in a folder."""
        return self.any_case.holds_for(name.lower()) or self.cased.holds_for(name)


def traits_of(path: str, head: str = "") -> Traits:
    """The traits of ``path``; ``head`` is the beginning of its text, where known."""
    kinds, by_head = _kinds_by_path(path), _kinds_by_head(head)
    return _traits(kinds | by_head if by_head else kinds)


def kinds_named(question: str) -> frozenset[str]:
    """The kinds of file that a question asks for explicitly, by the names their folders have."""
    words = set(analyse(question))
    return frozenset(kind for kind, names in _words_for().items() if not names.isdisjoint(words))


def aside_from(question: str) -> Callable[[str], bool]:
    """A predicate on paths: whether a file is of a kind that ranks last, because ``question`` does
    not ask for it."""
    return _aside_but(kinds_named(question))


@cache
def _aside_but(asked_for: frozenset[str]) -> Callable[[str], bool]:
    """One function per set of kinds, so that callers can cache by its identity."""
    return lambda path: not _kinds_by_path(path) <= asked_for


def is_aside(traits: Traits) -> bool:
    """Whether code with these traits is not the code under discussion (tests, migrations, ...).
    Flows do not run through it of their own accord."""
    return traits.test or traits.migration or traits.vendored or traits.generated or traits.example


def is_test(symbol: Symbol) -> bool:
    """Whether a symbol is a test, by its path or by what its language says about it."""
    return symbol.test or traits_of(symbol.path).test


def is_named_after(test: str, name: str) -> bool:
    """Whether a test file is named after ``name``: the same name, plus only the mark that makes it
    a test (none if its folder does that). Case and separators do not count."""
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
    """A name in lower case without the separators of its parts."""
    return "".join(filter(str.isalnum, name)).lower()


def _is_mark(names: Sequence[str]) -> bool:
    """Whether the first of these file names is a test's, and none of the others, which have less of
    the mark, is."""
    rule = _conventions()["test"]
    return rule.holds_for_name(names[0]) and not any(map(rule.holds_for_name, names[1:]))


@cache
def _words_for() -> dict[str, frozenset[str]]:
    """The index terms that ask for each kind of file."""
    return {
        kind: frozenset(term for name in rule.asked_for_as for term in analyse(name))
        for kind, rule in _conventions().items()
    }


@lru_cache(maxsize=50_000)
def _kinds_by_path(path: str) -> frozenset[str]:
    """The kinds that a path alone implies. Cached: questions concern the same files repeatedly."""
    *folders, name = path.split("/")
    return _kinds_by_name(name).union(*(_kinds_by_name(f"{folder}/") for folder in folders))


@lru_cache(maxsize=50_000)
def _kinds_by_name(name: str) -> frozenset[str]:
    """The kinds implied by the name of a file, or of a folder, given with a trailing slash."""
    return frozenset(n for n, rule in _conventions().items() if rule.holds_for_name(name))


@lru_cache(maxsize=4_000)
def _kinds_by_head(head: str) -> frozenset[str]:
    """The kinds that the beginning of the text is marked with."""
    rules = _conventions().items() if head else ()
    return frozenset(n for n, rule in rules if any(mark.search(head) for mark in rule.marks))


@cache
def _traits(kinds: frozenset[str]) -> Traits:
    return Traits(**dict.fromkeys(kinds, True))


@cache
def _conventions() -> dict[str, _Convention]:
    text = files("explorer_core.registry").joinpath("conventions.toml").read_text(encoding="utf-8")
    return {name: _read(table) for name, table in tomllib.loads(text).items()}


def _read(table: dict[str, list[str]]) -> _Convention:
    folders = table["folders"]
    loose = _Names.of_globs(
        *([each.lower() for each in table[key]] for key in ("files", "folders"))
    )
    strict = _Names.of_globs(table.get("cased_files", []), table.get("cased_folders", []))
    marks = tuple(re.compile(mark) for mark in table.get("marks", []))
    plain = [each for each in folders if each.strip("_").isalpha()]
    return _Convention((*plain, *table.get("asked_for_as", [])), loose, strict, marks)


def _any_of(globs: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, globs)) or _NOTHING)
