"""Explains why a file is named: statements that anybody can check, the most telling first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from explorer_core.angles.census import Census
from explorer_core.angles.structure import is_type_file
from explorer_core.contracts import Candidate
from explorer_core.contracts.survey import FileRole
from explorer_core.credentials import masked
from explorer_core.index.terms.text import as_written

_MAX_CHARS = 400
_MAX_STATEMENTS = 3
_MAX_QUOTE_CHARS = 90
_MAX_TERMS = 4


@dataclass(slots=True)
class FileEvidence:
    """The evidence for one file: candidates (best first), matched lines as (line, text, number of
    matching expressions), signals weighted by the angle, and a model's statements."""

    path: str
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    topic: float = 0.0
    lines: list[tuple[int, str, int]] = field(default_factory=list[tuple[int, str, int]])
    text: float = 0.0
    signals: dict[str, float] = field(default_factory=dict[str, float])
    facts: list[str] = field(default_factory=list[str])
    score: float = 0.0

    @property
    def strongest_signal(self) -> str | None:
        return max(self.signals, key=lambda name: self.signals[name], default=None)


def rationale(evidence: FileEvidence, census: Census, question: str, *, has_topic: bool) -> str:
    """Up to three statements, within the length limit of a rationale; empty if there is nothing
    checkable to say. Matched terms appear in the question's own words."""
    text = ""
    count = 0
    words = as_written(question)
    for statement in dict.fromkeys(_statements(evidence, census, words, has_topic)):
        longer = f"{text} {statement}." if text else f"{statement}."
        if len(longer) <= _MAX_CHARS:
            text, count = longer, count + 1
        if count == _MAX_STATEMENTS:
            break
    return text


def role(evidence: FileEvidence, census: Census, default: FileRole, *, has_topic: bool) -> FileRole:
    """The file's role for the task, from its place in the structure."""
    path = evidence.path
    facts = census.facts.get(path)
    if census.is_config(path):
        return "config"
    if census.is_test(path):
        return "test_target"
    if has_topic and evidence.topic >= 0.5:
        return "modify_target"
    if facts is not None and is_type_file(facts):
        return "type_definition"
    if any(table.path == path for table in census.registries):
        return "integration_point"
    if evidence.strongest_signal == "family":
        return "pattern_reference"
    if evidence.strongest_signal == "importers" and default == "context_only":
        return "dependency"
    return default


def discovery_source(evidence: FileEvidence) -> str:
    """The source that contributed most to the file's score."""
    shares: Mapping[str, float] = {
        "index": evidence.topic,
        "grep": evidence.text,
        "graph": sum(evidence.signals.values()),
    }
    return "judge" if evidence.facts else max(shares, key=lambda name: shares[name])


def key_symbols(evidence: FileEvidence, census: Census) -> tuple[str, ...]:
    """The definitions that matched, then the file's top-level ones; at most five."""
    matched = [symbol.qualified_name for each in evidence.candidates for symbol in each.symbols[:1]]
    facts = census.facts.get(evidence.path)
    top = [each.name for each in facts.definitions if each.container == -1] if facts else []
    return tuple(dict.fromkeys([*matched, *top]))[:5]


def _statements(
    evidence: FileEvidence, census: Census, words: Mapping[str, str], has_topic: bool
) -> Iterator[str]:
    """All statements, the weightiest first. A mere match with an angle's own words says little."""
    yield from evidence.facts[:1]
    if has_topic:
        yield from _matched_terms(evidence, words)
    by_weight = sorted(evidence.signals, key=lambda name: -evidence.signals[name])
    structural = list(_structural(evidence.path, census, by_weight))
    if evidence.text >= sum(evidence.signals.values()):
        yield from _matched_line(evidence, census)
        yield from structural
    else:
        yield from structural[:2]
        yield from _matched_line(evidence, census)
        yield from structural[2:]
    yield from _matched_terms(evidence, words)
    yield from _definitions(evidence, census)


def _matched_terms(evidence: FileEvidence, words: Mapping[str, str]) -> Iterator[str]:
    for candidate in evidence.candidates[:1]:
        matched = (words.get(term, term) for term in candidate.matched_terms)
        terms = ", ".join(list(dict.fromkeys(matched))[:_MAX_TERMS])
        if candidate.symbols and terms:
            symbol = candidate.symbols[0]
            yield f"{symbol.qualified_name} (line {symbol.line}) matches {terms}"
        elif candidate.range is not None and terms:
            yield f"Lines {candidate.range.start}-{candidate.range.end} match {terms}"


def _matched_line(evidence: FileEvidence, census: Census) -> Iterator[str]:
    """The most telling matched line: preferably one that defines something, then the one that
    matches most expressions."""
    facts = census.facts.get(evidence.path)
    imported = {each.line for each in facts.imports} if facts else set[int]()
    defining = {each.line for each in facts.definitions} if facts else set[int]()
    lines = [each for each in evidence.lines if each[0] not in imported] or evidence.lines
    for number, text, _ in sorted(lines, key=lambda each: (each[0] not in defining, -each[2]))[:1]:
        shown = masked(" ".join(text.split()), evidence.path)
        more = f", one of {len(evidence.lines)} lines that match" if len(evidence.lines) > 1 else ""
        if 0 < len(shown) <= _MAX_QUOTE_CHARS:
            yield f"Line {number} reads `{shown}`{more}"
        else:
            yield f"Line {number} matches{more}"


def _structural(path: str, census: Census, by_weight: Sequence[str]) -> Iterator[str]:
    """Statements about the structure, those for the angle's strongest signals first."""
    for name in dict.fromkeys((*by_weight, *_STRUCTURAL_STATEMENTS)):
        if name in _STRUCTURAL_STATEMENTS:
            yield from _STRUCTURAL_STATEMENTS[name](path, census)


def _importers(path: str, census: Census) -> Iterator[str]:
    users = census.imports.to(path)
    for edge in list(users.values())[:1]:
        files = "1 file imports" if len(users) == 1 else f"{len(users)} files import"
        yield f"{files} it, for example {edge.source}:{edge.line}"


def _imports(path: str, census: Census) -> Iterator[str]:
    used = census.imports.of(path)
    for edge in list(used.values())[:1]:
        yield f"It imports {len(used)} files of the workspace, for example {edge.target}"


def _entry(path: str, census: Census) -> Iterator[str]:
    if census.imports.of(path) and not census.imports.to(path):
        yield f"No file imports it, and it imports {len(census.imports.of(path))} of the workspace"


def _family(path: str, census: Census) -> Iterator[str]:
    for family in census.families:
        if family.base.path == path:
            base = family.base
            yield f"{base.name} (line {base.line}) has {len(family.members)} direct subtypes"
            return
    for family in census.families:
        for member, edge in family.members:
            if edge.path == path:
                yield f"Line {edge.line}: {member.name} extends {family.base.name}"
                return


def _registry(path: str, census: Census) -> Iterator[str]:
    for table in census.registries:
        if table.path == path:
            yield f"{table.name} (line {table.line}) lists {len(table.names)} definitions by name"
            return


def _cycle(path: str, census: Census) -> Iterator[str]:
    for group in census.cycles:
        if path in group:
            yield f"It is in an import cycle of {len(group)} files"
            return


def _implicit(path: str, census: Census) -> Iterator[str]:
    for link in census.implicit:
        if link.source == path:
            yield f"Line {link.line} names {link.target} in the string {link.text!r}"
            return
        if link.target == path:
            yield f"{link.source}:{link.line} names it in the string {link.text!r}"
            return


def _external(path: str, census: Census) -> Iterator[str]:
    for usage in census.externals:
        for used, line in usage.places:
            if used == path:
                yield f"Line {line} imports the package {usage.package.name}"
                return


def _manifest(path: str, census: Census) -> Iterator[str]:
    names = [u.package.name for u in census.externals if u.package.manifest == path]
    if path in census.manifests:
        shown = f", for example {names[0]}" if names else ""
        yield f"It is a manifest that declares external packages{shown}"


def _decorator(path: str, census: Census) -> Iterator[str]:
    for use in census.decorators:
        for used, line in use.places:
            if used == path:
                yield f"Line {line} applies {use.name}"
                return


def _definitions(evidence: FileEvidence, census: Census) -> Iterator[str]:
    facts = census.facts.get(evidence.path)
    if facts is not None and facts.definitions:
        first = facts.definitions[0]
        count = len(facts.definitions)
        yield f"It defines {count} names, the first {first.name} (line {first.line})"


_STRUCTURAL_STATEMENTS: dict[str, Callable[[str, Census], Iterator[str]]] = {
    describe.__name__.strip("_"): describe
    for describe in (
        _importers,
        _imports,
        _entry,
        _family,
        _registry,
        _cycle,
        _implicit,
        _external,
        _manifest,
        _decorator,
    )
}
"""Statements about a file's structure, by the name of the corresponding signal."""
