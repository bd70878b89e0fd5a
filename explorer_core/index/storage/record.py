"""Everything the store keeps about a file, in the form in which workers send it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from explorer_core.index.extraction.facts import FileFacts
from explorer_core.index.extraction.reference_table import NO_REFERENCES, Columns, ReferenceTable
from explorer_core.index.terms.units import TextFacts


class PackedFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file's facts as the store keeps them: the references apart from the rest."""

    outline: bytes
    references: bytes


class FileRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept for one file by itself. ``number`` is that of its row, by which blocks refer to
    it. ``set_aside`` is the reason why some of it is missing, otherwise empty."""

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
    """A packed block of a segment; ``kind`` is the kind of its keys, ``first`` the first key."""

    kind: int
    first: str
    data: bytes


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """The records of some files, and the blocks of the segment with their terms and names."""

    records: tuple[FileRecord, ...]
    blocks: tuple[BlockRow, ...] = ()


def set_aside(number: int, path: str, digest: str, why: str) -> FileRecord:
    """The record of a file that could not be analysed."""
    return FileRecord(number, path, digest, None, None, 0, 0, None, why)


def pack_facts(facts: FileFacts) -> PackedFacts:
    """Facts as the store keeps them: uncompressed, since compressing would cost more than
    writing."""
    outline = _encoder.encode(replace(facts, references=NO_REFERENCES))
    return PackedFacts(outline, _encoder.encode(facts.references.packed))


def unpack_facts(packed: PackedFacts) -> FileFacts:
    """The inverse of `pack_facts`."""
    return read_facts(packed.outline, lambda: packed.references)


def read_facts(outline: bytes, references: Callable[[], bytes | None]) -> FileFacts:
    """`unpack_facts` that calls ``references`` only when the references are first accessed. They
    are most of a file's facts, but most callers need only its definitions. If ``references``
    returns None, since they are gone, there are none."""

    def load_columns() -> Columns:
        packed = references()
        return Columns() if packed is None else _columns_decoder.decode(packed)

    return replace(_outline_decoder.decode(outline), references=ReferenceTable(load_columns))


# An outline has nil in place of the references, which are kept apart.
_encoder = msgspec.msgpack.Encoder(enc_hook=lambda _: None)
_outline_decoder = msgspec.msgpack.Decoder(FileFacts, dec_hook=lambda _type, _none: NO_REFERENCES)
_columns_decoder = msgspec.msgpack.Decoder(Columns)
