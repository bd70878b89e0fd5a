"""How correct the graph's edges are, judged by a real language server.

    python -m tests.bench.edges REPO --server "ty server" --language python --under django/

An edge is claimed if it was resolved by scope, import or type rather than by name only. Five
figures:

- precision: of 200 claimed ``calls`` edges, how many the server confirms;
- coverage: of random calls that the server resolves to a definition in the repository, how many
  have a claimed edge;
- of edges by name only, how many are right;
- of edges from members of object literals to the members of types they implement, how many are
  right;
- recall: of the server's references to 30 symbols, for how many the graph has an edge.

Calls that the server does not resolve prove nothing and are counted separately. So are references
to a method of an interface that a server counts for each implementation.

``--uses`` compares all uses that are not calls (reads, arguments, types) and the references to
variables, fields and constants.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from explorer_core.index.extraction.extract import extract
from explorer_core.index.extraction.facts import TOP
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.languages import language_of, spec
from explorer_core.index.symbols import (
    CALLABLES,
    MEMBER_HOLDERS,
    NAMESPACES,
    VARIABLES,
    Edge,
    SymbolId,
)
from tests.bench.language_server import LanguageServer, Place
from tests.index.memory import MemoryFacts

_CALLS = ("call", "macro", "construct")
_SKIPPED = {".git", "node_modules", "dist", "build", "target", "vendor"}


@dataclass
class Use:
    """A use of a name in the text, and the graph's edges for it."""

    place: Place
    name: str
    edges: list[Edge]

    @property
    def is_claimed(self) -> bool:
        return bool(self.edges) and not self.edges[0].is_by_name


@dataclass
class Tally:
    """Counts of outcomes, with wrong ones as examples."""

    counts: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def share(self, part: str, *whole: str) -> str:
        total = sum(self.counts[name] for name in (part, *whole))
        return f"{self.counts[part]}/{total} = {self.counts[part] / total:.1%}" if total else "none"


class Comparison:
    """One repository, its graph and a language server for it."""

    def __init__(self, root: Path, suffixes: tuple[str, ...], under: str) -> None:
        self.root = root
        self.files = MemoryFacts()
        for path, text in _sources(root):
            facts = extract(path, text)
            if facts is not None:
                self.files.set(path, facts)
        self.graph = SymbolGraph(self.files)
        self.paths = sorted(
            p for p in self.files.paths() if p.startswith(under) and p.endswith(suffixes)
        )

    def uses(self, *, calls: bool) -> Iterator[Use]:
        """Every call in the compared files, or every other use."""
        for path in self.paths:
            facts = self.files.facts(path)
            assert facts
            for index, reference in enumerate(facts.references):
                if (reference.kind in _CALLS) == calls:
                    place = (path, reference.line, reference.column)
                    yield Use(place, reference.name, self.graph.edges_at(path, index))

    def members_of_objects(self) -> Iterator[Use]:
        """Every member of an object literal that implements members of types, with the edges to
        those."""
        for path in self.paths:
            facts = self.files.facts(path)
            assert facts
            for ordinal in (each.definition for each in facts.lambdas if each.definition != TOP):
                edges = self.graph.overrides(SymbolId(path, ordinal))
                definition = facts.definitions[ordinal]
                if edges:
                    yield Use((path, definition.line, definition.column), definition.name, edges)

    def agrees(self, edges: Sequence[Edge], places: Sequence[Place]) -> bool:
        """Whether an edge's target is at one of the places: the place is in the definition, in the
        constructor of a type, or at a table entry that refers to the definition."""
        return any(
            self._is_at(edge.target, place) or edge.target in self._listed_at(place)
            for edge in edges
            for place in places
        )

    def is_called_by_type(self, server: LanguageServer, use: Use) -> bool:
        """Whether a called variable has an edge to the call member (``__call__``) of the type that
        the server gives it, or to that type itself, which the variable then holds."""
        call_member = spec(language_of(use.place[0]) or "").call_member
        targets = [self.graph.symbol(edge.target) for edge in use.edges if call_member]
        holders = [self.graph.container(s.id) if s.name == call_member else s.id for s in targets]
        types_held = [t for t in holders if t and self.graph.symbol(t).kind in MEMBER_HOLDERS]
        places = server.type_definition(use.place) if types_held else []
        return any(self._is_at(each, place) for each in types_held for place in places)

    def _listed_at(self, place: Place) -> set[SymbolId]:
        path, line, column = place
        facts = self.files.facts(path)
        return {
            edge.target
            for index, each in enumerate(facts.references if facts else ())
            if (each.kind, each.line, each.column) == ("table", line, column)
            for edge in self.graph.edges_at(path, index)
        }

    def _is_at(self, target: SymbolId, place: Place) -> bool:
        path, line, _ = place
        declared = self.declared_at(place)
        if target.is_file or declared is None:
            return target.is_file and (target.path, line) == (path, 1)
        target_symbol, declared_symbol = self.graph.symbol(target), self.graph.symbol(declared)
        if target_symbol.kind in NAMESPACES:
            # A namespace may be opened in several places.
            return target_symbol.name == declared_symbol.name
        involves_constructor = "constructor" in (target_symbol.kind, declared_symbol.kind)
        are_nested = declared == self.graph.container(target) or target == self.graph.container(
            declared
        )
        return declared == target or (involves_constructor and are_nested)

    def is_import_of(self, used: Place, place: Place) -> bool:
        """Whether the server only resolves a use to the import in the same file."""
        facts = self.files.facts(place[0]) if place[0] == used[0] else None
        return facts is not None and any(each.line == place[1] for each in facts.imports)

    def is_comment(self, path: str, line: int) -> bool:
        """Whether a line is part of a comment, or of a file that is not in the graph."""
        if self.files.facts(path) is None:
            return True
        return self._line(path, line).lstrip().startswith(("*", "//", "/*"))

    def has_name(self, place: Place, name: str) -> bool:
        """Whether the text at a place is the name itself. Otherwise the symbol is meant without
        being named, as a type is by ``Self``."""
        path, line, column = place
        return self._line(path, line)[column:].lstrip("#@$\"'`").startswith(name)

    def _line(self, path: str, line: int) -> str:
        return (self.root / path).read_text(encoding="utf-8").split("\n")[line - 1]

    def declared_at(self, place: Place) -> SymbolId | None:
        """The symbol whose declaration contains a place at or before its name.

        Some servers answer with the comment before a declaration, or with the function that is
        assigned to a name. Other places after the name are parameters, which are not the symbol.
        """
        path, line, column = place
        facts = self.files.facts(path)
        if facts is None:
            return None
        ordinals = {
            (each.line, each.column): ordinal for ordinal, each in enumerate(facts.definitions)
        }
        if (line, column) in ordinals:
            return SymbolId(path, ordinals[line, column])
        enclosing = self.graph.enclosing(path, line)
        if enclosing and enclosing.kind in MEMBER_HOLDERS and self.has_name(place, enclosing.name):
            return enclosing.id  # the second name of ``typedef struct a { ... } a``
        if enclosing and line <= enclosing.line:
            definition = facts.definitions[enclosing.id.ordinal]
            is_before_name = (line, column) <= (definition.line, definition.column)
            is_value = (
                self._line(path, line)[definition.column + len(definition.name) : column].strip()
                == "="
            )
            return enclosing.id if is_before_name or is_value else None
        if any(binding.line == line for binding in facts.imports):
            return None  # the server cannot find what is imported
        holder = enclosing.id if enclosing else SymbolId(path, -1)
        later = (s for s in self.graph.symbols_in(path) if s.line > line)
        next_symbol = min(later, key=lambda s: s.line, default=None)
        is_same_holder = next_symbol and self.graph.container(next_symbol.id) == holder
        return next_symbol.id if next_symbol and is_same_holder else None

    def is_definition(self, place: Place, kinds: frozenset[str]) -> bool:
        """Whether a place is a declaration in the repository of one of the kinds."""
        declared = self.declared_at(place)
        return declared is not None and self.graph.symbol(declared).kind in kinds

    def symbols(self, kinds: frozenset[str]) -> list[SymbolId]:
        """The symbols of the given kinds in the compared files, without constructors."""
        return [
            symbol.id
            for path in self.paths
            for symbol in self.graph.symbols_in(path)
            if symbol.kind in kinds and symbol.kind != "constructor"
        ]


def precision(
    comparison: Comparison, server: LanguageServer, uses: Sequence[Use], limit: int
) -> Tally:
    """Counts how often the server confirms or contradicts uses that have edges in the graph."""
    tally = Tally()
    for use in uses:
        if tally.counts["right"] + tally.counts["wrong"] >= limit:
            break
        places = server.definition(use.place)
        if not places or all(comparison.is_import_of(use.place, place) for place in places):
            tally.counts["unanswered"] += 1
        elif comparison.agrees(use.edges, places) or comparison.is_called_by_type(server, use):
            tally.counts["right"] += 1
        else:
            tally.counts["wrong"] += 1
            target = use.edges[0].target
            name = comparison.graph.symbol(target).qualified_name
            answer = f"{places[0][0]}:{places[0][1]}" if places[0][0] else "not of the repository"
            tally.wrong.append(
                f"{use.place[0]}:{use.place[1]} {use.name} -> {target.path} {name} "
                f"({use.edges[0].witness}), server: {answer}"
            )
    return tally


def coverage(
    comparison: Comparison,
    server: LanguageServer,
    uses: Sequence[Use],
    kinds: frozenset[str],
    limit: int,
) -> Tally:
    """Counts how the graph resolves uses that the server resolves to the repository."""
    tally = Tally()
    for use in uses:
        if sum(tally.counts.values()) >= limit:
            break
        places = [p for p in server.definition(use.place) if comparison.is_definition(p, kinds)]
        if not places:
            continue
        if not use.edges:
            tally.counts["none"] += 1
            tally.wrong.append(f"{use.place[0]}:{use.place[1]} {use.name}")
        elif use.is_claimed:
            tally.counts["claimed"] += 1
        else:
            tally.counts["name"] += 1
    return tally


def recall(
    comparison: Comparison, server: LanguageServer, symbols: Sequence[SymbolId], limit: int
) -> Tally:
    """Counts for how many of the server's references to symbols the graph has an edge."""
    tally = Tally()
    graph = comparison.graph
    for symbol_id in symbols:
        if tally.counts["symbols"] >= limit:
            break
        facts = comparison.files.facts(symbol_id.path)
        assert facts
        definition = facts.definitions[symbol_id.ordinal]
        references = server.references((symbol_id.path, definition.line, definition.column))
        references = [place for place in references if place[0]]
        named = [place for place in references if comparison.has_name(place, definition.name)]
        lines = {(p, line) for p, line, _ in named if not comparison.is_comment(p, line)}
        lines.discard((symbol_id.path, definition.line))
        if len(lines) < 3:
            continue
        tally.counts["symbols"] += 1
        tally.counts["unnamed"] += len(references) - len(named)
        graph_lines = _lines(graph.incoming(symbol_id))
        related = [edge.target for edge in graph.overrides(symbol_id)]
        related += [edge.source for edge in graph.overridden_by(symbol_id)]
        kin_lines = {line for other in related for line in _lines(graph.incoming(other))}
        tally.counts["found"] += len(lines & graph_lines)
        tally.counts["missed"] += len(lines - graph_lines)
        tally.counts["by kin"] += len(lines & kin_lines - graph_lines)
        missed = [f"{path}:{line}" for path, line in sorted(lines - graph_lines)[:3]]
        if missed:
            tally.wrong.append(f"{graph.symbol(symbol_id).qualified_name}: {', '.join(missed)}")
    return tally


def _lines(edges: Sequence[Edge]) -> set[tuple[str, int]]:
    return {(edge.path, edge.line) for edge in edges if edge.relation != "contains"}


def _sources(root: Path) -> Iterator[tuple[str, str]]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - _SKIPPED)
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if language_of(relative) is None or not path.is_file():
                continue
            if path.stat().st_size > 1_000_000:
                continue
            try:
                yield relative, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def _print(title: str, line: str, examples: Sequence[str], shown: int) -> None:
    print(f"{title}: {line}")
    for example in examples[:shown]:
        print(f"    {example}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repo", type=Path)
    parser.add_argument("--server", required=True, help="command that speaks LSP on stdio")
    parser.add_argument("--language", required=True, help="languageId of the files")
    parser.add_argument("--suffix", action="append", default=[], help="files compared")
    parser.add_argument("--under", default="", help="folder compared; the graph has all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--symbols", type=int, default=30)
    parser.add_argument("--examples", type=int, default=5)
    parser.add_argument("--uses", action="store_true", help="ask of all but calls")
    options = parser.parse_args()

    comparison = Comparison(options.repo, tuple(options.suffix) or ("",), options.under)
    server = LanguageServer(
        shlex.split(options.server), options.repo, options.language, timeout=120
    )
    try:
        _compare(comparison, server, options)
    finally:
        server.close()


def _compare(comparison: Comparison, server: LanguageServer, options: argparse.Namespace) -> None:
    rng = random.Random(options.seed)
    subject = "uses" if options.uses else "calls"
    uses = list(comparison.uses(calls=not options.uses))
    if uses:
        server.definition(uses[0].place)  # some servers load nothing before a file is open
    server.wait_until_idle()
    rng.shuffle(uses)
    print(f"{options.repo.name}: {len(comparison.paths)} files, {len(uses)} {subject}")
    claimed = [use for use in uses if use.is_claimed]
    tally = precision(comparison, server, claimed, options.sample)
    line = f"{tally.share('right', 'wrong')} ({tally.counts['unanswered']} unanswered)"
    _print("claimed edges, right", line, tally.wrong, options.examples)
    kinds = CALLABLES | MEMBER_HOLDERS
    target_kinds = kinds | VARIABLES if options.uses else kinds
    tally = coverage(comparison, server, uses, target_kinds, options.sample)
    line = f"{tally.share('claimed', 'name', 'none')}, by name {tally.counts['name']}"
    _print(f"{subject} to the repository, claimed", line, tally.wrong, options.examples)
    by_name = [use for use in uses if use.edges and not use.is_claimed]
    tally = precision(comparison, server, by_name, options.sample // 2)
    line = f"{tally.share('right', 'wrong')} ({tally.counts['unanswered']} unanswered)"
    _print("edges by name, right", line, tally.wrong, options.examples)
    if members := [] if options.uses else list(comparison.members_of_objects()):
        random.Random(options.seed).shuffle(members)
        tally = precision(comparison, server, members, options.sample)
        line = f"{tally.share('right', 'wrong')} ({tally.counts['unanswered']} unanswered)"
        _print("members of objects, right", line, tally.wrong, options.examples)
    symbols = comparison.symbols(VARIABLES if options.uses else kinds)
    random.Random(options.seed).shuffle(symbols)  # the same sample whatever edges there are
    tally = recall(comparison, server, symbols, options.symbols)
    line = f"{tally.share('found', 'missed')} of {tally.counts['symbols']} symbols"
    line += f", {tally.counts['by kin']} more through what they override or is overriding them"
    line += f"; {tally.counts['unnamed']} more do not name them"
    _print("references, found", line, tally.wrong, options.examples)


if __name__ == "__main__":
    main()
