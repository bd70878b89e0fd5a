"""Finds tables: definitions that make many values of one type, or pass many others to one function.

A new one of a kind is often a row: one more object in a list, or one more call such as
``register(csv_export)``. This applies only if the question says what kind of thing the rows are,
and not which one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice

import numpy as np

from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import CALLS
from explorer_core.index.search.collection import Floats
from explorer_core.index.symbols import CALLABLES, VARIABLES, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.index.terms.units import COUNT_MASK, DOC, NAME, STRING
from explorer_core.judges.offline.change.asked_families import common_words
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.change.table_rows import FEWEST_ROWS, MAKING_KINDS, Rows, Table
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called

_TIMES_AS_OFTEN = 2
"""The definition with the table must call what its rows call this many times as often as any
other."""
_LEAST_TELLING = 0.25
"""The share of what the question's most telling word says that another word must say to count."""
_EXACT = 1e-9
"""The tolerance for sums of the same numbers."""
_READ, _LOOKED_AT, _NAMES, _HOLDERS = 50, 10, 24, 3
"""Limits: for each word of the question, definitions whose names are read, and how many of these
are considered; for all words, names that are looked up; for each name, definitions that have it
often."""


class Tables(Finder):
    """Finds the table of one question."""

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self.exhibits)

    def example(self, least: float) -> Example | None:
        """Returns a row of the largest table among those whose names have most of the question, at
        ``least`` this much. The names of what the rows make count too. None if there is no such
        table."""
        found: list[Table] = []
        for worth, name in self._callable_names(least):
            if found and worth < found[0].worth:
                break
            found += self._tables(name, worth)
        most = max((each.worth for each in found), default=least)
        found += [each for each in self._name_lists(most) if not found or each.worth > most]
        best = max(found, key=_preference, default=None)
        return self._example(best) if best is not None else None

    def of(self, made: Symbol, worth: float) -> Example | None:
        """Returns a row of the largest table whose rows make one type, or None."""
        found = [each for each in self._tables(made.name, worth) if each.made == made]
        best = max(found, key=_preference, default=None)
        return self._example(best) if best is not None else None

    def _callable_names(self, least: float) -> list[tuple[float, str]]:
        """Returns the names of types, and of functions with several words, that end with a telling
        word of the question. Each comes with how much of the question it has, at ``least`` this
        much; the highest come first."""
        found: dict[str, float] = {}
        for term in self._telling_terms:
            ending: dict[str, float] = {}
            for symbol in self._definitions_named(term, MAKING_KINDS, least):
                words = text.words_in(symbol.name)
                worth = self._words.worth(words)
                has_several_words = symbol.kind in CLASS_KINDS or len(words) > 1
                if has_several_words and worth >= least - _EXACT and words[-1:] == [term]:
                    ending.setdefault(symbol.name, worth)
                if len(ending) == _LOOKED_AT:
                    break
            found |= ending
        first = sorted(((worth, name) for name, worth in found.items()), reverse=True)
        return first[:_NAMES]

    @cached_property
    def _telling_terms(self) -> list[str]:
        """The terms of the title that are worth enough to count."""
        weights = self._words.title_weights
        bar = _LEAST_TELLING * max(weights.values(), default=0.0)
        return [term for term, weight in weights.items() if weight >= bar]

    def _definitions_named(
        self, term: str, kinds: Collection[str], least: float
    ) -> Iterator[Symbol]:
        """Yields the definitions of some kinds that have a term in their names, and ``least`` this
        much of the question: those first that have most of it and little else."""
        collection, bounds = self._collection, self._worth_bounds
        units = self._units_named(term)
        units = units[(bounds[units] >= least) & collection.has_references[collection.file[units]]]
        by_path = collection.path_order[collection.file[units]]
        order = np.lexsort((by_path, collection.lengths[units, NAME], -bounds[units]))
        for unit in units[order[:_READ]].tolist():
            each = self._definition_at(unit)
            named = not each.is_file and self._is_of_program(each.path)
            if named and self._graph.kind(each) in kinds:
                yield self._graph.symbol(each)

    @cached_property
    def _worth_bounds(self) -> Floats:
        """An upper bound for how much of the question is in the names of each unit. Terms that say
        next to nothing are taken as present, since they are in many."""
        weights = self._words.weights
        rest = math.fsum(weights.values()) - self._words.worth(self._telling_terms)
        collection = self._collection
        bounds = np.full(collection.units, rest + _EXACT)
        for term in self._telling_terms:
            bounds[self._units_named(term)] += weights[term]
        return bounds

    # rows

    def _tables(self, name: str, least_worth: float) -> Iterator[Table]:
        """Yields the tables whose rows call ``name``.

        They are in one definition. It calls the name far more often than any other definition whose
        own name has as much of the question.
        """
        calls = {holder: self._calls(holder, name) for holder in self._holders(name)}
        calls = {holder: each for holder, each in calls.items() if len(each) >= FEWEST_ROWS}
        worth = self._words.worth_in_title
        name_worth = {holder: worth(text.words_in(called(holder))) for holder in calls}
        order = sorted(calls, key=lambda each: (-name_worth[each], -len(calls[each])))
        if not order or any(
            name_worth[each] == name_worth[order[0]]
            and _TIMES_AS_OFTEN * len(calls[each]) > len(calls[order[0]])
            for each in order[1:]
        ):
            return
        best = order[0]
        by_made: dict[SymbolId, dict[int, Edge]] = {}
        for edge in self._edges(best, calls[best]):
            by_made.setdefault(self._made_by(edge.target), {}).setdefault(edge.line, edge)
        for each, rows in by_made.items():
            made = self._graph.symbol(each)
            if len(rows) >= FEWEST_ROWS and made.kind in MAKING_KINDS:
                table = Table(best, made, dict(sorted(rows.items())), least_worth)
                if self._rows.form_a_table(table):
                    yield replace(table, worth=max(least_worth, self._worth_of(table)))

    def _worth_of(self, table: Table) -> float:
        """Scores how much of the question a table has: in the names of the definition and of what
        the rows make, and in the words that most rows share."""
        lines = self.exhibits.source(table.holder.path).lines
        rows = [text.words_in(lines[each - 1]) for each in table.rows if each <= len(lines)]
        named = [text.words_in(called(each)) for each in (table.holder, table.made) if each]
        return self._words.worth_in_title({*common_words(rows), *chain.from_iterable(named)})

    def _name_lists(self, least: float) -> Iterator[Table]:
        """Yields the data whose lines name functions or types, and whose name has several words, at
        least half of them telling, and ``least`` this much of the question."""
        seen: set[SymbolId] = set()
        for term in self._telling_terms:
            for holder in islice(self._definitions_named(term, VARIABLES, least), _LOOKED_AT):
                words = text.words_in(holder.name)
                worth = self._words.worth(words)
                telling_words = [each for each in words if each in self._telling_terms]
                other = len(words) < 2 or len(telling_words) * 2 < len(words)
                short = worth < least - _EXACT or len(holder.range) < FEWEST_ROWS
                if other or short or holder.id in seen or self._is_local(holder):
                    continue
                seen.add(holder.id)
                entries = self._rows.entries(holder)
                if len(entries) >= FEWEST_ROWS and self._may_be_shown(holder):
                    yield Table(holder, None, entries, worth)

    def _is_local(self, symbol: Symbol) -> bool:
        return any(
            self._graph.kind(each) in CALLABLES for each in self._graph.containers(symbol.id)
        )

    def _holders(self, name: str) -> list[Symbol]:
        """Returns the definitions that have a name often enough in code, those that have it most
        often first. A type counts together with its data."""
        collection = self._collection
        matches = collection.matches(text.whole(name))
        often = (matches.entries & COUNT_MASK) >= FEWEST_ROWS
        often &= ~np.isin(matches.fields, (DOC, STRING))
        counts = (matches.entries & COUNT_MASK)[often].tolist()
        units: list[int] = matches.units[often].tolist()
        found: list[Symbol] = []
        places = [(collection.paths[int(collection.file[each])], each) for each in units]
        most_often = sorted(zip(counts, places, strict=True), key=lambda each: (-each[0], each[1]))
        for _, (path, unit) in most_often:
            if collection.has_references[collection.file[unit]] and self._is_of_program(path):
                holder = self._graph.symbol(self._definition_at(unit))
                if holder not in found and self._may_be_shown(holder):
                    found.append(holder)
            if len(found) == _HOLDERS:
                break
        return found

    def _may_be_shown(self, holder: Symbol) -> bool:
        return not self._is_apart(holder) and self.exhibits.has(holder.path)

    def _calls(self, holder: Symbol, name: str) -> list[int]:
        """Returns the references by which a definition, or data directly in it, calls a name."""
        facts = self.case.index.view.facts(holder.path)
        if facts is None:
            return []
        scopes = {holder.id.ordinal}
        if holder.kind not in CALLABLES:
            within = self._graph.members(holder.id)
            scopes |= {each.ordinal for each in within if self._graph.kind(each) in VARIABLES}
        named = ((at, facts.references[at]) for at in facts.references.named(name))
        return [at for at, each in named if each.kind in CALLS and each.scope in scopes]

    def _edges(self, holder: Symbol, calls: Sequence[int]) -> Iterator[Edge]:
        """Yields the edges of calls that are certain, or that make the only type of a name."""
        for at in calls:
            for edge in self._graph.edges_at(holder.path, at):
                if edge.relation == "calls" and (not edge.is_by_name or self._is_only(edge.target)):
                    yield edge

    def _is_only(self, target: SymbolId) -> bool:
        """Whether a definition is a type, and nothing else has its name."""
        symbol = self._graph.symbol(target)
        return symbol.kind in CLASS_KINDS and len(list(self._graph.find(symbol.name))) == 1

    def _made_by(self, target: SymbolId) -> SymbolId:
        """Returns what a call makes: the type if it calls a constructor, else the callee."""
        owner = self._graph.container(target)
        makes = self._graph.kind(target) == "constructor" and owner is not None
        return owner if makes and owner is not None else target

    # the example

    def _example(self, table: Table) -> Example | None:
        passed_on = {line: self._rows.passed_on(table, line) for line in table.rows}
        names = [text.words_in(each.name) for each in passed_on.values() if each is not None]
        named = table.made or table.holder
        shared = {*text.words_in(named.name), *common_words(names)}
        own = (set(name) - shared for name in names)
        if any(map(self._words.are_adjacent, own)):
            return None
        line = self._row_most_asked_about(table, passed_on)
        member, edge = passed_on[line] or named, table.rows[line]
        self.exhibits.record_symbols(table.holder, named)
        place = Registration(table.holder, edge, self._summary(table, passed_on))
        return Example(member, None, (place,), table.worth, is_row=True, made=table.made)

    def _row_most_asked_about(self, table: Table, passed_on: dict[int, Symbol | None]) -> int:
        """Picks the row that has most of the question in its first line and in what it passes; of
        equal ones the last."""
        lines = self.exhibits.source(table.holder.path).lines

        def likeness(line: int) -> tuple[bool, float, int]:
            symbol = passed_on[line]
            written = f"{lines[line - 1]} {symbol.name if symbol is not None else ''}"
            return symbol is not None, self._words.worth(text.words_in(written)), line

        return max((each for each in table.rows if each <= len(lines)), key=likeness)

    def _summary(self, table: Table, passed_on: dict[int, Symbol | None]) -> str:
        """Says what all rows have in common, after the sentence for one of them."""
        is_direct = next(iter(table.rows.values())).source == table.holder.id
        who, count = "It" if is_direct else called(table.holder), len(table.rows)
        kinds = {symbol is not None and symbol.kind in CALLABLES for symbol in passed_on.values()}
        if table.made is None:
            what = "function" if kinds == {True} else "definition"
            return f"{who} refers to a {what} on {count} of its lines."
        each_with = ", each time with a function" if kinds == {True} else ""
        if is_direct:
            return f"It does so in {count} places{each_with}."
        verb = "calls" if table.made.kind in CALLABLES else "makes"
        return f"{who} {verb} {called(table.made)} in {count} places{each_with}."


def _preference(table: Table) -> tuple[float, int, SymbolId]:
    """Sort key for tables, the best last."""
    return table.worth, len(table.rows), table.holder.id
