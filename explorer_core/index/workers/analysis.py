"""From a file's text to everything the store keeps about it. Free of side effects beyond the given
tables. Runs inside workers, so that no other process has to load grammars."""

from __future__ import annotations

from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.indexed_names import (
    defined_names,
    extended_names,
    mentioned_names,
    names_called_on_literals,
    renamed_names,
)
from explorer_core.index.languages import language_of
from explorer_core.index.storage.record import FileRecord, pack_facts, set_aside
from explorer_core.index.storage.segments import Kind, Tables
from explorer_core.index.terms.lexis import lexis_of
from explorer_core.index.terms.units import text_facts, why_not_searched
from explorer_core.index.workers.wire import Task


def make_record(task: Task, tables: Tables) -> FileRecord:
    """Extract and analyse one file. Its names and terms are added to ``tables``."""
    path, text = task.path, task.text
    facts = extract(path, text) if "\0" not in text else None
    language = facts.language if facts else language_of(path, text.partition("\n")[0])
    why = "contains null characters" if "\0" in text else why_not_searched(text, facts)
    searched = None
    if not why:
        searched = text_facts(path, text, facts, lexis_of(language), tables.terms, task.number)
    if facts:
        tables.name(task.number, Kind.DEFINED, defined_names(facts))
        tables.name(task.number, Kind.MENTIONED, mentioned_names(facts))
        tables.name(task.number, Kind.RENAMED, renamed_names(facts))
        tables.name(task.number, Kind.EXTENDED, extended_names(facts))
        tables.name(task.number, Kind.ASKED_OF_LITERALS, names_called_on_literals(facts))
    return FileRecord(
        number=task.number,
        path=path,
        digest=task.digest,
        language=language,
        facts=pack_facts(facts) if facts else None,
        definitions=len(facts.definitions) if facts else 0,
        references=len(facts.references) if facts else 0,
        text=searched,
        set_aside=why or "",
    )


def try_record(task: Task, tables: Tables) -> FileRecord:
    """`make_record`, or a record that is set aside if that fails."""
    try:
        return make_record(task, tables)
    except Exception as error:  # noqa: BLE001  one bad file must not affect others
        tables.forget(task.number)
        why = f"could not be analysed ({type(error).__name__})"
        return set_aside(task.number, task.path, task.digest, why)
