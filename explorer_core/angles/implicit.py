"""Dependencies that no import states: strings that name another file, a definition or a
configuration key, and names that several files spell out identically."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename, splitext
from typing import Literal

from explorer_core.credentials import credentials
from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.terms.lexis import lexis_of

Kind = Literal["file named in a string", "definition named in a string", "configuration key"]

_MAX_CHARS = 160
_MIN_CHARS = 4
_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|:)\w+)+")
_KEY = re.compile(r"(?=\w*[-_.A-Z])[A-Za-z_][\w.-]+")
_SHARED = re.compile(r"[A-Za-z_][\w-]*(?:[.:/][\w-]+)+")
_MAX_NAMED_FILES = 3
"""Maximum number of files a string may match; what matches more says nothing."""
_SHARED_FILES = range(2, 9)


@dataclass(frozen=True, slots=True)
class ImplicitLink:
    """Line ``line`` of ``source`` contains the string ``text``, which names something in
    ``target``."""

    source: str
    line: int
    target: str
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class SharedName:
    """A string of several parts that a few files spell out identically, with its places."""

    text: str
    places: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Names:
    """What a string can name: files by name and stem, definitions, and keys of data files."""

    files: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))
    stems: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))
    defined: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))
    keys: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))

    def add(self, path: str, facts: FileFacts | None, *, data: bool) -> None:
        """Add one file; the definitions in a ``data`` file are keys."""
        self.files[basename(path)].append(path)
        self.stems[splitext(basename(path))[0]].append(path)
        if facts is None:
            return
        names = {each.name for each in facts.definitions if each.kind != "section"}
        named = self.keys if data else self.defined
        for name in names:
            named[name].append(path)

    def files_named_by(self, text: str) -> Iterator[tuple[str, Kind]]:
        """The few files that a string names, and in what way."""
        if "/" in text or "." in text:
            paths = self._files(text.lstrip("./"))
            if 0 < len(paths) <= _MAX_NAMED_FILES:
                yield from _with_kind(paths, "file named in a string")
                return
        if _NAME.fullmatch(text):
            paths = self._definitions(text)
            if 0 < len(paths) <= _MAX_NAMED_FILES:
                yield from _with_kind(paths, "definition named in a string")
                return
        if _KEY.fullmatch(text):
            paths = self.keys.get(text, [])
            if 0 < len(paths) <= _MAX_NAMED_FILES:
                yield from _with_kind(paths, "configuration key")

    def _files(self, tail: str) -> list[str]:
        if "." not in basename(tail):
            return []
        candidates = self.files.get(basename(tail), [])
        if "/" not in tail:
            return candidates if len(candidates) == 1 else []
        return [path for path in candidates if path == tail or path.endswith(f"/{tail}")]

    def _definitions(self, dotted: str) -> list[str]:
        """Files that define the last part and whose path ends in the preceding parts."""
        *module, name = re.split(r"\.|::|:", dotted)
        defining = [
            path
            for path in self.defined.get(name, ())
            if any(_ends_in(path, module[:length]) for length in range(len(module), 0, -1))
        ]
        modules = [path for path in self.stems.get(name, ()) if _ends_in(path, [*module, name])]
        return list(dict.fromkeys((*defining, *modules)))


def _with_kind(paths: list[str], kind: Kind) -> Iterator[tuple[str, Kind]]:
    return ((path, kind) for path in paths)


def data_languages(files: Iterable[FileFacts]) -> set[str]:
    """Languages whose files only state values: they define names but contain no references."""
    defining: set[str] = set()
    using: set[str] = set()
    for facts in files:
        if any(each.kind != "section" for each in facts.definitions):
            defining.add(facts.language)
        if facts.references or facts.imports:
            using.add(facts.language)
    return defining - using


def strings_of(text: str, language: str | None) -> Iterator[tuple[int, str]]:
    """The line (1-based) and content of each string literal without white space."""
    for line, literal, _ in lexis_of(language).layers(text).strings:
        inner = literal.strip("\"'`")
        if _MIN_CHARS <= len(inner) <= _MAX_CHARS and not re.search(r"[\s{}%$<>\\]", inner):
            yield line + 1, inner


def links_of(path: str, strings: Iterable[tuple[int, str]], names: Names) -> list[ImplicitLink]:
    """The files that strings of ``path`` name, each with the first such string. Strings that look
    like credentials are ignored."""
    links: dict[str, ImplicitLink] = {}
    for line, text in strings:
        for target, kind in names.files_named_by(text):
            if target != path and not credentials(text):
                links.setdefault(target, ImplicitLink(path, line, target, kind, text))
    return list(links.values())


def shared_names(strings: Mapping[str, Iterable[tuple[int, str]]]) -> list[SharedName]:
    """Names of several parts that a few files spell out identically, the most frequent first.
    Credentials are excluded, since a survey would store them."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    for path, literals in strings.items():
        for line, text in literals:
            if _SHARED.fullmatch(text):
                places[text].setdefault(path, line)
    shared = [
        SharedName(text, tuple(lines.items()))
        for text, lines in places.items()
        if len(lines) in _SHARED_FILES and not credentials(text)
    ]
    return sorted(shared, key=lambda each: (-len(each.places), each.text))


def _ends_in(path: str, module: list[str]) -> bool:
    parts = splitext(path)[0].split("/")
    return parts[-len(module) :] == module or parts[-len(module) - 1 : -1] == module
