"""Turns observations into candidates with stable ids.

Architecture invariant: an id is the position of an immutable `Span` in an append-only list, and
each span has exactly one id. Therefore an id never changes what it points at, and a range never has
two ids. New evidence is added to the existing place; a wider view is a new place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import assert_never

from explorer_core.contracts import (
    Candidate,
    CandidateId,
    DefinitionFound,
    FileListed,
    FileRead,
    GrepMatch,
    LineRange,
    Observation,
    RelationFound,
    Segment,
    SourceName,
    SymbolFound,
    SymbolInfo,
    Traits,
)
from explorer_core.registry.declarations import (
    WIDEST_WINDOW,
    DeclarationMap,
    DeclarationSource,
    no_declarations,
)
from explorer_core.registry.observed_text import ObservedText
from explorer_core.registry.place import Place, Span
from explorer_core.registry.traits import traits_of

_Window = tuple[str, tuple[int, int] | None]
"""The scope in which windows may merge: a path, and the large declaration around them, if any."""


def _no_head(path: str) -> str:
    return ""


class Registry:
    """The candidates of one exploration. Not thread-safe.

    ``declarations`` returns the declarations of a path. ``head`` returns the beginning of a file's
    text, where generated files carry their marks. Both are called once per path.
    """

    def __init__(
        self,
        declarations: DeclarationSource = no_declarations,
        head: Callable[[str], str] = _no_head,
    ) -> None:
        self._declarations = declarations
        self._head = head
        self._places: list[Place] = []
        self._by_span: dict[Span, Place] = {}
        self._by_path: dict[str, list[Place]] = {}
        self._texts: dict[str, ObservedText] = {}
        self._maps: dict[str, DeclarationMap] = {}
        self._traits: dict[str, Traits] = {}
        self._windows: dict[_Window, list[Place]] = {}
        self._learned_of: list[SymbolInfo] = []
        self._superseded: set[str] = set()
        self._built: dict[str, tuple[int, int, Candidate]] = {}

    def add(self, observation: Observation) -> CandidateId:
        """Record what a channel observed; returns the id of the place it shows.

        A text match snaps to its enclosing declaration, or joins the match windows it overlaps.
        A relation is filed under the place whose text proves it; its target becomes a place too.
        """
        match observation:
            case GrepMatch():
                place = self._place_of_match(observation)
            case FileRead(segment=segment):
                place = self._place_of_segment(segment)
                place.learn("read_file")
            case FileListed(path=path):
                place = self._place(Span(path, None))
                place.learn("list_files")
            case SymbolFound():
                place = self._place_of_definition(observation)
            case RelationFound():
                place = self._place_of_relation(observation)
            case DefinitionFound():
                self._record_text(observation.segment)
                place = self._place_of_range(observation.path, observation.range)
                place.learn(observation.channel, symbol=observation.symbol)
            case _:
                assert_never(observation)
        return place.id

    def add_all(self, observations: Iterable[Observation]) -> list[CandidateId]:
        """`add` each, in order."""
        return [self.add(observation) for observation in observations]

    def record_symbols(self, symbols: Iterable[SymbolInfo]) -> None:
        """Record definitions that graph edges lead to. Free text may name them from then on, though
        they have no id and none of their text was read."""
        self._learned_of += symbols

    def get(self, id: str) -> Candidate | None:  # noqa: A002 - the word of the contract
        """The candidate with this id, including one whose window was merged into a wider one."""
        place = self._find(id)
        return self._candidate(place) if place is not None else None

    def id_of(self, path: str, range: LineRange | None) -> CandidateId | None:  # noqa: A002
        """The id of exactly this range, if it was observed."""
        place = self._by_span.get(Span(path, (range.start, range.end) if range else None))
        return place.id if place is not None else None

    def candidates(self) -> list[Candidate]:
        """All candidates in the order of their ids, without windows merged into wider ones."""
        return [self._candidate(each) for each in self._places if each.id not in self._superseded]

    def observed(self, path: str, range: LineRange) -> bool:  # noqa: A002
        """Whether these lines lie within one observed place, or were all seen as text."""
        spans = (place.span.lines for place in self._by_path.get(path, ()))
        if any(span and span[0] <= range.start and range.end <= span[1] for span in spans):
            return True
        text = self._texts.get(path)
        return text is not None and text.covers(range.start, range.end)

    def line(self, path: str, number: int) -> str | None:
        """The observed text of a line, or None."""
        text = self._texts.get(path)
        seen = text.within(number, number) if text is not None else ()
        return seen[0].lines[0] if seen else None

    def paths(self) -> Collection[str]:
        """Every path that was observed."""
        return self._by_path.keys()

    def symbols(self) -> Iterable[SymbolInfo]:
        """Every symbol that a candidate carries or that `record_symbols` recorded."""
        for place in self._places:
            yield from self._candidate(place).symbols
        yield from self._learned_of

    def lines_with(self, text: str) -> Iterator[str]:
        """The observed lines, in any file, that contain ``text``."""
        for seen in self._texts.values():
            yield from seen.lines_with(text)

    def declarations(self, path: str) -> DeclarationMap:
        """The declarations of ``path`` as they were when it was first observed."""
        known = self._maps.get(path)
        if known is None:
            known = self._maps[path] = DeclarationMap(self._declarations(path))
        return known

    def _place_of_match(self, match: GrepMatch) -> Place:
        self._record_text(match.segment)
        place = self._place_at_line(match.segment, match.line)
        place.learn("grep", terms=match.terms)
        return place

    def _place_of_definition(self, found: SymbolFound) -> Place:
        self._record_text(found.segment)
        place = self._place_of_range(found.path, found.range)
        place.learn("index", symbol=found.symbol, terms=found.terms, scores=found.scores)
        return place

    def _place_of_relation(self, found: RelationFound) -> Place:
        """File a relation under the place that its segment shows, and add the target as a place.
        Where the segment shows only the target, that is the place."""
        self._record_text(found.segment)
        target = self._place_of_range(found.target.path, found.target_range)
        source: SourceName = found.channel
        segment = found.segment
        shows_target = segment.path == found.target.path and found.target.line in range(
            segment.start, segment.start + len(segment.lines)
        )
        target.learn(source, scores=found.scores if shows_target else None)
        if segment.path == found.target.path and found.source.path != found.target.path:
            return target
        place = self._place_at_line(segment, found.source.line)
        place.learn(source, scores=None if shows_target else found.scores)
        return place

    def _record_text(self, segment: Segment) -> None:
        text = self._texts.get(segment.path)
        if text is None:
            text = self._texts[segment.path] = ObservedText(segment.path)
        text.add(segment.start, segment.lines)

    def _place_of_segment(self, segment: Segment) -> Place:
        self._record_text(segment)
        end = segment.start + len(segment.lines) - 1
        return self._place(Span(segment.path, (segment.start, end)))

    def _place_of_range(self, path: str, lines: LineRange) -> Place:
        return self._place(Span(path, (lines.start, lines.end)))

    def _place_at_line(self, segment: Segment, line: int) -> Place:
        """The declaration around a line, or a window within it if it is longer than
        `WIDEST_WINDOW`."""
        enclosing = self.declarations(segment.path).enclosing(line)
        if enclosing is None:
            return self._window(segment, None)
        lines = enclosing.range
        if lines.end - lines.start < WIDEST_WINDOW:
            return self._place_of_range(segment.path, lines)
        return self._window(segment, (lines.start, lines.end))

    def _window(self, segment: Segment, bounds: tuple[int, int] | None) -> Place:
        """The window around a match, merged with the windows that it overlaps or adjoins."""
        start, end = segment.start, segment.start + len(segment.lines) - 1
        if bounds:
            start, end = max(start, bounds[0]), min(end, bounds[1])
        windows = self._windows.setdefault((segment.path, bounds), [])
        joined: list[Place] = []
        for window in windows:
            low, high = window.span.lines or (0, 0)
            wider = (min(low, start), max(high, end))
            if low <= end + 1 and start <= high + 1 and wider[1] - wider[0] < WIDEST_WINDOW:
                start, end = wider
                joined.append(window)
        place = self._place(Span(segment.path, (start, end)))
        for narrower in joined:
            if narrower is not place:
                place.absorb(narrower)
                windows.remove(narrower)
                self._superseded.add(narrower.id)
        if place not in windows:
            windows.append(place)
        return place

    def _place(self, span: Span) -> Place:
        place = self._by_span.get(span)
        if place is None:
            place = Place(f"c{len(self._places) + 1}", span)
            self._places.append(place)
            self._by_span[span] = place
            self._by_path.setdefault(span.path, []).append(place)
        return place

    def _find(self, id: str) -> Place | None:  # noqa: A002
        """The place of an id; None for text that is no id of this registry."""
        number = id[1:]
        if not (id.startswith("c") and number.isascii() and number.isdigit()):
            return None
        if number.startswith("0") or len(number) > len(str(len(self._places))):
            return None
        position = int(number)
        return self._places[position - 1] if position <= len(self._places) else None

    def _candidate(self, place: Place) -> Candidate:
        text = self._texts.get(place.span.path)
        seen = text.revision if text else 0
        built = self._built.get(place.id)
        if built and built[:2] == (place.revision, seen):
            return built[2]
        segments = text.within(*place.span.lines) if text and place.span.lines else ()
        symbols = self._symbols_of(place)
        traits = self._traits_of(place.span.path, text)
        if symbols and not traits.test and all(symbol.test for symbol in symbols):
            traits = traits.model_copy(update={"test": True})
        candidate = place.candidate(segments, symbols, traits)
        self._built[place.id] = (place.revision, seen, candidate)
        return candidate

    def _symbols_of(self, place: Place) -> tuple[SymbolInfo, ...]:
        """The symbols observed at a place, else the declaration it spans, else those named in
        it."""
        lines = place.span.lines
        if place.symbols or lines is None:
            return tuple(place.symbols.values())
        declarations = self.declarations(place.span.path)
        whole = declarations.exactly(*lines)
        named = [whole] if whole else declarations.named_in(*lines)
        return tuple(each.info for each in named)

    def traits_of(self, path: str) -> Traits:
        """The traits of a file: as recorded for a file with candidates, else by its path alone."""
        return self._traits.get(path) or traits_of(path)

    def is_generated(self, path: str) -> bool:
        """Whether a file's path or text marks it as generated; reads the file if necessary."""
        return self._traits_of(path, None).generated

    def _traits_of(self, path: str, text: ObservedText | None) -> Traits:
        known = self._traits.get(path)
        if known is None:
            head = self._head(path) or (text.head() if text else "")
            known = self._traits[path] = traits_of(path, head)
        return known
