"""Everything the store keeps of a file, as workers send it."""

from __future__ import annotations

import msgspec

from explorer_core.index.facts import FileFacts
from explorer_core.index.units import TextFacts


class FileRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of one file by itself. ``number`` is its row's, under which the blocks know it;
    ``set_aside`` says why some of it is missing, else it is empty."""

    number: int
    path: str
    digest: str
    language: str | None
    facts: bytes | None
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


def pack_facts(facts: FileFacts) -> bytes:
    """Facts as the store keeps them: not compressed, since packing costs more than writing."""
    return msgspec.msgpack.encode(facts)


def unpack_facts(packed: bytes) -> FileFacts:
    """The inverse of `pack_facts`."""
    return _decoder.decode(packed)


_decoder = msgspec.msgpack.Decoder(FileFacts)
