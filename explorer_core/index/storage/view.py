"""The store as queries see it: unsaved text masks stored rows, and look-ups are memoised."""

from __future__ import annotations

import contextlib
import threading
from array import array
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.storage.record import Batch, FileRecord, unpack_facts
from explorer_core.index.storage.schema import FileRow
from explorer_core.index.storage.segments import NAME_KINDS, Block, Kind, Places, SegmentPostings
from explorer_core.index.storage.store import Store
from explorer_core.index.terms.units import FIELDS
from explorer_core.lru_cache import LruCache

_MOST_REFERENCES = 400_000
"""Bound of the facts held in memory, counted in references and definitions."""


@dataclass(slots=True)
class _Mask:
    record: FileRecord
    row: FileRow
    terms: dict[str, array[int]]
    places: Places | None
    names: Mapping[Kind, Collection[str]]


@dataclass(slots=True)
class _LookUps:
    """Look-ups since the rows last changed."""

    named: dict[tuple[Kind, str], list[str]] = field(
        default_factory=dict[tuple[Kind, str], list[str]]
    )
    paths: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What can be searched in one generation: paths and packed units by file number, the rows, and
    the places of each segment."""

    generation: int
    paths: Mapping[int, str]
    units: Mapping[int, bytes]
    rows: Sequence[FileRow]
    places: Sequence[tuple[int, Places]]


class View:
    """A `FactsSource` over the store and the masks. Methods may be called from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._rows: dict[str, FileRow] = {}
        self._paths: dict[int, str] = {}
        self._masks: dict[str, _Mask] = {}
        self._facts: LruCache[str, tuple[FileRow, FileFacts | None]] = LruCache(
            _MOST_REFERENCES, lambda cached: _cost(cached[0])
        )
        self._look_ups = _LookUps()
        self._version = (-1, -1)
        self._thread = threading.local()
        self._next_mask = -1
        self._unreported: set[str] = set()
        self.generation = 0
        """Grows whenever anything that a query could see has changed."""
        self.refresh()

    # Keeping up

    @contextlib.contextmanager
    def still(self) -> Generator[None]:
        """Context in which this thread ignores what others write."""
        before = getattr(self._thread, "ignores_writes", False)
        self._thread.ignores_writes = True
        try:
            yield
        finally:
            self._thread.ignores_writes = before

    def refresh(self) -> None:
        """Load what other processes wrote."""
        if getattr(self._thread, "ignores_writes", False):
            return
        with self._lock:
            version = self._store.version()
            if version == self._version:
                return
            self._version = version
            old = self._rows
            self._rows = {row.path: row for row in self._store.rows()}
            changed = {
                path
                for path in old.keys() | self._rows.keys()
                if _row_identity(old.get(path)) != _row_identity(self._rows.get(path))
            }
            self._paths = {row.id: path for path, row in self._rows.items()}
            self._paths |= {mask.row.id: path for path, mask in self._masks.items()}
            self._record_changes(changed)

    def load_written(self, paths: Iterable[str]) -> None:
        """Load the rows of ``paths``, which this process has just written."""
        with self._lock:
            version = self._store.version()
            if version[0] != self._version[0]:  # the store was replaced: nothing known is valid
                self.refresh()
                return
            changed = set(paths)
            for path in changed:
                old = self._rows.pop(path, None)
                if old is not None:
                    self._paths.pop(old.id, None)
            for row in self._store.rows_of(changed):
                self._rows[row.path] = row
                self._paths[row.id] = row.path
            self._version = version
            self._record_changes(changed)

    def mask(self, batches: Iterable[Batch], *, unmask: Iterable[str] = ()) -> None:
        """Mask the rows of files with ``batches`` of one file each, and remove the masks of
        ``unmask``."""
        with self._lock:
            changed: set[str] = set()
            for path in unmask:
                old = self._masks.pop(path, None)
                if old is not None:
                    self._paths.pop(old.row.id, None)
                    changed.add(path)
            for batch in batches:
                (record,) = batch.records
                old = self._masks.pop(record.path, None)
                if old is not None:
                    self._paths.pop(old.row.id, None)
                mask = self._masks[record.path] = _make_mask(batch, record, self._next_mask)
                self._next_mask -= 1
                self._paths[mask.row.id] = record.path
                changed.add(record.path)
            self._record_changes(changed)

    def take_changes(self) -> set[str]:
        """The paths that changed since the last call.

        Callers poll, since a listener called with the view's lock held could deadlock: it could
        wait for a lock whose holder waits for the view.
        """
        with self._lock:
            changed, self._unreported = self._unreported, set()
            return changed

    def masks(self) -> dict[str, str]:
        """The digest of every mask by path."""
        with self._lock:
            return {path: mask.record.digest for path, mask in self._masks.items()}

    def stored(self) -> Mapping[str, FileRow]:
        """The rows of the store by path, masked or not. Must not be modified."""
        return self._rows

    # Facts

    def paths(self) -> Collection[str]:
        with self._lock:
            if self._look_ups.paths is None:
                self._look_ups.paths = frozenset(
                    row.path for row in self.visible_rows() if row.language is not None
                )
            return self._look_ups.paths

    def facts(self, path: str) -> FileFacts | None:
        """The facts of a file; None if it has no grammar or is not indexed yet."""
        with self._lock:
            row = self._visible_row(path)
            if row is None:
                return None
            cached = self._facts.find(path)
            if cached is not None and cached[0].digest == row.digest:
                return cached[1]
            mask = self._masks.get(path)
            if mask is None:
                facts = self._store.facts(row.id)
            elif mask.record.facts is None:
                facts = None
            else:
                facts = unpack_facts(mask.record.facts)
            self._facts.put(path, (row, facts))
            return facts

    def files_defining(self, name: str) -> Collection[str]:
        return self._files_with_name(Kind.DEFINED, name)

    def files_mentioning(self, name: str) -> Collection[str]:
        return self._files_with_name(Kind.MENTIONED, name)

    def files_renaming(self, name: str) -> Collection[str]:
        return self._files_with_name(Kind.RENAMED, name)

    def files_extending(self, name: str) -> Collection[str]:
        return self._files_with_name(Kind.EXTENDED, name)

    def files_calling_on_literals(self, name: str) -> Collection[str]:
        return self._files_with_name(Kind.ASKED_OF_LITERALS, name)

    # Text

    def visible_rows(self) -> list[FileRow]:
        """One row per file: that of its mask if it has one, otherwise the stored one."""
        with self._lock:
            rows = [row for path, row in self._rows.items() if path not in self._masks]
            return rows + [mask.row for mask in self._masks.values()]

    def snapshot(self) -> Snapshot:
        """Everything that can be searched, all of one generation."""
        with self._lock:
            masked = self._masked_files()
            units = dict(self._store.units())
            for mask in self._masks.values():
                if mask.record.text is not None:
                    units[mask.row.id] = mask.record.text.units
            # Units that a writer has stored but not announced belong to the next generation.
            paths = {
                file: self._paths[file]
                for file in units
                if file in self._paths and file not in masked
            }
            return Snapshot(self.generation, paths, units, self.visible_rows(), self.places())

    def places(self) -> list[tuple[int, Places]]:
        """The places of each segment, by its number. A mask counts as a segment, with the number
        of its file, which is negative."""
        with self._lock:
            masks = self._masks.values()
            return self._store.places() + [(m.row.id, m.places) for m in masks if m.places]

    def postings(self, term: str) -> SegmentPostings:
        """A term's postings by segment, including those of files that are masked or no longer
        count."""
        with self._lock:
            found = self._store.postings(term)
            for mask in self._masks.values():
                if mask.places and (postings := mask.terms.get(term)) is not None:
                    found.append((mask.row.id, postings))
            return found

    def _visible_row(self, path: str) -> FileRow | None:
        mask = self._masks.get(path)
        return mask.row if mask is not None else self._rows.get(path)

    def _masked_files(self) -> set[int]:
        return {self._rows[path].id for path in self._masks if path in self._rows}

    def _files_with_name(self, kind: Kind, name: str) -> list[str]:
        with self._lock:
            found = self._look_ups.named.get((kind, name))
            if found is None:
                found = self._look_ups.named[kind, name] = self._look_up_name(kind, name)
            return found

    def _look_up_name(self, kind: Kind, name: str) -> list[str]:
        files = self._store.files_with_name(kind, name)
        masked = self._masked_files()
        paths = [self._paths[file] for file in files if file in self._paths and file not in masked]
        for path, mask in self._masks.items():
            if name in mask.names[kind]:
                paths.append(path)
        return sorted(paths)

    def _record_changes(self, paths: Collection[str]) -> None:
        if not paths:
            return
        self.generation += 1
        self._look_ups = _LookUps()
        for path in paths:
            self._facts.drop(path)
        self._unreported.update(paths)


def _mask_row(record: FileRecord, number: int) -> FileRow:
    text = record.text
    return FileRow(
        number,
        record.path,
        0,
        0,
        record.digest,
        record.language,
        record.set_aside,
        record.definitions,
        record.references,
        text.unit_count if text else 0,
        text.lengths if text else (0,) * len(FIELDS),
    )


def _make_mask(batch: Batch, record: FileRecord, number: int) -> _Mask:
    terms: dict[str, array[int]] = {}
    places: Places | None = None
    names: dict[Kind, set[str]] = {kind: set() for kind in NAME_KINDS}
    for packed in batch.blocks:
        if packed.kind == Kind.PLACES:
            places = Places(packed.data).of_file(number)
            continue
        block = Block(packed.data)
        if packed.kind == Kind.TERM:
            terms |= {term: block.postings(at) for at, term in enumerate(block.keys)}
        else:
            names[Kind(packed.kind)].update(block.keys)
    return _Mask(
        record,
        _mask_row(record, number),
        terms,
        places,
        names,
    )


def _row_identity(row: FileRow | None) -> str | None:
    return None if row is None else f"{row.digest}{row.id}"


def _cost(row: FileRow) -> int:
    return 1 + row.references + row.definitions
