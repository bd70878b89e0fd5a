"""Finds the folders that a question asks about, by their names or by the keys of their files.

A key is a string such as ``"mail/welcome"``: a folder, and a file in it by name. A file with many
keys of one folder is about what lies there. If the question names that file, it asks about the
folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from posixpath import basename

from explorer_core.index.terms import text
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.registry.traits import is_aside, traits_of

LEAST = 4
"""How many names make an enumeration."""
_KEYS = 5
"""How many keys of one folder a file must have to be about what lies there."""
_WHOLE_NAME_WEIGHT = 2
"""Weight of the whole name of a file with keys, relative to the last word of a folder's name."""
_KEY = re.compile(r"""(["'`])((?:[\w-]+/)*([\w-]+)/([\w-]+)(?:\.\w+)*)\1""")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that the question may ask about."""

    path: str
    worth: float
    """How much of the question is in its name, or in that of the file with its keys."""
    files: dict[str, list[str]]
    """What lies directly in it, by the term of its name without extensions. Each entry has the
    paths of its files; that of a folder has the paths of all files below."""
    has_own: bool = False
    """Whether a file in it has the name of the folder. Mostly that file brings the others together,
    and it is not among ``files``."""


class Folders(Finder):
    """Finds the folders of one question."""

    def asked_folders(self) -> list[Folder]:
        """Returns the folders that the question names, or whose keys are in a file that it names. A
        folder is left out if the title names one of its files, as it then asks for that file."""
        worth = cache(self._name_worth)
        found: dict[str, Folder] = {}
        have_own: set[str] = set()
        for path in sorted(self._collection.paths):
            parts = path.split("/")
            naming = [at for at, name in enumerate(parts[:-1]) if worth(name)]
            if not naming or is_aside(traits_of(path)) or not self.case.in_scope(path):
                continue
            for at in naming:
                around, name = "/".join(parts[: at + 1]), _without_extensions(parts[at + 1])
                if name == parts[at]:
                    have_own.add(around)
                elif term := text.whole(name):
                    folder = found.setdefault(around, Folder(around, worth(parts[at]), {}))
                    folder.files.setdefault(term, []).append(path)
        asked_folders = filter(self._is_asked, found.values())
        return [replace(each, has_own=each.path in have_own) for each in asked_folders]

    def _is_asked(self, folder: Folder) -> bool:
        name, titled = basename(folder.path), self._words.title_terms
        if (
            not self._is_nameable(name)
            and len(self._folders_with_keys[name][1] & folder.files.keys()) < _KEYS
        ):
            return False
        return len(folder.files) >= LEAST and titled.isdisjoint(folder.files)

    def _name_worth(self, name: str) -> float:
        if self._is_nameable(name):
            return self._words.worth(text.words_in(name))
        return self._folders_with_keys[name][0] if name in self._folders_with_keys else 0.0

    def _is_nameable(self, name: str) -> bool:
        return not self._words.title_terms.isdisjoint(text.words_in(name)[-1:])

    @cached_property
    def _folders_with_keys(self) -> dict[str, tuple[float, set[str]]]:
        """The folders that have keys in a file that the question names, each with how much of the
        question that name has and the terms of the keys."""
        found: dict[str, tuple[float, set[str]]] = {}
        for path in self.exhibits.file_ranks:
            words = text.words_in(_without_extensions(basename(path)))
            if words and self._words.title_terms.issuperset(words) and self.exhibits.has(path):
                worth = _WHOLE_NAME_WEIGHT * self._words.worth(words)
                for folder, terms in self._keys(path).items():
                    if worth > found.get(folder, (0.0, terms))[0]:
                        found[folder] = worth, terms
        return found

    def _keys(self, path: str) -> dict[str, set[str]]:
        """Returns the folders of which a file has many keys, with the keys' terms. Paths of imports
        are no keys."""
        facts = self.case.index.view.facts(path)
        imported = {each.module for each in facts.imports} if facts is not None else set[str]()
        keys: dict[str, set[str]] = {}
        for match in _KEY.finditer(self.exhibits.source(path).text):
            if match[2] not in imported:
                keys.setdefault(match[3], set()).add(text.whole(match[4]))
        return {folder: terms for folder, terms in keys.items() if len(terms) >= _KEYS}


def _without_extensions(name: str) -> str:
    """Returns a file's name without its extensions."""
    return name.partition(".")[0] or name
