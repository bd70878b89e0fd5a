"""Units: the pieces of a file that search ranks, and where terms occur in them.

A unit is either a definition without the definitions nested in it that are units themselves, or a
window of up to `WINDOW_LINES` lines between definitions. Small data (fields, constants, variables)
belongs to the unit around it and adds its names to that unit's names. So does all data inside a
callable, unless it is made from a function (``const load = keep(() => { ... })``).
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from explorer_core.index.extraction.facts import TOP, Definition, FileFacts
from explorer_core.index.extraction.kinds import CALLABLES, CALLBACK, VARIABLES
from explorer_core.index.packing import pack
from explorer_core.index.terms import text as analysis

if TYPE_CHECKING:
    from explorer_core.index.terms.lexis import Layers, Lexis

FIELDS = ("name", "qualified", "signature", "doc", "body", "string", "path")
NAME, QUALIFIED, SIGNATURE, DOC, BODY, STRING, PATH = range(7)
"""``qualified`` holds the names of the containers; ``path`` belongs to the whole file."""

WINDOW_LINES = 40
_LARGE_DATA_LINES = 5
"""Data outside callables that spans at least this many lines is a unit of its own."""

_RECORD_LINES = 40
_RECORD_SHARE = 0.4
_RECORD_VARIETY = 0.1
_RECORD_INDENTED = 0.05
"""A list of records has more than `_RECORD_LINES` lines, of which more than `_RECORD_SHARE` begin
with one of two words. That can be true of a program too, but a program has indented lines, and they
begin with many different words."""
_DENSE_LINE = 400
"""Average line length, in characters, above which a long text counts as minified or encoded."""
_LARGEST_PLAIN = 256_000
"""Most characters of a file without a grammar; a longer one is found by text search only."""

_FIRST_WORD = re.compile(r"\n[^\w\n]*(\w+)")
"""The first word of a line. It starts at the preceding line end, since a pattern that begins with a
plain character is matched faster."""
FIELD_SHIFT, UNIT_SHIFT, ENTRY_BITS = 12, 15, 32
"""An entry is a 32-bit number; from the top bits: unit, field (3 bits), count (12 bits)."""
COUNT_MASK = (1 << FIELD_SHIFT) - 1
FIELD_BITS = UNIT_SHIFT - FIELD_SHIFT
FIELD_MASK = (1 << FIELD_BITS) - 1
PATH_UNIT = (1 << ENTRY_BITS - UNIT_SHIFT) - 1
"""The unit number in entries of the path field, the largest, so that they sort last."""
_MOST_UNITS = PATH_UNIT
UNIT_HEAD = 3
NUMBERS_PER_UNIT = UNIT_HEAD + PATH
"""Numbers per packed unit: ordinal + 1, start, end, and the word count of each field but the
path."""


class _Words(dict[str | bytes, list[int]]):
    """The places of each word. Single characters, which are not words, share one list."""

    def __init__(self) -> None:
        self.single: list[int] = []
        super().__init__((bytes((byte,)), self.single) for byte in range(128))

    def __missing__(self, word: str | bytes) -> list[int]:
        places = self[word] = []
        return places


NO_PLACE = 0
"""Separates the places of different words that share a term."""


class Terms:
    """Collects the words of some files and the places where they occur.

    A place is one field of one unit of a file, with a number above `NO_PLACE`. A word's list of
    places repeats each place as often as the word occurs there. Counting is left to the reader of a
    term's postings: it is fast for one term, while here it would have to be done for all.
    """

    def __init__(self) -> None:
        self.files = array("I", [0])
        """The file of each place."""
        self.entries = array("I", [0])
        """The entry of each place, without a count."""
        self._words = _Words()
        self._in_paths: defaultdict[str, list[int]] = defaultdict(list)

    def add_path(self, file: int, path: str) -> int:
        """Add the terms of a file's path. Returns how many there are."""
        terms = analysis.analyse(path)
        place = len(self.files)
        self.files.append(file)
        self.entries.append(PATH_UNIT << UNIT_SHIFT | PATH << FIELD_SHIFT)
        for term in terms:
            self._in_paths[term].append(place)
        return len(terms)

    def add(self, file: int, unit: int, field: int, text: str) -> int:
        """Add the words of a text, as one new place. Returns how many there are."""
        words = analysis.runs(text)
        place = len(self.files)
        self.files.append(file)
        self.entries.append(unit << UNIT_SHIFT | field << FIELD_SHIFT)
        single = self._words.single
        singles = len(single)
        for places in map(self._words.__getitem__, words):
            places.append(place)
        return len(words) - len(single) + singles

    def forget(self, file: int) -> None:
        """Remove everything that was added for a file."""
        forgotten = {place for place, one in enumerate(self.files) if one == file}
        for table in (self._words, self._in_paths):
            for places in table.values():
                places[:] = [place for place in places if place not in forgotten]

    def by_term(self) -> dict[str, list[list[int]]]:
        """The places of each term, one list for each word that contains the term."""
        found = {term: [places] for term, places in self._in_paths.items()}
        for word, places in self._words.items():
            for term in analysis.terms_of(word):
                known = found.get(term)
                if known is None:
                    found[term] = [places]
                else:
                    known.append(places)
        return found


class TextFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What search stores per file: its packed units."""

    units: bytes
    unit_count: int
    lengths: tuple[int, ...]
    """Words per field, summed over the units."""


class _Draft:
    """A unit while it is being filled."""

    __slots__ = ("body", "doc", "end", "names", "ordinal", "start", "strings")

    def __init__(self, ordinal: int, start: int, end: int) -> None:
        self.ordinal, self.start, self.end = ordinal, start, end
        self.names: list[str] = []
        self.body: list[str] = []
        self.doc: list[str] = []
        self.strings: list[str] = []

    def extend_to(self, line: int) -> None:
        """Extend a window so that it ends no earlier than ``line``."""
        if self.ordinal == TOP and self.end < line:
            self.end = line


def why_not_searched(text: str, facts: FileFacts | None) -> str | None:
    """The reason why a text is left out of the index, judging by its shape, so that only text
    search finds it; None if it is indexed."""
    lines = text.count("\n") + 1
    if len(text) > 4 * _DENSE_LINE and len(text) > _DENSE_LINE * lines:
        return "is minified or encoded (very long lines)"
    if facts is not None:
        return None
    if len(text) > _LARGEST_PLAIN:
        return f"is plain text of more than {_LARGEST_PLAIN:,} characters"
    if lines > _RECORD_LINES and _is_list_of_records(text):
        return "is a list of records rather than text"
    return None


def _is_list_of_records(text: str) -> bool:
    heads = Counter(_FIRST_WORD.findall(f"\n{text}"))
    lines = heads.total()
    if sum(sorted(heads.values())[-2:]) <= _RECORD_SHARE * lines:
        return False
    indented = text.count("\n ") + text.count("\n\t")
    return len(heads) <= _RECORD_VARIETY * lines or indented < _RECORD_INDENTED * lines


def text_facts(
    path: str, text: str, facts: FileFacts | None, lexis: Lexis, terms: Terms, file: int = 0
) -> TextFacts:
    """The units of a file. Their words are added to ``terms`` under the number ``file``."""
    layers = lexis.layers(text)
    drafts, unit_of_line = _lay_out(facts, layers)
    for line, doc, breaks in layers.docs:
        if (unit := unit_of_line[line]) >= 0:
            drafts[unit].doc.append(doc)
            drafts[unit].extend_to(line + 1 + breaks)
    for line, literal, breaks in layers.strings:
        if (unit := unit_of_line[line]) >= 0:
            drafts[unit].strings.append(literal)
            drafts[unit].extend_to(line + 1 + breaks)
    if facts is not None:
        _collect_names(facts, drafts, unit_of_line)
    return _count_words(drafts, facts, terms, file, path)


def _lay_out(facts: FileFacts | None, layers: Layers) -> tuple[list[_Draft], list[int]]:
    """The units in line order, filled with their code, and the unit of each line (-1 for none)."""
    drafts: list[_Draft] = []
    of_ordinal: dict[int, int] = {}
    unit_of_line: list[int] = []
    windows = _Windows(layers, drafts, unit_of_line)
    for first, last, ordinal in _line_runs(facts, layers):
        if ordinal == TOP or facts is None:
            windows.add_lines(first, last)
            continue
        windows.close()
        unit = of_ordinal.get(ordinal, -1)
        if unit < 0:
            definition = facts.definitions[ordinal]
            unit = of_ordinal[ordinal] = len(drafts)
            drafts.append(_Draft(ordinal, definition.start, definition.end))
        drafts[unit].body += layers.code[first:last]
        unit_of_line += [unit if unit < _MOST_UNITS else -1] * (last - first)
    return drafts[:_MOST_UNITS], unit_of_line


class _Windows:
    """Divides the lines between definitions into windows, which are units."""

    def __init__(self, layers: Layers, drafts: list[_Draft], unit_of_line: list[int]) -> None:
        self._code, self._drafts, self._unit_of_line = layers.code, drafts, unit_of_line
        self._filled = {line for line, _, _ in layers.docs}
        self._filled.update(line for line, _, _ in layers.strings)
        self._open: _Draft | None = None

    def close(self) -> None:
        """End the current window; the next line begins a new one."""
        self._open = None

    def add_lines(self, first: int, last: int) -> None:
        """Put lines into windows that neither begin nor end with a blank line."""
        code, filled, window = self._code, self._filled, self._open
        for line in range(first, last):
            unit = -1
            text = code[line]
            if (text and not text.isspace()) or line in filled:
                if window is None or line - window.start + 1 >= WINDOW_LINES:
                    window = _Draft(TOP, line + 1, line + 1)
                    self._drafts.append(window)
                window.end = line + 1
                window.body.append(text)
                unit = len(self._drafts) - 1
            self._unit_of_line.append(unit if unit < _MOST_UNITS else -1)
        self._open = window


def _line_runs(facts: FileFacts | None, layers: Layers) -> Iterator[tuple[int, int, int]]:
    """Runs of 0-based lines as (first, last + 1, ordinal of the innermost definition that is a
    unit)."""
    count = len(layers.code)
    if facts is None:
        yield 0, count, TOP
        return
    definitions, comment_lines = facts.definitions, layers.comment_lines
    owner = [TOP] * count
    borders = {0, count}
    units = [ordinal for ordinal in range(len(definitions)) if _is_unit(facts, ordinal)]
    units.sort(key=lambda ordinal: (definitions[ordinal].start, -definitions[ordinal].end))
    for ordinal in units:
        definition = definitions[ordinal]
        first, last = max(definition.start - 1, 0), min(definition.end, count)
        if first >= last:
            continue
        around = owner[first]
        # Comments right above a declaration describe it.
        while first > 0 and first - 1 in comment_lines and owner[first - 1] == around:
            first -= 1
        owner[first:last] = [ordinal] * (last - first)
        borders.add(first)
        borders.add(last)
    for first, last in pairwise(sorted(borders)):
        yield first, last, owner[first]


def _is_unit(facts: FileFacts, ordinal: int) -> bool:
    definition = facts.definitions[ordinal]
    if definition.kind not in VARIABLES:
        return True
    container = definition.container
    if container != TOP and facts.definitions[container].kind in CALLABLES:
        return not definition.bodiless
    return definition.end - definition.start + 1 >= _LARGE_DATA_LINES


def _collect_names(facts: FileFacts, drafts: list[_Draft], unit_of_line: list[int]) -> None:
    for definition in facts.definitions:
        line = definition.line - 1
        unit = unit_of_line[line] if 0 <= line < len(unit_of_line) else -1
        if unit >= 0 and _is_named(definition):
            drafts[unit].names.append(definition.name)


def _is_named(definition: Definition) -> bool:
    """Whether a definition's name is really a name. A callback goes by the text it is registered
    with, which may be a whole sentence."""
    return definition.kind != CALLBACK or " " not in definition.name


def _count_words(
    drafts: list[_Draft], facts: FileFacts | None, terms: Terms, file: int, path: str
) -> TextFacts:
    numbers: list[int] = [0]
    sums = [0] * len(FIELDS)
    add = terms.add
    for unit, draft in enumerate(drafts):
        numbers += (draft.ordinal + 1, draft.start, draft.end)
        for field, text in enumerate(_field_texts(draft, facts)):
            length = add(file, unit, field, text) if text else 0
            numbers.append(length)
            sums[field] += length
    numbers[0] = terms.add_path(file, path)
    sums[PATH] = numbers[0] * len(drafts)
    return TextFacts(pack(numbers), len(drafts), tuple(sums))


def _field_texts(draft: _Draft, facts: FileFacts | None) -> tuple[str, ...]:
    """A unit's text per field, without the path."""
    signature = qualified = ""
    if facts is not None and draft.ordinal != TOP:
        definition = facts.definitions[draft.ordinal]
        signature = definition.signature
        qualified = definition.owner
        container = definition.container
        if container != TOP and _is_named(facts.definitions[container]):
            qualified += " " + facts.qualified_name(container)
    return (
        " ".join(draft.names),
        qualified,
        signature,
        "\n".join(draft.doc),
        "\n".join(draft.body),
        "\n".join(draft.strings),
    )
