"""From a file's text to everything the store keeps of it. Pure; runs inside workers, so that nobody
else has to load grammars."""

from __future__ import annotations

from collections.abc import Iterable

from explorer_core.index.extract import extract
from explorer_core.index.facts import FileFacts
from explorer_core.index.languages import language_of
from explorer_core.index.lexis import lexis_of
from explorer_core.index.record import FileRecord, last_part, pack_facts
from explorer_core.index.units import text_facts, why_not_searched


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


def _mentioned(facts: FileFacts) -> Iterable[str]:
    yield from (reference.name for reference in facts.references)
    for binding in facts.imports:
        yield binding.name
        yield last_part(binding.module)
    yield from (last_part(supertype.name) for supertype in facts.supertypes)


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name and name != "*"}))
