"""From a file's text to everything the store keeps of it. Pure; runs inside workers."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec

from explorer_core.index.extract import extract
from explorer_core.index.facts import FileFacts
from explorer_core.index.languages import language_of
from explorer_core.index.lexis import lexis_of
from explorer_core.index.units import TextFacts, text_facts, why_not_searched

ENGINE_VERSION = 1
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


def make_record(path: str, text: str, digest: str) -> FileRecord:
    """Extract and analyse one file."""
    facts = extract(path, text) if "\0" not in text else None
    language = facts.language if facts else language_of(path, text.partition("\n")[0])
    why = "contains null characters" if "\0" in text else why_not_searched(text, facts)
    return FileRecord(
        path=path,
        digest=digest,
        language=language,
        facts=pack_facts(facts) if facts else None,
        definitions=len(facts.definitions) if facts else 0,
        references=len(facts.references) if facts else 0,
        defined=_sorted(definition.name for definition in facts.definitions) if facts else (),
        mentioned=_sorted(_mentioned(facts)) if facts else (),
        text=None if why else text_facts(path, text, facts, lexis_of(language)),
        set_aside=why or "",
    )


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


def _mentioned(facts: FileFacts) -> Iterable[str]:
    yield from (reference.name for reference in facts.references)
    for binding in facts.imports:
        yield binding.name
        yield last_part(binding.module)
    yield from (last_part(supertype.name) for supertype in facts.supertypes)


def last_part(dotted: str) -> str:
    """The simple name at the end of a path written with any separator (``a.B``, ``a::B``)."""
    for separator in (".", "::", "\\", "/", "->"):
        dotted = dotted.rpartition(separator)[2]
    return dotted


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name and name != "*"}))
