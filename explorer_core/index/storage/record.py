"""Everything the store keeps of a file, as workers send it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.extraction.reference_table import NO_REFERENCES, Columns, ReferenceTable
from explorer_core.index.terms.units import TextFacts


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
    outline = _encoder.encode(replace(facts, references=NO_REFERENCES))
    return PackedFacts(outline, _encoder.encode(facts.references.packed))


def unpack_facts(packed: PackedFacts) -> FileFacts:
    """The inverse of `pack_facts`."""
    return read_facts(packed.outline, lambda: packed.references)


def read_facts(outline: bytes, references: Callable[[], bytes | None]) -> FileFacts:
    """`unpack_facts` that asks for ``references`` when they are first looked at: they are most of a
    file's facts, and most who ask for those want its definitions. None if they are gone."""

    def columns() -> Columns:
        packed = references()
        return Columns() if packed is None else _columns.decode(packed)

    return replace(_outline.decode(outline), references=ReferenceTable(columns))


# An outline holds nothing in place of the references, which are kept apart.
_encoder = msgspec.msgpack.Encoder(enc_hook=lambda _: None)
_outline = msgspec.msgpack.Decoder(FileFacts, dec_hook=lambda _type, _none: NO_REFERENCES)
_columns = msgspec.msgpack.Decoder(Columns)
