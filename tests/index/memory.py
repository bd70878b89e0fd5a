"""Facts in memory, for graphs without a store."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.extraction.indexed_names import (
    defined_names,
    extended_names,
    mentioned_names,
    names_called_on_literals,
    renamed_names,
)


class MemoryFacts:
    """Facts in a dictionary: the smallest possible `FactsSource`."""

    def __init__(self, files: dict[str, FileFacts] | None = None) -> None:
        self._files: dict[str, FileFacts] = {}
        self._defining: dict[str, set[str]] = {}
        self._mentioning: dict[str, set[str]] = {}
        self._renaming: dict[str, set[str]] = {}
        self._extending: dict[str, set[str]] = {}
        self._calling_on_literals: dict[str, set[str]] = {}
        for path, facts in (files or {}).items():
            self.set(path, facts)

    def set(self, path: str, facts: FileFacts) -> None:
        """Add or replace one file."""
        self.discard(path)
        self._files[path] = facts
        for table, names in self._tables(facts):
            for name in names:
                table.setdefault(name, set()).add(path)

    def discard(self, path: str) -> None:
        """Forget one file, if it is known."""
        facts = self._files.pop(path, None)
        if facts is None:
            return
        for table, names in self._tables(facts):
            for name in names:
                table[name].discard(path)

    def paths(self) -> Collection[str]:
        return self._files.keys()

    def facts(self, path: str) -> FileFacts | None:
        return self._files.get(path)

    def files_defining(self, name: str) -> Collection[str]:
        return self._defining.get(name, ())

    def files_mentioning(self, name: str) -> Collection[str]:
        return self._mentioning.get(name, ())

    def files_renaming(self, name: str) -> Collection[str]:
        return self._renaming.get(name, ())

    def files_extending(self, name: str) -> Collection[str]:
        return self._extending.get(name, ())

    def files_calling_on_literals(self, name: str) -> Collection[str]:
        return self._calling_on_literals.get(name, ())

    def _tables(self, facts: FileFacts) -> Iterator[tuple[dict[str, set[str]], Collection[str]]]:
        yield self._defining, defined_names(facts)
        yield self._mentioning, mentioned_names(facts)
        yield self._renaming, renamed_names(facts)
        yield self._extending, extended_names(facts)
        yield self._calling_on_literals, names_called_on_literals(facts)
