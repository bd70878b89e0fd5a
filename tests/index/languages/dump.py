"""Prints facts as readable lines, for fixtures that list what extraction must find.

function app.run 4-9 «def run(self, job: Job) -> None» doc=Runs it.
  calls self.store.save:7
imports store.Store as S
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import TOP, Definition, FileFacts, Lambda
from explorer_core.index.extraction.reference_table import Reference

_VERBS = {
    "call": "calls",
    "macro": "expands",
    "construct": "constructs",
    "read": "reads",
    "type": "types",
    "decorator": "decorated by",
    "argument": "hands over",
    "table": "lists",
}


def dump(path: str, facts: FileFacts) -> str:
    """All facts of one file, each definition followed by the facts inside it."""
    lines = [f"== {path} {facts.language}"]
    if facts.package:
        lines[0] += f" package {facts.package}"
    if facts.has_errors:
        lines[0] += " (with errors)"
    for one in facts.imports:
        name = f".{one.name}" if one.name else ""
        alias = f" as {one.local}" if one.local != one.name else ""
        exported = " exported" if one.exported else ""
        inside = f" in {facts.qualified_name(one.scope)}" if one.scope != TOP else ""
        if one.is_declaration:
            lines.append(f"declares {one.name}{inside}:{one.line}")
            continue
        lines.append(f"imports {one.module}{name}{alias}{exported}{inside}:{one.line}")
    lines += _facts_within(facts, TOP, "")
    for ordinal, definition in enumerate(facts.definitions):
        lines.append(_definition_line(facts, ordinal, definition))
        lines += _facts_within(facts, ordinal, "  ")
    return "\n".join(lines) + "\n"


def _definition_line(facts: FileFacts, ordinal: int, one: Definition) -> str:
    words = [one.kind, facts.qualified_name(ordinal)]
    words.append(f"{one.start}-{one.end}@{one.line}:{one.column} «{one.signature}»")
    words += [f"returns {one.returns}"] if one.returns else []
    words += ["hidden"] if not one.exported else []
    words += ["overrides"] if one.overrides else []
    words += ["test"] if one.test else []
    words += ["static"] if one.static else []
    words += [f"doc={one.doc}"] if one.doc else []
    return " ".join(words)


def _facts_within(facts: FileFacts, ordinal: int, indent: str) -> Iterator[str]:
    for one in facts.supertypes:
        if one.definition == ordinal:
            subtype = f"{one.owner} " if one.owner else ""
            yield f"{indent}{subtype}{one.relation} {one.name}:{one.line}"
    for one in facts.types:
        if one.scope == ordinal:
            handed = f" of {_lambda_name(facts.lambdas[one.function])}" if one.function >= 0 else ""
            yield f"{indent}{one.name} is {one.type}{handed} ({one.source}):{one.line}"
    for verb in dict.fromkeys(_VERBS.values()):
        uses = [_reference(one) for one in facts.references if _is_in_scope(one, ordinal, verb)]
        if uses:
            yield f"{indent}{verb} {', '.join(uses)}"


def _lambda_name(one: Lambda) -> str:
    key = "".join(f".{key}" for key in one.keys)
    place = f"({one.argument})" if one.argument else ""
    local = "local " if one.local else ""
    return f"{local}{one.callee or 'nothing'}{place}{key} until {one.end}"


def _is_in_scope(one: Reference, ordinal: int, verb: str) -> bool:
    return one.scope == ordinal and _VERBS[one.kind] == verb


def _reference(one: Reference) -> str:
    receiver = f"{one.receiver}." if one.receiver else ""
    return f"{receiver}{one.name}:{one.line}:{one.column}"
