"""Everything the store keeps of a file, as workers send it."""

from __future__ import annotations

import zlib

import msgspec

from explorer_core.index.facts import FileFacts
from explorer_core.index.units import TextFacts

ENGINE_VERSION = 2
"""To be raised whenever the same bytes give other rows; stores of other versions are rebuilt."""

_LEVEL = 1


class FileRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All rows of one file. ``set_aside`` says why some of it is missing, else it is empty."""

    path: str
    digest: str
    language: str | None
    facts: bytes | None
    definitions: int
    references: int
    defined: tuple[str, ...]
    mentioned: tuple[str, ...]
    text: TextFacts | None
    set_aside: str = ""


def set_aside(path: str, digest: str, why: str) -> FileRecord:
    """The record of a file of which nothing could be made."""
    return FileRecord(path, digest, None, None, 0, 0, (), (), None, why)


def pack_facts(facts: FileFacts) -> bytes:
    """Facts as the store keeps them."""
    return zlib.compress(msgspec.msgpack.encode(facts), _LEVEL)


def unpack_facts(packed: bytes) -> FileFacts:
    """The inverse of `pack_facts`."""
    return _decoder.decode(zlib.decompress(packed))


_decoder = msgspec.msgpack.Decoder(FileFacts)


def last_part(dotted: str) -> str:
    """The simple name at the end of a path written with any separator (``a.B``, ``a::B``)."""
    for separator in (".", "::", "\\", "/", "->"):
        dotted = dotted.rpartition(separator)[2]
    return dotted
