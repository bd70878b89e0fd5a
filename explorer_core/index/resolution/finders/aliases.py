"""Path aliases: what the configuration of a project lets the paths of imports begin with.

Compilers and bundlers look such paths up in a table, ``"@app/*": ["./src/*"]``, or else below a
base folder. Both hold for the files below the folder of the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import dirname, join, normpath

from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.languages.import_rules import ImportRules
from explorer_core.index.symbols import FactsSource

_WILDCARD = "*"
"""Stands for any text, the same in an alias and in its target."""


@dataclass(frozen=True, slots=True)
class Alias:
    """A way to write paths, and the path from the root that it stands for. Both contain
    `_WILDCARD`, for what they share, or neither does."""

    folder: str
    """The folder below which it holds."""
    written: str
    target: str

    def expand(self, module: str) -> str | None:
        """The path that an import means by this alias; None if it is not written so."""
        head, wildcard, tail = self.written.partition(_WILDCARD)
        if not wildcard:
            return self.target if module == self.written else None
        if len(module) < len(head + tail) or not module.startswith(head):
            return None
        if not module.endswith(tail):
            return None
        return self.target.replace(_WILDCARD, module[len(head) : len(module) - len(tail)])


def aliases(source: FactsSource, rules: ImportRules) -> list[Alias]:
    """All aliases, those of inner folders first and then the longer ones."""
    unsorted = [
        alias
        for path in _files(source, rules)
        if (facts := source.facts(path)) is not None
        for alias in _aliases_in(path, facts, rules)
    ]
    return sorted(
        unsorted, key=lambda alias: (-len(alias.folder), -len(alias.written), alias.target)
    )


def _files(source: FactsSource, rules: ImportRules) -> list[str]:
    """The files that may define aliases, sorted."""
    names = {key.rpartition(".")[2] for key in (*rules.alias_keys, rules.base_key)} - {""}
    files = {path for name in names for path in source.files_defining(name)}
    return sorted(path for path in files if path.endswith(rules.alias_suffix))


def _aliases_in(path: str, facts: FileFacts, rules: ImportRules) -> Iterator[Alias]:
    folder = dirname(path)
    ordinals = {facts.qualified_name(ordinal): ordinal for ordinal in range(len(facts.definitions))}
    base = facts.definitions[ordinals[rules.base_key]].returns if rules.base_key in ordinals else ""
    if base:
        yield Alias(folder, _WILDCARD, _path_below(folder, f"{base}/{_WILDCARD}"))
    for key in rules.alias_keys:
        table = ordinals.get(key)
        prefix = base if _parent_key(key) == _parent_key(rules.base_key) else ""
        for definition in facts.definitions if table is not None else ():
            if definition.container == table and definition.returns:
                target = _path_below(folder, f"{prefix or '.'}/{definition.returns}")
                yield Alias(folder, definition.name, target)


def _parent_key(key: str) -> str:
    return key.rpartition(".")[0]


def _path_below(folder: str, path: str) -> str:
    return normpath(join(folder, path))
