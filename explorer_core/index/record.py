"""Everything the store keeps of a file, as workers send it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast, overload

import msgspec
from msgspec.structs import replace

from explorer_core.index.facts import FileFacts, Reference
from explorer_core.index.units import TextFacts


class PackedFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file's facts as the store keeps them, its references apart."""

    outline: bytes
    references: bytes


class FileRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of one file by itself. ``number`` is its row's, under which the blocks know it;
    ``set_aside`` says why some of it is missing, else it is empty."""

    number: int
    path: str
    digest: str
    language: str | None
    facts: PackedFacts | None
    definitions: int
    references: int
    text: TextFacts | None
    set_aside: str = ""


class BlockRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A packed block of a segment; ``kind`` says what its keys are, ``first`` is the first."""

    kind: int
    first: str
    data: bytes


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Some files, and the segment that has what they say by term and by name."""

    records: tuple[FileRecord, ...]
    blocks: tuple[BlockRow, ...] = ()


def set_aside(number: int, path: str, digest: str, why: str) -> FileRecord:
    """The record of a file of which nothing could be made."""
    return FileRecord(number, path, digest, None, None, 0, 0, None, why)


def pack_facts(facts: FileFacts) -> PackedFacts:
    """Facts as the store keeps them: not compressed, since packing costs more than writing."""
    encode = msgspec.msgpack.encode
    return PackedFacts(encode(replace(facts, references=())), encode(facts.references))


def unpack_facts(packed: PackedFacts) -> FileFacts:
    """The inverse of `pack_facts`."""
    return read_facts(packed.outline, lambda: packed.references)


def read_facts(outline: bytes, references: Callable[[], bytes | None]) -> FileFacts:
    """`unpack_facts` that asks for ``references`` when they are first looked at; None if they are
    gone."""
    return replace(_outline.decode(outline), references=_Deferred(references))


class _Deferred(Sequence[Reference]):
    """References that are unpacked when they are first looked at: they are most of a file's facts,
    and most who ask for those want its definitions."""

    __slots__ = ("_packed", "_read")

    def __init__(self, packed: Callable[[], bytes | None]) -> None:
        self._packed: Callable[[], bytes | None] | None = packed
        self._read: tuple[Reference, ...] = ()

    def _all(self) -> tuple[Reference, ...]:
        if self._packed is not None:
            packed = self._packed()
            self._read = () if packed is None else _references.decode(packed)
            self._packed = None
        return self._read

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Reference: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Reference]: ...
    def __getitem__(self, index: int | slice) -> Reference | Sequence[Reference]:
        return self._all()[index]

    def __iter__(self) -> Iterator[Reference]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._all() == tuple(cast("Sequence[object]", other))


_outline = msgspec.msgpack.Decoder(FileFacts)
_references = msgspec.msgpack.Decoder(tuple[Reference, ...])
